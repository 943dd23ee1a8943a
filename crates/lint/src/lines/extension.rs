//! Diagnostics about records outside of RFC 9309.

use std::time::Duration;

use polite_robots::record::{Extension, ExtensionField, ExtensionLevel};
use polite_robots::text::quote;
use polite_robots_records::ExtensionValue;

use crate::code::{DiagnosticCode, Severity};
use crate::lines::findings::Findings;
use crate::lines::groups_above::Place;
use crate::lines::record::Record;
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports on a record; `extension` is the same record as the core reads it.
    pub(super) fn extension(&mut self, record: Record<'_>, extension: Extension<'_>, place: Place) {
        let field = extension.field();
        // Without a record of their group between them agents share the records below.
        let is_between = field.level() == ExtensionLevel::Group;
        let removal = || match place.agent_below.filter(|_| is_between) {
            None => "remove the line".into(),
            Some(line) => {
                format!("keep the line while it parts the agents above from line {line}")
            }
        };
        let is_rejected = matches!(ExtensionValue::of(&extension), ExtensionValue::Rejected(_));
        match field {
            ExtensionField::ContentSignal => self.content_signal(record.value),
            ExtensionField::ContentUsage => self.content_usage(record.value),
            ExtensionField::CrawlDelay => self.crawl_delay(record.value, extension.crawl_delay()),
            ExtensionField::License if is_rejected => self.relative_license(record.value),
            ExtensionField::Sitemap => self.sitemap(record.value),
            ExtensionField::Noindex => {
                let message = || {
                    format!(
                        "`Noindex` was never standard, and Google stopped following it in 2019; {}, and give the pages the header `X-Robots-Tag: noindex`",
                        removal()
                    )
                };
                self.report(DiagnosticCode::DeprecatedRecord, record.field, message);
            }
            ExtensionField::Host => {
                let message = || "`Host` was for Yandex, which stopped following it in 2018; remove the line, and use redirects";
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
                        "no large crawler follows `{field}`, a field from a draft of 1996; {}",
                        removal()
                    )
                };
                self.report(DiagnosticCode::UnsupportedField, record.field, message);
            }
            // A field without a diagnostic of its own needs no arm.
            _ => {}
        }
    }

    fn crawl_delay(&mut self, value: Part<'_>, delay: Option<Duration>) {
        let quoted = quote(value.bytes);
        let has_unit = value.bytes.iter().any(u8::is_ascii_alphabetic);
        match delay {
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
                        "a delay of {quoted} allows {requests} a day, so some crawlers stay away and others ignore it; write `{}` or less",
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
