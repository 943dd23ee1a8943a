//! The rules of one set of groups, and which of them never decide.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::access::Access;
use crate::document::groups::Group;
use crate::lint::generic_path::for_each_generic_path;
use crate::lint::prefixes::Prefixes;
use crate::lint::wildcards::Wildcards;
use crate::lint::work::Work;
use crate::options::Dialect;
use crate::rules::canonical::Escapes;
use crate::rules::rule_list::{Origin, RuleEntry, RuleList};
use crate::text::hash::MULTIPLIER;

/// Looks at one set after the other, in the same memory.
#[derive(Debug)]
pub(super) struct RulesOfSet {
    arena: RuleList,
    /// Of these alone a longer one can match all that another pattern matches.
    wildcards: Wildcards,
    /// For finding patterns that are there already.
    slots: Vec<u32>,
    /// For each rule one with the same pattern that takes precedence, or [`NONE`].
    twins: Vec<u32>,
    path: Vec<u8>,
}

/// What decides in place of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overruling {
    Rule {
        line: u32,
        access: Access,
        /// It says the same.
        is_same: bool,
    },
    RobotsTxtItself,
}

/// A rule that decides about a path.
#[derive(Debug)]
pub(super) struct Disallow<'a> {
    pub(super) line: u32,
    pub(super) pattern: &'a [u8],
    path: Box<[u8]>,
}

impl RulesOfSet {
    pub(super) fn new(dialect: Dialect, file_len: usize) -> RulesOfSet {
        RulesOfSet {
            arena: RuleList::new(dialect, file_len),
            wildcards: Wildcards::default(),
            slots: Vec::new(),
            twins: Vec::new(),
            path: Vec::new(),
        }
    }

