//! Diagnostics about the path pattern of a rule.

mod blank;
mod dollar;
mod double_slash;
mod html;
mod letters;
mod line_break;
mod list;
mod remark;
mod second_record;
mod sign;
mod start_alone;
mod template;

use polite_robots::Access;

use crate::code::Severity;
use crate::lines::findings::Findings;
use crate::lines::invisible::Visibility;
use crate::lines::plain_path::starts_well;
use crate::text::part::Part;

impl Findings<'_, '_> {
    pub(super) fn path(&mut self, rule: Access, path: Part<'_>) {
        self.pattern(rule, path);
        self.comment_in_path(rule, path);
    }

    fn pattern(&mut self, rule: Access, value: Part<'_>) {
        let starts_well = starts_well(value.bytes);
        if self.line_break_in_path(value) || starts_well && self.template(value) {
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
