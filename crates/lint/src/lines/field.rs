//! Diagnostics about a field name that is unknown.

use polite_robots::Dialect;
use polite_robots::document::{LineKind, Separator};
use polite_robots::text::WebScheme;
use polite_robots::text::quote;
use polite_robots_records::ProposedField;

use crate::code::DiagnosticCode;
use crate::lines::findings::Findings;
use crate::lines::groups_above::Place;
use crate::lines::invisible::after_invisible;
use crate::lines::record::Record;

impl<'a> Findings<'a, '_> {
    pub(super) fn unknown_field(&mut self, record: Record<'a>, place: Place) {
        let field = self.with_whole_character(record.field);
        let quoted = quote(field.bytes);
        let is_field = |name: &&[u8]| field.bytes.eq_ignore_ascii_case(name);
        if let Some(proposed) = ProposedField::from_name(field.bytes) {
            let message = || {
                format!(
                    "nothing changes by this line: {quoted} is {}, as proposed by {}, and no large crawler is known to follow it",
                    proposed.subject(),
                    proposed.origin(),
                )
            };
            self.report(DiagnosticCode::ProposedField, field, message);
        } else if UNSUPPORTED.iter().any(is_field) {
            let message = || {
                format!(
                    "no large crawler follows the field {quoted} in robots.txt; remove the line"
                )
            };
            self.report(DiagnosticCode::UnsupportedField, field, message);
        } else if let Some((name, fix)) = misspelling(record) {
            let start = || place.start(LineKind::of_field(name, Dialect::Rfc9309));
            let message = || {
                format!(
                    "{quoted} is not a known field, so the line has no effect; {fix}{}",
                    start()
                )
            };
            self.report(DiagnosticCode::UnforgivenMisspelling, field, message);
        } else if before_url(record) == Some(b"") {
            let url = self.line.part.without_comment().trim();
            let message = || "a URL alone is not a record, so the line has no effect; if it is a sitemap, write `Sitemap:` before it";
            self.report(DiagnosticCode::UnknownField, url, message);
        } else {
            let fix = match record.separator {
                Separator::Blank => "if it is a comment, put a `#` before it",
                Separator::Colon => {
                    "remove it, or put a `#` before it, unless a crawler of yours reads it"
                }
            };
            let message =
                || format!("{quoted} is not a known field, so the line has no effect; {fix}");
            self.report(DiagnosticCode::UnknownField, field, message);
        }
    }
}

/// The known field that was probably meant by an unknown one, and the way to it.
fn misspelling<'r>(record: Record<'r>) -> Option<(&'r [u8], String)> {
    let field = record.field.bytes;
    let found = |name: &'r [u8], before: &str, after: &str| {
        Some((name, format!("{before} {}{after}", quote(name))))
    };
    let invisible = after_invisible(field).map(str::as_bytes);
    if let Some(name) = after_byte_order_mark(field) {
        found(name, "remove the byte order mark before", "")
    } else if let Some(name) = invisible.filter(|name| is_known(name)) {
        found(name, "remove the invisible character before", "")
    } else if let Some(name) = before_url(record).filter(|name| is_known(name)) {
        found(name, "write a colon after", "")
    } else if let Some(name) = within_signs(field) {
        found(name, "write", " without the signs around it")
    } else {
        let with_hyphens = core::str::from_utf8(field).unwrap_or_default();
        let with_hyphens = with_hyphens.replace(['‐', '‑', '–', '—', '−'], "-");
        let name = probably_meant(with_hyphens.as_bytes())?;
        found(name.as_bytes(), "write", " if you mean that")
    }
}

/// The known field name between the signs of a list or a quotation: `- Disallow`, `"Disallow"`.
fn within_signs(field: &[u8]) -> Option<&[u8]> {
    let start = field.iter().position(u8::is_ascii_alphabetic)?;
    let end = field.iter().rposition(u8::is_ascii_alphabetic)?;
    let name = field.get(start..=end)?;
    (name.len() < field.len() && is_known(name)).then_some(name)
}

/// Whether RFC 9309 or this library reads a record with this field name.
pub(super) fn is_known(field: &[u8]) -> bool {
    LineKind::of_field(field, Dialect::Rfc9309) != LineKind::UnknownField
}

/// The field name after a byte order mark, where files were joined or the mark was saved as the
/// text `ï»¿`.
fn after_byte_order_mark(field: &[u8]) -> Option<&[u8]> {
    BYTE_ORDER_MARKS
        .iter()
        .find_map(|mark| field.strip_prefix(*mark))
        .filter(|name| is_known(name))
}

/// The text before a URL whose colon was taken for the separator of the record; `None` if the
/// record is no such URL.
pub(super) fn before_url<'r>(record: Record<'r>) -> Option<&'r [u8]> {
    let is_url = record.value.bytes.starts_with(b"//");
    let field = record.field.bytes;
    let (before, scheme) = match field.iter().rposition(u8::is_ascii_whitespace) {
        Some(at) => field.split_at_checked(at)?,
        None => (&b""[..], field),
    };
    let scheme = scheme.trim_ascii();
    (is_url && WebScheme::new(scheme).is_some()).then_some(before.trim_ascii())
}

/// The name from which the field differs in one place only: by one letter, or by two if the name is
/// long.
fn probably_meant(field: &[u8]) -> Option<&'static str> {
    let is_near = |name: &&&str| difference(field, name.as_bytes()) <= name.len() / 4;
    MISTYPED.iter().find(is_near).copied()
}

/// The number of bytes between the common start and the common end, in the text that has more of
/// them.
pub(super) fn difference(one: &[u8], other: &[u8]) -> usize {
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

/// Names so common in files that a name close to one of them is a misspelling of it.
const MISTYPED: [&str; 5] = ["User-agent", "Disallow", "Allow", "Sitemap", "Crawl-delay"];

/// Fields that Google's report lists as unused and that this crate has no record for.
const UNSUPPORTED: [&[u8]; 4] = [b"domain", b"noarchive", b"nofollow", b"revisit-after"];
