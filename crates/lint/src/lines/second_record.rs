//! A second record in the value of another: one line holds one record.

use polite_robots::document::{LineKind, trim_start};
use polite_robots::record::ExtensionField;
use polite_robots::text::quote;
use polite_robots::{Access, Dialect};

use crate::text::part::Part;
use crate::text::whole_site::is_whole_site;

/// The second record of a `User-agent` value such as `* Disallow: /`, from its field to the end.
pub(crate) fn second_record(value: Part<'_>) -> Option<Part<'_>> {
    let is_field = |start: &usize| {
        // `http://allow:8080/` is no rule.
        !value.head(*start).bytes.ends_with(b"/")
    };
    let mut colons = memchr::memchr_iter(b':', value.bytes);
    let with_colon =
        colons.find_map(|colon| start_of_field(value.head(colon).bytes).filter(is_field));
    let start = with_colon.or_else(|| rule_without_colon(value.bytes))?;
    Some(value.tail(start))
}

/// The start of a known field that ends the text. The line end before it may be lost, as in
/// `GPTBotDisallow: /`.
fn start_of_field(text: &[u8]) -> Option<usize> {
    let text = text.trim_ascii_end();
    let word = text
        .iter()
        .rposition(|byte| !is_in_name(*byte))
        .map_or(0, |at| at.saturating_add(1));
    if text.get(word..).is_some_and(is_known) {
        return Some(word);
    }
    let without_name = |name: &str| {
        let at = text.len().checked_sub(name.len())?;
        let is_glued = text.get(at..)?.eq_ignore_ascii_case(name.as_bytes());
        is_glued.then_some(at)
    };
    GLUED.iter().find_map(|name| without_name(name))
}

fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// The place of `Disallow /` after a blank.
fn rule_without_colon(value: &[u8]) -> Option<usize> {
    memchr::memchr2_iter(b' ', b'\t', value)
        .map(|blank| blank.saturating_add(1))
        .find(|start| {
            let word = value.get(*start..).unwrap_or_default();
            let is_rule = |access: Access| {
                let name = access.as_str().as_bytes();
                let (word, path) = word.split_at_checked(name.len()).unwrap_or_default();
                word.eq_ignore_ascii_case(name)
                    && matches!(path, [b' ' | b'\t', ..])
                    && matches!(trim_start(path), [b'/' | b'*', ..])
            };
            is_rule(Access::Disallow) || is_rule(Access::Allow)
        })
}

/// Words about a record that begins a group, or that is about the whole site like the record before
/// it: a hint must not propose such a rule without a word.
pub(super) fn about_record(path: &[u8], record: &[u8]) -> String {
    let mut parts = record.splitn(2, |byte| *byte == b':');
    let field = parts.next().unwrap_or_default();
    let value = parts.next().unwrap_or_default().trim_ascii();
    let kind = LineKind::of_field(field, Dialect::Rfc9309);
    let start = match kind {
        LineKind::UserAgent => ", which starts a group",
        _ => "",
    };
    let is_rule = matches!(kind, LineKind::Rule(_));
    let mut paths = [Some(path), Some(value).filter(|_| is_rule)]
        .into_iter()
        .flatten();
    match paths.find(|path| is_whole_site(path)) {
        Some(path) => format!("{start}; {} is the whole site", quote(path)),
        None => start.into(),
    }
}

/// The fields that are looked for: those that nobody writes into a name for another reason.
fn is_known(field: &[u8]) -> bool {
    !matches!(
        LineKind::of_field(field, Dialect::Rfc9309),
        LineKind::UnknownField
            | LineKind::Extension(ExtensionField::Host | ExtensionField::Comment)
    )
}

/// The fields that may follow a name without a blank. `Disallow` ends in `allow`, so it comes
/// first.
const GLUED: [&str; 4] = ["User-agent", "Disallow", "Allow", "Crawl-delay"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_in_a_name_is_found() {
        for (value, record) in [
            ("* Disallow: /", Some("Disallow: /")),
            ("* Allow: *", Some("Allow: *")),
            ("*Disallow:/", Some("Disallow:/")),
            ("GPTBotDisallow: /", Some("Disallow: /")),
            ("Plum User-agent: Pear", Some("User-agent: Pear")),
            ("Plum\tcrawl-delay : 5", Some("crawl-delay : 5")),
            ("Plum Disallow /x", Some("Disallow /x")),
            ("Plum, Disallow: /x", Some("Disallow: /x")),
            ("* disallow all", None),
            ("Mozilla/5.0 (+http://allow:80/)", None),
            ("Plum (Host: example.com)", None),
            ("* (all: everyone)", None),
            ("PlumBot", None),
        ] {
            let found = second_record(Part::new(0, value.as_bytes()));
            assert_eq!(
                found.map(|part| part.bytes),
                record.map(str::as_bytes),
                "{value}"
            );
        }
    }
}
