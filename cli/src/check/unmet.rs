//! The rules of an agent that no URL of the sitemaps meets.

use polite_robots::Target;
use polite_robots::pattern::PatternSet;

use crate::check::questions::Asked;

/// The rules that no URL has met so far.
pub(super) struct UnmetRules<'a> {
    rules: Vec<UnmetRule<'a>>,
    patterns: PatternSet,
    asked: &'a Asked<'a>,
    met: usize,
    /// The comparisons that may still be made.
    left: u64,
}

pub(super) struct UnmetRule<'a> {
    pub(super) line: u32,
    /// The rule as it is compared.
    pub(super) text: String,
    pattern: &'a str,
    is_met: bool,
}

impl<'a> UnmetRules<'a> {
    pub(super) fn new(asked: &'a Asked<'a>) -> UnmetRules<'a> {
        let rules = asked.answers.robot().rules();
        let mut rules: Vec<UnmetRule<'_>> = rules
            .map(|rule| UnmetRule {
                line: rule.line(),
                text: rule.to_string(),
                pattern: rule.pattern(),
                is_met: false,
            })
            .collect();
        rules.sort_by_key(|rule| rule.line);
        UnmetRules {
            patterns: patterns(asked, &rules),
            rules,
            asked,
            met: 0,
            left: MOST_COMPARISONS,
        }
    }

    /// Marks the rules that match a URL, also those that do not decide about it.
    pub(super) fn add(&mut self, url: &Target<'_>) {
        let Some(left) = self.left.checked_sub(self.rules.len() as u64) else {
            self.left = 0;
            return;
        };
        self.left = left;
        if self.rules.is_empty() {
            return;
        }
        for place in self.patterns.matching(url.clone()) {
            if let Some(rule) = self.rules.get_mut(place).filter(|rule| !rule.is_met) {
                rule.is_met = true;
                self.met = self.met.saturating_add(1);
            }
        }
        // Rules that were met are compared with no further URL.
        if self.met > self.rules.len() / 2 {
            self.rules.retain(|rule| !rule.is_met);
            self.patterns = patterns(self.asked, &self.rules);
            self.met = 0;
        }
    }

    /// The rules in the order of their lines; `None` if there were too many URLs and rules to tell.
    pub(super) fn rules(&self) -> Option<impl Iterator<Item = &UnmetRule<'a>>> {
        let unmet = self.rules.iter().filter(|rule| !rule.is_met);
        (self.left > 0 || self.rules.is_empty()).then_some(unmet)
    }
}

fn patterns(asked: &Asked<'_>, rules: &[UnmetRule<'_>]) -> PatternSet {
    let texts = rules.iter().map(|rule| rule.pattern);
    PatternSet::new(asked.answers.dialect(), texts)
}

/// Enough for 1,000,000 URLs and 1,000 rules that none of them meets.
const MOST_COMPARISONS: u64 = 1_000_000_000;
