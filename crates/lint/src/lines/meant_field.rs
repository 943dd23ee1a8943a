//! Diagnostics about fields that an owner invented for a rule or an agent: `Deny`, `Agent`.

use polite_robots::text::quote;
use polite_robots::{Access, document::LineKind};

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::lines::findings::{Findings, Reported};
use crate::lines::groups_above::Place;
use crate::lines::not_a_record::is_of_meta_element;
use crate::lines::record::{Record, standard_name};
use crate::text::whole_site::closing;
use crate::text::words::{is_among, is_one_of};

impl Findings<'_, '_> {
    /// Reports on an unknown field that was meant as a known one; returns whether it was.
    pub(super) fn meant_field(&mut self, record: Record<'_>, place: Place) -> Option<Reported> {
        let code = DiagnosticCode::UnknownField;
        if is_header(record) {
            return self.grade(code, Severity::Warning, record.field, || {
                let header = String::from_utf8_lossy(record.value.bytes);
                format!(
                    "{} has no effect here, because it is no field of robots.txt: the header `X-Robots-Tag: {header}` of a page says it, and crawlers see that only where they may fetch the page",
                    quote(record.field.bytes),
                )
            });
        }
        let kind = meant(record)?;
        self.grade(code, Severity::Warning, record.field, || {
            let value = String::from_utf8_lossy(record.value.bytes);
            let text = format!("{}: {value}", standard_name(kind));
            let whole_site = match kind {
                LineKind::Rule(Access::Disallow) => closing(record.value.bytes),
                _ => "",
            };
            let message = format!(
                "{} is not a known field, so the line has no effect; write {} if you mean that{whole_site}{}",
                quote(record.field.bytes),
                quote(text.as_bytes()),
                place.start(kind, record.value.bytes),
            );
            let span = record.field.start..record.value.end();
            Advice::new(message).write(span, text)
        })
    }
}

/// The record that an owner means by a word of plain English.
fn meant(record: Record<'_>) -> Option<LineKind> {
    let field = record.field.bytes;
    match record.value.bytes {
        [b'/' | b'*', ..] if is_among(field, CLOSING) => Some(LineKind::Rule(Access::Disallow)),
        [b'/' | b'*', ..] if is_one_of(field, OPENING) => Some(LineKind::Rule(Access::Allow)),
        [b'*'] | [b'a'..=b'z' | b'A'..=b'Z', ..] if is_one_of(field, NAMING) => {
            Some(LineKind::UserAgent)
        }
        _ => None,
    }
}

/// Whether the record is a header of pages, or the robots meta element.
fn is_header(record: Record<'_>) -> bool {
    let name = record.field.bytes;
    name.eq_ignore_ascii_case(b"x-robots-tag")
        || is_one_of(name, &HEADERS) && is_of_meta_element(record.value.bytes)
}

const CLOSING: &str = include_str!("../words/closing.txt");

const OPENING: &[&str] = &["accept", "grant", "include", "permit", "permitted"];

const NAMING: &[&str] = &[
    "agent", "agents", "bot", "bots", "crawler", "crawlers", "robot", "spider", "ua", "user",
];

const HEADERS: [&str; 4] = ["googlebot", "meta-robots", "meta robots", "robots"];
