//! The crawlers of the table, and what is known of each.

use std::collections::HashMap;
use std::sync::LazyLock;

use polite_robots::{AgentMatch, Dialect, InvalidToken, Robot, RobotsTxt};

use crate::known::purpose::Purpose;
use crate::known::standing::{Compliance, Retirement};

/// Every crawler of the table, in the alphabetical order of their names.
#[must_use]
pub fn all() -> &'static [KnownCrawler] {
    CRAWLERS
}

/// The crawler with this product token. ASCII case is ignored, as in a file.
#[must_use]
pub fn find(token: &str) -> Option<&'static KnownCrawler> {
    BY_TOKEN.get(token.to_ascii_lowercase().as_str()).copied()
}

/// The crawlers whose names are in use, in the order in which a list of them is cut: those that
/// search first, then those that train AI models, and short names before long ones.
#[must_use]
pub fn by_importance() -> &'static [&'static KnownCrawler] {
    &BY_IMPORTANCE
}

/// Whether crawlers that a file does not name obey its groups with this name. It need not be the
/// name of a crawler: `Yandex`. ASCII case is ignored.
#[must_use]
pub fn is_second_token(name: &str) -> bool {
    let is_same = |second: &&str| second.eq_ignore_ascii_case(name);
    SECOND_TOKENS.iter().any(is_same)
}

/// The date of the table, as in 2026-11-22.
#[must_use]
pub fn as_of() -> &'static str {
    AS_OF
}

/// The published list of AI crawlers by which [`KnownCrawler::is_ai`] answers.
///
/// ```
/// use polite_robots_audit::known;
///
/// let list = known::ai_list();
/// assert_eq!((list.name, list.license), ("ai.robots.txt", "MIT"));
/// ```
#[must_use]
pub fn ai_list() -> &'static AiList {
    &LIST
}

/// A published list of AI crawlers.
#[derive(Debug)]
#[non_exhaustive]
pub struct AiList {
    /// The name of the list.
    pub name: &'static str,
    /// The URL where it is published.
    pub url: &'static str,
    /// The licence of the list, as an SPDX identifier.
    pub license: &'static str,
    /// The date of the version that the table restates, as in 2026-08-22.
    pub as_of: &'static str,
}

/// A crawler, or a token that stands for a use of what a crawler fetches.
#[derive(Debug)]
pub struct KnownCrawler {
    name: &'static str,
    operator: Option<&'static str>,
    purpose: Purpose,
    /// The list of AI crawlers that has it.
    list: Option<&'static str>,
    documentation: Option<&'static str>,
    /// The number of robots.txt files of 2024 that name it, if nothing else about it was found in
    /// public.
    named_by: Option<u32>,
    falls_back_to: &'static [&'static str],
    crawled_by: Option<&'static str>,
    ignores_wildcard: bool,
    obeys: Compliance,
    retired: Option<Retirement>,
    shared_with: Option<&'static str>,
}

