//! Diagnostics about the path pattern of a rule.

mod blank;
mod dollar;
pub(super) mod double_slash;
pub(super) mod html;
mod letters;
mod line_break;
pub(super) mod list;
mod remark;
pub(super) mod second_record;
mod sign;
mod template;

use polite_robots::Access;
use polite_robots::text::quote;

use crate::code::Severity;
use crate::lines::findings::Findings;
use crate::lines::invisible::Visibility;
use crate::lines::path_syntax::is_whole_site;
use crate::lines::plain_path::starts_well;
use crate::proposal::{Effect, Proposal};
use crate::text::part::Part;

impl Findings<'_, '_> {
    pub(super) fn path(&mut self, rule: Access, path: Part<'_>) {
        self.pattern(rule, path);
        self.comment_in_path(rule, path);
    }

    fn pattern(&mut self, rule: Access, value: Part<'_>) {
        let starts_well = starts_well(value.bytes);
        if self.line_break_as_text(value) || starts_well && self.template(value) {
            return;
        }
        if starts_well {
            self.path_syntax(value);
        }
        let effect = if starts_well {
            "this rule matches only URLs with"
        } else {
            "this rule matches nothing because of"
        };
        // A part of mojibake is invisible: `Ã` and U+00A0 for `à`.
        if starts_well && self.mojibake(value)
            || self.invisible(value, Severity::Error, effect, |path| path) == Visibility::Reported
        {
            return;
        }
        if !starts_well {
            return self.path_without_slash(rule, value);
        }
        self.dollar_before_end(value);
        // The first mistake that is named explains the bytes of those after it.
        let _is_named = self.html(value)
            || self.entity(value)
            || self.second_record(value)
            || self.remark(value)
            || self.list(rule, value)
            || self.blank(value)
            || self.non_ascii(value)
            || self.sign_after_path(value);
    }
}

/// The advice to write the start of a value alone. It leads to a rule about the whole site only
/// where it says so.
fn start_alone(value: Part<'_>, start: &[u8]) -> (String, Proposal) {
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
