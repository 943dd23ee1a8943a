//! The edit that states preferences: `Content-Signal` in each group.

use std::collections::BTreeMap;

use polite_robots::RobotsTxt;
use polite_robots::document::{Line, LineKind, Scope};
use polite_robots::record::ExtensionLevel;
use polite_robots_records::ExtensionValue;

use crate::edit::patch::Patch;
use crate::policy::is_use;

/// A pair of a `Content-Signal` record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signal {
    pub(super) key: &'static str,
    pub(super) value: &'static str,
}

/// The file with the signals for every agent. A named agent obeys none of the signals for everyone,
/// so each group states them.
pub(super) fn with_signals(robots_txt: &RobotsTxt, signals: &[Signal]) -> Vec<u8> {
    let mut patch = Patch::default();
    let stated = stated(robots_txt);
    for last_agent in last_agents(robots_txt) {
        match stated.get(&last_agent) {
            None => patch.insert_after(last_agent, written(&[], signals)),
            Some(records) => {
                for (line, value) in records {
                    patch.replace(*line, written(&pairs(value), signals));
                }
            }
        }
    }
    // Other records for the whole site may stand above all groups.
    let has_everyone = robots_txt
        .merged_groups()
        .any(|group| group.product_token() == "*");
    for record in robots_txt.extensions() {
        if let (Scope::File, Some(value)) = (
            record.scope(),
            whole_site(&ExtensionValue::of(&record), record.value()),
        ) {
            patch.replace(record.line(), written(&pairs(value), signals));
        }
    }
    if !has_everyone {
        let group = [
            b"User-agent: *".to_vec(),
            written(&[], signals),
            b"Disallow:".to_vec(),
        ];
        patch.append(group.to_vec());
    }
    patch.applied(robots_txt)
}

/// The last line of each run of `User-agent` lines to which a record below them belongs, without
/// runs of uses alone: nobody reads a signal there.
fn last_agents(robots_txt: &RobotsTxt) -> Vec<u32> {
    let mut last_agents = Vec::new();
    let mut in_run = Run::default();
    for line in robots_txt.lines() {
        match line.kind() {
            LineKind::UserAgent => in_run.add(&line),
            LineKind::Rule(_) => last_agents.extend(in_run.take()),
            LineKind::Extension(field) if field.level() != ExtensionLevel::File => {
                last_agents.extend(in_run.take());
            }
            _ => {}
        }
    }
    last_agents.extend(in_run.take());
    last_agents
}

/// A run of `User-agent` lines.
#[derive(Default)]
struct Run {
    last: Option<u32>,
    has_agent: bool,
}

impl Run {
    fn add(&mut self, line: &Line<'_>) {
        let name = std::str::from_utf8(line.value().unwrap_or_default());
        self.has_agent |= !name.is_ok_and(is_use);
        self.last = Some(line.number());
    }

    /// The last line of the run, if an agent is in it; the next run begins.
    fn take(&mut self) -> Option<u32> {
        let Run { last, has_agent } = std::mem::take(self);
        last.filter(|_| has_agent)
    }
}

/// The `Content-Signal` records for whole sites, by the last line of their agents.
fn stated(robots_txt: &RobotsTxt) -> BTreeMap<u32, Vec<(u32, &[u8])>> {
    let mut stated: BTreeMap<u32, Vec<(u32, &[u8])>> = BTreeMap::new();
    for record in robots_txt.extensions() {
        let Some(value) = whole_site(&ExtensionValue::of(&record), record.value()) else {
            continue;
        };
        if let Scope::Agents(run) = record.scope() {
            if let Some(last) = run.user_agents().map(|agent| agent.line()).max() {
                stated.entry(last).or_default().push((record.line(), value));
            }
        }
    }
    stated
}

/// The value of a `Content-Signal` that is about no path.
fn whole_site<'r>(typed: &ExtensionValue<'r>, value: &'r [u8]) -> Option<&'r [u8]> {
    match typed {
        ExtensionValue::ContentSignal(signal) if signal.path().is_none() => Some(value),
        _ => None,
    }
}

/// The pairs of a value, as they are written.
fn pairs(value: &[u8]) -> Vec<&[u8]> {
    let pairs = value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    pairs.filter(|pair| !pair.is_empty()).collect()
}

/// A record with the pairs, in which each signal replaces the pairs with its key.
fn written(pairs: &[&[u8]], signals: &[Signal]) -> Vec<u8> {
    let key = |pair: &[u8]| {
        let key = pair.split(|byte| *byte == b'=').next().unwrap_or_default();
        key.trim_ascii().to_ascii_lowercase()
    };
    let is_replaced = |pair: &[u8]| {
        signals
            .iter()
            .any(|signal| signal.key.as_bytes() == key(pair))
    };
    let kept = pairs.iter().filter(|pair| !is_replaced(pair));
    let mut all: Vec<Vec<u8>> = kept.map(|pair| pair.to_vec()).collect();
    all.extend(
        signals
            .iter()
            .map(|signal| format!("{}={}", signal.key, signal.value).into_bytes()),
    );
    [&b"Content-Signal: "[..], &all.join(&b", "[..])].concat()
}
