//! The records of a file that state preferences about use, as the lint looks at them.

use std::collections::{BTreeMap, BTreeSet};

use polite_robots::RobotsTxt;
use polite_robots::document::Scope;
use polite_robots::record::{Extension, ExtensionField};
use polite_robots_records::{ExtensionValue, Preference, UsageCategory};

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::text::token::{WILDCARD, name_in};

/// A record that states at least one preference.
pub(super) struct Statement<'r> {
    pub(super) field: ExtensionField,
    pub(super) path: Option<&'r [u8]>,
    value: ExtensionValue<'r>,
    pub(super) audience: Audience,
    pub(super) record: Extension<'r>,
}

/// The agents that a statement is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Audience {
    /// Above every group, where it is for nobody.
    Nobody,
    /// Above every group, where it is for everyone.
    Everyone,
    /// The agents of a run, by its place in [`Statements::runs`].
    Run(usize),
}

/// The statements of a file in its order, and the agents directly above them.
#[derive(Default)]
pub(super) struct Statements<'r> {
    pub(super) list: Vec<Statement<'r>>,
    /// The agents of each run, by their place in the order of the names. Records of one run share
    /// its agents, so the work is linear in the file.
    pub(super) runs: Vec<Vec<usize>>,
    /// The tokens of the agents in lower case, `*` for everyone.
    places: BTreeMap<String, usize>,
    /// The part of each name that many crawlers read, in lower case: `plum` of `Plum2`.
    tokens: BTreeSet<String>,
    names: Vec<String>,
}

impl<'r> Statements<'r> {
    pub(super) fn of(robots_txt: &'r RobotsTxt) -> Statements<'r> {
        let mut statements = Statements::default();
        let mut last_run = None;
        for record in robots_txt.extensions() {
            let Some((path, value)) = stated(&record) else {
                continue;
            };
            let audience = match record.scope() {
                Scope::Nobody => Audience::Nobody,
                Scope::File => Audience::Everyone,
                Scope::Agents(run) => {
                    let first = run.user_agents().next().map(|agent| agent.line());
                    if first != last_run {
                        last_run = first;
                        let dialect = robots_txt.dialect();
                        let names = run
                            .user_agents()
                            .filter_map(|agent| name_in(agent, dialect));
                        let tokens = run.user_agents().map(|agent| agent.product_token());
                        let tokens = tokens.map(str::to_ascii_lowercase);
                        statements.tokens.extend(tokens);
                        let places = names.map(|name| statements.place(name)).collect();
                        statements.runs.push(places);
                    }
                    Audience::Run(statements.runs.len() - 1)
                }
            };
            statements.list.push(Statement {
                field: record.field(),
                path,
                value,
                audience,
                record,
            });
        }
        statements
    }

    /// The agents of a statement by their places; none for one above every group.
    pub(super) fn agents(&self, statement: &Statement<'_>) -> impl Iterator<Item = usize> {
        let run = match statement.audience {
            Audience::Run(run) => self.runs.get(run),
            Audience::Nobody | Audience::Everyone => None,
        };
        run.into_iter().flatten().copied()
    }

    /// The agent at a place, in lower case.
    pub(super) fn name(&self, place: usize) -> Option<&str> {
        self.names.get(place).map(String::as_str)
    }

    /// Whether an agent has a statement of its own.
    pub(super) fn has_own(&self, token: &str) -> bool {
        let token = token.to_ascii_lowercase();
        self.tokens.contains(&token) || self.places.contains_key(&token)
    }

    /// Whether a statement is in a group for `*`.
    pub(super) fn is_of_wildcard(&self, statement: &Statement<'_>) -> bool {
        match (statement.audience, self.places.get(WILDCARD)) {
            (Audience::Run(run), Some(place)) => {
                // A wildcard among thousands of agents has no need to be found.
                let agents = self.runs.get(run).into_iter().flatten();
                agents.take(MAX_LOOKED_AT).any(|agent| agent == place)
            }
            _ => false,
        }
    }

    fn place(&mut self, name: String) -> usize {
        let next = self.names.len();
        let place = *self.places.entry(name.clone()).or_insert(next);
        if place == next {
            self.names.push(name);
        }
        place
    }
}

impl Statement<'_> {
    pub(super) fn of(&self, category: UsageCategory) -> Preference {
        preference(self.value, category)
    }

    pub(super) fn line(&self) -> u32 {
        self.record.line()
    }

    /// A finding about the record.
    pub(super) fn finding(&self, code: DiagnosticCode, advice: impl Into<Advice>) -> Diagnostic {
        Diagnostic::on(&self.record, code, advice)
    }
}

/// The path and the value of a record that states a preference; `None` for other records.
pub(crate) fn stated<'r>(record: &Extension<'r>) -> Option<(Option<&'r [u8]>, ExtensionValue<'r>)> {
    let value = ExtensionValue::of(record);
    let path = match value {
        ExtensionValue::ContentSignal(signal) => signal.path(),
        ExtensionValue::ContentUsage(usage) => usage.path(),
        _ => return None,
    };
    let is_stated = |category: &UsageCategory| preference(value, *category) != Preference::Unstated;
    let mut categories = UsageCategory::ALL.iter();
    categories.any(is_stated).then_some((path, value))
}

/// The preference about a use that a value states.
pub(crate) fn preference(value: ExtensionValue<'_>, category: UsageCategory) -> Preference {
    match value {
        ExtensionValue::ContentSignal(signal) => signal.preference(category),
        ExtensionValue::ContentUsage(usage) => usage.preference(category),
        _ => Preference::Unstated,
    }
}

/// Agents of one run among which `*` is looked for.
const MAX_LOOKED_AT: usize = 64;
