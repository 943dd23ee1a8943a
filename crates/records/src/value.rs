//! The value of any record, by the syntax of its field.

use core::time::Duration;

use polite_robots::record::{Extension, ExtensionField, Sitemap};

use crate::clean_param::CleanParam;
use crate::host::Host;
use crate::license::License;
use crate::preferences::content_signal::ContentSignal;
use crate::preferences::content_usage::ContentUsage;
use crate::rate::day_window::DayWindow;
use crate::rate::request_rate::RequestRate;

/// The value of an [`Extension`], read by the syntax of its field.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_records::ExtensionValue;
///
/// let robots_txt = RobotsTxt::parse(b"
/// User-agent: *
/// Crawl-delay: soon
/// Request-rate: 1/5
/// Visit-time: 0100-0500
/// ");
/// for record in robots_txt.extensions() {
///     match ExtensionValue::of(&record) {
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

impl<'r> ExtensionValue<'r> {
    /// Reads the value of a record by the syntax of its field.
    #[must_use]
    pub fn of(record: &Extension<'r>) -> ExtensionValue<'r> {
        let value = record.value();
        let read = match record.field() {
            ExtensionField::CleanParam => CleanParam::new(value).map(ExtensionValue::CleanParam),
            ExtensionField::ContentSignal => {
                Some(ExtensionValue::ContentSignal(ContentSignal::new(value)))
            }
            ExtensionField::ContentUsage => {
                ContentUsage::new(value).map(ExtensionValue::ContentUsage)
            }
            ExtensionField::CrawlDelay => record.crawl_delay().map(ExtensionValue::CrawlDelay),
            ExtensionField::Host => Host::new(value).map(ExtensionValue::Host),
            ExtensionField::License => License::new(value).map(ExtensionValue::License),
            ExtensionField::Noindex => Some(ExtensionValue::Noindex(value)),
            ExtensionField::RequestRate => RequestRate::new(value).map(ExtensionValue::RequestRate),
            ExtensionField::Sitemap => {
                (!value.is_empty()).then(|| ExtensionValue::Sitemap(Sitemap::from(value)))
            }
            ExtensionField::VisitTime => DayWindow::new(value).map(ExtensionValue::VisitTime),
            _ => Some(ExtensionValue::Text(value)),
        };
        read.unwrap_or(ExtensionValue::Rejected(value))
    }
}
