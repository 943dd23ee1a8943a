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
use crate::lines::findings::{Findings, Reported};
use crate::lines::plain_path::starts_well;
use crate::text::part::Part;

impl Findings<'_, '_> {
    pub(super) fn path(&mut self, rule: Access, path: Part<'_>) {
        if self.line_break_in_path(path).is_none() {
            match starts_well(path.bytes) {
                true => self.pattern(rule, path),
                false => self
                    .invisible(path, Severity::Error, MATCHES_NOTHING, |path| path)
                    .or_else(|| self.path_without_slash(rule, path)),
            };
        }
        self.comment_in_path(rule, path);
    }

    /// Reports on a path that begins as a path does.
    fn pattern(&mut self, rule: Access, value: Part<'_>) -> Option<Reported> {
        let template = self.template(value);
        if template.is_some() {
            return template;
        }
        self.path_syntax(value);
        // A part of mojibake is invisible: `Ã` and U+00A0 for `à`.
        let unseen = self
            .mojibake(value)
            .or_else(|| self.invisible(value, Severity::Error, MATCHES_WITH, |path| path));
        if unseen.is_some() {
            return unseen;
        }
        self.dollar_before_end(value);
        // The first mistake that is named explains the bytes of those after it.
        self.html(value)
            .or_else(|| self.entity(value))
            .or_else(|| self.second_record(value))
            .or_else(|| self.remark(value))
            .or_else(|| self.list(rule, value))
            .or_else(|| self.blank(value))
            .or_else(|| self.non_ascii(value))
            .or_else(|| self.sign_after_path(value))
    }
}

const MATCHES_WITH: &str = "this rule matches only URLs with";
const MATCHES_NOTHING: &str = "this rule matches nothing because of";
