//! The rules of one set of groups, and which of them never decide.

use alloc::vec::Vec;

use crate::lint::generic_path::for_each_generic_path;
use crate::options::Dialect;
use crate::parse::directive::Access;
use crate::parse::document::WrittenRule;
use crate::parse::line::Value;
use crate::rules::arena::{Arena, Entry, Origin};
use crate::rules::index::Index;
use crate::rules::path::Escapes;
use crate::rules::pattern::Tier;
use crate::rules::table::MULTIPLIER;

/// Looks at one set after the other, in the same memory.
#[derive(Debug)]
pub(super) struct RulesOfSet {
    arena: Arena,
    /// Places of the patterns with `*`, of which alone a longer one can hold all that another pattern matches.
    wildcards: Vec<u32>,
    /// Of the whole arena, where there are many wildcards.
    index: Option<Index>,
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

impl RulesOfSet {
    pub(super) fn new(dialect: Dialect, file_len: usize) -> RulesOfSet {
        RulesOfSet {
            arena: Arena::new(dialect, file_len),
            wildcards: Vec::new(),
            index: None,
            slots: Vec::new(),
            twins: Vec::new(),
            path: Vec::new(),
        }
    }

    pub(super) fn compile<'r>(&mut self, rules: impl Iterator<Item = WrittenRule<'r>>) {
        self.arena.clear();
        for rule in rules {
            self.arena
                .push(rule.access(), Value::new(rule.value()), rule.line());
        }
        self.wildcards.clear();
        let is_wildcard =
            |entry: &Entry| entry.tier != Tier::Prefix && entry.escapes == Escapes::Settled;
        let places = (0..).zip(self.arena.entries());
        self.wildcards.extend(
            places
                .filter(|(_, entry)| is_wildcard(entry))
                .map(|(at, _)| at),
        );
        let is_worth_it = self.wildcards.len() > MOST_SCANNED;
        self.index = is_worth_it.then(|| Index::new(&self.arena));
    }

    pub(super) fn len(&self) -> usize {
        self.arena.entries().len()
    }

    /// The rules that never decide, with what decides in their place.
    pub(super) fn for_each_overruled(&mut self, mut found: impl FnMut(&Entry, Overruling)) {
        let mut path = core::mem::take(&mut self.path);
        self.find_twins();
        for (entry, twin) in self.arena.entries().iter().zip(&self.twins) {
            if entry.origin != Origin::File || entry.len == 0 {
                continue;
            }
            let overruling = match self.arena.entry(*twin) {
                Some(twin) => Some(self.overruled_by(entry, twin)),
                None => self.overruling(entry, &mut path),
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
    fn overruling(&self, entry: &Entry, path: &mut Vec<u8>) -> Option<Overruling> {
        if self.wildcards.is_empty() && self.arena.pattern(entry) != ROBOTS_TXT {
            return None;
        }
        let mut decides = false;
        let mut overruling = None;
        for_each_generic_path(self.arena.pattern(entry), path, |path| {
            match self.overruling_at(entry, path) {
                None => decides = true,
                some => overruling = some,
            }
        });
        overruling.filter(|_| !decides && entry.escapes == Escapes::Settled)
    }

    fn overruling_at(&self, entry: &Entry, path: &[u8]) -> Option<Overruling> {
        if path == b"/robots.txt" && self.arena.dialect == Dialect::Rfc9309 {
            return Some(Overruling::RobotsTxtItself);
        }
        // Patterns whose meaning depends on the query may match the generic path, but not all that it stands for.
        let is_better = |other: &Entry| {
            other.precedence() > entry.precedence() && other.escapes == Escapes::Settled
        };
        let other = match &self.index {
            Some(index) => index.deciding(&self.arena, path, is_better),
            None => {
                let wildcards = self.wildcards.iter().filter_map(|at| self.arena.entry(*at));
                let matching =
                    wildcards.filter(|other| is_better(other) && self.arena.is_match(other, path));
                matching.max_by_key(|other| other.precedence())
            }
        };
        other.map(|other| self.overruled_by(entry, other))
    }

    fn overruled_by(&self, entry: &Entry, other: &Entry) -> Overruling {
        Overruling::Rule {
            line: other.line,
            access: other.access,
            is_same: entry.access == other.access
                && self.arena.pattern(entry) == self.arena.pattern(other),
        }
    }

    /// Calls `visit` with each `Disallow` that decides and a path about which it does, until that says stop. Call
    /// [`RulesOfSet::for_each_overruled`] first.
    pub(super) fn for_each_deciding_disallow(
        &self,
        mut visit: impl FnMut(&Entry, &str, &[u8]) -> Go,
    ) {
        let mut path = Vec::new();
        for (entry, twin) in self.arena.entries().iter().zip(&self.twins) {
            if entry.access == Access::Allow || entry.len == 0 || *twin != NONE {
                continue;
            }
            let mut go = Go::On;
            for_each_generic_path(self.arena.pattern(entry), &mut path, |path| {
                if go == Go::On && self.overruling_at(entry, path).is_none() {
                    go = visit(entry, self.arena.pattern_text(entry), path);
                }
            });
            if go == Go::Stop {
                return;
            }
        }
    }

    /// Whether a rule matches.
    pub(super) fn is_about(&self, path: &[u8]) -> bool {
        match &self.index {
            Some(index) => index.deciding(&self.arena, path, |_| true).is_some(),
            None => self
                .arena
                .entries()
                .iter()
                .any(|entry| self.arena.is_match(entry, path)),
        }
    }
}

/// Whether to look at more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Go {
    On,
    Stop,
}

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
    for octet in rest {
        hash = (hash.rotate_left(5) ^ u64::from(*octet)).wrapping_mul(MULTIPLIER);
    }
    (hash >> 32) as usize
}

/// No rule has this place.
const NONE: u32 = u32::MAX;

/// A pattern is in one of so many slots or is not found to have a twin: one file in billions by chance.
const MOST_LOOKS: usize = 64;

const MOST_SCANNED: usize = 16;

/// The one pattern that matches nothing else.
const ROBOTS_TXT: &[u8] = b"/robots.txt$";
