//! Co-restriction: the files that block one crawler and not another, and the same by company and by
//! purpose.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use polite_robots_audit::known::{self, KnownCrawler, Purpose};
use serde::{Deserialize, Serialize};

use crate::summary::access::{CrawlerAccess, Openness};
use crate::summary::agents::is_ai;
use crate::summary::merge::{Merge, counts};

counts! {
    /// Counts of files by pairs of crawlers. A file blocks a crawler that may fetch nothing, by its
    /// name or through `*`.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(try_from = "Written")]
    pub(crate) struct CoRestriction {
        pub(crate) by_crawler: Matrix,
        /// A file blocks a company if it blocks one of its crawlers on the list of AI crawlers.
        pub(crate) by_company: Matrix,
        /// A file blocks a purpose if it blocks one of its crawlers.
        pub(crate) by_purpose: Matrix,
    }
}

/// Files that block one of the names and not another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Matrix {
    pub(crate) names: Vec<Cow<'static, str>>,
    /// Files that block the name.
    pub(crate) blocked: Vec<u64>,
    /// For each name, the files that block it and not the name of the column.
    pub(crate) but_not: Vec<Vec<u64>>,
}

impl CoRestriction {
    pub(crate) fn add(&mut self, accesses: &[CrawlerAccess]) {
        let mut blocked = Sets::default();
        let crawlers = accesses.iter().zip(SETS.iter());
        for (_, sets) in crawlers.filter(|(crawler, _)| crawler.access == Openness::None) {
            blocked.crawlers |= sets.crawlers;
            blocked.companies |= sets.companies;
            blocked.purposes |= sets.purposes;
        }
        self.by_crawler.add(blocked.crawlers);
        self.by_company.add(blocked.companies);
        self.by_purpose.add(blocked.purposes);
    }
}

impl Matrix {
    fn new(names: impl Iterator<Item = &'static str>) -> Matrix {
        let names: Vec<Cow<'static, str>> = names.map(Cow::Borrowed).collect();
        Matrix {
            blocked: vec![0; names.len()],
            but_not: vec![vec![0; names.len()]; names.len()],
            names,
        }
    }

    /// Adds a file that blocks the names of these bits.
    fn add(&mut self, blocked: u32) {
        if blocked == 0 {
            return;
        }
        let is_blocked = |at: usize| u64::from(blocked >> at & 1);
        let rows = self.blocked.iter_mut().zip(&mut self.but_not).enumerate();
        for (_, (count, but_not)) in rows.filter(|(at, _)| is_blocked(*at) == 1) {
            *count += 1;
            for (other, count) in but_not.iter_mut().enumerate() {
                *count += 1 - is_blocked(other);
            }
        }
    }

    fn has_form_of(&self, other: &Matrix) -> bool {
        let is_as_long = |counts: &Vec<u64>| counts.len() == other.names.len();
        self.names == other.names
            && is_as_long(&self.blocked)
            && self.but_not.len() == other.names.len()
            && self.but_not.iter().all(is_as_long)
    }
}

/// The names that a crawler belongs to in each matrix, as bits in the order of its names.
#[derive(Debug, Clone, Copy, Default)]
struct Sets {
    crawlers: u32,
    companies: u32,
    purposes: u32,
}

impl Sets {
    fn of(crawler: &KnownCrawler) -> Sets {
        let token = crawler.token();
        let company = crawler.operator().filter(|_| is_ai(crawler));
        Sets {
            crawlers: bit(CRAWLERS.iter().position(|name| *name == token)),
            companies: bit(COMPANIES.iter().position(|name| Some(*name) == company)),
            purposes: bit(purposes().position(|purpose| purpose == crawler.purpose())),
        }
    }
}

fn bit(at: Option<usize>) -> u32 {
    at.map_or(0, |at| 1 << at)
}

fn purposes() -> impl Iterator<Item = Purpose> {
    let purposes = Purpose::ALL.into_iter();
    purposes.filter(|purpose| *purpose != Purpose::Unknown)
}

/// The sets of each known crawler, in the order of [`known::all`].
static SETS: LazyLock<Vec<Sets>> = LazyLock::new(|| known::all().iter().map(Sets::of).collect());

impl Default for CoRestriction {
    fn default() -> CoRestriction {
        CoRestriction {
            by_crawler: Matrix::new(CRAWLERS.into_iter()),
            by_company: Matrix::new(COMPANIES.into_iter()),
            by_purpose: Matrix::new(purposes().map(Purpose::as_str)),
        }
    }
}

