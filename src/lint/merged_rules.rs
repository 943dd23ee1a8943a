//! The compiled rules of one merged group, and which of them never decide.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::access::Access;
use crate::document::groups::Group;
use crate::lint::example_path::for_each_generic_path;
use crate::lint::pattern_table::PatternTable;
use crate::lint::prefix_index::PrefixIndex;
use crate::lint::wildcard_index::WildcardIndex;
use crate::lint::work_budget::WorkBudget;
use crate::options::Dialect;
use crate::rules::canonical::Escapes;
use crate::rules::rule_list::{Origin, RuleEntry, RuleList};

/// The rules of one merged group at a time; the memory is reused for the next group.
#[derive(Debug)]
pub(super) struct MergedRules {
    rules: RuleList,
    /// The patterns with `*`. A pattern without `*` that covers another one is shorter, so it never
    /// takes precedence.
    wildcards: WildcardIndex,
    table: PatternTable,
    /// For each rule the index of a rule with the same pattern that takes precedence.
    twins: Vec<Option<u32>>,
    /// A buffer for generic paths.
    path: Vec<u8>,
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

impl Overruling {
    /// Whether the paths of the rule get the opposite of what it says.
    pub(super) fn is_opposite_of(self, of_rule: Access) -> bool {
        match self {
            Overruling::Rule { access, .. } => access != of_rule,
            Overruling::SameRule { .. } => false,
            Overruling::RobotsTxtItself => of_rule == Access::Disallow,
        }
    }
}

/// A `Disallow` rule that decides about some paths.
#[derive(Debug)]
pub(super) struct DecidingDisallow<'a> {
    pub(super) line: u32,
    pub(super) pattern: &'a [u8],
    /// A generic path about which it decides.
    path: Box<[u8]>,
}

impl MergedRules {
    pub(super) fn new(dialect: Dialect, file_len: usize) -> MergedRules {
        MergedRules {
            rules: RuleList::new(dialect, file_len),
            wildcards: WildcardIndex::default(),
            table: PatternTable::default(),
            twins: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Replaces the rules by those of some groups.
    pub(super) fn compile<'r>(
        &mut self,
        groups: impl Iterator<Item = Group<'r>>,
        work: &mut WorkBudget,
    ) {
        self.rules.clear();
        for group in groups {
            work.spend(group.record_count());
            for (access, value, line) in group.rule_values() {
                work.spend_on_text(value.with_comment().len());
                self.rules.push(access, value, line);
            }
        }
        self.wildcards.fill(&self.rules);
        self.find_twins();
    }

    fn find_twins(&mut self) {
        self.twins.clear();
        self.twins.resize(self.rules.entries().len(), None);
        self.table.clear(self.rules.entries().len());
        for (at, entry) in (0_u32..).zip(self.rules.entries()) {
            let Some(other) = self.table.insert(&self.rules, at) else {
                continue;
            };
            let takes_precedence = self
                .rules
                .entry(other)
                .is_some_and(|other| other.precedence() > entry.precedence());
            let (loser, winner) = if takes_precedence {
                (at, other)
            } else {
                self.table.replace(&self.rules, at);
                (other, at)
            };
            if let Some(twin) = self.twins.get_mut(loser as usize) {
                *twin = Some(winner);
            }
        }
    }

    /// Visits the rules that never decide, each with the reason.
    pub(super) fn for_each_overruled(
        &mut self,
        work: &mut WorkBudget,
        mut visit: impl FnMut(&RuleEntry, Overruling),
    ) {
        let mut path = core::mem::take(&mut self.path);
        for (entry, twin) in self.rules.entries().iter().zip(&self.twins) {
            if entry.origin != Origin::File || entry.len == 0 {
                continue;
            }
            let overruling = match twin.and_then(|twin| self.rules.entry(twin)) {
                Some(twin) => Some(self.overruling_by(entry, twin)),
                None => self.overruling(entry, &mut path, work),
            };
            if let Some(overruling) = overruling {
                visit(entry, overruling);
            }
        }
        self.path = path;
    }

    /// The reason why a rule decides about none of its paths; `None` if it decides about some.
    fn overruling(
        &self,
        entry: &RuleEntry,
        path: &mut Vec<u8>,
        work: &mut WorkBudget,
    ) -> Option<Overruling> {
        let pattern = self.rules.pattern(entry);
        let least = Some(entry.precedence());
        if pattern != ROBOTS_TXT && !self.wildcards.has_candidate(pattern, least, work) {
            return None;
        }
        let mut decides = entry.escapes == Escapes::QueryDependent;
        let mut overruling = None;
        for_each_generic_path(pattern, path, |path| {
            match self.overruling_at(entry, path, work) {
                None => decides = true,
                // The opposite answer is the one that matters to the owner.
                some => {
                    let is_opposite = |of: &Overruling| of.is_opposite_of(entry.access);
                    overruling = overruling.filter(is_opposite).or(some);
                }
            }
        });
        overruling.filter(|_| !decides)
    }

    fn overruling_at(
        &self,
        entry: &RuleEntry,
        path: &[u8],
        work: &mut WorkBudget,
    ) -> Option<Overruling> {
        if path == b"/robots.txt" && self.rules.dialect() == Dialect::Rfc9309 {
            return Some(Overruling::RobotsTxtItself);
        }
        let pattern = self.rules.pattern(entry);
        let least = Some(entry.precedence());
        let other = self
            .wildcards
            .deciding(&self.rules, pattern, path, least, work)?;
        Some(self.overruling_by(entry, other))
    }

    fn overruling_by(&self, entry: &RuleEntry, other: &RuleEntry) -> Overruling {
        let line = other.line;
        if entry.access == other.access && self.rules.pattern(entry) == self.rules.pattern(other) {
            Overruling::SameRule { line }
        } else {
            Overruling::Rule {
                line,
                access: other.access,
            }
        }
    }

    /// The `Disallow` rules that decide, once for each generic path about which they do.
    pub(super) fn deciding_disallows(&self, work: &mut WorkBudget) -> Vec<DecidingDisallow<'_>> {
        let mut disallows = Vec::new();
        let mut path = Vec::new();
        for (entry, twin) in self.rules.entries().iter().zip(&self.twins) {
            if entry.access == Access::Allow || entry.len == 0 || twin.is_some() {
                continue;
            }
            let pattern = self.rules.pattern(entry);
            for_each_generic_path(pattern, &mut path, |path| {
                if self.overruling_at(entry, path, work).is_none() && !work.is_spent() {
                    disallows.push(DecidingDisallow {
                        line: entry.line,
                        pattern,
                        path: path.into(),
                    });
                }
            });
        }
        disallows
    }

