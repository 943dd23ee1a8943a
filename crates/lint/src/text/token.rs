//! The names of agents, as a group merged by agents has them.

use polite_robots::Dialect;
use polite_robots::document::{UserAgent, leading_name, leading_token};
use polite_robots::record::PolicyToken;

/// The agent that stands for every agent (RFC 9309 §2.2.1).
pub(crate) const WILDCARD: &str = "*";

/// The use that the value of a `User-agent` line names in place of a crawler.
pub(crate) fn use_in(value: &[u8]) -> Option<PolicyToken> {
    let name = core::str::from_utf8(leading_name(value));
    name.ok().and_then(PolicyToken::find)
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

/// Whether the value is a product token or `*` alone, as nearly all are. Then it has no comment
/// either.
#[inline]
pub(crate) fn is_token_or_wildcard(value: &[u8]) -> bool {
    leading_token(value).len() == value.len() && !value.is_empty() || value == b"*"
}
