//! Records outside of RFC 9309, which never change a verdict.

pub(crate) mod agent_records;
pub(crate) mod clean_param;
pub(crate) mod clean_url;
pub(crate) mod content_signal;
pub(crate) mod content_usage;
pub(crate) mod crawl_delay;
pub(crate) mod day_window;
pub(crate) mod dictionary;
pub(crate) mod host;
pub(crate) mod license;
pub(crate) mod preference;
pub(crate) mod request_rate;
pub(crate) mod sitemap;
pub(crate) mod usage;

pub use crate::parse::field::{ExtensionField, ExtensionLevel};
pub use crate::record::clean_param::CleanParam;
pub use crate::record::content_signal::ContentSignal;
pub use crate::record::content_usage::ContentUsage;
pub use crate::record::day_window::DayWindow;
pub use crate::record::host::Host;
pub use crate::record::license::License;
pub use crate::record::preference::{KeyValue, Preference, UsageCategory};
pub use crate::record::request_rate::RequestRate;
pub use crate::record::sitemap::Sitemap;
pub use crate::record::usage::{Usage, UsageRecord};

use core::fmt;
use core::time::Duration;

use crate::document::groups::Scope;
use crate::record::crawl_delay::crawl_delay;
use crate::text::quote::write_escaped;

/// A record that RFC 9309 leaves to others (§2.2.4), as the file has it. No extension changes a verdict.
///
/// ```
/// use core::time::Duration;
/// use polite_robots::RobotsTxt;
/// use polite_robots::document::Scope;
/// use polite_robots::record::ExtensionField;
///
/// let robots_txt = RobotsTxt::parse(b"User-agent: *\nCrawl-delay: 2.5\nSitemap: https://example.com/map.xml");
/// let extensions: Vec<_> = robots_txt.extensions().collect();
/// assert_eq!(extensions[0].crawl_delay(), Some(Duration::from_millis(2500)));
/// assert_eq!(extensions[1].field(), ExtensionField::Sitemap);
/// assert_eq!(extensions[1].value(), b"https://example.com/map.xml");
/// assert_eq!(extensions[1].scope(), Scope::File);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Extension<'r> {
    field: ExtensionField,
    value: &'r [u8],
    line: u32,
    scope: Scope<'r>,
}

impl<'r> Extension<'r> {
    pub(crate) fn new(
        field: ExtensionField,
        value: &'r [u8],
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

    /// Which record it is.
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

    /// To whom it speaks.
    #[must_use]
    pub fn scope(&self) -> Scope<'r> {
        self.scope
    }

    /// What the value says.
    #[must_use]
    pub fn typed(&self) -> ExtensionValue<'r> {
        let value = self.value;
        let record = match self.field {
            ExtensionField::CleanParam => CleanParam::new(value).map(ExtensionValue::CleanParam),
            ExtensionField::ContentSignal => {
                Some(ExtensionValue::ContentSignal(ContentSignal::new(value)))
            }
            ExtensionField::ContentUsage => {
                ContentUsage::new(value).map(ExtensionValue::ContentUsage)
            }
            ExtensionField::CrawlDelay => crawl_delay(value).map(ExtensionValue::CrawlDelay),
            ExtensionField::Host => Host::new(value).map(ExtensionValue::Host),
            ExtensionField::License => License::new(value).map(ExtensionValue::License),
            ExtensionField::Noindex => Some(ExtensionValue::Noindex(value)),
            ExtensionField::RequestRate => RequestRate::new(value).map(ExtensionValue::RequestRate),
            ExtensionField::Sitemap => Sitemap::new(value).map(ExtensionValue::Sitemap),
            ExtensionField::VisitTime => DayWindow::new(value).map(ExtensionValue::VisitTime),
            ExtensionField::Comment | ExtensionField::RobotVersion => {
                Some(ExtensionValue::Text(value))
            }
        };
        record.unwrap_or(ExtensionValue::Rejected(value))
    }

    /// The delay of a `Crawl-delay` record; `None` for another field and for a value that is not a number of seconds.
    #[must_use]
    pub fn crawl_delay(&self) -> Option<Duration> {
        match self.field {
            ExtensionField::CrawlDelay => crawl_delay(self.value),
            _ => None,
        }
    }
}

impl fmt::Display for Extension<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.field)?;
        write_escaped(f, self.value)
    }
}

/// With a line in place of the agents: thousands of records may speak to the same thousands of agents.
impl fmt::Debug for Extension<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Extension");
        shown
            .field("field", &self.field)
            .field("value", &self.value)
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

/// What an [`Extension`] says, by its field.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots::record::ExtensionValue;
///
/// let robots_txt = RobotsTxt::parse(b"User-agent: *\nCrawl-delay: soon\nRequest-rate: 1/5\nVisit-time: 0100-0500");
/// for record in robots_txt.extensions() {
///     match record.typed() {
///         ExtensionValue::RequestRate(rate) => assert_eq!(rate.interval().as_secs(), 5),
///         ExtensionValue::VisitTime(window) => assert!(window.contains(120)),
///         ExtensionValue::Rejected(value) => assert_eq!((record.line(), value), (2, &b"soon"[..])),
///         _ => {}
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtensionValue<'r> {
    /// Query parameters that do not change a page.
    CleanParam(CleanParam<'r>),
    /// What content may be used for.
    ContentSignal(ContentSignal<'r>),
    /// What content may be used for, as a structured field.
    ContentUsage(ContentUsage<'r>),
    /// The time from one request to the next.
    CrawlDelay(Duration),
    /// The preferred host name.
    Host(Host<'r>),
    /// Where the licence terms are.
    License(License<'r>),
    /// A path pattern as written. Never standard, and nothing here acts on it; Google stopped in 2019.
    Noindex(&'r [u8]),
    /// Documents per time.
    RequestRate(RequestRate),
    /// Where a sitemap is.
    Sitemap(Sitemap<'r>),
    /// The text of a `Comment` or `Robot-version` record.
    Text(&'r [u8]),
    /// When visits are wanted.
    VisitTime(DayWindow),
    /// A value that the record's syntax does not allow, as written: it counts as if the record were not there.
    Rejected(&'r [u8]),
}
