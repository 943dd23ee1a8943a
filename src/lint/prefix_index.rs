//! Finds a pattern without `*` that matches a path.

use alloc::vec::Vec;

use crate::rules::pattern::{Tier, is_prefix_match};
use crate::rules::rule_list::RuleList;
use crate::sort;

/// The patterns without `*` in alphabetical order, without those that another one covers.
///
/// Only the last pattern that does not come after a path can match it: every text between a prefix
/// of the path and the path begins with that prefix, and would be covered.
#[derive(Debug)]
pub(super) struct PrefixIndex<'a> {
    ascending: Vec<&'a [u8]>,
}

impl<'a> PrefixIndex<'a> {
    pub(super) fn new(rules: &'a RuleList) -> PrefixIndex<'a> {
        let entries = rules.entries().iter();
        let prefixes = entries.filter(|entry| entry.tier == Tier::Prefix);
        let mut ascending: Vec<&[u8]> = prefixes.map(|entry| rules.pattern(entry)).collect();
        // `/a` comes before `/a$`, which it covers.
        sort::unstable_by_key(&mut ascending, |pattern| {
            (without_end(pattern), pattern.len())
        });
        ascending.dedup_by(|next, previous| is_prefix_match(previous, without_end(next)));
        PrefixIndex { ascending }
    }

    pub(super) fn has_match(&self, path: &[u8]) -> bool {
        let end = self
            .ascending
            .partition_point(|pattern| without_end(pattern) <= path);
        let last = end.checked_sub(1).and_then(|at| self.ascending.get(at));
        last.is_some_and(|pattern| is_prefix_match(pattern, path))
    }
}

/// The pattern without the `$` at its end.
fn without_end(pattern: &[u8]) -> &[u8] {
    pattern.strip_suffix(b"$").unwrap_or(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Access;
    use crate::options::Dialect;
    use crate::parse::line::Value;

    #[test]
    fn a_path_is_found_exactly_if_a_pattern_matches_it() {
        const PATHS: [&str; 8] = ["/", "/a", "/a$", "/a$b", "/ab", "/abc", "/ac", "/b"];

        let patterns: Vec<_> = PATHS
            .iter()
            .flat_map(|path| [alloc::format!("{path}$"), (*path).into()])
            .collect();
        for set in 0..1_u32 << patterns.len() {
            let in_set = |at: &u32| set >> at & 1 == 1;
            let mut rules = RuleList::new(Dialect::Rfc9309, 0);
            for (at, pattern) in (0..).zip(&patterns).filter(|(at, _)| in_set(at)) {
                rules.push(Access::Allow, Value::new(pattern.as_bytes()), at);
            }
            let prefixes = PrefixIndex::new(&rules);
            for path in PATHS {
                let path = path.as_bytes();
                let mut entries = rules.entries().iter();
                let expected = entries.any(|entry| is_prefix_match(rules.pattern(entry), path));
                assert_eq!(prefixes.has_match(path), expected, "{path:?} {prefixes:?}");
            }
        }
    }
}
