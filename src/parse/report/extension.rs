//! What is odd about records outside of RFC 9309.

use alloc::format;
use core::time::Duration;

use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Sink;
use crate::parse::field::ExtensionField;
use crate::parse::line::PhysicalLine;
use crate::parse::report::findings::Findings;
use crate::record::crawl_delay::crawl_delay;
use crate::text::quote::quote;

impl<'a, S: Sink + ?Sized> Findings<'a, '_, S> {
    pub(super) fn extension(
        &mut self,
        line: &PhysicalLine<'a>,
        field: &'a [u8],
        extension: ExtensionField,
        value: &'a [u8],
    ) {
        match extension {
            ExtensionField::CrawlDelay => self.crawl_delay(line, value),
            ExtensionField::Sitemap => self.sitemap(line, value),
            ExtensionField::Noindex => {
                let message = "`Noindex` was never standard and Google stopped following it in 2019; use an \
                               `X-Robots-Tag` header or a robots meta element";
                self.report(DiagnosticCode::DeprecatedRecord, line, field, message);
            }
            ExtensionField::Host => {
                let message =
                    "`Host` was for Yandex, which stopped following it in 2018; use redirects";
                self.report(DiagnosticCode::DeprecatedRecord, line, field, message);
            }
            ExtensionField::Comment
            | ExtensionField::RequestRate
            | ExtensionField::RobotVersion
            | ExtensionField::VisitTime => {
                let message = format!(
                    "no large crawler follows `{extension}`, from a draft of 1996; remove it"
                );
                self.report(DiagnosticCode::UnsupportedField, line, field, message);
            }
            ExtensionField::CleanParam
            | ExtensionField::ContentSignal
            | ExtensionField::ContentUsage
            | ExtensionField::License => {}
        }
    }

    fn crawl_delay(&mut self, line: &PhysicalLine<'a>, value: &'a [u8]) {
        match crawl_delay(value) {
            None => {
                let message = format!(
                    "{} is not a number of seconds; write one such as `5` or `0.5`",
                    quote(value)
                );
                self.report(DiagnosticCode::InvalidCrawlDelay, line, value, message);
            }
            Some(delay) if delay > EXTREME => {
                let message = format!(
                    "a delay of {} is so long (requests a day: {}) that some crawlers stay away and others ignore it; write {} or less",
                    quote(value),
                    DAY.as_secs() / delay.as_secs().max(1),
                    EXTREME.as_secs(),
                );
                self.report(DiagnosticCode::ExtremeCrawlDelay, line, value, message);
            }
            Some(_) => {}
        }
    }

    fn sitemap(&mut self, line: &PhysicalLine<'a>, value: &'a [u8]) {
        if core::str::from_utf8(value).is_err() {
            let message = format!(
                "the sitemap {} is not UTF-8; write its URL percent-encoded",
                quote(value)
            );
            self.report(DiagnosticCode::SitemapNotUtf8, line, value, message);
        }
        if value.is_empty() {
            let message = "a `Sitemap` without a value names none; write its whole URL";
            return self.report(DiagnosticCode::RelativeSitemap, line, value, message);
        }
        let is_absolute = memchr::memchr(b':', value)
            .and_then(|at| value.get(at..))
            .is_some_and(|behind| behind.starts_with(b"://"));
        if !is_absolute {
            let message = format!(
                "the sitemap {} is no absolute URL, so crawlers may leave it out; write it with `https://` and the host",
                quote(value)
            );
            self.report(DiagnosticCode::RelativeSitemap, line, value, message);
        }
    }
}

/// crawler-commons takes more for a ban of the whole site.
const EXTREME: Duration = Duration::from_secs(300);

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
