//! The records outside of RFC 9309, which never change a verdict.
//!
//! RFC 9309 §2.2.4 leaves room for other records, and files hold many: delays, sitemaps, licenses,
//! preferences about AI. This module has a type for each kind that is known, in a file of its own.
//!
//! - [`RobotsTxt::extensions`](crate::RobotsTxt::extensions) lists every such record of a file as
//!   an [`Extension`]: its field, its raw value, its line and its scope, and its
//!   [`ExtensionValue`].
//! - A [`Robot`](crate::Robot) answers for its agent: [`usage`](crate::Robot::usage),
//!   [`licenses`](crate::Robot::licenses), [`crawl_delay`](crate::Robot::crawl_delay),
//!   [`request_rates`](crate::Robot::request_rates), [`visit_times`](crate::Robot::visit_times).
//! - [`RobotsTxt::proposed_records`](crate::RobotsTxt::proposed_records) lists the records whose
//!   field is only proposed, each a [`ProposedField`]: known by name, without effect.
//!
//! ```
//! use polite_robots::Robot;
//! use polite_robots::record::Preference;
//!
//! let robot = Robot::new("ExampleBot", b"
//! User-agent: *
//! Allow: /
//! Content-Signal: search=yes, ai-train=no
//! ")?;
//! let page = "https://example.com/story";
//! assert!(robot.allowed(page));
//! assert_eq!(robot.usage(page).ai_training(), Preference::Disallowed);
//! # Ok::<(), polite_robots::InvalidToken>(())
//! ```

pub(crate) mod agent_records;
pub(crate) mod clean_param;
pub(crate) mod clean_url;
pub(crate) mod content_signal;
pub(crate) mod content_usage;
pub(crate) mod content_use;
pub(crate) mod crawl_delay;
pub(crate) mod day_window;
pub(crate) mod dictionary;
pub(crate) mod extension;
pub(crate) mod host;
pub(crate) mod label;
pub(crate) mod license;
pub(crate) mod preference;
pub(crate) mod proposed_field;
pub(crate) mod request_rate;
pub(crate) mod sitemap;
pub(crate) mod usage;

pub use crate::parse::field::{ExtensionField, ExtensionLevel};
pub use crate::record::clean_param::CleanParam;
pub use crate::record::content_signal::ContentSignal;
pub use crate::record::content_usage::ContentUsage;
pub use crate::record::content_use::ContentUse;
pub use crate::record::day_window::DayWindow;
pub use crate::record::extension::Extension;
pub use crate::record::host::Host;
pub use crate::record::license::License;
pub use crate::record::preference::{KeyValue, Preference, UsageCategory};
pub use crate::record::proposed_field::ProposedField;
pub use crate::record::request_rate::RequestRate;
pub use crate::record::sitemap::Sitemap;
pub use crate::record::usage::{Usage, UsageRecord, UsageSource};

use core::time::Duration;

use crate::record::crawl_delay::crawl_delay;

/// The value of an [`Extension`], read by the syntax of its field.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots::record::ExtensionValue;
///
/// let robots_txt = RobotsTxt::parse(b"
/// User-agent: *
/// Crawl-delay: soon
/// Request-rate: 1/5
/// Visit-time: 0100-0500
/// ");
/// for record in robots_txt.extensions() {
///     match record.typed() {
///         ExtensionValue::RequestRate(rate) => assert_eq!(rate.interval().as_secs(), 5),
///         ExtensionValue::VisitTime(window) => assert!(window.contains(120)),
///         ExtensionValue::Rejected(value) => assert_eq!(value, b"soon"),
///         _ => {}
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtensionValue<'r> {
    /// The query parameters that do not change a page.
    CleanParam(CleanParam<'r>),
    /// The permitted uses of the content, as key-value pairs.
    ContentSignal(ContentSignal<'r>),
    /// The permitted uses of the content, as a structured field.
    ContentUsage(ContentUsage<'r>),
    /// The time from one request to the next.
    CrawlDelay(Duration),
    /// The preferred host name.
    Host(Host<'r>),
    /// The URI of the license terms.
    License(License<'r>),
    /// A path pattern as written. It was never standard, Google stopped following it in 2019, and
    /// this crate does not act on it.
    Noindex(&'r [u8]),
    /// The most documents in a time.
    RequestRate(RequestRate),
    /// The URL of a sitemap.
    Sitemap(Sitemap<'r>),
    /// The text of a `Comment` or `Robot-version` record.
    Text(&'r [u8]),
    /// The part of the day in which visits are wanted.
    VisitTime(DayWindow),
    /// A value that breaks the syntax of its field, as written. It counts as if the record were
    /// missing.
    Rejected(&'r [u8]),
}

impl<'r> Extension<'r> {
    /// The value, read by the syntax of its field.
    pub fn typed(&self) -> ExtensionValue<'r> {
        let value = self.value();
        let typed = match self.field() {
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
        typed.unwrap_or(ExtensionValue::Rejected(value))
    }
}
