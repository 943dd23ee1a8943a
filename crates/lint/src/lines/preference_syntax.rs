//! The syntax of `Content-Usage`, and the text to write where a record breaks it.

use polite_robots::text::quote;
use polite_robots_records::{ContentUsage, Preference, UsageCategory};

use crate::advice::Advice;
use crate::lines::record::Record;
use crate::proposal::{Effect, Proposal};

/// The advice about a value that cannot be read as a list of names and values.
pub(super) fn invalid(record: Record<'_>) -> Advice {
    let value = record.value;
    let start = "nothing on this line counts";
    let pairs = after_path(value.bytes);
    let path = value.head(value.bytes.len().saturating_sub(pairs.len()));
    let Some((reason, fixed)) = fault(pairs) else {
        return format!(
            "{start}: it is no list of names and values, such as `search=y, train-ai=n`"
        )
        .into();
    };
    let blank = if path.bytes.is_empty() { "" } else { " " };
    let fixed = format!(
        "{}{blank}{}",
        String::from_utf8_lossy(path.bytes),
        fixed.trim()
    );
    let effect = Effect::if_answers(states_something(fixed.as_bytes()));
    let message = format!("{start}: {reason}; write {}", quote(fixed.as_bytes()));
    let proposal = Proposal::replace(value.span(), fixed, effect);
    Advice::new(message).propose(record.with_colon(proposal))
}

/// The reason why a text is no dictionary, and the text that is one; `None` where none is near.
fn fault(pairs: &[u8]) -> Option<(&'static str, String)> {
    let with = |change: fn(u8) -> Option<u8>| -> Vec<u8> {
        pairs.iter().filter_map(|byte| change(*byte)).collect()
    };
    let without_comma = pairs.trim_ascii_end().strip_suffix(b",").unwrap_or(b"?");
    let fixes = [
        (
            "a name with a capital letter makes all of it invalid",
            with(|byte| Some(byte.to_ascii_lowercase())),
        ),
        (
            "a comma at the end makes all of it invalid",
            without_comma.to_vec(),
        ),
        (
            "names and values have a `=` between them, and no blank",
            with(|byte| Some(if byte == b':' { b'=' } else { byte })),
        ),
        (
            "names and values have a `=` between them, and no blank",
            with(|byte| match byte {
                b':' => Some(b'='),
                byte => Some(byte).filter(|byte| *byte != b' '),
            }),
        ),
        (
            "there is no comma between two preferences",
            with(|byte| Some(if byte == b' ' { b',' } else { byte })),
        ),
    ];
    let is_right = |(place, (_, fixed)): &(usize, (&str, Vec<u8>))| {
        // With blanks in the path the names would be joined to it.
        let is_sure = *place < 2 || states_something(fixed);
        let has_value = fixed.contains(&b'=') || fixed == without_comma;
        is_dictionary(fixed) && has_value && is_sure
    };
    let (_, (reason, fixed)) = fixes.into_iter().enumerate().find(is_right)?;
    let fixed = String::from_utf8(fixed).ok()?;
    Some((reason, fixed.replace(',', ", ").replace(",  ", ", ")))
}

/// Whether a text is a record with a preference about a known use.
fn states_something(text: &[u8]) -> bool {
    let usage = ContentUsage::new(text);
    let is_stated = |use_of: &UsageCategory| {
        usage.is_some_and(|usage| usage.preference(*use_of) != Preference::Unstated)
    };
    UsageCategory::ALL.iter().any(is_stated)
}

/// Whether a text without a path is a dictionary (RFC 9651 §3.2).
fn is_dictionary(pairs: &[u8]) -> bool {
    !pairs.trim_ascii_start().starts_with(b"/") && ContentUsage::new(pairs).is_some()
}

/// The pairs of a value after its path, if it begins with one.
fn after_path(value: &[u8]) -> &[u8] {
    if value.first() != Some(&b'/') {
        return value;
    }
    let end = value.iter().position(|byte| matches!(byte, b' ' | b'\t'));
    end.and_then(|end| value.get(end..)).unwrap_or_default()
}
