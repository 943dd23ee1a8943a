//! An extension record as a file has it.

use core::fmt;
use core::ops::Range;
use core::time::Duration;

use crate::document::scope::Scope;
use crate::parse::field::ExtensionField;
use crate::parse::part::Part;
use crate::record::crawl_delay::crawl_delay;
use crate::text::quote::escaped;

/// A record outside of RFC 9309, which leaves such records to others (§2.2.4). It never changes a
/// verdict.
///
/// ```
/// use core::time::Duration;
/// use polite_robots::RobotsTxt;
/// use polite_robots::document::Scope;
/// use polite_robots::record::ExtensionField;
///
/// let robots_txt = RobotsTxt::parse(b"
/// User-agent: *
/// Crawl-delay: 2.5
/// Sitemap: https://example.com/map.xml
/// ");
/// let extensions: Vec<_> = robots_txt.extensions().collect();
/// assert_eq!(extensions[0].crawl_delay(), Some(Duration::from_millis(2500)));
/// assert_eq!(extensions[1].field(), ExtensionField::Sitemap);
/// assert_eq!(extensions[1].value(), b"https://example.com/map.xml");
/// assert_eq!(extensions[1].scope(), Scope::File);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Extension<'r> {
    field: ExtensionField,
    value: Part<'r>,
    line: u32,
    scope: Scope<'r>,
}

impl<'r> Extension<'r> {
    pub(crate) fn new(
        field: ExtensionField,
        value: Part<'r>,
        line: u32,
        scope: Scope<'r>,
    ) -> Extension<'r> {
        Extension {
            field,
            value,
            line,
            scope,
        }
    }

    /// The field of the record.
    pub fn field(&self) -> ExtensionField {
        self.field
    }

    /// The value as written, without blanks around it and without a comment; any bytes.
    pub fn value(&self) -> &'r [u8] {
        self.value.bytes
    }

    /// The place of the value in [`RobotsTxt::as_bytes`](crate::RobotsTxt::as_bytes).
    pub fn span(&self) -> Range<usize> {
        self.value.span()
    }

    /// The line, counted from 1.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The agents that the record applies to.
    pub fn scope(&self) -> Scope<'r> {
        self.scope
    }

    /// The delay of a `Crawl-delay` record. `None` for every other field, and for a value that is
    /// not a number of seconds.
    pub fn crawl_delay(&self) -> Option<Duration> {
        match self.field {
            ExtensionField::CrawlDelay => crawl_delay(self.value()),
            _ => None,
        }
    }
}

/// The record as in the file, with control characters escaped.
impl fmt::Display for Extension<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, escaped(self.value()))
    }
}

/// Shows the line of the first agent instead of the agents: thousands of records may apply to the
/// same thousands of agents, and the text would be quadratic.
impl fmt::Debug for Extension<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Extension");
        shown
            .field("field", &self.field)
            .field("value", &self.value())
            .field("line", &self.line);
        match self.scope {
            Scope::Agents(run) => {
                let first = run.user_agents().next().map(|agent| agent.line());
                shown.field("agents_from_line", &first.unwrap_or_default())
            }
            scope => shown.field("scope", &scope),
        };
        shown.finish()
    }
}
