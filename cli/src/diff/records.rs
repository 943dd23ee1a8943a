//! Records beside the rules, as a version of the file has them.

use std::collections::BTreeSet;

use polite_robots::{ExtensionField, Record, Robot, RobotsTxt, Scope};

use crate::counted::seconds;
use crate::witness::filled;

/// What one version says and the other does not, as it would be written, in the order of the file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Records {
    pub(super) removed: Vec<String>,
    pub(super) added: Vec<String>,
}

impl Records {
    /// Neither order nor repetition counts.
    pub(super) fn between(old: &[String], new: &[String]) -> Records {
        Records {
            removed: only_in(old, new),
            added: only_in(new, old),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
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

/// Those for one agent, by what they come to: of several crawl delays the largest counts.
pub(super) fn of_agent(robot: &Robot) -> Vec<String> {
    let delay = robot
        .crawl_delay()
        .map(|delay| format!("Crawl-delay: {}", seconds(delay)));
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

/// Those for everyone.
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

/// URLs about which preferences for the use of content may be stated: the site, and the paths that the records name.
pub(super) fn urls_of(robots_txt: &RobotsTxt) -> impl Iterator<Item = String> {
    let paths = robots_txt.extensions().filter_map(|record| {
        let path = match (record.scope(), record.typed()) {
            (Scope::Nobody, _) => None,
            (_, Record::ContentSignal(signal)) => signal.path(),
            (_, Record::ContentUsage(usage)) => usage.path(),
            _ => None,
        }?;
        Some(filled(&String::from_utf8_lossy(path)))
    });
    std::iter::once(String::from("/")).chain(paths)
}
