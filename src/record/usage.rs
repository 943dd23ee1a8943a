use core::fmt;

use crate::parse::field::ExtensionField;
use crate::record::preference::{PerCategory, Preference, UsageCategory};
use crate::text::quote::write_escaped;

/// What a site asks about the use of one URL's content, with the record that says so.
///
/// A preference, not a permission to fetch: it never changes a verdict, and a verdict says nothing about use. Get one
/// from [`Robot::usage`](crate::Robot::usage).
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
/// // The two records disagree, and then the more restrictive one counts.
/// assert_eq!(usage.ai_training(), Preference::Disallowed);
/// assert_eq!(usage.record(UsageCategory::AiTraining).map(|record| record.line()), Some(3));
/// assert_eq!(usage.to_string(), "search: allowed by line 3; AI input: not stated; AI training: disallowed by line 3");
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage<'r> {
    stated: PerCategory<Stated<'r>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Stated<'r> {
    preference: Preference,
    record: Option<UsageRecord<'r>>,
}

impl<'r> Usage<'r> {
    /// Combines what records say that all apply: of each use the most restrictive, and for it the first record.
    pub(crate) fn combined(
        records: impl Iterator<Item = (UsageRecord<'r>, PerCategory<Preference>)> + Clone,
    ) -> Usage<'r> {
        let stated = PerCategory::from_fn(|category| {
            let of_category = records.clone().map(|(record, preferences)| Stated {
                preference: *preferences.of(category),
                record: Some(record),
            });
            let best = of_category
                .filter(|stated| stated.preference != Preference::Unstated)
                .max_by_key(|stated| {
                    let line = stated.record.map_or(u32::MAX, |record| record.line);
                    (stated.preference, core::cmp::Reverse(line))
                });
            best.unwrap_or_default()
        });
        Usage { stated }
    }

    /// A search index, and results that link to the content.
    #[must_use]
    pub fn search(&self) -> Preference {
        self.of(UsageCategory::Search)
    }

    /// Input to an AI model, such as grounding an answer.
    #[must_use]
    pub fn ai_input(&self) -> Preference {
        self.of(UsageCategory::AiInput)
    }

    /// Training an AI model.
    #[must_use]
    pub fn ai_training(&self) -> Preference {
        self.of(UsageCategory::AiTraining)
    }

    /// The preference about one use.
    #[must_use]
    pub fn of(&self, category: UsageCategory) -> Preference {
        self.stated.of(category).preference
    }

    /// The record that states the preference, the first in the file if several do; `None` if it is not stated.
    #[must_use]
    pub fn record(&self, category: UsageCategory) -> Option<UsageRecord<'r>> {
        self.stated.of(category).record
    }
}

impl fmt::Display for Usage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for category in UsageCategory::ALL {
            write!(f, "{separator}{category}: {}", self.of(category))?;
            if let Some(record) = self.record(category) {
                write!(f, " by line {}", record.line)?;
            }
            separator = "; ";
        }
        Ok(())
    }
}

/// The `Content-Signal` or `Content-Usage` record behind a preference of a [`Usage`].
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

    /// Which of the two records it is.
    #[must_use]
    pub fn field(&self) -> ExtensionField {
        self.field
    }

    /// The value as written, without blanks around it and without a comment; any bytes.
    #[must_use]
    pub fn value(&self) -> &'r [u8] {
        self.value
    }

    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }
}

impl fmt::Display for UsageRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.field)?;
        write_escaped(f, self.value)
    }
}
