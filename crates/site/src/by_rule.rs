//! Disallowed URLs, grouped by the rule that decides, with a few examples of each.
//!
//! ```
//! use polite_robots::Robot;
//! use polite_robots_site::by_rule::DisallowedByRule;
//!
//! let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /cart\nDisallow: /*?id=")?;
//! let mut disallowed = DisallowedByRule::new(1);
//! for url in ["/", "/cart/1", "/cart/2", "/a?id=1"] {
//!     disallowed.add(&robot, url);
//! }
//! let rules: Vec<_> = disallowed.rules().collect();
//! assert_eq!((rules[0].line(), rules[0].text(), rules[0].urls()), (2, "Disallow: /cart", 2));
//! assert_eq!(rules[0].examples(), ["/cart/1"]);
//! assert_eq!(rules[1].line(), 3);
//! # Ok::<(), polite_robots::InvalidToken>(())
//! ```

use std::cmp::Reverse;
use std::collections::HashMap;

use polite_robots::Robot;

/// The URLs that a robot was asked about, and those of them that it may not fetch, by rule.
///
/// Memory grows with the rules of the file, and not with the URLs.
#[derive(Debug, Clone)]
pub struct DisallowedByRule {
    urls: u64,
    disallowed: u64,
    by_rule: HashMap<u32, RuleTally>,
    most_examples: usize,
}

impl DisallowedByRule {
    /// No URLs yet; of each rule that many URLs will be kept as examples, the first ones.
    #[must_use]
    pub fn new(most_examples: usize) -> DisallowedByRule {
        DisallowedByRule {
            urls: 0,
            disallowed: 0,
            by_rule: HashMap::new(),
            most_examples,
        }
    }

    /// Asks about a URL. Returns whether it is allowed.
    pub fn add(&mut self, robot: &Robot, url: &str) -> bool {
        self.urls = self.urls.saturating_add(1);
        if robot.allowed(url) {
            return true;
        }
        self.disallowed = self.disallowed.saturating_add(1);
        let verdict = robot.check(url);
        let line = verdict.rule().map_or(0, |rule| rule.line());
        let tally = self.by_rule.entry(line).or_insert_with(|| RuleTally {
            line,
            text: verdict.reason().to_string(),
            urls: 0,
            examples: Vec::new(),
        });
        tally.urls = tally.urls.saturating_add(1);
        if tally.examples.len() < self.most_examples {
            tally.examples.push(shortened(url));
        }
        false
    }

    /// The URLs that were asked about.
    #[must_use]
    pub fn urls(&self) -> u64 {
        self.urls
    }

    /// The URLs that may not be fetched.
    #[must_use]
    pub fn disallowed(&self) -> u64 {
        self.disallowed
    }

    /// The rules that decide about them, first those of most URLs.
    pub fn rules(&self) -> impl Iterator<Item = &RuleTally> {
        let mut rules: Vec<&RuleTally> = self.by_rule.values().collect();
        rules.sort_by_key(|rule| (Reverse(rule.urls), rule.line));
        rules.into_iter()
    }
}

/// A rule, and the URLs that it disallows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleTally {
    line: u32,
    text: String,
    urls: u64,
    examples: Vec<String>,
}

impl RuleTally {
    /// The line of the rule, counted from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The rule as it would be written.
    #[must_use]
    pub fn text(&self) -> &str {
        let text = self.text.split_once(": ");
        text.map_or(&self.text, |(_, rule)| rule)
    }

    /// The number of URLs.
    #[must_use]
    pub fn urls(&self) -> u64 {
        self.urls
    }

    /// The first URLs; of a very long one the beginning.
    #[must_use]
    pub fn examples(&self) -> &[String] {
        &self.examples
    }
}

/// The beginning of a URL that is too long to be kept.
fn shortened(url: &str) -> String {
    match url.char_indices().nth(LONGEST_EXAMPLE) {
        Some((end, _)) => url.get(..end).unwrap_or_default().to_owned() + "…",
        None => url.to_owned(),
    }
}

/// In characters: twice the length that sitemaps permit.
const LONGEST_EXAMPLE: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_most_urls_come_first_and_examples_are_few() {
        let robot = Robot::new("a", b"User-agent: *\nDisallow: /a\nDisallow: /b").unwrap();
        let mut disallowed = DisallowedByRule::new(2);
        for url in ["/a1", "/b1", "/b2", "/b3", "/c"] {
            assert_eq!(disallowed.add(&robot, url), url == "/c");
        }
        assert_eq!((disallowed.urls(), disallowed.disallowed()), (5, 4));
        let rules: Vec<_> = disallowed.rules().collect();
        assert_eq!((rules[0].line(), rules[0].urls()), (3, 3));
        assert_eq!(rules[0].examples(), ["/b1", "/b2"]);
        assert_eq!((rules[1].text(), rules[1].urls()), ("Disallow: /a", 1));
    }

    #[test]
    fn a_very_long_url_is_not_kept_whole() {
        let robot = Robot::new("a", b"User-agent: *\nDisallow: /").unwrap();
        let mut disallowed = DisallowedByRule::new(1);
        disallowed.add(&robot, &format!("/{}", "é".repeat(100_000)));
        let rule = disallowed.rules().next().unwrap();
        assert_eq!(rule.examples()[0].chars().count(), LONGEST_EXAMPLE + 1);
    }
}
