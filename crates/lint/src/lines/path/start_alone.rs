//! The advice to write only the start of a value.

use polite_robots::text::quote;

use crate::proposal::{Effect, Proposal};
use crate::text::part::Part;
use crate::text::whole_site::is_whole_site;

/// The advice to write the start of a value alone. It leads to a rule about the whole site only
/// where it says so.
pub(super) fn start_alone(value: Part<'_>, start: &[u8]) -> (String, Proposal) {
    let fix = match is_whole_site(start) {
        true => format!("write {} if the whole site is meant", quote(start)),
        false => format!("write {} if that is the path", quote(start)),
    };
    let proposal = match core::str::from_utf8(start) {
        Ok(start) => Proposal::replace(value.span(), start, Effect::Answers),
        Err(_) => Proposal::replace(value.tail(start.len()).span(), "", Effect::Answers),
    };
    (fix, proposal)
}
