//! The preferences of a site about one URL, each with the record that states it.

use core::cmp::Reverse;
use core::fmt;

use crate::parse::field::ExtensionField;
use crate::record::preference::{PerCategory, Preference, UsageCategory};
use crate::text::quote::write_escaped;

/// The preferences of a site about the use of one URL's content, with the records that state them.
///
/// A preference is not a permission to fetch. It never changes a verdict, and a verdict says
/// nothing about use. [`Robot::usage`](crate::Robot::usage) returns the preferences for a URL.
///
/// ```
/// use polite_robots::Robot;
/// use polite_robots::record::{Preference, UsageCategory};
///
/// let robot = Robot::new("ExampleBot", b"
/// User-agent: *
/// Content-Signal: search=yes, ai-train=no
/// Content-Usage: /blog/ train-ai=y
/// ")?;
/// let usage = robot.usage("https://example.com/blog/1");
/// assert_eq!((usage.search(), usage.ai_input()), (Preference::Allowed, Preference::Unstated));
/// // The two records disagree, so the more restrictive one counts.
/// assert_eq!(usage.ai_training(), Preference::Disallowed);
/// assert_eq!(usage.record(UsageCategory::AiTraining).map(|record| record.line()), Some(3));
/// assert_eq!(
///     usage.to_string(),
///     "search: allowed by line 3; AI input: not stated; AI training: disallowed by line 3",
/// );
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage<'r> {
    /// Each preference that is stated, with its evidence.
    categories: PerCategory<Option<(Preference, UsageRecord<'r>)>>,
}

impl<'r> Usage<'r> {
    /// Combines records that all apply: each category gets its most restrictive preference, and of
    /// the records that state it the first in the file.
    pub(crate) fn combined(
        records: impl Iterator<Item = (UsageRecord<'r>, PerCategory<Preference>)> + Clone,
    ) -> Usage<'r> {
        let categories = PerCategory::from_fn(|category| {
            let preferences = records
                .clone()
                .map(|(record, preferences)| (*preferences.of(category), record));
            preferences
                .filter(|(preference, _)| *preference != Preference::Unstated)
                .max_by_key(|(preference, record)| (*preference, Reverse(record.line)))
        });
        Usage { categories }
    }

    /// The preference about a search index, and about results that link to the content.
    pub fn search(&self) -> Preference {
        self.of(UsageCategory::Search)
    }

    /// The preference about input to an AI model, such as grounding an answer.
    pub fn ai_input(&self) -> Preference {
        self.of(UsageCategory::AiInput)
    }

    /// The preference about training an AI model.
    pub fn ai_training(&self) -> Preference {
        self.of(UsageCategory::AiTraining)
    }

    /// The preference about one use.
    pub fn of(&self, category: UsageCategory) -> Preference {
        let stated = self.categories.of(category);
        stated.map(|(preference, _)| preference).unwrap_or_default()
    }

    /// The record that states the preference, the first in the file if several do. `None` for
    /// [`Preference::Unstated`].
    pub fn record(&self, category: UsageCategory) -> Option<UsageRecord<'r>> {
        self.categories.of(category).map(|(_, record)| record)
    }
}

/// One sentence: every category, its preference, and the line that states it.
impl fmt::Display for Usage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for category in UsageCategory::ALL.iter().copied() {
            write!(f, "{separator}{category}: {}", self.of(category))?;
            if let Some(record) = self.record(category) {
                write!(f, " by line {}", record.line)?;
            }
            separator = "; ";
        }
        Ok(())
    }
}

/// The `Content-Signal` or `Content-Usage` record that states a preference of a [`Usage`].
///
/// ```
/// use polite_robots::Robot;
/// use polite_robots::record::{ExtensionField, UsageCategory};
///
/// let robot = Robot::new("ExampleBot", b"User-agent: *\nContent-Usage: /a/ train-ai=n")?;
/// let record = robot.usage("/a/1").record(UsageCategory::AiTraining).unwrap();
/// assert_eq!((record.field(), record.line()), (ExtensionField::ContentUsage, 2));
/// assert_eq!(record.value(), b"/a/ train-ai=n");
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsageRecord<'r> {
    field: ExtensionField,
    value: &'r [u8],
    line: u32,
}

impl<'r> UsageRecord<'r> {
    pub(crate) fn new(field: ExtensionField, value: &'r [u8], line: u32) -> UsageRecord<'r> {
        UsageRecord { field, value, line }
    }

    /// The field: `Content-Signal` or `Content-Usage`.
    pub fn field(&self) -> ExtensionField {
        self.field
    }

    /// The value as written, without blanks around it and without a comment; any bytes.
    pub fn value(&self) -> &'r [u8] {
        self.value
    }

    /// The line, counted from 1.
    pub fn line(&self) -> u32 {
        self.line
    }
}

/// The record as in the file, with control characters escaped.
impl fmt::Display for UsageRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.field)?;
        write_escaped(f, self.value)
    }
}
