//! Diagnostics about records outside of RFC 9309.

use alloc::format;
use alloc::string::String;
use core::time::Duration;

use crate::lint::code::{DiagnosticCode, Severity};
use crate::parse::field::ExtensionField;
use crate::parse::line::RawRecord;
use crate::parse::part::Part;
use crate::parse::report::findings::Findings;
use crate::record::crawl_delay::crawl_delay;
use crate::text::quote::quote;

impl Findings<'_, '_> {
    pub(super) fn extension(&mut self, record: RawRecord<'_>, field: ExtensionField) {
        match field {
            ExtensionField::ContentSignal => self.content_signal(record.value.part()),
            ExtensionField::ContentUsage => self.content_usage(record.value.part()),
            ExtensionField::CrawlDelay => self.crawl_delay(record.value.part()),
            ExtensionField::License => self.license(record.value.part()),
            ExtensionField::Sitemap => self.sitemap(record.value.part()),
            ExtensionField::Noindex => {
                let message = || {
                    "`Noindex` was never standard, and Google stopped following it in 2019; use an \
                               `X-Robots-Tag` header or a robots meta element"
                };
                self.report(DiagnosticCode::DeprecatedRecord, record.field, message);
            }
            ExtensionField::Host => {
                let message =
                    || "`Host` was for Yandex, which stopped following it in 2018; use redirects";
                let code = DiagnosticCode::DeprecatedRecord;
                // A site with redirects loses nothing.
                self.grade(code, Severity::Note, record.field, message);
            }
            ExtensionField::Comment
            | ExtensionField::RequestRate
            | ExtensionField::RobotVersion
            | ExtensionField::VisitTime => {
                let message = || {
                    format!(
                        "no large crawler follows `{field}`, a field from a draft of 1996; remove the line"
                    )
                };
                self.report(DiagnosticCode::UnsupportedField, record.field, message);
            }
            // A field without a diagnostic of its own needs no arm.
            _ => {}
        }
    }

    fn crawl_delay(&mut self, value: Part<'_>) {
        let quoted = quote(value.bytes);
        let has_unit = value.bytes.iter().any(u8::is_ascii_alphabetic);
        match crawl_delay(value.bytes) {
            None => {
                let message = || {
                    format!(
                        "{quoted} is not a number of seconds; write a number such as `5` or `0.5`"
                    )
                };
                self.report(DiagnosticCode::InvalidCrawlDelay, value, message);
            }
            Some(_) if has_unit => {
                let number = || number(value.bytes);
                let message = || {
                    let number = number();
                    format!(
                        "many crawlers read only a number here, and none of {quoted}; write `{number}`"
                    )
                };
                let code = DiagnosticCode::InvalidCrawlDelay;
                self.suggest(code, value, message, || Some(number()));
            }
            Some(delay) if delay > EXTREME => {
                let requests = match DAY.as_secs() / delay.as_secs().max(1) {
                    0 => "no request".into(),
                    1 => "1 request".into(),
                    several => format!("{several} requests"),
                };
                let message = || {
                    format!(
                        "a delay of {quoted} allows {requests} a day, so some crawlers stay away and others ignore it; write {} or less",
                        EXTREME.as_secs(),
                    )
                };
                self.report(DiagnosticCode::ExtremeCrawlDelay, value, message);
            }
            Some(_) => {}
        }
    }
}

/// The number of a delay, without its unit.
fn number(value: &[u8]) -> String {
    let digits = value.iter().take_while(|byte| !byte.is_ascii_alphabetic());
    let number: String = digits.map(|byte| char::from(*byte)).collect();
    number.trim_end().into()
}

/// The longest delay that is a delay: crawler-commons reads a longer one as a ban of the whole
/// site.
const EXTREME: Duration = Duration::from_secs(300);

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
