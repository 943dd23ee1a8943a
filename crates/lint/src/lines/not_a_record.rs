//! Diagnostics about a line without a field name, a colon and a value: its kind, and the record
//! that its author may have meant.

use polite_robots::Dialect;
use polite_robots::document::LineKind;
use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::field::{as_comment, is_known};
use crate::lines::findings::{Findings, Reported};
use crate::lines::plain_path::is_plain_path;
use crate::proposal::{Effect, Proposal};
use crate::text::part::Part;
use crate::text::whole_site::is_whole_site;
use crate::text::words::is_among;

impl Findings<'_, '_> {
    pub(super) fn not_a_record(&mut self, text: Part<'_>) -> Option<Reported> {
        let text = self.with_whole_character(text);
        let removal = self.without_head(text.end(), Effect::Nothing);
        self.report(DiagnosticCode::NotARecord, text, || advice(text, removal))
    }
}

/// The sentence about a line that is not a record. `removal` is the proposal to remove the line.
fn advice(text: Part<'_>, removal: Proposal) -> Advice {
    const NO_RECORD: &str =
        "is not a record (a field name, a colon and a value), so the line has no effect";
    let quoted = quote(text.bytes);
    match kind(text.bytes) {
        Kind::Path(path) => as_rule(text, path, "if it is to be closed"),
        Kind::WholeSite => as_rule(text, text.bytes, "only if the whole site is to be closed"),
        Kind::Sign(at, value) => with_colon(text, at, value),
        Kind::Words(Some(name)) => with_one_value(text, name),
        Kind::Field => Advice::new(format!(
            "{quoted} has no colon and no value, so the line has no effect; remove the line if no value is lost"
        ))
        .propose(removal),
        Kind::Meta => Advice::new(format!(
            "{quoted} has no effect, because robots.txt has no such rule; remove the line: the header `X-Robots-Tag: {}` of a page says it",
            text.bytes.escape_ascii()
        ))
        .propose(removal),
        Kind::Fence => Advice::new(
            "this mark of a block of code in Markdown has no effect; remove the line",
        )
        .propose(removal),
        Kind::ByteOrderMark => Advice::new(format!(
            "{quoted} {NO_RECORD}; it is a byte order mark that was saved as text, so remove it"
        ))
        .propose(removal),
        Kind::Words(None) => Advice::new(format!(
            "{quoted} {NO_RECORD}; if it is a comment, put a `#` before it"
        ))
        .propose(as_comment(text)),
    }
}

fn as_rule(text: Part<'_>, path: &[u8], condition: &str) -> Advice {
    let rule = format!("Disallow: {}", String::from_utf8_lossy(path));
    let message = format!(
        "{} closes nothing, because no field name is before the path; write {} {condition}",
        quote(text.bytes),
        quote(rule.as_bytes()),
    );
    Advice::new(message).write(text.span(), rule)
}

/// The advice about a record with another sign in place of the colon, at a place of the text.
fn with_colon(text: Part<'_>, at: usize, value: &[u8]) -> Advice {
    let sign = text.bytes.get(at).copied().map_or('=', char::from);
    let effect = match is_whole_site(value) {
        true => format!(", but {} is the whole site", quote(value)),
        false => String::new(),
    };
    let message = format!(
        "{} has no colon, so the line has no effect; write one in place of the `{sign}`{effect}",
        quote(text.bytes),
    );
    let start = text.start.saturating_add(at);
    let span = start..start.saturating_add(1);
    Advice::new(message).write(span, ":")
}

/// The advice about a field that has a value of several words, and no colon.
fn with_one_value(text: Part<'_>, name: &[u8]) -> Advice {
    let kind = LineKind::of_field(name, Dialect::Rfc9309);
    let value = text.bytes.get(name.len()..).unwrap_or_default();
    let value = String::from_utf8_lossy(value.trim_ascii()).into_owned();
    let start = format!(
        "{} has no colon and more than two words, so the line has no effect",
        quote(text.bytes)
    );
    let escaped = value.replace([' ', '\t'], "%20");
    let is_path = is_plain_path(escaped.as_bytes()) && !value.contains(" /");
    let (value, condition) = match kind {
        LineKind::Rule(_) if is_path => (escaped, " if it is one path"),
        LineKind::Rule(_) => {
            return format!("{start}; a rule is a name, a colon and one path").into();
        }
        _ => (value, ""),
    };
    let record = format!("{}: {value}", String::from_utf8_lossy(name));
    let message = format!("{start}; write {}{condition}", quote(record.as_bytes()),);
    Advice::new(message).write(text.span(), record)
}