    pub(super) fn compile<'r>(&mut self, groups: impl Iterator<Item = Group<'r>>, work: &mut Work) {
        self.arena.clear();
        for group in groups {
            work.glance(group.record_count());
            for (access, value, line) in group.rule_values() {
                work.look(value.with_comment().len());
                self.arena.push(access, value, line);
            }
        }
        self.wildcards.fill(&self.arena);
    }

    /// The rules that never decide, with what decides in their place.
    pub(super) fn for_each_overruled(
        &mut self,
        work: &mut Work,
        mut found: impl FnMut(&RuleEntry, Overruling),
    ) {
        let mut path = core::mem::take(&mut self.path);
        self.find_twins();
        for (entry, twin) in self.arena.entries().iter().zip(&self.twins) {
            if entry.origin != Origin::File || entry.len == 0 {
                continue;
            }
            let overruling = match self.arena.entry(*twin) {
                Some(twin) => Some(self.overruled_by(entry, twin)),
                None => self.overruling(entry, &mut path, work),
            };
            if let Some(overruling) = overruling {
                found(entry, overruling);
            }
        }
        self.path = path;
    }

    fn find_twins(&mut self) {
        let entries = self.arena.entries();
        self.twins.clear();
        self.twins.resize(entries.len(), NONE);
        self.slots.clear();
        self.slots
            .resize(entries.len().saturating_mul(2).next_power_of_two(), NONE);
        let mask = self.slots.len().wrapping_sub(1);
        for (at, entry) in (0_u32..).zip(entries) {
            let pattern = key(self.arena.pattern(entry));
            let first_slot = hash(pattern);
            for slot in (first_slot..).take(MOST_LOOKS) {
                let Some(held) = self.slots.get_mut(slot & mask) else {
                    break;
                };
                let Some(other) = self.arena.entry(*held) else {
                    *held = at;
                    break;
                };
                if key(self.arena.pattern(other)) != pattern {
                    continue;
                }
                let (loser, winner) = if other.precedence() > entry.precedence() {
                    (at, *held)
                } else {
                    (*held, at)
                };
                *held = winner;
                if let Some(twin) = self.twins.get_mut(loser as usize) {
                    *twin = winner;
                }
                break;
            }
        }
    }

    /// What decides in place of a rule wherever it matches; `None` if it decides somewhere.
    fn overruling(
        &self,
        entry: &RuleEntry,
        path: &mut Vec<u8>,
        work: &mut Work,
    ) -> Option<Overruling> {
        let pattern = self.arena.pattern(entry);
        let least = Some(entry.precedence());
        if pattern != ROBOTS_TXT && !self.wildcards.may_decide(pattern, least, work) {
            return None;
        }
        let mut decides = entry.escapes == Escapes::QueryDependent;
        let mut overruling = None;
        for_each_generic_path(self.arena.pattern(entry), path, |path| {
            match self.overruling_at(entry, path, work) {
                None => decides = true,
                some => overruling = some,
            }
        });
        overruling.filter(|_| !decides)
    }

    fn overruling_at(&self, entry: &RuleEntry, path: &[u8], work: &mut Work) -> Option<Overruling> {
        if path == b"/robots.txt" && self.arena.dialect() == Dialect::Rfc9309 {
            return Some(Overruling::RobotsTxtItself);
        }
        let pattern = self.arena.pattern(entry);
        let least = Some(entry.precedence());
        let other = self
            .wildcards
            .deciding(&self.arena, pattern, path, least, work)?;
        Some(self.overruled_by(entry, other))
    }

    fn overruled_by(&self, entry: &RuleEntry, other: &RuleEntry) -> Overruling {
        Overruling::Rule {
            line: other.line,
            access: other.access,
            is_same: entry.access == other.access
                && self.arena.pattern(entry) == self.arena.pattern(other),
        }
    }

    /// Those that decide, with a path about which they do. Call [`RulesOfSet::for_each_overruled`] first.
    pub(super) fn deciding_disallows(&self, work: &mut Work) -> Vec<Disallow<'_>> {
        let mut disallows = Vec::new();
        let mut path = Vec::new();
        for (entry, twin) in self.arena.entries().iter().zip(&self.twins) {
            if entry.access == Access::Allow || entry.len == 0 || *twin != NONE {
                continue;
            }
            let pattern = self.arena.pattern(entry);
            for_each_generic_path(pattern, &mut path, |path| {
                if self.overruling_at(entry, path, work).is_none() && !work.is_done() {
                    disallows.push(Disallow {
                        line: entry.line,
                        pattern,
                        path: path.into(),
                    });
                }
            });
        }
        disallows
    }

    /// Of those for [`RulesOfSet::is_about`].
    pub(super) fn prefixes(&self) -> Prefixes<'_> {
        Prefixes::new(&self.arena)
    }

    /// Whether a rule matches the path of another set's rule, an empty one too. Call [`RulesOfSet::for_each_overruled`]
    /// first.
    pub(super) fn is_about(
        &self,
        disallow: &Disallow<'_>,
        prefixes: &Prefixes<'_>,
        work: &mut Work,
    ) -> bool {
        let Disallow { pattern, path, .. } = disallow;
        work.look(path.len());
        // Often the rules for everyone stand in the other groups as well.
        self.has(pattern) || prefixes.has_match(path) || self.has_wildcard(pattern, path, work)
    }

    /// Whether a rule matches everything.
    pub(super) fn is_about_everything(&self, work: &mut Work) -> bool {
        self.has(b"/") || self.has_wildcard(b"/", EVERYTHING, work)
    }

    fn has_wildcard(&self, pattern: &[u8], path: &[u8], work: &mut Work) -> bool {
        self.wildcards
            .deciding(&self.arena, pattern, path, None, work)
            .is_some()
    }

    fn has(&self, pattern: &[u8]) -> bool {
        let mask = self.slots.len().wrapping_sub(1);
        let pattern = key(pattern);
        let slots = (hash(pattern)..).take(MOST_LOOKS);
        let held = slots.map_while(|slot| self.arena.entry(*self.slots.get(slot & mask)?));
        held.into_iter()
            .any(|held| key(self.arena.pattern(held)) == pattern)
    }
}

/// The generic path of `/`.
const EVERYTHING: &[u8] = b"/\xFF";

/// `*` matches the same as `/`, and no other two patterns of one length do.
fn key(pattern: &[u8]) -> &[u8] {
    if pattern == b"*" { b"/" } else { pattern }
}

fn hash(pattern: &[u8]) -> usize {
    let mut hash = pattern.len() as u64;
    let mut rest = pattern;
    while let Some((word, behind)) = rest.split_first_chunk::<8>() {
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(MULTIPLIER);
        rest = behind;
    }
    for byte in rest {
        hash = (hash.rotate_left(5) ^ u64::from(*byte)).wrapping_mul(MULTIPLIER);
    }
    (hash >> 32) as usize
}

/// No rule has this place.
const NONE: u32 = u32::MAX;

/// A pattern is in one of so many slots or is not found to have a twin: one file in billions by chance.
const MOST_LOOKS: usize = 64;

/// The one pattern that matches nothing else.
const ROBOTS_TXT: &[u8] = b"/robots.txt$";
