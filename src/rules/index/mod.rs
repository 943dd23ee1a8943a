//! Many rules → the few that may match a path.
//!
//! A small set is scanned, with a cheap filter in front of each rule. A large one is hashed: by the
//! literal head of each pattern, or where many share a head (`/*…`) by a few bytes of a literal
//! after the `*`. The cost of a check then grows with the length of the path, not with the number
//! of rules.

pub(crate) mod hash;
pub(crate) mod scan;

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::rules::index::hash::HashIndex;
use crate::rules::index::scan::Scan;
use crate::rules::lazy::FromSource;
use crate::rules::rule_list::{Decision, RuleEntry, RuleList};
use crate::rules::steps;
use crate::sort;

/// The index of one [`RuleList`]. A [`RuleSet`](crate::rules::rule_set::RuleSet) owns both and asks
/// it about that list.
#[derive(Debug)]
pub(crate) struct Index {
    /// The rules that are not in `hash`.
    scan: Scan,
    /// `None` for a small set.
    hash: Option<Box<HashIndex>>,
    has_many_wildcards: bool,
}

impl FromSource<RuleList> for Index {
    fn from_source(list: &RuleList) -> Index {
        Index::with_scan_limit(list, SCAN_LIMIT)
    }
}

impl Index {
    /// Hashes the rules if some path would meet more than `scan_limit` filters in a scan of them
    /// all.
    fn with_scan_limit(list: &RuleList, scan_limit: usize) -> Index {
        steps::add_rules(list.entries().len());
        let mut scanned: Vec<u32> = Vec::new();
        let hash = if Scan::most_filters(list) <= scan_limit {
            scanned.extend((0..).zip(list.entries()).map(|(at, _)| at));
            None
        } else {
            Some(Box::new(HashIndex::new(list, &mut scanned)))
        };
        let bytes: usize = list.wildcards().map(|entry| entry.len as usize).sum();
        Index {
            scan: Scan::new(list, &scanned),
            hash,
            has_many_wildcards: list.wildcards().count() > FEW || bytes > FEW_BYTES,
        }
    }

    /// Whether a path may be compared with so many patterns that have a `*`, or so long ones, that
    /// an index of the path can pay.
    #[inline]
    pub(crate) fn has_many_wildcards(&self) -> bool {
        self.has_many_wildcards
    }

    /// The places of the rules that may match, in the order of the list.
    pub(crate) fn candidates(&self, path: &[u8]) -> Vec<u32> {
        let mut candidates: Vec<u32> = Vec::new();
        if let Some(hash) = &self.hash {
            hash.for_each_candidate(path, |at| candidates.push(at));
        }
        self.scan.for_each_candidate(path, |at| candidates.push(at));
        steps::add_sort(candidates.len());
        sort::unstable(&mut candidates);
        candidates
    }

    /// The rule with the greatest precedence among those that match and whose places are wanted.
    /// `list` must be the indexed one.
    #[inline]
    pub(crate) fn deciding(
        &self,
        list: &RuleList,
        path: &[u8],
        is_wanted: impl Fn(u32) -> bool,
    ) -> Option<Decision> {
        let hash = self.hash.as_deref();
        let best = hash.and_then(|hash| deciding_hashed(hash, list, path, &is_wanted));
        self.scan.deciding(list, path, is_wanted, best)
    }
}

/// Not inlined, so that hash and scan take no registers from each other.
#[inline(never)]
fn deciding_hashed(
    hash: &HashIndex,
    list: &RuleList,
    path: &[u8],
    is_wanted: impl Fn(u32) -> bool,
) -> Option<Decision> {
    let mut best: Option<(u32, &RuleEntry)> = None;
    hash.for_each_candidate(path, |at| {
        if let Some(candidate) = list.entry(at) {
            let is_better = best.is_none_or(|(_, best)| candidate.precedence() > best.precedence());
            if is_better && is_wanted(at) && list.is_match(candidate, path) {
                best = Some((at, candidate));
            }
        }
    });
    best.map(|(at, best)| Decision {
        at,
        effect: best.effect(),
    })
}

/// The most patterns with a `*` of a set whose path gets no index, and the most bytes of them. As
/// many walks over a path of 24 KiB stay within the bound of a check.
const FEW: usize = 128;
const FEW_BYTES: usize = 1 << 14;

