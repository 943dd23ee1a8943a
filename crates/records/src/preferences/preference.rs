//! Preferences about the use of content: the parts that `Content-Signal` and `Content-Usage` share.

use core::fmt;
use core::ops::Range;

use polite_robots::document::{trim, trim_start};
use polite_robots::record::PolicyToken;
use polite_robots::text::escaped;

use crate::number::split_at_blank;

/// The preference of a site about one use of its content.
///
/// The order is that of restriction, and the greatest of several preferences counts: a use that one
/// record disallows is disallowed, and else a use that one record allows is allowed
/// (draft-ietf-aipref-vocab §5.1).
///
/// ```
/// use polite_robots_records::Preference;
///
/// assert!(Preference::Disallowed > Preference::Allowed);
/// assert!(Preference::Allowed > Preference::Unstated);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Preference {
    /// The site states no preference. This is no permission: the crawler's own policy decides.
    #[default]
    Unstated,
    /// The site allows the use.
    Allowed,
    /// The site disallows the use.
    Disallowed,
}

impl Preference {
    /// A stable name for machines: `unstated`, `allowed`, `disallowed`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Preference::Unstated => "unstated",
            Preference::Allowed => "allowed",
            Preference::Disallowed => "disallowed",
        }
    }
}

/// The preference in words: `not stated`, `allowed`, `disallowed`.
impl fmt::Display for Preference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Preference::Unstated => "not stated",
            stated => stated.as_str(),
        })
    }
}

/// A use of content about which a site can state a preference.
///
/// ```
/// use polite_robots::Robot;
/// use polite_robots_records::{Preference, Usage, UsageCategory};
///
/// let robots_txt = b"User-agent: *\nContent-Signal: search=yes, ai-train=no";
/// let robot = Robot::new("ExampleBot", robots_txt)?;
/// let usage = Usage::of(&robot, "https://example.com/");
/// for category in UsageCategory::ALL {
///     let is_unwanted = usage.preference(*category) == Preference::Disallowed;
///     assert_eq!(is_unwanted, *category == UsageCategory::AiTraining);
/// }
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UsageCategory {
    /// A search index, and results that link to the content: `search` in both vocabularies.
    Search,
    /// Input to an AI model, such as grounding an answer: `ai-input` (contentsignals.org), `ai-use`
    /// (AIPREF).
    AiInput,
    /// Training an AI model: `ai-train` (contentsignals.org), `train-ai` (AIPREF).
    AiTraining,
}

impl UsageCategory {
    /// Every category.
    pub const ALL: &'static [UsageCategory] = &UsageCategory::EACH;

    /// Every category by its number.
    pub(crate) const EACH: [UsageCategory; 3] = [
        UsageCategory::Search,
        UsageCategory::AiInput,
        UsageCategory::AiTraining,
    ];

    /// A stable name for machines: `search`, `ai-input`, `ai-training`.
    pub const fn as_str(self) -> &'static str {
        self.names().0
    }

    /// The key of the use in `Content-Signal` (contentsignals.org, 2025-09-24), which is compared
    /// in any case.
    ///
    /// ```
    /// use polite_robots_records::UsageCategory;
    ///
    /// assert_eq!(UsageCategory::AiTraining.signal_label(), "ai-train");
    /// ```
    #[must_use]
    pub const fn signal_label(self) -> &'static str {
        self.names().2
    }

    /// The key of the use in `Content-Usage` (draft-ietf-aipref-vocab-08 §6), which is compared
    /// byte for byte.
    ///
    /// ```
    /// use polite_robots_records::UsageCategory;
    ///
    /// assert_eq!(UsageCategory::AiTraining.usage_label(), "train-ai");
    /// ```
    #[must_use]
    pub const fn usage_label(self) -> &'static str {
        self.names().3
    }

    /// The token of the use in a `User-agent` line, if one is known
    /// (draft-kelley-aipref-training-preference-signal-00).
    ///
    /// ```
    /// use polite_robots::record::PolicyToken;
    /// use polite_robots_records::UsageCategory;
    ///
    /// assert_eq!(UsageCategory::AiTraining.policy_token(), Some(PolicyToken::AiTraining));
    /// assert_eq!(UsageCategory::Search.policy_token(), None);
    /// ```
    #[must_use]
    pub const fn policy_token(self) -> Option<PolicyToken> {
        match self {
            UsageCategory::Search | UsageCategory::AiInput => None,
            UsageCategory::AiTraining => Some(PolicyToken::AiTraining),
        }
    }

    /// The names for machines, for people, in `Content-Signal` and in `Content-Usage`.
    const fn names(self) -> (&'static str, &'static str, &'static str, &'static str) {
        match self {
            UsageCategory::Search => ("search", "search", "search", "search"),
            UsageCategory::AiInput => ("ai-input", "AI input", "ai-input", "ai-use"),
            UsageCategory::AiTraining => ("ai-training", "AI training", "ai-train", "train-ai"),
        }
    }
}

