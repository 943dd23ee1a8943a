//! What is odd about a field that nobody here knows.

use alloc::format;

use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Sink;
use crate::options::Dialect;
use crate::parse::field::directive;
use crate::parse::line::{PhysicalLine, Record, trim, without_comment};
use crate::parse::report::findings::Findings;
use crate::text::quote::quote;
use crate::text::scheme::WebScheme;

impl<'a, S: Sink + ?Sized> Findings<'a, '_, S> {
    pub(super) fn unknown_field(&mut self, line: &PhysicalLine<'a>, record: &Record<'a>) {
        let field = record.field;
        let quoted = quote(field);
        let is = |name: &&[u8]| field.eq_ignore_ascii_case(name);
        let (code, message) = if UNSUPPORTED.iter().any(is) {
            (
                DiagnosticCode::UnsupportedField,
                format!("no large crawler follows the field {quoted} here; remove it"),
            )
        } else if let Some(name) = behind_byte_order_mark(field) {
            (
                DiagnosticCode::UnforgivenMisspelling,
                format!(
                    "a byte order mark before {} makes it no known field, so the line has no effect; remove the mark",
                    quote(name)
                ),
            )
        } else if let Some(name) = before_url(record).filter(|name| is_known(name)) {
            (
                DiagnosticCode::UnforgivenMisspelling,
                format!(
                    "{quoted} is no known field, so the line has no effect; write a colon after {}",
                    quote(name)
                ),
            )
        } else if let Some(meant) = probably_meant(field) {
            (
                DiagnosticCode::UnforgivenMisspelling,
                format!(
                    "{quoted} is no known field, so the line has no effect; was `{meant}` meant?"
                ),
            )
        } else if before_url(record) == Some(b"") {
            let url = trim(without_comment(line.bytes));
            let message = "a URL alone is no record, so the line has no effect; if it is a sitemap, write `Sitemap:` before it";
            return self.report(DiagnosticCode::UnknownField, line, url, message);
        } else {
            (
                DiagnosticCode::UnknownField,
                format!("{quoted} is no known field, so the line has no effect"),
            )
        };
        self.report(code, line, field, message);
    }
}

fn is_known(field: &[u8]) -> bool {
    directive(field, Dialect::Rfc9309).is_some()
}

/// The field behind a byte order mark where files were joined, or behind one that was saved as the text `ï»¿`.
fn behind_byte_order_mark(field: &[u8]) -> Option<&[u8]> {
    BYTE_ORDER_MARKS
        .iter()
        .find_map(|mark| field.strip_prefix(*mark))
        .filter(|name| is_known(name))
}

/// What stands before a URL whose colon was taken for that of the record.
fn before_url<'a>(record: &Record<'a>) -> Option<&'a [u8]> {
    let is_url = record.value.bytes().starts_with(b"//");
    let (before, scheme) = match record.field.iter().rposition(u8::is_ascii_whitespace) {
        Some(at) => record.field.split_at_checked(at)?,
        None => (&b""[..], record.field),
    };
    let scheme = scheme.trim_ascii();
    (is_url && WebScheme::new(scheme).is_some()).then_some(before.trim_ascii())
}

/// A name from which the field differs in one place, by a letter or, of the longer names, by two.
fn probably_meant(field: &[u8]) -> Option<&'static str> {
    let is_near = |name: &&&str| different(field, name.as_bytes()) <= name.len() / 4;
    MISTYPED.iter().find(is_near).copied()
}

/// The bytes between what both begin with and what both end with: in the one of which there are more.
fn different(one: &[u8], other: &[u8]) -> usize {
    let is_same = |(one, other): &(&u8, &u8)| one.eq_ignore_ascii_case(other);
    let start = one.iter().zip(other).take_while(is_same).count();
    let (one, other) = (
        one.get(start..).unwrap_or_default(),
        other.get(start..).unwrap_or_default(),
    );
    let pairs = one.iter().rev().zip(other.iter().rev());
    let end = pairs.take_while(is_same).count();
    one.len().max(other.len()).saturating_sub(end)
}

const BYTE_ORDER_MARKS: [&[u8]; 2] = [b"\xEF\xBB\xBF", "ï»¿".as_bytes()];

/// Names that files have so often that what is nearly one of them is meant for it.
const MISTYPED: [&str; 5] = ["User-agent", "Disallow", "Allow", "Sitemap", "Crawl-delay"];

/// Fields that Google's report counts as unused and that this crate has no record for.
const UNSUPPORTED: [&[u8]; 4] = [b"domain", b"noarchive", b"nofollow", b"revisit-after"];
