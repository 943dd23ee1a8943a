//! Diagnostics about a field name that is unknown.

use polite_robots::document::{LineKind, Separator};
use polite_robots::text::{WebScheme, quote};
use polite_robots::{Access, Dialect};
use polite_robots_records::ProposedField;

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::lines::findings::{Findings, Reported};
use crate::lines::groups_above::Place;
use crate::lines::invisible::after_invisible;
use crate::lines::record::Record;
use crate::proposal::{Effect, Proposal};
use crate::rule_text::without_text;
use crate::text::part::Part;
use crate::text::whole_site::closing;
use crate::text::words::is_one_of;

impl<'a> Findings<'a, '_> {
    pub(super) fn unknown_field(&mut self, record: Record<'a>, place: Place) -> Option<Reported> {
        let field = self.with_whole_character(record.field);
        if let Some(proposed) = ProposedField::from_name(field.bytes) {
            self.report(DiagnosticCode::ProposedField, field, || {
                format!(
                    "nothing changes by this line: {} is {}, as proposed by {}, and no large crawler is known to follow it",
                    quote(field.bytes),
                    proposed.subject(),
                    proposed.origin(),
                )
            })
        } else if is_one_of(field.bytes, &UNSUPPORTED) {
            let removal = self.without_head(record.value.end(), Effect::Nothing);
            self.report(DiagnosticCode::UnsupportedField, field, || {
                let message = format!(
                    "no large crawler follows the field {} in robots.txt; remove the line, as nothing changes without it",
                    quote(field.bytes)
                );
                Advice::new(message).propose(removal)
            })
        } else if let Some(misspelling) = Misspelling::of(record) {
            self.report(DiagnosticCode::UnforgivenMisspelling, field, || {
                misspelling.advice(field, record.value.bytes, place)
            })
        } else if before_url(record) == Some(b"") {
            self.url_alone()
        } else {
            self.meant_field(record, place)
                .or_else(|| self.invented_field(record, field))
        }
    }

    fn url_alone(&mut self) -> Option<Reported> {
        let url = self.line.part.without_comment().trim();
        self.grade(DiagnosticCode::UnknownField, Severity::Note, url, || {
            let start = url.start..url.start;
            Advice::new("a URL alone is not a record, so the line has no effect; if it is a sitemap, write `Sitemap:` before it")
                .write(start, "Sitemap: ")
        })
    }

    fn invented_field(&mut self, record: Record<'a>, field: Part<'a>) -> Option<Reported> {
        let removal = self.without_head(record.value.end(), Effect::Nothing);
        self.grade(DiagnosticCode::UnknownField, Severity::Note, field, || {
            let advice = match record.separator {
                Separator::Blank => Advice::new("if it is a comment, put a `#` before it"),
                Separator::Colon => Advice::new(
                    "remove it, or put a `#` before it, unless a crawler of yours reads it",
                )
                .propose(removal),
            };
            let quoted = quote(field.bytes);
            let start = format!("{quoted} is not a known field, so the line has no effect");
            advice.propose(as_comment(field)).after(start)
        })
    }

    /// The file without the line up to a place. A comment after it stays.
    pub(super) fn without_head(&self, end: usize, effect: Effect) -> Proposal {
        let line = self.line.part.span();
        let text = line.start..end;
        Proposal::replace(without_text(self.file.bytes, line, text), "", effect)
    }
}

/// The file with a text that has no effect as a comment.
pub(super) fn as_comment(text: Part<'_>) -> Proposal {
    Proposal::replace(text.start..text.start, "# ", Effect::Nothing)
}

/// An unknown field that was probably meant as a known one.
struct Misspelling<'r> {
    /// The known field.
    name: &'r [u8],
    /// The words of the advice around the name.
    fix: [&'static str; 2],
    /// Whether the colon of a URL was taken for that of the record.
    lacks_colon: bool,
}

impl<'r> Misspelling<'r> {
    fn of(record: Record<'r>) -> Option<Misspelling<'r>> {
        let field = record.field.bytes;
        let found = |name: &'r [u8], fix, lacks_colon| {
            Some(Misspelling {
                name,
                fix,
                lacks_colon,
            })
        };
        let invisible = after_invisible(field).map(str::as_bytes);
        if let Some(name) = after_byte_order_mark(field) {
            found(name, ["remove the byte order mark before ", ""], false)
        } else if let Some(name) = invisible.filter(|name| is_known(name)) {
            found(name, ["remove the invisible character before ", ""], false)
        } else if let Some(name) = before_url(record).filter(|name| is_known(name)) {
            found(name, ["write a colon after ", ""], true)
        } else if let Some(name) = within_signs(field) {
            found(name, ["write ", " without the signs around it"], false)
        } else {
            let with_hyphens = core::str::from_utf8(field).unwrap_or_default();
            let with_hyphens = with_hyphens.replace(['‐', '‑', '–', '—', '−'], "-");
            let name = probably_meant(with_hyphens.as_bytes())?;
            found(name.as_bytes(), ["write ", " if you mean that"], false)
        }
    }

    fn advice(&self, field: Part<'_>, value: &[u8], place: Place) -> Advice {
        let (name, [before, after]) = (quote(self.name), self.fix);
        let end = field.start.saturating_add(self.name.len());
        let (span, text) = match self.lacks_colon {
            true => (end..end, ":".into()),
            false => (field.span(), String::from_utf8_lossy(self.name)),
        };
        let kind = LineKind::of_field(self.name, Dialect::Rfc9309);
        let closing = match kind {
            LineKind::Rule(Access::Disallow) => closing(value),
            _ => "",
        };
        let message = format!(
            "{} is not a known field, so the line has no effect; {before}{name}{after}{closing}{}",
            quote(field.bytes),
            place.start(kind, value)
        );
        Advice::new(message).write(span, text)
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
    let mut marks = BYTE_ORDER_MARKS.iter();
    let name = marks.find_map(|mark| field.strip_prefix(*mark));
    name.filter(|name| is_known(name))
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
    let [one, other] = [one, other].map(|text| text.get(start..).unwrap_or_default());
    let pairs = one.iter().rev().zip(other.iter().rev());
    let end = pairs.take_while(is_same).count();
    one.len().max(other.len()).saturating_sub(end)
}

const BYTE_ORDER_MARKS: [&[u8]; 2] = [b"\xEF\xBB\xBF", "ï»¿".as_bytes()];

/// Names so common in files that a name close to one of them is a misspelling of it.
const MISTYPED: [&str; 5] = ["User-agent", "Disallow", "Allow", "Sitemap", "Crawl-delay"];

/// Fields that Google's report lists as unused and that this crate has no record for.
const UNSUPPORTED: [&str; 4] = ["domain", "noarchive", "nofollow", "revisit-after"];
