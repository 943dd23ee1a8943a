//! What is odd about the value of a `User-agent` record.

use alloc::format;
use alloc::string::String;

use crate::agent::{is_wildcard, leading_name, leading_token};
use crate::diagnostic::code::Code;
use crate::diagnostic::{Sink, quote};
use crate::parse::line::{PhysicalLine, Value, trim, without_comment};
use crate::parse::report::findings::Findings;

impl<'a, S: Sink + ?Sized> Findings<'a, '_, S> {
    pub(super) fn agent_name(&mut self, line: &PhysicalLine<'a>, value: Value<'a>) {
        // Nearly all values are a token or `*` alone, and then there is no comment to look for.
        let written = trim(value.with_comment());
        if leading_token(written).len() == written.len() && !written.is_empty() || written == b"*" {
            return;
        }
        let value = value.octets();
        let token = leading_token(value);
        if token.len() == value.len() && !value.is_empty() || value == b"*" {
            return;
        }
        if value.is_empty() {
            let message = "a `User-agent` without a value names nobody";
            let record = trim(without_comment(line.octets));
            self.report(Code::EmptyUserAgent, line, record, message);
        } else if is_wildcard(value) {
            let message = format!("{} is read as `*`, every agent", quote(value));
            self.suggest(Code::InvalidProductToken, line, value, message, "*");
        } else if let Some(first) = first_of_several(value) {
            let message = format!(
                "of the agents in {} only {} is named; give each a line of its own",
                quote(value),
                quote(leading_token(first)),
            );
            self.report(Code::CommaSeparatedAgents, line, value, message);
        } else if token.is_empty() {
            let message = format!(
                "{} does not begin with a letter, so Google sees no product token",
                quote(value)
            );
            self.report(Code::InvalidProductToken, line, value, message);
        } else {
            let message = format!("of {} Google sees only {}", quote(value), quote(token));
            if leading_name(value).len() == token.len() {
                let token = String::from_utf8_lossy(token).into_owned();
                self.suggest(Code::InvalidProductToken, line, value, message, token);
            } else {
                self.report(Code::InvalidProductToken, line, value, message);
            }
        }
    }
}

/// What stands before the first comma or semicolon, if a further name stands behind it.
fn first_of_several(value: &[u8]) -> Option<&[u8]> {
    let at = memchr::memchr2(b',', b';', value)?;
    let (first, others) = value.split_at_checked(at)?;
    let starts_a_name = |octet: &u8| octet.is_ascii_alphanumeric() || *octet == b'*';
    // `Mozilla/5.0 (compatible; ExampleBot)` holds a semicolon too; it is a header and no list.
    let is_list = !first.is_empty() && !first.contains(&b'(') && others.iter().any(starts_a_name);
    is_list.then_some(first)
}
