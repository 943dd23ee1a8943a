//! Changes of answers.

use polite_robots_audit::difference::{AgentChange, UsageChange};
use polite_robots_audit::printable::shortened;

use super::proof::{escaped, is_sent};

/// A change of an answer for some agents. There are no agents if it is about the whole file.
pub(super) struct Change {
    pub(super) agents: Vec<String>,
    pub(super) kind: Kind,
    /// The URLs of the verdicts.
    pub(super) urls: Vec<String>,
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
    /// One change of each kind; its text has the home page, if that is among the URLs.
    pub(super) fn of_verdicts(change: &AgentChange) -> Vec<Change> {
        let of_kind = |kind| {
            let was_open = kind == Kind::Closes;
            let verdicts = change.verdicts();
            let verdicts = verdicts.filter(|verdict| verdict.old.is_allowed() == was_open);
            let urls: Vec<String> = verdicts.map(|verdict| verdict.url.to_owned()).collect();
            let url = urls.iter().min_by_key(|url| *url != "/")?;
            let does = if was_open { "closes" } else { "opens" };
            let text = format!("{url} {does}");
            Some(Change {
                urls,
                ..Change::new(change.agents(), kind, &text)
            })
        };
        [Kind::Closes, Kind::Opens]
            .into_iter()
            .filter_map(of_kind)
            .collect()
    }

    pub(super) fn of_preferences(change: &AgentChange) -> Option<Change> {
        // No client sends the shortest URL of some rules, but clients send a longer one. Escapes do
        // not matter, except that a `\` is sent as `/`.
        let is_of_sent = |usage: &&UsageChange| {
            let url = escaped(&usage.url);
            !usage.url.contains('\\') && (is_sent(&url) || is_sent(&format!("{url}x")))
        };
        let usages: Vec<_> = change.usages().iter().filter(is_of_sent).collect();
        let content_uses = change.content_uses();
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
            urls: Vec::new(),
            text: shortened(&format!("{whose}{what}")),
        }
    }

    /// Whether a site closes whose home page was open.
    pub(super) fn closes_site(&self) -> bool {
        self.kind == Kind::Closes && self.urls.iter().any(|url| url == "/")
    }
}
