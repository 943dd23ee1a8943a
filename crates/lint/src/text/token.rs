//! The names of agents: which bytes of a `User-agent` value name one.

use polite_robots::Dialect;
use polite_robots::document::UserAgent;

/// The agent that stands for every agent (RFC 9309 §2.2.1).
pub(crate) const WILDCARD: &str = "*";

/// Whether a `User-agent` value stands for everyone: `*` alone or before white space.
pub(crate) fn is_wildcard(value: &[u8]) -> bool {
    match value {
        [b'*'] => true,
        [b'*', next, ..] => matches!(next, b'\t'..=b'\r' | b' '),
        _ => false,
    }
}

/// The leading `[A-Za-z_-]*`: the product token of RFC 9309, and all that Google sees.
pub(crate) fn leading_token(value: &[u8]) -> &[u8] {
    leading(value, |byte| {
        byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-')
    })
}

/// The leading `[A-Za-z0-9_.-]*`: the name that is compared with an agent that has digits or dots.
pub(crate) fn leading_name(value: &[u8]) -> &[u8] {
    leading(value, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
    })
}

fn leading(value: &[u8], is_wanted: impl Fn(u8) -> bool) -> &[u8] {
    let end = value.iter().position(|byte| !is_wanted(*byte));
    value.get(..end.unwrap_or(value.len())).unwrap_or_default()
}

/// The name of an agent in lower case, as a group merged by agents has it; `None` if it can name
/// nobody.
pub(crate) fn name_in(agent: UserAgent<'_>, dialect: Dialect) -> Option<String> {
    if agent.is_wildcard() {
        return Some(WILDCARD.into());
    }
    let name = match dialect {
        Dialect::Rfc9309 => leading_name(agent.value()),
        Dialect::Google => leading_token(agent.value()),
    };
    let name = core::str::from_utf8(name).ok()?.to_ascii_lowercase();
    name.contains(|letter: char| letter.is_ascii_alphabetic())
        .then_some(name)
}