impl Merge for Matrix {
    fn merge(&mut self, other: Matrix) {
        self.blocked.merge(other.blocked);
        self.but_not.merge(other.but_not);
    }
}

/// The JSON form as read, before its names are compared with those of this version.
type Written = BTreeMap<String, Matrix>;

impl TryFrom<Written> for CoRestriction {
    type Error = &'static str;

    fn try_from(mut written: Written) -> Result<CoRestriction, &'static str> {
        let mut read = CoRestriction::default();
        for (name, matrix) in [
            ("by_crawler", &mut read.by_crawler),
            ("by_company", &mut read.by_company),
            ("by_purpose", &mut read.by_purpose),
        ] {
            let found = written.remove(name);
            let found = found.filter(|found| found.has_form_of(matrix));
            *matrix =
                found.ok_or("the pairs of crawlers are those of another version of `robots`")?;
        }
        Ok(read)
    }
}

/// The two largest search engines, and AI crawlers of the largest companies.
const CRAWLERS: [&str; 12] = [
    "Googlebot",
    "bingbot",
    "GPTBot",
    "ClaudeBot",
    "CCBot",
    "Google-Extended",
    "Bytespider",
    "PerplexityBot",
    "Amazonbot",
    "Applebot-Extended",
    "meta-externalagent",
    "ChatGPT-User",
];

/// Companies with crawlers on the list of AI crawlers.
const COMPANIES: [&str; 9] = [
    "OpenAI",
    "Anthropic",
    "Google",
    "Meta",
    "Apple",
    "Amazon",
    "ByteDance",
    "Perplexity",
    "Common Crawl",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::depth::Depth;
    use crate::summary::access::of_known_crawlers;
    use crate::summary::file::{collect_facts, parse};

    fn of(bodies: &[&str]) -> CoRestriction {
        let mut counts = CoRestriction::default();
        for body in bodies {
            let parsed = parse(body.as_bytes()).unwrap();
            let facts = collect_facts(body.as_bytes(), 0, &parsed, Depth::Sampled).unwrap();
            counts.add(&of_known_crawlers(&facts.agents, facts.everyone.as_ref()));
        }
        counts
    }

    fn but_not(matrix: &Matrix, one: &str, other: &str) -> u64 {
        let at = |name| matrix.names.iter().position(|own| own == name).unwrap();
        matrix.but_not[at(one)][at(other)]
    }

    #[test]
    fn each_name_is_known() {
        for token in CRAWLERS {
            assert_eq!(known::find(token).map(KnownCrawler::token), Some(token));
        }
        for company in COMPANIES {
            let mut crawlers = known::all().iter().filter(|crawler| is_ai(crawler));
            assert!(
                crawlers.any(|crawler| crawler.operator() == Some(company)),
                "{company}"
            );
        }
    }

    #[test]
    fn files_count_that_block_one_and_not_the_other() {
        let counts = of(&[
            "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /",
            "User-agent: GPTBot\nDisallow: /a",
            // This file blocks, through `*`, every crawler but Googlebot.
            "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /",
            "",
        ]);
        let crawlers = &counts.by_crawler;
        assert_eq!(crawlers.blocked[..3], [0, 1, 2]);
        assert_eq!(but_not(crawlers, "GPTBot", "Googlebot"), 2);
        assert_eq!(but_not(crawlers, "GPTBot", "CCBot"), 0);
        assert_eq!(but_not(crawlers, "GPTBot", "ClaudeBot"), 1);
        assert_eq!(but_not(crawlers, "GPTBot", "GPTBot"), 0);
        // Google-Extended obeys `*`, so the third file blocks Google as well.
        assert_eq!(but_not(&counts.by_company, "OpenAI", "Google"), 1);
        assert_eq!(but_not(&counts.by_company, "Common Crawl", "OpenAI"), 0);
        assert_eq!(but_not(&counts.by_purpose, "training", "search"), 1);
        assert_eq!(but_not(&counts.by_purpose, "search", "training"), 0);
    }

    #[test]
    fn counts_of_other_names_are_refused() {
        let counts = of(&["User-agent: *\nDisallow: /"]);
        let text = serde_json::to_string(&counts).unwrap();
        assert_eq!(
            serde_json::from_str::<CoRestriction>(&text).unwrap(),
            counts
        );
        for other in [
            text.replace("bingbot", "otherbot"),
            text.replacen("[0,0,", "[0,", 1),
            text.replace("\"Meta\",", ""),
        ] {
            let error = serde_json::from_str::<CoRestriction>(&other).unwrap_err();
            assert!(error.to_string().contains("another version"), "{error}");
        }
    }
}
