//! Differences in the records beside the rules.

use std::collections::BTreeSet;

use polite_robots::document::Scope;
use polite_robots::record::{ExtensionField, ExtensionValue};
use polite_robots::{Robot, RobotsTxt};

use crate::witness::filled;

/// Records that only one version has, as they would be written, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordChanges {
    removed: Vec<String>,
    added: Vec<String>,
}

impl RecordChanges {
    /// Order and repetition are no changes.
    pub(super) fn between(old: &[String], new: &[String]) -> RecordChanges {
        RecordChanges {
            removed: only_in(old, new),
            added: only_in(new, old),
        }
    }

    /// The records that only the old version has.
    #[must_use]
    pub fn removed(&self) -> &[String] {
        &self.removed
    }

    /// The records that only the new version has.
    #[must_use]
    pub fn added(&self) -> &[String] {
        &self.added
    }

    /// Whether both versions have the same records.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty()
    }
}

fn only_in(one: &[String], other: &[String]) -> Vec<String> {
    let mut seen: BTreeSet<&String> = other.iter().collect();
    let mut only = Vec::new();
    for record in one {
        if seen.insert(record) {
            only.push(record.clone());
        }
    }
    only
}

/// The records for one agent, by their effect: only the largest of several crawl delays counts.
pub(super) fn of_agent(robot: &Robot) -> Vec<String> {
    let delay = robot
        .crawl_delay()
        .map(|delay| format!("Crawl-delay: {}s", delay.as_secs_f64()));
    let rates = robot
        .request_rates()
        .map(|rate| format!("Request-rate: {rate}"));
    let times = robot
        .visit_times()
        .map(|time| format!("Visit-time: {time}"));
    let licenses = robot
        .licenses()
        .map(|license| format!("License: {license}"));
    delay
        .into_iter()
        .chain(rates)
        .chain(times)
        .chain(licenses)
        .collect()
}

/// The records for everyone.
pub(super) fn of_file(robots_txt: &RobotsTxt) -> Vec<String> {
    let is_of_file = |field| {
        matches!(
            field,
            ExtensionField::Sitemap | ExtensionField::Host | ExtensionField::CleanParam
        )
    };
    robots_txt
        .extensions()
        .filter(|record| is_of_file(record.field()) && !record.value().is_empty())
        .map(|record| record.to_string())
        .collect()
}

/// The URLs about whose use the file may state a preference: the site, and the paths that the
/// records name.
pub(super) fn urls_of(robots_txt: &RobotsTxt) -> impl Iterator<Item = String> {
    let paths = robots_txt.extensions().filter_map(|record| {
        let path = match (record.scope(), record.typed()) {
            (Scope::Nobody, _) => None,
            (_, ExtensionValue::ContentSignal(signal)) => signal.path(),
            (_, ExtensionValue::ContentUsage(usage)) => usage.path(),
            _ => None,
        }?;
        Some(filled(&String::from_utf8_lossy(path)))
    });
    std::iter::once(String::from("/")).chain(paths)
}
