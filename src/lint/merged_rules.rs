//! The compiled rules of one merged group, and which of them never decide.

use alloc::vec;
use alloc::vec::Vec;
use core::mem::replace;

use crate::access::Access;
use crate::document::merged_groups::MergedGroup;
use crate::lint::example_path::generic_paths;
use crate::lint::prefix_index::PrefixIndex;
use crate::lint::wildcard_index::WildcardIndex;
use crate::lint::work_budget::WorkBudget;
use crate::options::Dialect;
use crate::rules::canonical::Escapes;
use crate::rules::rule_list::{Origin, RuleEntry, RuleList};

/// The rules of one merged group.
#[derive(Debug)]
pub(super) struct MergedRules<'a> {
    rules: &'a RuleList,
    work: &'a WorkBudget,
    /// The patterns with `*`. A pattern without `*` that covers another one is shorter, so it never
    /// takes precedence.
    wildcards: WildcardIndex<'a>,
    /// The patterns in the order of their keys, each with its place in the list.
    by_pattern: Vec<(&'a [u8], usize)>,
    /// For each rule a rule with the same pattern that takes precedence.
    twins: Vec<Option<&'a RuleEntry>>,
}

/// The reason why a rule never decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overruling {
    /// Another rule takes precedence.
    Rule { line: u32, access: Access },
    /// A rule with the same pattern and access takes precedence.
    SameRule { line: u32 },
    /// The rule matches `/robots.txt` only, which RFC 9309 §2.2.2 always allows.
    RobotsTxtItself,
}

/// A `Disallow` rule that decides about some paths.
#[derive(Debug)]
pub(super) struct DecidingDisallow<'a> {
    pub(super) line: u32,
    pub(super) pattern: &'a [u8],
    /// A generic path about which it decides.
    path: Vec<u8>,
}