impl KnownCrawler {
    /// The name as its operator or the list writes it; not always a product token: `Kangaroo Bot`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The product token that a file must name, as RFC 9309 reads the name: `Kangaroo`.
    pub fn token(&self) -> &'static str {
        let is_outside =
            |character: char| !character.is_ascii_alphanumeric() && !"_.-".contains(character);
        self.name.split(is_outside).next().unwrap_or_default()
    }

    /// Whether its token is a word of English, which begins the names of many others: `Spider`.
    pub fn is_word(&self) -> bool {
        let token = self.token();
        WORDS.iter().any(|word| token.eq_ignore_ascii_case(word))
    }

    /// Whether the name is that of a company. A list of crawlers has it, though no crawler is known
    /// to read it: `OpenAI`.
    pub fn is_company(&self) -> bool {
        self.purpose == Purpose::Unknown
            && self.documentation.is_none()
            && self.operator == Some(self.name)
    }

    /// The operator, if it is known.
    pub fn operator(&self) -> Option<&'static str> {
        self.operator
    }

    /// The main purpose of its fetches.
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Whether it is on a list of AI crawlers. Apple's search crawler is on one too, so this is no
    /// [`Purpose`].
    pub fn is_ai(&self) -> bool {
        self.list.is_some()
    }

    /// The operator's page about it, if the table is based on one.
    pub fn documentation(&self) -> Option<&'static str> {
        self.documentation
    }

    /// The second tokens: if a file does not name the crawler, it obeys the groups of the first of
    /// these that the file names, before `*`. `Googlebot` for `Googlebot-Image`, and the old name
    /// `msnbot` for `bingbot`.
    pub fn falls_back_to(&self) -> &[&'static str] {
        self.falls_back_to
    }

    /// The second token whose groups the crawler obeys in this file; `None` if the file names the
    /// crawler itself or none of its second tokens.
    pub fn second_token_in(&self, robots_txt: &RobotsTxt) -> Option<&'static str> {
        let is_named = |token| {
            let robot = robots_txt.robot(token);
            robot.is_ok_and(|robot| robot.agent_match() == AgentMatch::Named)
        };
        if self.falls_back_to.is_empty() || is_named(self.token()) {
            return None;
        }
        let mut tokens = self.falls_back_to.iter().copied();
        tokens.find(|token| is_named(token))
    }

    /// The crawler that fetches for it, if it never fetches itself: Google-Extended and
    /// Applebot-Extended name a use of pages that others have fetched.
    pub fn crawled_by(&self) -> Option<&'static str> {
        self.crawled_by
    }

    /// Whether it obeys only groups that name it: AdsBot-Google, by agreement with the sites that
    /// it visits.
    pub fn ignores_wildcard(&self) -> bool {
        self.ignores_wildcard
    }

    /// The dialect in which it reads a file: that of Google's matcher for
    /// [Google's crawlers](https://github.com/google/robotstxt), RFC 9309 for all others.
    pub fn dialect(&self) -> Dialect {
        match self.operator {
            Some("Google") => Dialect::Google,
            _ => Dialect::Rfc9309,
        }
    }

    /// Whether it ignores `Crawl-delay`, as its operator says: all of
    /// [Google's](https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt) do.
    pub fn ignores_crawl_delay(&self) -> bool {
        self.dialect() == Dialect::Google
    }

    /// Whether it obeys robots.txt at all, as its operator or the list says.
    pub fn obeys(&self) -> Compliance {
        self.obeys
    }

    /// The end of the name, if its operator no longer uses it: `anthropic-ai`.
    pub fn retired(&self) -> Option<Retirement> {
        self.retired
    }

    /// Another operator whose crawler has or had the same token, so that a file may mean either:
    /// Exalead, whose Exabot is older than the ExaBot of Exa.
    ///
    /// ```
    /// let exabot = polite_robots_audit::known::find("Exabot").unwrap();
    /// assert_eq!((exabot.operator(), exabot.shared_with()), (Some("Exa"), Some("Exalead")));
    /// ```
    pub fn shared_with(&self) -> Option<&'static str> {
        self.shared_with
    }

    /// The number of 28,599 robots.txt files of 2024 that name it, if nothing else is known about
    /// the name.
    pub fn named_by(&self) -> Option<u32> {
        self.named_by
    }

    /// The facts for an owner who names it: that the name is retired, that the crawler need not
    /// obey, or that another one fetches for it.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        let retired = self.retired.map(|retirement| match retirement.successor() {
            Some(successor) => format!("no longer used; the name is now {successor}"),
            None => "no longer used".to_owned(),
        });
        let use_of_pages = self
            .crawled_by
            .map(|other| format!("a use of what {other} fetches"));
        let disobedience = match self.obeys {
            Compliance::No => Some("need not obey robots.txt".to_owned()),
            Compliance::InPart if self.ignores_wildcard => Some("does not obey *".to_owned()),
            Compliance::InPart => Some("does not always obey robots.txt".to_owned()),
            Compliance::Yes | Compliance::Unknown => None,
        };
        retired.into_iter().chain(use_of_pages).chain(disobedience)
    }

    /// The rules that it obeys, as its operator documents the tokens that it reads.
    ///
    /// # Errors
    ///
    /// If no robots.txt can name its token; a test makes sure that the table has no such crawler.
    pub fn robot(&self, robots_txt: &RobotsTxt) -> Result<Robot, InvalidToken> {
        let tokens: Vec<&str> = [&[self.token()], self.falls_back_to()].concat();
        let robot = robots_txt.robot_first(&tokens)?;
        Ok(if self.ignores_wildcard {
            robot.named_only()
        } else {
            robot
        })
    }
}

