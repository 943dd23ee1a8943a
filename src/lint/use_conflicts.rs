//! Finds preferences without an effect, because another line states the opposite for the same paths.

use alloc::collections::BTreeMap;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::document::scope::Scope;
use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Diagnostic;
use crate::lint::use_statements::Statement;
use crate::lint::work_budget::WorkBudget;
use crate::parse::field::ExtensionField;
use crate::record::preference::{Preference, UsageCategory};

/// Reports each statement that allows a use which another one of the same agent and path disallows.
pub(super) fn conflicts(statements: &[Statement<'_>], work: &mut WorkBudget) -> Vec<Diagnostic> {
    let mut refusals: BTreeMap<Key<'_>, u32> = BTreeMap::new();
    for (statement, key, category) in stated(statements, Preference::Disallowed) {
        if work.is_spent() {
            return Vec::new();
        }
        work.spend_on_text(key.agent.len());
        refusals
            .entry(Key { category, ..key })
            .or_insert(statement.line);
    }
    let mut reported = BTreeSet::new();
    let mut found = Vec::new();
    for (statement, key, category) in stated(statements, Preference::Allowed) {
        if work.is_spent() {
            break;
        }
        work.spend_on_text(key.agent.len());
        let for_everyone = Key {
            agent: String::new(),
            category,
            ..key
        };
        let own = Key { category, ..key };
        let refusal = refusals.get(&own).or_else(|| refusals.get(&for_everyone));
        if let Some(line) = refusal.filter(|_| reported.insert((statement.line, category))) {
            let message = format!(
                "allowing {category} here has no effect, because line {line} disallows it for the same paths, and the stricter one counts; remove one of them"
            );
            found.push(statement.finding(DiagnosticCode::ConflictingPreferences, message));
        }
    }
    found
}

/// The statements that can contradict each other have the same key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key<'r> {
    /// In lower case; empty for a record above every group, which is for everyone.
    agent: String,
    field: ExtensionField,
    path: Option<&'r [u8]>,
    category: UsageCategory,
}

/// Every statement of one preference, once for each of its agents.
fn stated<'s, 'r>(
    statements: &'s [Statement<'r>],
    preference: Preference,
) -> impl Iterator<Item = (&'s Statement<'r>, Key<'r>, UsageCategory)> {
    let categories = UsageCategory::ALL.iter().copied();
    let stated = statements.iter().flat_map(move |statement| {
        let is_stated = move |category: &UsageCategory| statement.of(*category) == preference;
        let categories = categories.clone().filter(is_stated);
        categories.map(move |category| (statement, category))
    });
    stated.flat_map(|(statement, category)| {
        let everyone = (statement.scope == Scope::File).then(String::new);
        let agents = statement.tokens().chain(everyone);
        agents.map(move |agent| {
            let key = Key {
                agent,
                field: statement.field,
                path: statement.path,
                category,
            };
            (statement, key, category)
        })
    })
}
