//! The patterns without `*` of a set, and whether one of them matches a path.

use alloc::vec::Vec;

use crate::rules::pattern::{Tier, is_prefix_match};
use crate::rules::rule_list::RuleList;

/// In alphabetical order, without those that begin with another one. So only the last one that does not come after a path
/// can match it: whatever lies between the path and a prefix of it begins with that prefix.
#[derive(Debug)]
pub(super) struct Prefixes<'a> {
    ascending: Vec<&'a [u8]>,
}

impl<'a> Prefixes<'a> {
    pub(super) fn new(arena: &'a RuleList) -> Prefixes<'a> {
        let entries = arena.entries().iter();
        let prefixes = entries.filter(|entry| entry.tier == Tier::Prefix);
        let mut ascending: Vec<&[u8]> = prefixes.map(|entry| arena.pattern(entry)).collect();
        // `/a` before `/a$`, which begins with it.
        ascending.sort_unstable_by_key(|pattern| (body(pattern), pattern.len()));
        ascending.dedup_by(|next, kept| is_prefix_match(kept, body(next)));
        Prefixes { ascending }
    }

    pub(super) fn has_match(&self, path: &[u8]) -> bool {
        let behind = self
            .ascending
            .partition_point(|pattern| body(pattern) <= path);
        let last = behind.checked_sub(1).and_then(|at| self.ascending.get(at));
        last.is_some_and(|pattern| is_prefix_match(pattern, path))
    }
}

/// Without the `$` at the end.
fn body(pattern: &[u8]) -> &[u8] {
    pattern.strip_suffix(b"$").unwrap_or(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Access;
    use crate::options::Dialect;
    use crate::parse::line::Value;

    #[test]
    fn a_path_that_one_of_the_patterns_matches_is_found() {
        const PATHS: [&str; 9] = ["/", "/a", "/a$", "/a$b", "/ab", "/abc", "/ac", "/b", "/ba"];

        let patterns: Vec<_> = PATHS
            .iter()
            .flat_map(|path| [alloc::format!("{path}$"), (*path).into()])
            .collect();
        for set in 0..1_u32 << patterns.len() {
            let in_set = |at: &u32| set >> at & 1 == 1;
            let mut arena = RuleList::new(Dialect::Rfc9309, 0);
            for (at, pattern) in (0..).zip(&patterns).filter(|(at, _)| in_set(at)) {
                arena.push(Access::Allow, Value::new(pattern.as_bytes()), at);
            }
            let prefixes = Prefixes::new(&arena);
            for path in PATHS {
                let path = path.as_bytes();
                let mut entries = arena.entries().iter();
                let expected = entries.any(|entry| is_prefix_match(arena.pattern(entry), path));
                assert_eq!(prefixes.has_match(path), expected, "{path:?} {prefixes:?}");
            }
        }
    }
}
