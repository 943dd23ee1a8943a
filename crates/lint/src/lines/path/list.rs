//! Lists of paths in the place of one.

use polite_robots::Access;
use polite_robots::text::quote;

use crate::code::DiagnosticCode;
use crate::lines::findings::{Findings, Reported};
use crate::lines::path_list::List;
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports several paths on one line, and returns whether there are.
    pub(super) fn list(&mut self, rule: Access, value: Part<'_>) -> Option<Reported> {
        let list = List::in_value(value.bytes)?;
        let code = match list.sign {
            None => DiagnosticCode::BlankInPath,
            Some(_) => DiagnosticCode::SignAfterPath,
        };
        let (file, line) = (self.file.bytes, self.line.part);
        self.report(code, value, || {
            let effect = match list.sign {
                None => "holds a blank, so it matches nothing for Google".into(),
                Some(sign) => format!(
                    "matches only URLs with this `{sign}`, because a rule holds one path and no list"
                ),
            };
            let advice = list.advice(rule, file, line, value);
            advice.after(format_args!("{} {effect}", quote(value.bytes)))
        })
    }
}