// `AS_OF`, `LIST` and `CRAWLERS`, which the build script makes of `known_crawlers.json`.
include!(concat!(env!("OUT_DIR"), "/known_crawlers.rs"));

/// The crawlers by their tokens in lower case.
static BY_TOKEN: LazyLock<HashMap<String, &'static KnownCrawler>> = LazyLock::new(|| {
    let crawlers = all().iter();
    crawlers
        .map(|crawler| (crawler.token().to_ascii_lowercase(), crawler))
        .collect()
});

static BY_IMPORTANCE: LazyLock<Vec<&'static KnownCrawler>> = LazyLock::new(|| {
    let current = all().iter();
    let mut current: Vec<_> = current
        .filter(|crawler| crawler.retired().is_none())
        .collect();
    current.sort_by_key(|crawler| {
        let rank = match crawler.purpose() {
            Purpose::Search => 0,
            Purpose::Training => 1,
            _ => 2,
        };
        (rank, crawler.token().len())
    });
    current
});

static SECOND_TOKENS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let second = all().iter().flat_map(KnownCrawler::falls_back_to);
    let mut second: Vec<_> = second.copied().collect();
    second.sort_unstable();
    second.dedup();
    second
});

/// Tokens of the table that are words of English.
const WORDS: &[&str] = &[
    "code",
    "crawl4ai",
    "crawlspace",
    "cursor",
    "devin",
    "lcc",
    "newsai",
    "operator",
    "scrapy",
    "spider",
    "trae",
    "useai",
    "yak",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use polite_robots::{AgentMatch, ProductToken, RobotsTxt};

    use super::{Compliance, Purpose, all, as_of, find};

    #[test]
    fn the_table_is_large_and_dated() {
        assert!(all().len() > 150);
        assert_eq!(as_of().len(), "2026-11-22".len());
    }

    #[test]
    fn each_entry_has_a_token_of_its_own_and_a_source() {
        let mut tokens = BTreeSet::new();
        for crawler in all() {
            assert!(ProductToken::new(crawler.token()).is_ok(), "{crawler:?}");
            assert!(
                tokens.insert(crawler.token().to_ascii_lowercase()),
                "{crawler:?}"
            );
            let documentation = crawler.documentation();
            let is_sourced = documentation.is_some() || crawler.named_by().is_some();
            assert!(crawler.is_ai() || is_sourced, "{crawler:?}");
            assert!(
                documentation.is_none_or(|page| page.starts_with("https://")),
                "{crawler:?}"
            );
        }
        assert!(all().is_sorted_by_key(|crawler| crawler.name().to_ascii_lowercase()));
    }

    #[test]
    fn references_between_entries_resolve() {
        for crawler in all() {
            assert!(
                crawler
                    .crawled_by()
                    .is_none_or(|other| find(other).is_some()),
                "{crawler:?}"
            );
            // The name for all crawlers of one operator names no single crawler.
            let second_tokens = crawler.falls_back_to().iter();
            let mut crawlers = second_tokens.filter(|second| **second != "Yandex");
            assert!(crawlers.all(|second| find(second).is_some()), "{crawler:?}");
        }
    }

    #[test]
    fn a_retired_name_has_a_source_and_a_successor_that_is_used() {
        let retired = all().iter().filter_map(|crawler| crawler.retired());
        assert!(retired.clone().count() >= 5);
        for retirement in retired {
            assert!(retirement.source().starts_with("https://"));
            let successor = retirement.successor();
            let is_used = |token| find(token).is_some_and(|crawler| crawler.retired().is_none());
            assert!(successor.is_none_or(is_used), "{retirement:?}");
        }
        let successor = |token| find(token).unwrap().retired().unwrap().successor();
        assert_eq!(successor("anthropic-ai"), Some("ClaudeBot"));
        assert_eq!(successor("ia_archiver"), None);
    }

    /// Google's page of user-triggered fetchers and Perplexity's page of crawlers say that these
    /// crawlers do not obey.
    #[test]
    fn assistants_need_not_obey() {
        let obeys = |token| find(token).unwrap().obeys();
        assert_eq!(obeys("Googlebot"), Compliance::Yes);
        assert_eq!(obeys("AdsBot-Google"), Compliance::InPart);
        assert_eq!(obeys("ChatGPT-User"), Compliance::InPart);
        assert_eq!(obeys("Google-Agent"), Compliance::No);
        assert_eq!(obeys("Perplexity-User"), Compliance::No);
        assert_eq!(obeys("MauiBot"), Compliance::Unknown);
        for crawler in all() {
            let in_json = serde_json::to_string(&crawler.obeys()).unwrap();
            assert_eq!(in_json, format!("\"{}\"", crawler.obeys().as_str()));
        }
    }

    #[test]
    fn a_name_that_is_no_product_token_has_a_shorter_token() {
        assert_eq!(
            find("kangaroo").map(|crawler| crawler.name()),
            Some("Kangaroo Bot")
        );
        assert!(find("Kangaroo Bot").is_none());
        assert_eq!(
            find("MJ12bot").map(|crawler| crawler.token()),
            Some("MJ12bot")
        );
    }

    #[test]
    fn a_crawler_obeys_its_second_name_before_the_wildcard() {
        let robots_txt =
            RobotsTxt::parse(b"User-agent: Googlebot\nDisallow: /x\n\nUser-agent: *\nDisallow: /");
        let allowed = |token| {
            find(token)
                .unwrap()
                .robot(&robots_txt)
                .unwrap()
                .allowed("/a")
        };
        assert!(allowed("Googlebot-Image") && allowed("Applebot"));
        assert!(!allowed("Storebot-Google") && !allowed("bingbot"));
        let robots_txt =
            RobotsTxt::parse(b"User-agent: Yandex\nDisallow: /\n\nUser-agent: *\nAllow: /");
        let yandex = find("YandexAdditional").unwrap();
        assert!(!yandex.robot(&robots_txt).unwrap().allowed("/a"));
    }

    /// Bing's blog says that bingbot obeys directives for MSNBot where there are none for bingbot.
    /// Anthropic says the same of ClaudeBot and its two older names. The table has both pages.
    #[test]
    fn a_crawler_obeys_the_old_name_that_its_operator_still_reads() {
        let allowed = |token, file: &str| {
            let robots_txt = RobotsTxt::parse(file.as_bytes());
            find(token)
                .unwrap()
                .robot(&robots_txt)
                .unwrap()
                .allowed("/a")
        };
        assert!(!allowed("bingbot", "User-agent: msnbot\nDisallow: /"));
        assert!(allowed("bingbot", "User-agent: msnbot-media\nDisallow: /"));
        let both = "User-agent: msnbot\nDisallow: /\n\nUser-agent: bingbot\nAllow: /";
        assert!(allowed("bingbot", both));
        for old in ["anthropic-ai", "Claude-Web"] {
            let file = format!("User-agent: {old}\nDisallow: /\n\nUser-agent: *\nAllow: /");
            assert!(!allowed("ClaudeBot", &file), "{old}");
        }
    }

    #[test]
    fn a_crawler_of_advertisements_does_not_obey_the_wildcard() {
        let adsbot = find("AdsBot-Google").unwrap();
        let robot = adsbot
            .robot(&RobotsTxt::parse(b"User-agent: *\nDisallow: /"))
            .unwrap();
        assert_eq!(robot.agent_match(), AgentMatch::None);
    }

    #[test]
    fn each_purpose_has_one_name() {
        for purpose in Purpose::ALL {
            let name = format!("\"{}\"", purpose.as_str());
            assert_eq!(serde_json::to_string(&purpose).unwrap(), name);
            assert_eq!(Purpose::from_name(purpose.as_str()), Some(purpose));
        }
        assert!(Purpose::ALL.is_sorted());
    }
}