/// Whether a line in the form of a record is a path, a list of values of the robots meta element or
/// a mark of Markdown: `- /a/`, `noindex, nofollow`.
pub(super) fn is_no_record(text: &[u8]) -> bool {
    matches!(kind(text), Kind::Path(_) | Kind::Meta | Kind::Fence)
}

enum Kind<'a> {
    Path(&'a [u8]),
    /// The path `/` alone.
    WholeSite,
    /// The place of the sign for the colon after a field, and the value: `Disallow = /`.
    Sign(usize, &'a [u8]),
    Field,
    Meta,
    Fence,
    ByteOrderMark,
    /// Words, and the name of a rule or of the record for an agent that they begin with.
    Words(Option<&'a [u8]>),
}

fn kind(text: &[u8]) -> Kind<'_> {
    if let Some(path) = bare_path(text) {
        Kind::Path(path)
    } else if text == b"/" {
        Kind::WholeSite
    } else if let Some((at, value)) = sign_for_colon(text) {
        Kind::Sign(at, value)
    } else if text == "\u{ef}\u{bb}\u{bf}".as_bytes() {
        Kind::ByteOrderMark
    } else if text.starts_with(b"```") || text.starts_with(b"~~~") {
        Kind::Fence
    } else if is_of_meta_element(text) {
        Kind::Meta
    } else if is_known(text) && !text.iter().any(u8::is_ascii_whitespace) {
        Kind::Field
    } else {
        Kind::Words(name_of_rule(text))
    }
}

/// The field of a rule or an agent before a blank: `Disallow /old shop`.
fn name_of_rule(text: &[u8]) -> Option<&[u8]> {
    let name = text.get(..text.iter().position(u8::is_ascii_whitespace)?)?;
    // `Disallow/a/ b` has no blank after the name.
    let is_of_name = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
    if !name.iter().all(is_of_name) {
        return None;
    }
    let kind = LineKind::of_field(name, Dialect::Rfc9309);
    let value = text.get(name.len()..)?.trim_ascii_start();
    match kind {
        LineKind::UserAgent => Some(name),
        LineKind::Rule(_) if matches!(value, [b'/' | b'*', ..]) => Some(name),
        _ => None,
    }
}

/// The place of the sign that stands for the colon, and the value after it, as in `Disallow = /`.
fn sign_for_colon(text: &[u8]) -> Option<(usize, &[u8])> {
    let at = text.iter().position(|byte| matches!(byte, b'=' | b';'))?;
    let (name, after) = text.split_at_checked(at)?;
    let value = after.get(1..)?;
    let is_field = is_known(name.trim_ascii_end()) && !value.is_empty();
    is_field.then(|| (at, value.trim_ascii_start()))
}

/// The path of a line that has nothing else but the signs of a list or a quotation: `- /a/`.
/// `None` for `/`, as a hint must not close a whole site, and for the comments of other
/// languages: `// a`, `/* a */`.
fn bare_path(text: &[u8]) -> Option<&[u8]> {
    let text = core::str::from_utf8(text).ok()?;
    let is_quotation = |sign: char| "`\"',".contains(sign);
    let is_of_list = |sign: char| sign.is_whitespace() || "-*+>•·–—".contains(sign);
    let path = text.trim_start_matches(|sign| is_of_list(sign) || is_quotation(sign));
    let path = path.trim_end_matches(is_quotation).as_bytes();
    let is_path = matches!(path, [b'/', first, ..] if !b"/*".contains(first));
    (is_path && path.iter().all(u8::is_ascii_graphic)).then_some(path)
}

/// Whether the line has only values of the robots meta element.
pub(super) fn is_of_meta_element(text: &[u8]) -> bool {
    let is_between = |byte: &u8| *byte == b',' || byte.is_ascii_whitespace();
    let mut words = text.split(is_between).filter(|word| !word.is_empty());
    let is_value = |word: &[u8]| is_among(word, META);
    words.next().is_some_and(is_value) && words.all(is_value)
}

/// The values without a colon on Google's page about the robots meta element.
const META: &str = include_str!("../words/of_robots_meta.txt");
