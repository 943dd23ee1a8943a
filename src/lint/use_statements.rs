//! The records of a file that state preferences about use, as the lint looks at them.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::document::scope::Scope;
use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Diagnostic;
use crate::parse::field::ExtensionField;
use crate::record::ExtensionValue;
use crate::record::extension::Extension;
use crate::record::preference::{PerCategory, Preference, UsageCategory};
use crate::robots::robots_txt::RobotsTxt;
use crate::text::quote::quote;

/// A record that states at least one preference.
pub(super) struct Statement<'r> {
    pub(super) field: ExtensionField,
    pub(super) path: Option<&'r [u8]>,
    pub(super) preferences: PerCategory<Preference>,
    pub(super) scope: Scope<'r>,
    pub(super) line: u32,
    span: Range<usize>,
}

/// The statements of a file in its order.
pub(super) fn statements(robots_txt: &RobotsTxt) -> Vec<Statement<'_>> {
    let base = robots_txt.as_bytes().as_ptr().addr();
    let records = robots_txt.extensions();
    let is_about_use = |record: &Extension<'_>| {
        let field = record.field();
        matches!(
            field,
            ExtensionField::ContentSignal | ExtensionField::ContentUsage
        )
    };
    records
        .filter(is_about_use)
        .filter_map(|record| Statement::new(&record, base))
        .collect()
}

impl<'r> Statement<'r> {
    fn new(record: &Extension<'r>, base: usize) -> Option<Statement<'r>> {
        let (path, preferences) = match record.typed() {
            ExtensionValue::ContentSignal(signal) => (
                signal.path(),
                PerCategory::from_fn(|category| signal.preference(category)),
            ),
            ExtensionValue::ContentUsage(usage) => (
                usage.path(),
                PerCategory::from_fn(|category| usage.preference(category)),
            ),
            _ => return None,
        };
        let start = record.value().as_ptr().addr().checked_sub(base)?;
        let statement = Statement {
            field: record.field(),
            path,
            preferences,
            scope: record.scope(),
            line: record.line(),
            span: start..start + record.value().len(),
        };
        UsageCategory::ALL
            .iter()
            .any(|category| statement.of(*category) != Preference::Unstated)
            .then_some(statement)
    }

    pub(super) fn of(&self, category: UsageCategory) -> Preference {
        *self.preferences.of(category)
    }

    /// Whether the statement is about every path.
    pub(super) fn is_for_whole_site(&self) -> bool {
        matches!(self.path, None | Some(b"/" | b"/*"))
    }

    /// The tokens of the agents above the record in lower case, `*` for everyone; none for a record
    /// above every group.
    pub(super) fn tokens(&self) -> impl Iterator<Item = String> + use<'r> {
        let run = match self.scope {
            Scope::Agents(run) => Some(run),
            Scope::File | Scope::Nobody => None,
        };
        let agents = run.into_iter().flat_map(|run| run.user_agents());
        agents.map(|agent| match agent.is_wildcard() {
            true => "*".into(),
            false => agent.product_token().to_ascii_lowercase(),
        })
    }

    /// A finding about the record.
    pub(super) fn finding(&self, code: DiagnosticCode, message: String) -> Diagnostic {
        Diagnostic::new(code, self.line, self.span.clone(), message)
    }
}

/// The first few names as a part of a sentence: `a`, `b` and 3 more.
pub(super) fn list(names: &[String]) -> String {
    let quoted: Vec<String> = names
        .iter()
        .take(MAX_LISTED)
        .map(|name| alloc::format!("{}", quote(name.as_bytes())))
        .collect();
    let more = names.len().saturating_sub(MAX_LISTED);
    match (quoted.as_slice(), more) {
        (quoted, 1..) => alloc::format!("{} and {more} more", quoted.join(", ")),
        ([first @ .., last], 0) if !first.is_empty() => {
            alloc::format!("{} and {last}", first.join(", "))
        }
        (quoted, 0) => quoted.join(""),
    }
}

/// Agents that one finding lists.
const MAX_LISTED: usize = 3;
