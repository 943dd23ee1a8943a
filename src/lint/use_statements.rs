//! The records of a file that state preferences about use, as the lint looks at them.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::document::groups::UserAgent;
use crate::document::scope::Scope;
use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Diagnostic;
use crate::options::Dialect;
use crate::parse::field::ExtensionField;
use crate::record::ExtensionValue;
use crate::record::extension::Extension;
use crate::record::preference::{PerCategory, Preference, UsageCategory};
use crate::robots::robots_txt::RobotsTxt;
use crate::token::{WILDCARD, leading_name, leading_token};

/// A record that states at least one preference.
pub(super) struct Statement<'r> {
    pub(super) field: ExtensionField,
    pub(super) path: Option<&'r [u8]>,
    pub(super) preferences: PerCategory<Preference>,
    pub(super) audience: Audience,
    pub(super) line: u32,
    span: Range<usize>,
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
    names: Vec<String>,
}

impl<'r> Statements<'r> {
    pub(super) fn of(robots_txt: &'r RobotsTxt) -> Statements<'r> {
        let mut statements = Statements::default();
        let mut last_run = None;
        for record in robots_txt.extensions() {
            let Some((path, preferences)) = stated(&record) else {
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
                        let names = run.user_agents().filter_map(|agent| name(agent, dialect));
                        let places = names.map(|name| statements.place(name)).collect();
                        statements.runs.push(places);
                    }
                    Audience::Run(statements.runs.len() - 1)
                }
            };
            let base = robots_txt.as_bytes().as_ptr().addr();
            let start = record.value().as_ptr().addr().saturating_sub(base);
            statements.list.push(Statement {
                field: record.field(),
                path,
                preferences,
                audience,
                line: record.line(),
                span: start..start + record.value().len(),
            });
        }
        statements
    }

    /// The agents of a statement in lower case; none for one above every group.
    pub(super) fn agents(&self, statement: &Statement<'_>) -> impl Iterator<Item = &str> {
        let run = match statement.audience {
            Audience::Run(run) => self.runs.get(run),
            Audience::Nobody | Audience::Everyone => None,
        };
        let places = run.into_iter().flatten();
        places.filter_map(|place| self.names.get(*place).map(|name| &**name))
    }

    /// Whether an agent has a statement of its own.
    pub(super) fn has_own(&self, token: &str) -> bool {
        self.places.contains_key(&token.to_ascii_lowercase())
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
        *self.preferences.of(category)
    }

    /// A finding about the record.
    pub(super) fn finding(&self, code: DiagnosticCode, message: String) -> Diagnostic {
        Diagnostic::new(code, self.line, self.span.clone(), message)
    }
}

/// The name of an agent in lower case, as a group merged by agents has it; `None` if it can name
/// nobody.
fn name(agent: UserAgent<'_>, dialect: Dialect) -> Option<String> {
    if agent.is_wildcard() {
        return Some(WILDCARD.into());
    }
    let name = match dialect {
        Dialect::Rfc9309 => leading_name(agent.value()),
        Dialect::Google => leading_token(agent.value()),
    };
    let name = core::str::from_utf8(name).ok()?.to_ascii_lowercase();
    name.contains(|letter: char| letter.is_ascii_alphabetic())
        .then_some(name)
}

/// The path and the preferences of a record; `None` if it states none.
fn stated<'r>(record: &Extension<'r>) -> Option<(Option<&'r [u8]>, PerCategory<Preference>)> {
    let is_about_use = matches!(
        record.field(),
        ExtensionField::ContentSignal | ExtensionField::ContentUsage
    );
    let (path, preferences) = match record.typed() {
        _ if !is_about_use => return None,
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
    (preferences != PerCategory::default()).then_some((path, preferences))
}

/// Agents of one run among which `*` is looked for.
const MAX_LOOKED_AT: usize = 64;
