//! The rules of an agent that no URL of the sitemaps meets.

use std::collections::HashMap;

use polite_robots::pattern::PatternSet;
use polite_robots::{Dialect, Target};

use crate::check::questions::Asked;

/// The rules of an agent, and whether a URL has met them so far.
///
/// A URL is compared with the rules whose text before the first `*` or `$` begins its path: a file
/// may have 25,000 rules, and a sitemap 50,000 URLs.
pub(super) struct UnmetRules<'a> {
    asked: &'a Asked<'a>,
    rules: Vec<UnmetRule>,
    is_met: Vec<bool>,
    by_start: HashMap<Vec<u8>, SameStart<'a>>,
    /// The different lengths of these starts.
    lengths: Vec<usize>,
    /// The comparisons that may still be made.
    left: u64,
}

pub(super) struct UnmetRule {
    pub(super) line: u32,
    /// The rule as it is compared.
    pub(super) text: String,
}

impl<'a> UnmetRules<'a> {
    pub(super) fn new(asked: &'a Asked<'a>) -> UnmetRules<'a> {
        let mut found: Vec<_> = asked.answers.robot().rules().collect();
        found.sort_by_key(|rule| rule.line());
        let mut places: HashMap<Vec<u8>, Vec<(usize, &str)>> = HashMap::new();
        for (place, rule) in found.iter().enumerate() {
            let pattern = rule.pattern();
            let start = pattern.split(['*', '$']).next().unwrap_or_default();
            let same = places.entry(start.into()).or_default();
            same.push((place, pattern));
        }
        let mut lengths: Vec<usize> = places.keys().map(Vec::len).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let dialect = asked.answers.dialect();
        let by_start = places.into_iter();
        let by_start = by_start.map(|(start, same)| (start, SameStart::new(same, dialect)));
        let rules = found.iter().map(|rule| UnmetRule {
            line: rule.line(),
            text: rule.to_string(),
        });
        UnmetRules {
            asked,
            is_met: vec![false; found.len()],
            rules: rules.collect(),
            by_start: by_start.collect(),
            lengths,
            left: MOST_COMPARISONS,
        }
    }

    /// Marks the rules that match a URL, also those that do not decide about it.
    pub(super) fn add(&mut self, url: &Target<'_>) {
        let path = self.asked.answers.robot().deciding_path(url);
        if url.as_str().contains('\\') {
            // The other reading of the path has another start.
            for same in self.by_start.values_mut() {
                self.left = self.left.saturating_sub(same.rules.len() as u64);
                if self.left > 0 {
                    same.mark(url, &mut self.is_met);
                }
            }
            return;
        }
        let starts = self.lengths.iter().map_while(|length| path.get(..*length));
        for start in starts {
            let same = self.by_start.get_mut(start);
            let rules = same.as_ref().map_or(0, |same| same.rules.len());
            // Starts of 960 lengths are 460 KB to hash for each URL, which counts too.
            let cost = rules.saturating_add(start.len() / BYTES_FOR_A_COMPARISON);
            self.left = self.left.saturating_sub(cost as u64);
            match same {
                Some(same) if self.left > 0 => same.mark(url, &mut self.is_met),
                _ => {}
            }
        }
    }

    /// The rules in the order of their lines; `None` if there were too many URLs and rules to
    /// compare.
    pub(super) fn rules(&self) -> Option<impl Iterator<Item = &UnmetRule>> {
        let unmet = self.rules.iter().zip(&self.is_met);
        let unmet = unmet.filter(|(_, is_met)| !**is_met).map(|(rule, _)| rule);
        (self.left > 0).then_some(unmet)
    }
}

/// Rules with the same start, by their places and patterns.
struct SameStart<'a> {
    rules: Vec<(usize, &'a str)>,
    patterns: PatternSet,
    dialect: Dialect,
}

impl<'a> SameStart<'a> {
    fn new(rules: Vec<(usize, &'a str)>, dialect: Dialect) -> SameStart<'a> {
        SameStart {
            patterns: PatternSet::new(dialect, rules.iter().map(|(_, pattern)| pattern)),
            rules,
            dialect,
        }
    }

    fn mark(&mut self, url: &Target<'_>, is_met: &mut [bool]) {
        if self.rules.is_empty() {
            return;
        }
        let matching = self.patterns.matching(url.clone());
        for (place, _) in matching.iter().filter_map(|at| self.rules.get(*at)) {
            if let Some(is_met) = is_met.get_mut(*place) {
                *is_met = true;
            }
        }
        let is_unmet = |(place, _): &&(usize, &str)| is_met.get(*place) != Some(&true);
        let unmet = match matching.is_empty() {
            true => self.rules.len(),
            false => self.rules.iter().filter(is_unmet).count(),
        };
        // Once half of them are met, those are compared with no further URL.
        if unmet <= self.rules.len() / 2 {
            let unmet = self.rules.iter().filter(is_unmet).copied();
            *self = SameStart::new(unmet.collect(), self.dialect);
        }
    }
}

/// The bytes that are hashed in the time of a comparison.
const BYTES_FOR_A_COMPARISON: usize = 64;

/// Enough for 100,000 URLs and 1,000 rules of which all begin with `*`.
const MOST_COMPARISONS: u64 = 100_000_000;

#[cfg(test)]
mod tests {
    use polite_robots::{RobotsTxt, Rule};
    use polite_robots_audit::answer::{Reading, Readings};
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    /// Parts of rules and of URLs: what ends a start, what is encoded, and what clients send
    /// otherwise.
    const PARTS: [&str; 14] = [
        "/", "a", "b", "*", "$", "?", "&q=", "%61", "%2F", "\u{e9}", "%C3%A9", "\\", "..", ".pdf",
    ];

    fn texts(most: usize) -> impl Strategy<Value = Vec<String>> {
        let text = vec(select(PARTS.to_vec()), 0..7).prop_map(|parts| parts.concat());
        vec(text, 0..most)
    }

    proptest! {
        /// Each rule is asked about each URL.
        #[test]
        fn the_unmet_rules_are_those_of_a_naive_search(
            patterns in texts(12),
            paths in texts(12),
            agent in select(vec!["ExampleBot", "Googlebot"]),
        ) {
            let lines = patterns.iter().map(|pattern| format!("Disallow: /{pattern}\n"));
            let file = format!("User-agent: *\n{}", lines.collect::<String>());
            let readings = Readings::new(&RobotsTxt::parse(file.as_bytes()));
            let asked = Asked::new(agent, &[], &readings, Reading::Crawler).unwrap();
            let urls = paths.iter().map(|path| format!("https://a.example/{path}"));
            let urls: Vec<String> = urls.collect();
            let mut unmet = UnmetRules::new(&asked);
            urls.iter().for_each(|url| unmet.add(&Target::requested(url)));
            let found: Vec<u32> = unmet.rules().unwrap().map(|rule| rule.line).collect();
            let is_met = |rule: &Rule<'_>| urls.iter().any(|url| rule.matches(Target::requested(url)));
            let rules = asked.answers.robot().rules();
            let mut naive: Vec<u32> = rules.filter(|rule| !is_met(rule)).map(|rule| rule.line()).collect();
            naive.sort_unstable();
            prop_assert_eq!(found, naive);
        }
    }
}