    /// The line of the `Disallow` that closes every path, if none of the rules opens any.
    pub(super) fn closing_line(&self, work: &mut WorkBudget) -> Option<u32> {
        let mut path = Vec::new();
        let mut rules = self.rules.entries().iter().zip(&self.twins);
        let closing = rules.find(|(entry, twin)| {
            entry.access == Access::Disallow
                && twin.is_none()
                && matches_everything(self.rules.pattern(entry))
        });
        let (closing, _) = closing?;
        let opens = |(entry, twin): (&RuleEntry, &Option<u32>)| {
            entry.access == Access::Allow
                && entry.len > 0
                && twin.is_none()
                && self.overruling(entry, &mut path, work).is_none()
        };
        let is_open = self.rules.entries().iter().zip(&self.twins).any(opens);
        (!is_open && !work.is_spent()).then_some(closing.line)
    }

    /// The patterns without `*`, for [`MergedRules::match_path_of`].
    pub(super) fn prefix_index(&self) -> PrefixIndex<'_> {
        PrefixIndex::new(&self.rules)
    }

    /// Whether a rule matches the path of a `Disallow` for everyone.
    pub(super) fn match_path_of(
        &self,
        disallow: &DecidingDisallow<'_>,
        prefixes: &PrefixIndex<'_>,
        work: &mut WorkBudget,
    ) -> bool {
        let DecidingDisallow { pattern, path, .. } = disallow;
        work.spend_on_text(path.len());
        // Named groups often repeat the rules for everyone, so the cheap test comes first.
        self.table.contains(&self.rules, pattern)
            || prefixes.has_match(path)
            || self.wildcard_matches(pattern, path, work)
    }

    /// Whether a rule matches every path.
    pub(super) fn match_everything(&self, work: &mut WorkBudget) -> bool {
        self.table.contains(&self.rules, b"/")
            || self.wildcard_matches(b"/", GENERIC_PATH_OF_ROOT, work)
    }

    fn wildcard_matches(&self, pattern: &[u8], path: &[u8], work: &mut WorkBudget) -> bool {
        self.wildcards
            .deciding(&self.rules, pattern, path, None, work)
            .is_some()
    }
}

/// Whether a pattern matches every path: `/`, `*`, `/*`.
pub(super) fn matches_everything(pattern: &[u8]) -> bool {
    let open = match pattern {
        [open @ .., b'*', b'$'] => open,
        open => open,
    };
    let is_star = |byte: &u8| *byte == b'*';
    let stars = open.iter().take_while(|byte| is_star(byte)).count();
    let rest = open.get(stars..).unwrap_or_default();
    let rest = rest.strip_prefix(b"/").unwrap_or(rest);
    !pattern.is_empty() && rest.iter().all(is_star)
}

/// The generic path of the pattern `/`.
const GENERIC_PATH_OF_ROOT: &[u8] = b"/\xFF";

/// The only pattern that matches `/robots.txt` and no other path.
const ROBOTS_TXT: &[u8] = b"/robots.txt$";