/// Break-even: scanning 128 filters takes as long as hashing a path of 40 bytes. Over real files
/// any limit from 96 to 256 is as good.
const SCAN_LIMIT: usize = 128;

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::access::Access;
    use crate::options::Dialect;
    use crate::parse::value::Value;

    const PARTS: &[&str] = &[
        "/",
        "/",
        "a",
        "b",
        "ab",
        "abcd",
        "bcde",
        "*",
        "*",
        "?",
        "=",
        "%2F",
        "%26",
        "$",
        "%41",
        "index.html",
    ];

    fn texts(count: core::ops::Range<usize>) -> impl Strategy<Value = String> {
        vec(select(PARTS), count).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1024) })]

        /// The hash index, the scan and a plain walk over every rule choose the same rule. More
        /// than 64 rules of common heads are needed for grams.
        #[test]
        fn index_equals_walk(
            rules in vec((any::<bool>(), select(&["/", "/", "*", "/*", "/ab*"][..]), texts(0..5)), 0..200),
            paths in vec(texts(0..12), 1..6),
            google: bool,
        ) {
            let dialect = if google { Dialect::Google } else { Dialect::Rfc9309 };
            let mut list = RuleList::new(dialect, 0);
            for (line, (is_allow, start, rest)) in (1..).zip(&rules) {
                let access = if *is_allow { Access::Allow } else { Access::Disallow };
                let value = alloc::format!("{start}{rest}");
                list.push(access, Value::new(value.as_bytes()), line);
            }
            list.finish();
            let hashed = Index::with_scan_limit(&list, 0);
            let scanned = Index::with_scan_limit(&list, usize::MAX);
            for path in &paths {
                let path = alloc::format!("/{}", path.replace(['*', '$'], "c"));
                let path = path.as_bytes();
                for wanted in [None, Some(Access::Allow), Some(Access::Disallow)] {
                    let is_wanted_entry = |entry: &RuleEntry| wanted.is_none_or(|access| entry.access == access);
                    let matching = list.entries().iter().filter(|entry| is_wanted_entry(entry) && list.is_match(entry, path));
                    let expected = matching.map(RuleEntry::precedence).max();
                    let is_wanted = |at| is_wanted_entry(&list.entries()[at as usize]);
                    for index in [&hashed, &scanned] {
                        let found = index.deciding(&list, path, is_wanted);
                        let entry = found.map(|found| &list.entries()[found.at as usize]);
                        prop_assert_eq!(entry.map(RuleEntry::precedence), expected);
                        prop_assert_eq!(found.map(|found| found.effect), entry.map(RuleEntry::effect));
                        let candidates = index.candidates(path);
                        let candidates = candidates.iter().map(|at| &list.entries()[*at as usize]);
                        let matching = candidates.filter(|entry| is_wanted_entry(entry) && list.is_match(entry, path));
                        prop_assert_eq!(matching.map(RuleEntry::precedence).max(), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn many_wildcards_or_long_ones_let_a_path_have_an_index() {
        for (rules, len, is_many) in [
            (FEW, 9, false),
            (FEW + 1, 9, true),
            (2, FEW_BYTES / 2, false),
            (2, FEW_BYTES / 2 + 1, true),
        ] {
            let mut list = RuleList::new(Dialect::Rfc9309, 0);
            for line in 1..=rules {
                let pattern = alloc::format!("/*{line:0>width$}", width = len - 2);
                list.push(
                    Access::Disallow,
                    Value::new(pattern.as_bytes()),
                    line as u32,
                );
            }
            list.finish();
            let index = Index::from_source(&list);
            assert_eq!(index.has_many_wildcards(), is_many, "{rules} of {len}");
        }
    }

    #[test]
    fn a_set_that_is_long_to_scan_is_hashed() {
        for (rules, is_hashed) in [(SCAN_LIMIT, false), (SCAN_LIMIT + 1, true)] {
            let mut list = RuleList::new(Dialect::Rfc9309, 0);
            for line in 1..=rules {
                let pattern = alloc::format!("/same/{line}");
                list.push(
                    Access::Disallow,
                    Value::new(pattern.as_bytes()),
                    line as u32,
                );
            }
            list.finish();
            assert_eq!(
                Index::from_source(&list).hash.is_some(),
                is_hashed,
                "{rules}"
            );
        }
    }
}
