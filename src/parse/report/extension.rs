//! Diagnostics about records outside of RFC 9309.

use alloc::format;
use core::time::Duration;

use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Sink;
use crate::parse::field::ExtensionField;
use crate::parse::line::{PhysicalLine, RawRecord};
use crate::parse::part::Part;
use crate::parse::report::findings::Findings;
use crate::record::crawl_delay::crawl_delay;
use crate::text::quote::quote;

impl<'a, S: Sink + ?Sized> Findings<'a, '_, S> {
    pub(super) fn extension(
        &mut self,
        line: &PhysicalLine<'a>,
        record: &RawRecord<'a>,
        field: ExtensionField,
    ) {
        match field {
            ExtensionField::CrawlDelay => self.crawl_delay(line, record.value.part()),
            ExtensionField::Sitemap => self.sitemap(line, record.value.part()),
            ExtensionField::Noindex => {
                let message = "`Noindex` was never standard, and Google stopped following it in 2019; use an \
                               `X-Robots-Tag` header or a robots meta element";
                self.report(
                    DiagnosticCode::DeprecatedRecord,
                    line,
                    record.field,
                    message,
                );
            }
            ExtensionField::Host => {
                let message =
                    "`Host` was for Yandex, which stopped following it in 2018; use redirects";
                self.report(
                    DiagnosticCode::DeprecatedRecord,
                    line,
                    record.field,
                    message,
                );
            }
            ExtensionField::Comment
            | ExtensionField::RequestRate
            | ExtensionField::RobotVersion
            | ExtensionField::VisitTime => {
                let message = format!(
                    "no large crawler follows `{field}`, a field from a draft of 1996; remove the line"
                );
                self.report(
                    DiagnosticCode::UnsupportedField,
                    line,
                    record.field,
                    message,
                );
            }
            // A field without a diagnostic of its own needs no arm.
            _ => {}
        }
    }

    fn crawl_delay(&mut self, line: &PhysicalLine<'a>, value: Part<'a>) {
        match crawl_delay(value.bytes) {
            None => {
                let message = format!(
                    "{} is not a number of seconds; write a number such as `5` or `0.5`",
                    quote(value.bytes)
                );
                self.report(DiagnosticCode::InvalidCrawlDelay, line, value, message);
            }
            Some(delay) if delay > EXTREME => {
                let message = format!(
                    "a delay of {} allows {} requests a day, so some crawlers stay away and others ignore it; write {} or less",
                    quote(value.bytes),
                    DAY.as_secs() / delay.as_secs().max(1),
                    EXTREME.as_secs(),
                );
                self.report(DiagnosticCode::ExtremeCrawlDelay, line, value, message);
            }
            Some(_) => {}
        }
    }

    fn sitemap(&mut self, line: &PhysicalLine<'a>, value: Part<'a>) {
        if core::str::from_utf8(value.bytes).is_err() {
            let message = format!(
                "the sitemap {} is not UTF-8; write its URL percent-encoded",
                quote(value.bytes)
            );
            self.report(DiagnosticCode::SitemapNotUtf8, line, value, message);
        }
        if value.bytes.is_empty() {
            let message = "this `Sitemap` has no value; write the whole URL of the sitemap";
            return self.report(DiagnosticCode::RelativeSitemap, line, value, message);
        }
        let is_absolute = memchr::memchr(b':', value.bytes)
            .and_then(|at| value.bytes.get(at..))
            .is_some_and(|rest| rest.starts_with(b"://"));
        if !is_absolute {
            let message = format!(
                "the sitemap {} is not a whole URL, so crawlers may ignore it; write it with `https://` and the host",
                quote(value.bytes)
            );
            self.report(DiagnosticCode::RelativeSitemap, line, value, message);
        }
    }
}

/// The longest delay that is a delay: crawler-commons reads a longer one as a ban of the whole
/// site.
const EXTREME: Duration = Duration::from_secs(300);

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