/// The use in words: `search`, `AI input`, `AI training`.
impl fmt::Display for UsageCategory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.names().1)
    }
}

/// A key of a `Content-Signal` or `Content-Usage` record and its value, as written, known or
/// unknown.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_records::ExtensionValue;
///
/// let robots_txt = RobotsTxt::parse(b"User-agent: *\nContent-Signal: ai-train=no, use=reference");
/// let extension = robots_txt.extensions().next().unwrap();
/// let ExtensionValue::ContentSignal(signal) = ExtensionValue::of(&extension) else {
///     panic!("no signal");
/// };
/// let pairs: Vec<String> = signal.pairs().map(|pair| pair.to_string()).collect();
/// assert_eq!(pairs, ["ai-train=no", "use=reference"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyValue<'r> {
    key: Part<'r>,
    value: Part<'r>,
}

/// A part of a record's value, with its place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part<'r> {
    pub(crate) start: usize,
    pub(crate) bytes: &'r [u8],
}

impl Part<'_> {
    /// Without the white space around it.
    pub(crate) fn trim(self) -> Self {
        let before = self.bytes.len() - trim_start(self.bytes).len();
        Part {
            start: self.start.saturating_add(before),
            bytes: trim(self.bytes),
        }
    }

    pub(crate) fn end(self) -> usize {
        self.start.saturating_add(self.bytes.len())
    }
}

impl<'r> KeyValue<'r> {
    pub(crate) fn new(key: Part<'r>, value: Part<'r>) -> KeyValue<'r> {
        KeyValue { key, value }
    }

    /// The key, before the `=`; any bytes.
    pub fn key(&self) -> &'r [u8] {
        self.key.bytes
    }

    /// The value, after the `=` and without parameters; any bytes. Empty if there is no `=`.
    pub fn value(&self) -> &'r [u8] {
        self.value.bytes
    }

    /// The bytes of the record's value or of the header at which the pair stands, without its
    /// parameters. In a file, [`Extension::span`](polite_robots::record::Extension::span) says
    /// where the value begins.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots_records::ContentSignal;
    ///
    /// let robots_txt = RobotsTxt::parse(b"User-agent: *\nContent-Signal: /blog/ search=yes, use = full");
    /// let extension = robots_txt.extensions().next().unwrap();
    /// let pair = ContentSignal::new(extension.value()).pairs().last().unwrap();
    /// assert_eq!(&extension.value()[pair.span()], b"use = full");
    /// let value = &robots_txt.as_bytes()[extension.span()];
    /// assert_eq!(&value[pair.span()], b"use = full");
    /// ```
    pub fn span(&self) -> Range<usize> {
        let last = if self.value.bytes.is_empty() {
            self.key
        } else {
            self.value
        };
        self.key.start..last.end()
    }
}

/// `key=value`, or `key` without a value, with control characters escaped.
impl fmt::Display for KeyValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escaped(self.key()).fmt(f)?;
        match self.value() {
            [] => Ok(()),
            value => write!(f, "={}", escaped(value)),
        }
    }
}

/// Splits the value of a record into its path, if it has one, and its pairs. No pair begins with
/// `/`.
///
/// ```text
/// value = [ path 1*WS ] pairs
/// path  = "/" *( any but WS )
/// ```
pub(crate) fn split_path(value: &[u8]) -> (Option<&[u8]>, Part<'_>) {
    if value.first() != Some(&b'/') {
        let whole = Part {
            start: 0,
            bytes: value,
        };
        return (None, whole);
    }
    let (path, pairs) = split_at_blank(value);
    let pairs = Part {
        start: path.len(),
        bytes: pairs,
    };
    (Some(path), pairs)
}