impl<'a> MergedRules<'a> {
    /// Compiles the rules of a merged group into `list`, whose memory is reused.
    pub(super) fn compile(
        group: &MergedGroup<'_>,
        list: &'a mut RuleList,
        work: &'a WorkBudget,
    ) -> MergedRules<'a> {
        list.clear();
        for group in group.groups() {
            work.spend(group.record_count());
            for (access, value, line) in group.rule_values() {
                work.spend_on_text(value.with_comment().len());
                list.push(access, value, line);
            }
        }
        let rules: &RuleList = list;
        let patterns = rules.entries().iter().map(|entry| rules.pattern(entry));
        let mut by_pattern: Vec<(&[u8], usize)> = patterns.zip(0..).collect();
        by_pattern.sort_unstable_by_key(|(pattern, place)| (key(pattern), *place));
        MergedRules {
            rules,
            work,
            wildcards: WildcardIndex::new(rules, work),
            twins: twins(rules.entries(), &by_pattern),
            by_pattern,
        }
    }

    /// The rules that never decide, each with the reason.
    pub(super) fn overruled(&self) -> impl Iterator<Item = (&RuleEntry, Overruling)> {
        let rules = self.rules.entries().iter().zip(&self.twins);
        let of_file = rules.filter(|(rule, _)| rule.origin == Origin::File && rule.len > 0);
        of_file.filter_map(|(rule, twin)| {
            let overruling = match twin {
                Some(twin) => self.overruling_by(rule, twin),
                None => self.overruling(rule)?,
            };
            Some((rule, overruling))
        })
    }

    /// The reason why a rule decides about none of its paths; `None` if it decides about some.
    fn overruling(&self, rule: &RuleEntry) -> Option<Overruling> {
        let pattern = self.rules.pattern(rule);
        let least = Some(rule.precedence());
        let may_be_overruled =
            pattern == ROBOTS_TXT || self.wildcards.has_candidate(pattern, least);
        if rule.escapes == Escapes::QueryDependent || !may_be_overruled {
            return None;
        }
        let mut overruling = None;
        for path in generic_paths(pattern) {
            overruling = Some(self.overruling_at(rule, &path)?);
        }
        overruling
    }

    fn overruling_at(&self, rule: &RuleEntry, path: &[u8]) -> Option<Overruling> {
        if path == b"/robots.txt" && self.rules.dialect() == Dialect::Rfc9309 {
            return Some(Overruling::RobotsTxtItself);
        }
        let pattern = self.rules.pattern(rule);
        let least = Some(rule.precedence());
        let other = self.wildcards.deciding(pattern, path, least)?;
        Some(self.overruling_by(rule, other))
    }

    fn overruling_by(&self, rule: &RuleEntry, other: &RuleEntry) -> Overruling {
        let (line, access) = (other.line, other.access);
        if rule.access == access && self.rules.pattern(rule) == self.rules.pattern(other) {
            Overruling::SameRule { line }
        } else {
            Overruling::Rule { line, access }
        }
    }

    /// The `Disallow` rules that decide, once for each generic path about which they do.
    pub(super) fn deciding_disallows(&self) -> impl Iterator<Item = DecidingDisallow<'a>> {
        let rules = self.rules.entries().iter().zip(&self.twins);
        let without_twin = rules.filter(|(rule, twin)| {
            rule.access == Access::Disallow && rule.len > 0 && twin.is_none()
        });
        without_twin.flat_map(|(rule, _)| {
            let pattern = self.rules.pattern(rule);
            let decides =
                |path: &Vec<u8>| self.overruling_at(rule, path).is_none() && !self.work.is_spent();
            let paths = generic_paths(pattern).filter(decides);
            paths.map(move |path| DecidingDisallow {
                line: rule.line,
                pattern,
                path,
            })
        })
    }

    /// The patterns without `*`, for [`MergedRules::match_path_of`].
    pub(super) fn prefix_index(&self) -> PrefixIndex<'_> {
        PrefixIndex::new(self.rules)
    }

    /// Whether a rule matches the path of a `Disallow` for everyone.
    pub(super) fn match_path_of(
        &self,
        disallow: &DecidingDisallow<'_>,
        prefixes: &PrefixIndex<'_>,
    ) -> bool {
        let DecidingDisallow { pattern, path, .. } = disallow;
        self.work.spend_on_text(path.len());
        // Named groups often repeat the rules for everyone, so the cheap test comes first.
        self.has_pattern(pattern)
            || prefixes.has_match(path)
            || self.wildcards.deciding(pattern, path, None).is_some()
    }

    fn has_pattern(&self, pattern: &[u8]) -> bool {
        let found = self
            .by_pattern
            .binary_search_by_key(&key(pattern), |(of, _)| key(of));
        found.is_ok()
    }

    /// Whether a rule matches every path.
    pub(super) fn match_everything(&self) -> bool {
        let path = GENERIC_PATH_OF_ROOT;
        self.has_pattern(b"/") || self.wildcards.deciding(b"/", path, None).is_some()
    }
}

/// For each rule a rule with the same pattern that takes precedence: the one that does among the
/// rules up to the later of the two.
fn twins<'a>(rules: &'a [RuleEntry], by_pattern: &[(&[u8], usize)]) -> Vec<Option<&'a RuleEntry>> {
    let mut twins = vec![None; rules.len()];
    for same in by_pattern.chunk_by(|one, other| key(one.0) == key(other.0)) {
        let mut same = same
            .iter()
            .filter_map(|(_, at)| Some((*at, rules.get(*at)?)));
        let Some(mut winner) = same.next() else {
            continue;
        };
        for rule in same {
            let loser = if winner.1.precedence() > rule.1.precedence() {
                rule
            } else {
                replace(&mut winner, rule)
            };
            if let Some(twin) = twins.get_mut(loser.0) {
                *twin = Some(winner.1);
            }
        }
    }
    twins
}

/// The length, by which most patterns differ, and one pattern for both that match the same: `*` is
/// `/`. No other two patterns of one length are equivalent.
fn key(pattern: &[u8]) -> (usize, &[u8]) {
    let pattern = if pattern == b"*" { b"/" } else { pattern };
    (pattern.len(), pattern)
}

/// The generic path of the pattern `/`.
const GENERIC_PATH_OF_ROOT: &[u8] = b"/\xFF";

/// The only pattern that matches `/robots.txt` and no other path.
const ROBOTS_TXT: &[u8] = b"/robots.txt$";
