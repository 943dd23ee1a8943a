//! Finds preferences without an effect, because another line states the opposite for the same
//! paths.

use std::collections::BTreeMap;

use polite_robots::record::ExtensionField;
use polite_robots::text::quote;
use polite_robots_records::{Preference, UsageCategory};

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::proposal::{Effect, Proposal};
use crate::usage::pairs::opposite;
use crate::usage::statements::{Audience, Statement, Statements};
use crate::work_budget::WorkBudget;

/// Reports each statement that allows a use which another one of the same agent and path disallows.
pub(super) fn conflicts(statements: &Statements<'_>, work: &WorkBudget) -> Vec<Diagnostic> {
    let shared = Shared::new(statements);
    let mut refusals: BTreeMap<Key<'_>, &Statement<'_>> = BTreeMap::new();
    for statement in &statements.list {
        for category in with(statement, Preference::Disallowed) {
            for owner in shared.owners(statement) {
                work.spend(FOR_A_LOOKUP);
                if work.is_spent() {
                    return Vec::new();
                }
                let key = Key::new(owner, statement, category);
                refusals.entry(key).or_insert(statement);
            }
        }
    }
    let mut found = Vec::new();
    for statement in &statements.list {
        for category in with(statement, Preference::Allowed) {
            let everyone = core::iter::once(Owner::Audience(Audience::Everyone));
            let mut owners = everyone.chain(shared.owners(statement));
            let refusal = owners.find_map(|owner| {
                work.spend(FOR_A_LOOKUP);
                let refusal = refusals.get(&Key::new(owner, statement, category))?;
                Some((*refusal, owner))
            });
            if work.is_spent() {
                return found;
            }
            if let Some((refusal, owner)) =
                refusal.filter(|_| statement.audience != Audience::Nobody)
            {
                let agent = match owner {
                    Owner::Agent(place) if statements.agents(statement).nth(1).is_some() => {
                        let name = statements.name(place).unwrap_or_default();
                        format!(" for {}", quote(name.as_bytes()))
                    }
                    Owner::Agent(_) | Owner::Audience(_) => String::new(),
                };
                let advice = advice(statement, refusal, category, &agent);
                found.push(statement.finding(DiagnosticCode::ConflictingPreferences, advice));
            }
        }
    }
    found
}

fn advice(
    statement: &Statement<'_>,
    refusal: &Statement<'_>,
    category: UsageCategory,
    agent: &str,
) -> Advice {
    let line = refusal.line();
    let start = format!(
        "allowing {category} here has no effect{agent}, because line {line} disallows it for the same paths, and the stricter one counts"
    );
    let refuse = opposite(&statement.record, category, Preference::Allowed);
    let allow = opposite(&refusal.record, category, Preference::Disallowed);
    let (Some(refuse), Some(allow)) = (refuse, allow) else {
        return start.into();
    };
    // Other agents of the line lose a preference that counts.
    let effect = Effect::if_answers(!agent.is_empty());
    let (no, yes) = (refuse.opposite_value, allow.opposite_value);
    Advice::new(format!(
        "{start}; write `{no}` here or `{yes}` on line {line}"
    ))
    .propose(Proposal::replace(refuse.value, no, effect))
    .write(allow.value, yes)
}

/// The agents of each run that have statements in several runs, which count as one run.
struct Shared(Vec<Vec<usize>>);

impl Shared {
    fn new(statements: &Statements<'_>) -> Shared {
        let mut runs: BTreeMap<usize, usize> = BTreeMap::new();
        for agent in statements.runs.iter().flatten() {
            *runs.entry(*agent).or_default() += 1;
        }
        let is_shared = |agent: &usize| runs.get(agent).is_some_and(|runs| *runs > 1);
        let shared = |run: &Vec<usize>| run.iter().copied().filter(is_shared).collect();
        Shared(statements.runs.iter().map(shared).collect())
    }

    fn owners(&self, statement: &Statement<'_>) -> impl Iterator<Item = Owner> {
        let shared = match statement.audience {
            Audience::Run(run) => self.0.get(run),
            Audience::Nobody | Audience::Everyone => None,
        };
        let agents = shared.into_iter().flatten().copied();
        let own = core::iter::once(Owner::Audience(statement.audience));
        own.chain(agents.map(Owner::Agent))
    }
}

/// The one or many that a statement belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Audience(Audience),
    Agent(usize),
}

/// Statements of opposite preferences and the same key contradict each other.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key<'r> {
    owner: Owner,
    field: ExtensionField,
    path: Option<&'r [u8]>,
    category: UsageCategory,
}

impl<'r> Key<'r> {
    fn new(owner: Owner, statement: &Statement<'r>, category: UsageCategory) -> Key<'r> {
        Key {
            owner,
            field: statement.field,
            path: statement.path,
            category,
        }
    }
}

/// The uses about which a statement has a preference.
fn with(statement: &Statement<'_>, preference: Preference) -> impl Iterator<Item = UsageCategory> {
    let categories = UsageCategory::ALL.iter().copied();
    categories.filter(move |category| statement.of(*category) == preference)
}

/// The steps to find a key among thousands.
const FOR_A_LOOKUP: usize = 256;
