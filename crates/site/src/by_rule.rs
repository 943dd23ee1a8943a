//! Disallowed URLs, grouped by the rule that decides, with a few examples of each.
//!
//! ```
//! use polite_robots::{RobotsTxt, Target};
//! use polite_robots_audit::answer::{Reading, Readings};
//! use polite_robots_site::by_rule::DisallowedByRule;
//!
//! let file = RobotsTxt::parse(b"User-agent: *\nDisallow: /cart\nDisallow: /*?id=");
//! let readings = Readings::new(&file);
//! let answers = readings.answers("ExampleBot", Reading::Crawler)?;
//! let mut disallowed = DisallowedByRule::new(1);
//! for url in ["/", "/cart/1", "/cart/2", "/a?id=1"] {
//!     disallowed.add(&answers, &Target::requested(url));
//! }
//! let rules: Vec<_> = disallowed.rules().collect();
//! assert_eq!((rules[0].line(), rules[0].text(), rules[0].urls()), (2, "Disallow: /cart", 2));
//! assert_eq!(rules[0].examples(), ["/cart/1"]);
//! assert_eq!(rules[1].line(), 3);
//! # Ok::<(), polite_robots::InvalidToken>(())
//! ```

use std::cmp::Reverse;
use std::collections::HashMap;

use polite_robots::Target;
use polite_robots_audit::answer::Answers;

/// The URLs that a robot was asked about, and those of them that it may not fetch, by rule.
///
/// Memory grows with the rules of the file, and not with the URLs.
#[derive(Debug, Clone)]
pub struct DisallowedByRule {
    urls: u64,
    disallowed: u64,
    by_rule: HashMap<u32, RuleTally>,
    by_other_rules: u64,
    noted: u64,
    first_note: Option<String>,
    most_examples: usize,
    most_rules: usize,
}

impl DisallowedByRule {
    /// A count without URLs. It will keep the first `most_examples` URLs of each rule.
    #[must_use]
    pub fn new(most_examples: usize) -> DisallowedByRule {
        DisallowedByRule {
            urls: 0,
            disallowed: 0,
            by_rule: HashMap::new(),
            by_other_rules: 0,
            noted: 0,
            first_note: None,
            most_examples,
            most_rules: usize::MAX,
        }
    }

    /// Limits the number of rules that are counted one by one: the URLs of further rules are
    /// counted together.
    #[must_use]
    pub fn with_most_rules(self, most_rules: usize) -> DisallowedByRule {
        DisallowedByRule { most_rules, ..self }
    }

    /// Asks about a URL. Returns whether it is allowed.
    pub fn add(&mut self, answers: &Answers<'_>, url: &Target<'_>) -> bool {
        self.urls = self.urls.saturating_add(1);
        let answer = answers.about_target(url);
        if let Some(note) = answer.note() {
            self.noted = self.noted.saturating_add(1);
            self.first_note
                .get_or_insert_with(|| format!("{}: {note}", shortened(url.as_str())));
        }
        let verdict = answer.verdict();
        if verdict.is_allowed() {
            return true;
        }
        self.disallowed = self.disallowed.saturating_add(1);
        let line = verdict.rule().map_or(0, |rule| rule.line());
        if self.by_rule.len() >= self.most_rules && !self.by_rule.contains_key(&line) {
            self.by_other_rules = self.by_other_rules.saturating_add(1);
            return false;
        }
        let tally = self.by_rule.entry(line).or_insert_with(|| RuleTally {
            line,
            text: verdict.reason().to_string(),
            urls: 0,
            examples: Vec::new(),
        });
        tally.urls = tally.urls.saturating_add(1);
        if tally.examples.len() < self.most_examples {
            tally.examples.push(shortened(url.as_str()));
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

    /// The URLs about which another reading of the file gives the opposite answer
    /// ([`Answer::note`](polite_robots_audit::answer::Answer::note)).
    #[must_use]
    pub fn noted(&self) -> u64 {
        self.noted
    }

    /// The note about the first of these URLs.
    #[must_use]
    pub fn first_note(&self) -> Option<&str> {
        self.first_note.as_deref()
    }

    /// The URLs of rules beyond the limit, which are counted together.
    #[must_use]
    pub fn by_other_rules(&self) -> u64 {
        self.by_other_rules
    }

    /// The rules that decide about them, those with the most URLs first.
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

/// In characters.
const LONGEST_EXAMPLE: usize = 512;

#[cfg(test)]
mod tests {
    use polite_robots::RobotsTxt;
    use polite_robots_audit::answer::{Reading, Readings};

    use super::*;

    fn readings(file: &str) -> Readings {
        Readings::new(&RobotsTxt::parse(file.as_bytes()))
    }

    #[test]
    fn rules_of_most_urls_come_first_and_examples_are_few() {
        let readings = readings("User-agent: *\nDisallow: /a\nDisallow: /b");
        let answers = readings.answers("a", Reading::Crawler).unwrap();
        let mut disallowed = DisallowedByRule::new(2);
        for url in ["/a1", "/b1", "/b2", "/b3", "/c"] {
            let is_allowed = disallowed.add(&answers, &Target::requested(url));
            assert_eq!(is_allowed, url == "/c");
        }
        assert_eq!((disallowed.urls(), disallowed.disallowed()), (5, 4));
        let rules: Vec<_> = disallowed.rules().collect();
        assert_eq!((rules[0].line(), rules[0].urls()), (3, 3));
        assert_eq!(rules[0].examples(), ["/b1", "/b2"]);
        assert_eq!((rules[1].text(), rules[1].urls()), ("Disallow: /a", 1));
    }

    #[test]
    fn rules_beyond_the_most_are_counted_together() {
        let readings = readings("User-agent: *\nDisallow: /a\nDisallow: /b");
        let answers = readings.answers("a", Reading::Crawler).unwrap();
        let mut disallowed = DisallowedByRule::new(2).with_most_rules(1);
        for url in ["/a1", "/b1", "/b2", "/a2"] {
            disallowed.add(&answers, &Target::requested(url));
        }
        assert_eq!(
            (disallowed.disallowed(), disallowed.by_other_rules()),
            (4, 2)
        );
        assert_eq!(disallowed.rules().count(), 1);
    }

    #[test]
    fn a_very_long_url_is_not_kept_whole() {
        let readings = readings("User-agent: *\nDisallow: /");
        let answers = readings.answers("a", Reading::Crawler).unwrap();
        let mut disallowed = DisallowedByRule::new(1);
        let url = format!("/{}", "é".repeat(100_000));
        disallowed.add(&answers, &Target::requested(&url));
        let rule = disallowed.rules().next().unwrap();
        assert_eq!(rule.examples()[0].chars().count(), LONGEST_EXAMPLE + 1);
    }
}
