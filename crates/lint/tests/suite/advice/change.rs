//! Changes of answers, and which of them a hint may make.

use polite_robots::Access;
use polite_robots::document::LineKind;
use polite_robots_audit::difference::AgentChange;
use polite_robots_audit::printable::shortened;
use serde::Deserialize;

/// A change of an answer, for some agents; for no one of them where it is about the file.
pub(super) struct Change {
    pub(super) agents: Vec<String>,
    pub(super) kind: Kind,
    /// The URL of a verdict.
    url: Option<String>,
    pub(super) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Opens,
    Closes,
    States,
    Records,
}

/// The changes by RFC 9309, and by Google's matcher.
pub(super) type Changes = [Vec<Change>; 2];

/// The text of the first change in each dialect.
pub(super) fn first(changes: Changes) -> [Option<String>; 2] {
    changes.map(|changes| Some(changes.into_iter().next()?.text))
}

impl Change {
    /// One change of each kind; of the URLs the home page, if it is among them.
    pub(super) fn of_verdicts(change: &AgentChange) -> Vec<Change> {
        let of_kind = |kind| {
            let was_open = kind == Kind::Closes;
            let verdicts = change.verdicts();
            let verdicts = verdicts.filter(|verdict| verdict.old.is_allowed() == was_open);
            let urls = verdicts.map(|verdict| verdict.url);
            let url = urls.min_by_key(|url| *url != "/")?;
            let does = if was_open { "closes" } else { "opens" };
            Some(Change {
                url: Some(url.to_owned()),
                ..Change::new(change.agents(), kind, &format!("{url} {does}"))
            })
        };
        [Kind::Closes, Kind::Opens]
            .into_iter()
            .filter_map(of_kind)
            .collect()
    }

    pub(super) fn of_preferences(change: &AgentChange) -> Option<Change> {
        let (usages, content_uses) = (change.usages(), change.content_uses());
        let is_change = !usages.is_empty() || !content_uses.is_empty();
        let text = || format!("{usages:?} {content_uses:?}");
        is_change.then(|| Change::new(change.agents(), Kind::States, &text()))
    }

    pub(super) fn of_records(change: &AgentChange) -> Option<Change> {
        let records = change.records();
        let text = || format!("{records:?}");
        (!records.is_empty()).then(|| Change::new(change.agents(), Kind::Records, &text()))
    }

    pub(super) fn new(agents: &[String], kind: Kind, what: &str) -> Change {
        let whose = match agents {
            [] => String::new(),
            agents => format!("{}: ", agents.join(", ")),
        };
        Change {
            agents: agents.to_vec(),
            kind,
            url: None,
            text: shortened(&format!("{whose}{what}")),
        }
    }

    /// Whether a site closes whose home page was open.
    pub(super) fn closes_site(&self) -> bool {
        self.kind == Kind::Closes && self.url.as_deref() == Some("/")
    }
}

/// The answers that a hint may change; testdata/advice.toml explains each.
#[derive(Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Effect {
    None,
    Opens,
    Closes,
    Rules,
    Path,
    Line,
    Agents,
    States,
    Use,
    Records,
}

/// The line that a hint writes.
pub(super) struct Written {
    /// The kind of the new line in each dialect.
    pub(super) kinds: [Option<LineKind>; 2],
    /// The sentence, and the text of the line before and after.
    pub(super) names: String,
}

impl Effect {
    /// Whether the change of a dialect is one that the hint may make.
    pub(super) fn permits(self, change: &Change, written: &Written, dialect: usize) -> bool {
        let kind = change.kind;
        match self {
            Effect::None => false,
            Effect::Opens => kind == Kind::Opens,
            Effect::Closes => kind == Kind::Closes,
            Effect::Rules => matches!(kind, Kind::Opens | Kind::Closes),
            Effect::States => kind == Kind::States,
            Effect::Use => kind == Kind::States || written.is_named(change),
            Effect::Records => kind == Kind::Records,
            Effect::Agents => written.is_named(change),
            Effect::Path | Effect::Line => match written.kinds[dialect] {
                // The sentence says that agents no longer share the rules around the line.
                Some(LineKind::Rule(_)) if self == Effect::Path || written.starts_group() => {
                    matches!(kind, Kind::Opens | Kind::Closes)
                }
                Some(LineKind::Rule(Access::Allow)) => kind == Kind::Opens,
                Some(LineKind::Rule(Access::Disallow)) => kind == Kind::Closes,
                Some(LineKind::UserAgent) => written.is_named(change),
                _ => matches!(kind, Kind::States | Kind::Records),
            },
        }
    }
}

impl Written {
    fn starts_group(&self) -> bool {
        self.names.contains("starts a group")
    }

    /// Whether the line is about agents, and names those of a change.
    pub(super) fn names_agent(&self, change: &Change) -> bool {
        let is_of_agents = self.kinds.contains(&Some(LineKind::UserAgent));
        is_of_agents && self.is_named(change)
    }

    /// Whether the agents of a change are named, or all are.
    pub(super) fn is_named(&self, change: &Change) -> bool {
        let is_for_all = ["`*`", "every", ": *"]
            .iter()
            .any(|words| self.names.contains(words));
        let names = self.names.to_ascii_lowercase();
        let is_named = |agent: &String| names.contains(&agent.to_ascii_lowercase());
        is_for_all
            || self.starts_group()
            || (!change.agents.is_empty() && change.agents.iter().all(is_named))
    }
}
