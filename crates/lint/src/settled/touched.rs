//! The agents whose groups an edit changes, with their rules before and after. Most edits change
//! one group, and to compare the files for all agents takes ten times as long.

use std::collections::BTreeMap;
use std::ops::Range;

use polite_robots::document::{UserAgent, leading_name, leading_token};
use polite_robots::record::{Extension, ExtensionField, ExtensionLevel};
use polite_robots::{Dialect, Robot, RobotsTxt};

use crate::text::line::line_at;
use crate::text::token::{WILDCARD, use_in};

/// The rules that an edit changes.
pub(super) struct Touched {
    /// The rules before and after of one agent for each set of groups that changes.
    pub(super) robots: Vec<[Robot; 2]>,
    /// Whether nothing else changes.
    pub(super) is_all: bool,
}

impl Touched {
    pub(super) fn between(versions: [&RobotsTxt; 2]) -> Touched {
        let [mut old, mut new] = versions.map(Version::of);
        let is_same = |one: &Lines<'_>, other: &Lines<'_>| one.text == other.text;
        [old.changed, new.changed] = differing([&old.groups, &new.groups], is_same);
        let versions_by_groups = [&old, &new];
        let mut groups_of_name: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
        for version in versions_by_groups {
            let changed = version.groups.get(version.changed.clone());
            let groups = changed.unwrap_or_default().iter();
            for name in groups.flat_map(Lines::names) {
                groups_of_name.entry(name.to_ascii_lowercase()).or_default();
            }
        }
        let mut lower = String::new();
        for (number, version) in versions_by_groups.into_iter().enumerate() {
            for (place, group) in version.groups.iter().enumerate() {
                for name in group.names() {
                    name.clone_into(&mut lower);
                    lower.make_ascii_lowercase();
                    if let Some(groups) = groups_of_name.get_mut(&lower) {
                        groups.push((number, place));
                    }
                }
            }
        }
        // A use is no crawler: nobody fetches by its rules, and no rule for everyone is about it.
        let is_use = |name: &str| use_in(name.as_bytes()).is_some();
        let has_use = groups_of_name.keys().any(|name| is_use(name));
        // Agents of the same groups have the same rules.
        let names = groups_of_name.iter().filter(|(name, _)| !is_use(name));
        let one_of_each: BTreeMap<_, _> = names.map(|(name, groups)| (groups, name)).collect();
        let robots = one_of_each.values().take(MOST_AGENTS).filter_map(|name| {
            let [before, after] = versions.map(|file| file.robot(name).ok());
            Some([before?, after?])
        });
        let robots: Vec<[Robot; 2]> = robots.collect();
        let is_all = robots.len() == one_of_each.len() && !has_use && old.has_same_records(&new);
        Touched { robots, is_all }
    }
}

/// A version of a file by its groups.
struct Version<'r> {
    file: &'r RobotsTxt,
    groups: Vec<Lines<'r>>,
    /// The places of the groups that the other version lacks, and of those between them.
    changed: Range<usize>,
}

/// A group from its first line to the next group.
struct Lines<'r> {
    text: &'r [u8],
    start: usize,
    agents: Vec<UserAgent<'r>>,
    dialect: Dialect,
}

impl<'r> Lines<'r> {
    fn names(&self) -> impl Iterator<Item = &'r str> {
        let agents = self.agents.iter();
        agents.flat_map(|agent| names_on(agent, self.dialect))
    }
}

impl<'r> Version<'r> {
    fn of(file: &'r RobotsTxt) -> Version<'r> {
        let bytes = file.as_bytes();
        let groups = file
            .groups()
            .map(|group| -> Vec<UserAgent<'r>> { group.user_agents().collect() });
        let groups: Vec<_> = groups.collect();
        let mut end = bytes.len();
        let lines = groups.into_iter().rev().map(|agents| {
            let first = agents.first().map_or(end, |agent| agent.span().start);
            let start = line_at(bytes, first).start;
            let text = bytes.get(start..end).unwrap_or_default();
            end = start;
            Lines {
                text,
                start,
                agents,
                dialect: file.dialect(),
            }
        });
        let mut groups: Vec<Lines<'r>> = lines.collect();
        groups.reverse();
        Version {
            file,
            changed: 0..groups.len(),
            groups,
        }
    }

    /// Whether the records beside the rules are for the whole file, and the same. A record of a
    /// group is lost to an agent that gets another group, even if neither group changes.
    fn has_same_records(&self, other: &Version<'_>) -> bool {
        let [one, other] = [self, other].map(Version::records_of_file);
        one.is_some() && one == other
    }

    /// The records that are for the whole file or above all groups; `None` if there are others.
    fn records_of_file(&self) -> Option<Vec<(ExtensionField, &[u8])>> {
        let first = self.groups.first().map_or(usize::MAX, |group| group.start);
        let is_of_file = |record: &Extension<'_>| {
            record.field().level() == ExtensionLevel::File || record.span().start < first
        };
        let records = self.file.extensions();
        let records =
            records.map(|record| is_of_file(&record).then(|| (record.field(), record.value())));
        records.collect()
    }
}

/// The places from the first that differs between two lists to the last, counted from their ends.
pub(super) fn differing<T>(
    [one, other]: [&[T]; 2],
    is_same: impl Fn(&T, &T) -> bool,
) -> [Range<usize>; 2] {
    let is_same = |(one, other): &(&T, &T)| is_same(one, other);
    let first = one.iter().zip(other).take_while(is_same).count();
    let ends = one.iter().skip(first).rev();
    let ends = ends.zip(other.iter().skip(first).rev());
    let last = ends.take_while(is_same).count();
    [one, other].map(|list| first..list.len().saturating_sub(last))
}

/// The names that crawlers find on a line: Google reads `MJ` of `MJ12bot`, and by RFC 9309 both are
/// looked for.
fn names_on<'r>(
    agent: &UserAgent<'r>,
    dialect: Dialect,
) -> impl Iterator<Item = &'r str> + use<'r> {
    let value = agent.value();
    let names = match (agent.is_wildcard(), dialect) {
        (true, _) => [WILDCARD.as_bytes(), b""],
        (false, Dialect::Google) => [leading_token(value), b""],
        (false, Dialect::Rfc9309) => [leading_token(value), leading_name(value)],
    };
    let names = names.map(|name| core::str::from_utf8(name).unwrap_or_default());
    names.into_iter().filter(|name| !name.is_empty())
}

/// Agents of different groups that are asked about.
const MOST_AGENTS: usize = 32;
