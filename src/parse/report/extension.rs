//! What is odd about records outside of RFC 9309.

use alloc::format;
use core::time::Duration;

use crate::diagnostic::code::Code;
use crate::diagnostic::{Sink, quote};
use crate::parse::directive::ExtensionField;
use crate::parse::line::PhysicalLine;
use crate::parse::report::findings::Findings;
use crate::parse::value::crawl_delay;

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
                self.report(Code::DeprecatedRecord, line, field, message);
            }
            ExtensionField::Host => {
                let message =
                    "`Host` was for Yandex, which stopped following it in 2018; use redirects";
                self.report(Code::DeprecatedRecord, line, field, message);
            }
            ExtensionField::Comment
            | ExtensionField::RequestRate
            | ExtensionField::RobotVersion
            | ExtensionField::VisitTime => {
                let message =
                    format!("no large crawler follows `{extension}`, from a draft of 1996");
                self.report(Code::UnsupportedField, line, field, message);
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
                let message = format!("{} is not a number of seconds", quote(value));
                self.report(Code::InvalidCrawlDelay, line, value, message);
            }
            Some(delay) if delay > EXTREME => {
                let message = format!(
                    "a delay of {} allows {} requests a day; above {} some crawlers stay away and others ignore it",
                    quote(value),
                    DAY.as_secs() / delay.as_secs().max(1),
                    EXTREME.as_secs(),
                );
                self.report(Code::ExtremeCrawlDelay, line, value, message);
            }
            Some(_) => {}
        }
    }

    fn sitemap(&mut self, line: &PhysicalLine<'a>, value: &'a [u8]) {
        if core::str::from_utf8(value).is_err() {
            let message = format!("the sitemap {} is not UTF-8", quote(value));
            self.report(Code::SitemapNotUtf8, line, value, message);
        }
        let is_absolute = memchr::memchr(b':', value)
            .and_then(|at| value.get(at..))
            .is_some_and(|behind| behind.starts_with(b"://"));
        if !is_absolute {
            let message = format!(
                "the sitemap {} is no absolute URL, as sitemaps.org asks; crawlers may leave it out",
                quote(value)
            );
            self.report(Code::RelativeSitemap, line, value, message);
        }
    }
}

/// crawler-commons takes more for a ban of the whole site.
const EXTREME: Duration = Duration::from_secs(300);

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
