//! Finds a pattern without `*` that matches a path.

use crate::order::in_order;
use crate::rules::compiled_rule::CompiledRule;

/// The patterns without `*` in alphabetical order, without those that another one covers.
///
/// Only the last pattern that does not come after a path can match it: every text between a prefix
/// of the path and the path begins with that prefix, and would be covered.
#[derive(Debug)]
pub(super) struct PrefixIndex<'a> {
    ascending: Vec<&'a [u8]>,
}

impl<'a> PrefixIndex<'a> {
    pub(super) fn new(rules: &'a [CompiledRule<'_>]) -> PrefixIndex<'a> {
        let prefixes = rules.iter().filter(|rule| !rule.is_wildcard());
        // `/a` comes before `/a$`, which it covers.
        let prefixes: Vec<&[u8]> = prefixes.map(CompiledRule::pattern).collect();
        let mut ascending = in_order(prefixes, |one, other| {
            let bodies = without_end(one).cmp(without_end(other));
            bodies.then(one.len().cmp(&other.len()))
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

/// Whether a pattern without `*` matches a path: it is a prefix, or with a final `$` the whole
/// path.
fn is_prefix_match(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [whole @ .., b'$'] => path == whole,
        _ => path.starts_with(pattern),
    }
}

/// The pattern without the `$` at its end.
fn without_end(pattern: &[u8]) -> &[u8] {
    pattern.strip_suffix(b"$").unwrap_or(pattern)
}

#[cfg(test)]
mod tests {
    use polite_robots::{Dialect, RobotsTxt};

    use super::*;

    #[test]
    fn a_path_is_found_exactly_if_a_pattern_matches_it() {
        const PATHS: [&str; 8] = ["/", "/a", "/a$", "/a$b", "/ab", "/abc", "/ac", "/b"];

        let patterns: Vec<_> = PATHS
            .iter()
            .flat_map(|path| [format!("{path}$"), (*path).into()])
            .collect();
        for set in 0..1_u32 << patterns.len() {
            let in_set = |at: &u32| set >> at & 1 == 1;
            let mut file = String::from("User-agent: *\n");
            for (_, pattern) in (0..).zip(&patterns).filter(|(at, _)| in_set(at)) {
                file.push_str(&format!("Allow: {pattern}\n"));
            }
            let robots_txt = RobotsTxt::parse(file.as_bytes());
            let mut rules = Vec::new();
            for rule in robots_txt.groups().flat_map(|group| group.rules()) {
                CompiledRule::push(&mut rules, rule, Dialect::Rfc9309);
            }
            let prefixes = PrefixIndex::new(&rules);
            for path in PATHS {
                let path = path.as_bytes();
                let expected = rules
                    .iter()
                    .any(|rule| is_prefix_match(rule.pattern(), path));
                assert_eq!(prefixes.has_match(path), expected, "{path:?} {prefixes:?}");
            }
        }
    }
}
