//! The advice to write only the start of a value.

use polite_robots::text::quote;

use crate::advice::Advice;
use crate::text::part::Part;
use crate::text::whole_site::is_whole_site;

/// The advice to write the start of a value alone. It leads to a rule about the whole site only
/// where it says so.
pub(super) fn start_alone(value: Part<'_>, start: &[u8]) -> Advice {
    let condition = match is_whole_site(start) {
        true => "the whole site is meant",
        false => "that is the path",
    };
    let advice = Advice::new(format!("write {} if {condition}", quote(start)));
    match core::str::from_utf8(start) {
        Ok(start) => advice.write(value.span(), start),
        Err(_) => advice.write(value.tail(start.len()).span(), ""),
    }
}
