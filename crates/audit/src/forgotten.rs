//! Crawlers that an owner may have forgotten: others with their purpose are kept out by name.
//!
//! ```
//! use polite_robots::RobotsTxt;
//! use polite_robots_audit::agent::CrawlerSummary;
//! use polite_robots_audit::answer::{Reading, Readings};
//! use polite_robots_audit::forgotten::Forgotten;
//! use polite_robots_audit::known::Purpose;
//!
//! let robots_txt = RobotsTxt::parse(b"User-agent: GPTBot\nDisallow: /");
//! let summaries = CrawlerSummary::all(&Readings::new(&robots_txt), Reading::Crawler);
//! let [forgotten] = &Forgotten::all(&summaries)[..] else { panic!() };
//! assert_eq!(forgotten.purpose(), Purpose::Training);
//! assert_eq!(forgotten.kept_out()[0].name(), "GPTBot");
//! assert!(forgotten.others().iter().any(|crawler| crawler.name() == "ClaudeBot"));
//! ```

use polite_robots::AgentMatch;

use crate::agent::CrawlerSummary;
use crate::coverage::Extent;
use crate::known::{Compliance, KnownCrawler, Purpose};

/// The crawlers of one purpose, if a file keeps some of them out by name and others not.
#[derive(Debug)]
pub struct Forgotten {
    purpose: Purpose,
    kept_out: Vec<&'static KnownCrawler>,
    others: Vec<&'static KnownCrawler>,
}

impl Forgotten {
    /// Finds the purposes for which a file keeps out some crawlers by name, and not others.
    ///
    /// Only purposes that owners refuse as a whole count: one search engine is often kept out for a
    /// reason of its own. Names that are no longer used are left out. So are crawlers that need not
    /// obey the file, because no rule keeps them out.
    #[must_use]
    pub fn all(crawlers: &[CrawlerSummary]) -> Vec<Forgotten> {
        let purposes = REFUSED_AS_A_WHOLE.iter();
        let forgotten = purposes.filter_map(|purpose| Forgotten::of_purpose(*purpose, crawlers));
        forgotten.collect()
    }

    fn of_purpose(purpose: Purpose, crawlers: &[CrawlerSummary]) -> Option<Forgotten> {
        let is_of_purpose = |summary: &&CrawlerSummary| {
            summary.crawler().purpose() == purpose && summary.crawler().retired().is_none()
        };
        let (out, others): (Vec<_>, Vec<_>) = crawlers
            .iter()
            .filter(is_of_purpose)
            .partition(|summary| summary.agent().coverage().extent() == Extent::Nothing);
        let by_name = out
            .iter()
            .filter(|summary| summary.agent().agent_match() == AgentMatch::Named);
        let kept_out: Vec<_> = by_name.map(|summary| summary.crawler()).collect();
        let others = others.iter().map(|summary| summary.crawler());
        let mut others: Vec<_> = others
            .filter(|crawler| crawler.obeys() != Compliance::No)
            .collect();
        others.sort_by_key(|crawler| standing(crawler));
        (!kept_out.is_empty() && !others.is_empty()).then_some(Forgotten {
            purpose,
            kept_out,
            others,
        })
    }

    /// The purpose of all of them.
    #[must_use]
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// The crawlers that are kept out by name.
    #[must_use]
    pub fn kept_out(&self) -> &[&'static KnownCrawler] {
        &self.kept_out
    }

    /// The crawlers that may fetch something: first those that most files name.
    #[must_use]
    pub fn others(&self) -> &[&'static KnownCrawler] {
        &self.others
    }
}

/// The order of crawlers: first those that most files name, then those that their operators
/// describe, and among these first those that are said to obey.
fn standing(crawler: &KnownCrawler) -> (usize, bool, bool) {
    let mut often_named = MOST_NAMED.iter();
    let place = often_named.position(|token| *token == crawler.token());
    let is_undocumented = crawler.documentation().is_none();
    (
        place.unwrap_or(MOST_NAMED.len()),
        is_undocumented,
        crawler.obeys() != Compliance::Yes,
    )
}

/// The crawlers of these purposes that more than 30 of 3,159 robots.txt files of 2024 name, those
/// of most files first.
const MOST_NAMED: &[&str] = &[
    "MJ12bot",
    "GPTBot",
    "AhrefsBot",
    "SemrushBot",
    "DotBot",
    "CCBot",
    "Google-Extended",
    "ChatGPT-User",
    "BLEXBot",
    "Bytespider",
    "FacebookBot",
    "SemrushBot-SA",
    "rogerbot",
    "cohere-ai",
    "Amazonbot",
    "PerplexityBot",
    "ClaudeBot",
    "omgilibot",
];

const REFUSED_AS_A_WHOLE: &[Purpose] = &[
    Purpose::Training,
    Purpose::AiSearch,
    Purpose::Assistant,
    Purpose::Agent,
    Purpose::Data,
    Purpose::Seo,
    Purpose::Archive,
];

#[cfg(test)]
mod tests {
    use polite_robots::RobotsTxt;

    use super::*;
    use crate::known;
    use crate::readings::{Reading, Readings};

    fn forgotten(file: &str) -> Vec<Forgotten> {
        let robots_txt = RobotsTxt::parse(file.as_bytes());
        let readings = Readings::new(&robots_txt);
        Forgotten::all(&CrawlerSummary::all(&readings, Reading::Crawler))
    }

    fn has(crawlers: &[&KnownCrawler], token: &str) -> bool {
        crawlers.iter().any(|crawler| crawler.token() == token)
    }

    #[test]
    fn crawlers_that_may_fetch_a_part_are_forgotten_too() {
        let file = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: CCBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /cart";
        let forgotten = forgotten(file);
        let [training] = &forgotten[..] else {
            panic!("{forgotten:?}")
        };
        assert!(has(training.kept_out(), "GPTBot") && training.kept_out().len() == 1);
        assert!(has(training.others(), "ClaudeBot"));
        assert!(!has(training.others(), "GPTBot"));
    }

    #[test]
    fn each_crawler_that_is_often_named_is_known() {
        for token in MOST_NAMED {
            let crawler = known::find(token).unwrap();
            assert_eq!(crawler.token(), *token);
            assert!(REFUSED_AS_A_WHOLE.contains(&crawler.purpose()), "{token}");
        }
    }

    #[test]
    fn nobody_is_forgotten_where_nobody_is_singled_out() {
        for file in [
            "",
            "User-agent: *\nDisallow: /",
            // Everyone is kept out, by name or not.
            "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /",
            // One search engine is refused. This says nothing about the others.
            "User-agent: Baiduspider\nDisallow: /",
            "User-agent: GPTBot\nDisallow: /a",
        ] {
            assert!(forgotten(file).is_empty(), "{file}");
        }
    }

    #[test]
    fn a_retired_name_and_a_crawler_that_need_not_obey_are_left_out() {
        let all = forgotten(
            "User-agent: GPTBot\nUser-agent: ChatGPT-User\nUser-agent: AhrefsBot\nDisallow: /",
        );
        assert_eq!(all.len(), 3);
        for forgotten in &all {
            for crawler in forgotten.others() {
                assert!(crawler.retired().is_none() && crawler.obeys() != Compliance::No);
            }
        }
        assert!(
            !all.iter()
                .any(|forgotten| has(forgotten.others(), "anthropic-ai"))
        );
        assert!(
            !all.iter()
                .any(|forgotten| has(forgotten.others(), "Perplexity-User"))
        );
    }
}
