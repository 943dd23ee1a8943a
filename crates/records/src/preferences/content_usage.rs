//! The value of a `Content-Usage` record: preferences about the use of content, as a structured
//! field.

use crate::preferences::dictionary::members;
use crate::preferences::preference::{KeyValue, Part, Preference, UsageCategory, split_path};

/// A `Content-Usage` record: the permitted uses of the content, as a structured field
/// (draft-ietf-aipref-attach-05 §3, with the vocabulary of draft-ietf-aipref-vocab-08 §6).
///
/// ```text
/// content-usage = [ path-pattern 1*WS ] sf-dictionary    ; RFC 9651 §3.2
/// ```
///
/// The keys `search`, `ai-use` and `train-ai` with the tokens `y` and `n`, compared byte for byte,
/// state a preference. If a key stands twice, its last member counts. Every other key and value
/// states no preference and is no error: the labels of earlier drafts (`ai`, `ai-output`), those of
/// `Content-Signal`, and values such as `yes` or `"n"`.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_records::{ExtensionValue, Preference, UsageCategory};
///
/// let robots_txt = RobotsTxt::parse(br#"
/// User-agent: *
/// Content-Usage: /ai-ok/ train-ai=y;why="open", x=1
/// "#);
/// let extension = robots_txt.extensions().next().unwrap();
/// let ExtensionValue::ContentUsage(usage) = ExtensionValue::of(&extension) else {
///     panic!("no usage");
/// };
/// assert_eq!(usage.path(), Some(&b"/ai-ok/"[..]));
/// assert_eq!(usage.preference(UsageCategory::AiTraining), Preference::Allowed);
/// let pairs: Vec<String> = usage.pairs().map(|pair| pair.to_string()).collect();
/// assert_eq!(pairs, ["train-ai=y", "x=1"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentUsage<'r> {
    path: Option<&'r [u8]>,
    dictionary: Part<'r>,
}

impl<'r> ContentUsage<'r> {
    /// Reads the value of a line or of a header. `None` if the text after the path is no dictionary
    /// (RFC 9651 §3.2): then all of it is ignored (§4.2).
    #[must_use]
    pub fn new(value: &'r [u8]) -> Option<ContentUsage<'r>> {
        let (path, dictionary) = split_path(value);
        members(dictionary)
            .all(|member| member.is_some())
            .then_some(ContentUsage { path, dictionary })
    }

    /// The pattern of the paths that the record applies to, as written; `None` for the whole site.
    pub fn path(&self) -> Option<&'r [u8]> {
        self.path
    }

    /// The members of the dictionary in their order, known and unknown ones, without parameters.
    pub fn pairs(&self) -> impl Iterator<Item = KeyValue<'r>> + use<'r> {
        members(self.dictionary).flatten()
    }

    /// The preference about one use.
    pub fn preference(&self, category: UsageCategory) -> Preference {
        let [preference] = self.preferences([category]);
        preference
    }

    /// The preferences about several uses, in one walk over the members.
    pub(crate) fn preferences<const N: usize>(&self, uses: [UsageCategory; N]) -> [Preference; N] {
        let mut preferences = [Preference::Unstated; N];
        for member in self.pairs() {
            for (slot, category) in preferences.iter_mut().zip(uses) {
                if member.key() == category.usage_label().as_bytes() {
                    // The last one counts also if its value is unknown.
                    *slot = match member.value() {
                        b"y" => Preference::Allowed,
                        b"n" => Preference::Disallowed,
                        _ => Preference::Unstated,
                    };
                }
            }
        }
        preferences
    }
}
