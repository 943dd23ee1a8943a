//! Preferences about the use of content: the parts that `Content-Signal` and `Content-Usage` share.

use core::fmt;
use core::ops::Range;

use crate::parse::part::Part;
use crate::text::quote::write_escaped;

/// The preference of a site about one use of its content.
///
/// The order is that of restriction, and the greatest of several preferences counts: a use that one
/// record disallows is disallowed, and else a use that one record allows is allowed
/// (draft-ietf-aipref-vocab §5.1).
///
/// ```
/// use polite_robots::record::Preference;
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
/// use polite_robots::record::{Preference, UsageCategory};
///
/// let robots_txt = b"User-agent: *\nContent-Signal: search=yes, ai-train=no";
/// let robot = Robot::new("ExampleBot", robots_txt)?;
/// let usage = robot.usage("https://example.com/");
/// for category in UsageCategory::ALL {
///     let is_unwanted = usage.of(*category) == Preference::Disallowed;
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
    pub const ALL: &'static [UsageCategory] = &[
        UsageCategory::Search,
        UsageCategory::AiInput,
        UsageCategory::AiTraining,
    ];

    /// A stable name for machines: `search`, `ai-input`, `ai-training`.
    pub const fn as_str(self) -> &'static str {
        match self {
            UsageCategory::Search => "search",
            UsageCategory::AiInput => "ai-input",
            UsageCategory::AiTraining => "ai-training",
        }
    }
}

/// The use in words: `search`, `AI input`, `AI training`.
impl fmt::Display for UsageCategory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UsageCategory::Search => "search",
            UsageCategory::AiInput => "AI input",
            UsageCategory::AiTraining => "AI training",
        })
    }
}

/// A key of a `Content-Signal` or `Content-Usage` record and its value, as written, known or
/// unknown.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots::record::ExtensionValue;
///
/// let robots_txt = RobotsTxt::parse(b"User-agent: *\nContent-Signal: ai-train=no, use=reference");
/// let extension = robots_txt.extensions().next().unwrap();
/// let ExtensionValue::ContentSignal(signal) = extension.typed() else {
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
    /// parameters. In a file, [`Extension::span`](crate::record::Extension::span) says where the
    /// value begins.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots::record::ContentSignal;
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
        write_escaped(f, self.key())?;
        if !self.value().is_empty() {
            f.write_str("=")?;
            write_escaped(f, self.value())?;
        }
        Ok(())
    }
}

/// One value for each [`UsageCategory`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct PerCategory<T> {
    search: T,
    ai_input: T,
    ai_training: T,
}

impl<T> PerCategory<T> {
    pub(crate) fn from_fn(mut value: impl FnMut(UsageCategory) -> T) -> PerCategory<T> {
        PerCategory {
            search: value(UsageCategory::Search),
            ai_input: value(UsageCategory::AiInput),
            ai_training: value(UsageCategory::AiTraining),
        }
    }

    pub(crate) fn of(&self, category: UsageCategory) -> &T {
        match category {
            UsageCategory::Search => &self.search,
            UsageCategory::AiInput => &self.ai_input,
            UsageCategory::AiTraining => &self.ai_training,
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
    let value = Part::new(0, value);
    if value.bytes.first() != Some(&b'/') {
        return (None, value);
    }
    let end = memchr::memchr2(b' ', b'\t', value.bytes).unwrap_or(value.bytes.len());
    (Some(value.head(end).bytes), value.tail(end))
}
