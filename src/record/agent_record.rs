//! A record that is for the agent of a robot.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use crate::parse::field::{ExtensionField, ExtensionLevel};
use crate::text::quote::escaped;

/// A record outside of RFC 9309 that is for the agent of a [`Robot`](crate::Robot), as it is
/// written.
///
/// ```
/// use polite_robots::Robot;
/// use polite_robots::record::{ExtensionField, ExtensionLevel};
///
/// let robot = Robot::new("ExampleBot", b"
/// License: https://example.com/license.xml
/// User-agent: *
/// Request-rate: 1/10
/// ")?;
/// let [license, rate] = robot.records().collect::<Vec<_>>()[..] else { panic!("not two records") };
/// assert_eq!((license.level(), rate.level()), (ExtensionLevel::File, ExtensionLevel::Group));
/// assert_eq!((rate.field(), rate.value(), rate.line()), (ExtensionField::RequestRate, &b"1/10"[..], 4));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct AgentRecord {
    field: ExtensionField,
    level: ExtensionLevel,
    value: Box<[u8]>,
    line: u32,
}

impl AgentRecord {
    // Out of line, to keep the loop over the lines small: few records come here.
    #[cold]
    pub(crate) fn new(
        field: ExtensionField,
        level: ExtensionLevel,
        value: &[u8],
        line: u32,
    ) -> AgentRecord {
        AgentRecord {
            field,
            level,
            value: value.into(),
            line,
        }
    }

    /// Whether a robot keeps such a record. `Crawl-delay` and `Sitemap` have places of their own,
    /// and the others say nothing to a crawler.
    pub(crate) const fn is_kept(field: ExtensionField) -> bool {
        matches!(
            field,
            ExtensionField::ContentSignal
                | ExtensionField::ContentUsage
                | ExtensionField::License
                | ExtensionField::RequestRate
                | ExtensionField::VisitTime
        )
    }

    /// The field of the record.
    pub fn field(&self) -> ExtensionField {
        self.field
    }

    /// The value as written, without blanks around it and without a comment; any bytes.
    pub fn value(&self) -> &[u8] {
        &self.value
    }

    /// The line, counted from 1.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// [`ExtensionLevel::Group`] for a record in a group of the agent, and [`ExtensionLevel::File`]
    /// for one above every `User-agent` line, which is for everyone.
    pub fn level(&self) -> ExtensionLevel {
        self.level
    }
}

/// The record as in the file, with control characters escaped.
impl fmt::Display for AgentRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, escaped(&self.value))
    }
}

impl fmt::Debug for AgentRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = String::from_utf8_lossy(&self.value);
        (self.line, self.level, self.field, value).fmt(f)
    }
}
