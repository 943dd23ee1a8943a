//! Differences in the records beside the rules.

use std::collections::BTreeSet;

use polite_robots::document::Scope;
use polite_robots::record::ExtensionField;
use polite_robots::{Robot, RobotsTxt};
use polite_robots_records::{DayWindow, ExtensionValue, License, RequestRate};

use crate::budget::Budget;
use crate::policy::rules_about_uses;
use crate::witness::{filled, sendable};

/// Records that only one version has, as they would be written, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordChanges {
    removed: Vec<String>,
    added: Vec<String>,
    left_out: usize,
}

impl RecordChanges {
    /// The records that only one of the lists has. Order and repetition do not count.
    pub(super) fn between(old: &[String], new: &[String]) -> RecordChanges {
        RecordChanges {
            removed: only_in(old, new),
            added: only_in(new, old),
            left_out: 0,
        }
    }

    /// Keeps the first records, as many as can be listed.
    pub(super) fn listed(mut self, budget: &mut Budget) -> RecordChanges {
        for records in [&mut self.removed, &mut self.added] {
            let listed = records
                .iter()
                .take_while(|record| budget.list(record.len()));
            let listed = listed.count();
            self.left_out = self
                .left_out
                .saturating_add(records.len().saturating_sub(listed));
            records.truncate(listed);
        }
        self
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

    /// The number of records that only one version has and that are not listed, because too many
    /// changes are.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Whether both versions have the same records.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty() && self.left_out == 0
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
    let rates = RequestRate::of(robot).map(|rate| format!("Request-rate: {rate}"));
    let times = DayWindow::visit_times(robot).map(|time| format!("Visit-time: {time}"));
    let licenses = License::of(robot).map(|license| format!("License: {license}"));
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

/// The URLs about whose use the files may state a preference, and how many preferences there are.
#[derive(Debug, Default)]
pub(super) struct Preferences {
    /// The site, and the paths that the records and the rules about uses name.
    pub(super) urls: BTreeSet<String>,
    pub(super) count: usize,
}

impl Preferences {
    pub(super) fn of(files: [&RobotsTxt; 2]) -> Preferences {
        let mut preferences = Preferences::default();
        for record in files.into_iter().flat_map(RobotsTxt::extensions) {
            let path = match (record.scope(), ExtensionValue::of(&record)) {
                (Scope::Nobody, _) => continue,
                (_, ExtensionValue::ContentSignal(signal)) => signal.path(),
                (_, ExtensionValue::ContentUsage(usage)) => usage.path(),
                _ => continue,
            };
            let path = path.unwrap_or(b"/");
            preferences.add(path);
        }
        for (.., value) in files.into_iter().flat_map(rules_about_uses) {
            preferences.add(value);
        }
        preferences.urls.insert("/".to_owned());
        preferences
    }

    fn add(&mut self, path: &[u8]) {
        self.count = self.count.saturating_add(1);
        let url = filled(&String::from_utf8_lossy(path));
        // A value with another beginning matches nothing. Clients request no `/a/.` of `/a/.*`.
        if url.starts_with('/') {
            self.urls.extend(sendable(&url));
        }
    }
}
