//! Lines → diagnostics: what a person who maintains the file would want to know of a line.

use alloc::format;
use alloc::string::String;
use core::ops::Range;

use nom::Offset as _;

use crate::agent::{is_wildcard, leading_token};
use crate::diagnostic::{Code, Diagnostic, Sink, quote};
use crate::parse::directive::{Directive, ExtensionField, Spelling};
use crate::parse::group::Grouping;
use crate::parse::line::{
    GOOGLE_LINE_OCTETS, Line, Record, Separator, byte_order_mark_len, trim, without_comment,
};
use crate::parse::value::crawl_delay;

/// Looks at each line beside the parser; its own [`Grouping`] tells which rules have no group.
#[derive(Debug)]
pub(crate) struct Reporter<'a> {
    file: &'a [u8],
    grouping: Grouping,
}

impl<'a> Reporter<'a> {
    pub(crate) fn new(file: &'a [u8]) -> Reporter<'a> {
        Reporter {
            file,
            grouping: Grouping::default(),
        }
    }

    pub(crate) fn before_lines(&self, sink: &mut (impl Sink + ?Sized)) {
        let mark = byte_order_mark_len(self.file);
        if mark > 0 {
            let message =
                "the file starts with a byte order mark, which some crawlers take for text";
            sink.report(
                Diagnostic::new(Code::ByteOrderMark, 1, 0..mark, message).with_suggestion(""),
            );
        }
    }

    pub(crate) fn line(
        &mut self,
        line: &Line<'a>,
        read: &'a [u8],
        record: Option<(Record<'a>, Option<(Directive, Spelling)>)>,
        sink: &mut (impl Sink + ?Sized),
    ) {
        let found = |code, span: &[u8], message: String| {
            Diagnostic::new(code, line.number, self.span(span), message)
        };
        if let Some(cut) = line
            .octets
            .get(GOOGLE_LINE_OCTETS..)
            .filter(|cut| !cut.is_empty())
        {
            let message = format!(
                "Google's matcher reads {GOOGLE_LINE_OCTETS} octets of a line, not the rest"
            );
            sink.report(found(Code::LineTooLong, cut, message));
        }
        if let Some(from_nul) = memchr::memchr(0, read).and_then(|at| read.get(at..)) {
            let message = "a NUL octet ends the line; what follows it is not read".into();
            sink.report(found(Code::NulOctet, from_nul, message));
        }
        let Some((record, directive)) = record else {
            let text = trim(without_comment(read));
            if !text.is_empty() {
                let message = format!(
                    "{} is no record: a field name, a colon and a value",
                    quote(text)
                );
                sink.report(found(Code::NotARecord, text, message));
            }
            return;
        };
        let value = record.value.octets();
        let Some((directive, spelling)) = directive else {
            let message = format!(
                "the field {} is unknown and has no effect",
                quote(record.field)
            );
            sink.report(found(Code::UnknownField, record.field, message));
            return;
        };
        let standard = directive.as_str();
        if spelling == Spelling::Misspelled {
            let message = format!("{} is read as `{standard}`", quote(record.field));
            sink.report(
                found(Code::MisspelledField, record.field, message).with_suggestion(standard),
            );
        }
        if record.separator == Separator::Blank {
            let message = format!("there is no colon after {}", quote(record.field));
            let suggestion = format!("{}:", String::from_utf8_lossy(record.field));
            sink.report(
                found(Code::MissingColon, record.field, message).with_suggestion(suggestion),
            );
        }
        match directive {
            Directive::UserAgent => {
                self.grouping.user_agent();
                if let Some((code, message)) = odd_user_agent(value) {
                    sink.report(Diagnostic::new(
                        code,
                        line.number,
                        self.span(value),
                        message,
                    ));
                }
            }
            Directive::Rule(_) => {
                if !self.grouping.rule() {
                    let message = format!(
                        "this `{standard}` stands before the first `User-agent` line and has no effect"
                    );
                    sink.report(Diagnostic::new(
                        Code::RuleBeforeGroup,
                        line.number,
                        self.span(record.field),
                        message,
                    ));
                }
                if !matches!(value, [] | [b'/' | b'*', ..]) {
                    let message = format!(
                        "the path {} starts with neither `/` nor `*`, so it matches nothing",
                        quote(value)
                    );
                    sink.report(Diagnostic::new(
                        Code::PathWithoutSlash,
                        line.number,
                        self.span(value),
                        message,
                    ));
                }
            }
            Directive::Extension(field) => {
                self.grouping.extension(field.level());
                if let Some((code, message)) = odd_extension(field, value) {
                    sink.report(Diagnostic::new(
                        code,
                        line.number,
                        self.span(value),
                        message,
                    ));
                }
            }
        }
    }

    pub(crate) fn after_lines(
        &self,
        last_line: u32,
        truncated_at: Option<usize>,
        sink: &mut (impl Sink + ?Sized),
    ) {
        if let Some(at) = truncated_at {
            let message =
                format!("only the first {at} octets are read; the rest of the file has no effect");
            sink.report(Diagnostic::new(Code::Truncated, last_line, at..at, message));
        }
    }

    fn span(&self, part: &[u8]) -> Range<usize> {
        let start = self.file.offset(part);
        start..start.saturating_add(part.len())
    }
}

fn odd_user_agent(value: &[u8]) -> Option<(Code, String)> {
    let token = leading_token(value);
    if value.is_empty() {
        Some((
            Code::EmptyUserAgent,
            "a `User-agent` without a value names nobody".into(),
        ))
    } else if is_wildcard(value) || token.len() == value.len() {
        None
    } else if token.is_empty() {
        let message = format!(
            "{} does not begin with a letter, so Google sees no product token",
            quote(value)
        );
        Some((Code::InvalidProductToken, message))
    } else {
        let message = format!("of {} Google sees only {}", quote(value), quote(token));
        Some((Code::InvalidProductToken, message))
    }
}

fn odd_extension(field: ExtensionField, value: &[u8]) -> Option<(Code, String)> {
    match field {
        ExtensionField::CrawlDelay if crawl_delay(value).is_none() => {
            let message = format!("{} is not a number of seconds", quote(value));
            Some((Code::InvalidCrawlDelay, message))
        }
        ExtensionField::Sitemap if core::str::from_utf8(value).is_err() => Some((
            Code::SitemapNotUtf8,
            format!("the sitemap {} is not UTF-8", quote(value)),
        )),
        _ => None,
    }
}
