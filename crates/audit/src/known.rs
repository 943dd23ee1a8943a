//! A dated table of the crawlers that many files name: who runs them, and what they fetch for.
//!
//! ```
//! use polite_robots_audit::known::{self, Purpose};
//!
//! let crawler = known::find("gptbot").ok_or("no such crawler")?;
//! assert_eq!((crawler.operator(), crawler.purpose()), (Some("OpenAI"), Purpose::Training));
//! # Ok::<(), &str>(())
//! ```

mod standing;

use std::fmt;
use std::sync::LazyLock;

use polite_robots::{InvalidToken, Robot, RobotsTxt};
use serde::{Deserialize, Serialize};

pub use crate::known::standing::{Obedience, Retirement};

/// Every crawler of the table, in the alphabetical order of their names.
#[must_use]
pub fn all() -> &'static [KnownCrawler] {
    &TABLE.crawlers
}

/// The crawler with this product token. ASCII case is ignored, as in a file.
#[must_use]
pub fn find(token: &str) -> Option<&'static KnownCrawler> {
    all()
        .iter()
        .find(|crawler| crawler.token().eq_ignore_ascii_case(token))
}

/// The date of the table, as in 2026-11-22.
#[must_use]
pub fn as_of() -> &'static str {
    TABLE.as_of
}

/// A crawler, or a token that stands for a use of what a crawler fetches.
#[derive(Debug, Deserialize)]
pub struct KnownCrawler {
    name: &'static str,
    operator: Option<&'static str>,
    purpose: Purpose,
    /// The list of AI crawlers that has it.
    list: Option<&'static str>,
    documentation: Option<&'static str>,
    /// Robots.txt files of 2024 that name it, if nothing else is known to have been published.
    named_by: Option<u32>,
    falls_back_to: Option<&'static str>,
    crawled_by: Option<&'static str>,
    #[serde(default)]
    ignores_wildcard: bool,
    #[serde(default)]
    obeys: Obedience,
    retired: Option<Retirement>,
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

    /// The operator, if it is known.
    pub fn operator(&self) -> Option<&'static str> {
        self.operator
    }

    /// The main purpose of its fetches.
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Whether it is on a list of AI crawlers. Apple's search crawler is on one too, so this is no [`Purpose`].
    pub fn is_ai(&self) -> bool {
        self.list.is_some()
    }

    /// The operator's page about it, if the table is based on one.
    pub fn documentation(&self) -> Option<&'static str> {
        self.documentation
    }

    /// The second token: the crawler obeys its groups where a file does not name its own, before `*`: `Googlebot` for `Googlebot-Image`.
    pub fn falls_back_to(&self) -> Option<&'static str> {
        self.falls_back_to
    }

    /// The crawler that fetches for it, if it never fetches itself: Google-Extended and Applebot-Extended name a use of
    /// pages that others have fetched.
    pub fn crawled_by(&self) -> Option<&'static str> {
        self.crawled_by
    }

    /// Whether it obeys only groups that name it: AdsBot-Google, by agreement with the sites that it visits.
    pub fn ignores_wildcard(&self) -> bool {
        self.ignores_wildcard
    }

    /// Whether it obeys robots.txt at all, as its operator or the list says.
    pub fn obeys(&self) -> Obedience {
        self.obeys
    }

    /// The end of the name, if its operator no longer uses it: `anthropic-ai`.
    pub fn retired(&self) -> Option<Retirement> {
        self.retired
    }

    /// How many of 28,599 robots.txt files of 2024 name it, for a name of which nothing else is known.
    pub fn named_by(&self) -> Option<u32> {
        self.named_by
    }

    /// The facts for an owner who names it: that the name is retired, that the crawler need not obey, or that another
    /// one fetches for it.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        let retired = self.retired.map(|retirement| match retirement.successor() {
            Some(successor) => format!("no longer used; the name is now {successor}"),
            None => "no longer used".to_owned(),
        });
        let use_of_pages = self
            .crawled_by
            .map(|other| format!("a use of what {other} fetches"));
        let disobedience = match self.obeys {
            Obedience::No => Some("need not obey robots.txt".to_owned()),
            Obedience::InPart if self.ignores_wildcard => Some("does not obey *".to_owned()),
            Obedience::InPart => Some("does not always obey robots.txt".to_owned()),
            Obedience::Yes | Obedience::Unknown => None,
        };
        retired.into_iter().chain(use_of_pages).chain(disobedience)
    }

    /// The rules that it obeys, as its operator documents the tokens that it reads.
    ///
    /// # Errors
    ///
    /// If its token is none that a robots.txt can name; a test makes sure that the table has no such crawler.
    pub fn robot(&self, robots_txt: &RobotsTxt) -> Result<Robot, InvalidToken> {
        let robot = match self.falls_back_to {
            Some(second) => robots_txt.robot_first(&[self.token(), second])?,
            None => robots_txt.robot(self.token())?,
        };
        Ok(if self.ignores_wildcard {
            robot.named_only()
        } else {
            robot
        })
    }
}

/// The main purpose of a crawler's fetches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Material to train AI models
    Training,
    /// An index from which AI answers are made
    AiSearch,
    /// A page that an AI assistant or application needs for somebody's question
    Assistant,
    /// Steps that an AI agent takes for somebody, in a browser or as a programmer
    Agent,
    /// Data for others, often sold, with AI among the uses
    Data,
    /// A search engine
    Search,
    /// Link indexes and audits for search engine optimisation
    Seo,
    /// Advertisements and the pages they lead to
    Advertising,
    /// Previews of links in messages
    Preview,
    /// An archive of the web
    Archive,
    /// Another purpose, or none that is known
    Unknown,
}

impl Purpose {
    /// Every purpose, in the order of reports.
    pub const ALL: [Purpose; 11] = [
        Purpose::Training,
        Purpose::AiSearch,
        Purpose::Assistant,
        Purpose::Agent,
        Purpose::Data,
        Purpose::Search,
        Purpose::Seo,
        Purpose::Advertising,
        Purpose::Preview,
        Purpose::Archive,
        Purpose::Unknown,
    ];

    /// The purpose with this stable name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Purpose> {
        Purpose::ALL
            .into_iter()
            .find(|purpose| purpose.as_str() == name)
    }

    /// The purpose in one phrase.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Purpose::Training => "Material to train AI models",
            Purpose::AiSearch => "An index from which AI answers are made",
            Purpose::Assistant => {
                "A page that an AI assistant or application needs for somebody's question"
            }
            Purpose::Agent => {
                "Steps that an AI agent takes for somebody, in a browser or as a programmer"
            }
            Purpose::Data => "Data for others, often sold, with AI among the uses",
            Purpose::Search => "A search engine",
            Purpose::Seo => "Link indexes and audits for search engine optimisation",
            Purpose::Advertising => "Advertisements and the pages they lead to",
            Purpose::Preview => "Previews of links in messages",
            Purpose::Archive => "An archive of the web",
            Purpose::Unknown => "Another purpose, or none that is known",
        }
    }

    /// The stable name for machines: lower case with hyphens, as in the table.
    pub fn as_str(self) -> &'static str {
        match self {
            Purpose::Training => "training",
            Purpose::AiSearch => "ai-search",
            Purpose::Assistant => "assistant",
            Purpose::Agent => "agent",
            Purpose::Data => "data",
            Purpose::Search => "search",
            Purpose::Seo => "seo",
            Purpose::Advertising => "advertising",
            Purpose::Preview => "preview",
            Purpose::Archive => "archive",
            Purpose::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Purpose::AiSearch => "AI search",
            Purpose::Seo => "SEO",
            purpose => purpose.as_str(),
        })
    }
}

#[derive(Debug, Default, Deserialize)]
struct Table {
    as_of: &'static str,
    crawlers: Vec<KnownCrawler>,
}

/// A test reads the table; without it there would be no known crawlers, which is better than a panic.
static TABLE: LazyLock<Table> =
    LazyLock::new(|| serde_json::from_str(include_str!("known_crawlers.json")).unwrap_or_default());

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use polite_robots::{AgentMatch, ProductToken, RobotsTxt};

    use super::{Obedience, Purpose, Table, all, as_of, find};

    #[test]
    fn the_table_can_be_read() {
        let table: Table = serde_json::from_str(include_str!("known_crawlers.json")).unwrap();
        assert!(table.crawlers.len() > 150);
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
            // The name for all crawlers of one operator is no crawler.
            let second = crawler.falls_back_to().filter(|second| *second != "Yandex");
            assert!(
                second.is_none_or(|second| find(second).is_some()),
                "{crawler:?}"
            );
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

    /// Google's page of user-triggered fetchers and Perplexity's of crawlers say that these do not obey.
    #[test]
    fn assistants_need_not_obey() {
        let obeys = |token| find(token).unwrap().obeys();
        assert_eq!(obeys("Googlebot"), Obedience::Yes);
        assert_eq!(obeys("AdsBot-Google"), Obedience::InPart);
        assert_eq!(obeys("ChatGPT-User"), Obedience::InPart);
        assert_eq!(obeys("Google-Agent"), Obedience::No);
        assert_eq!(obeys("Perplexity-User"), Obedience::No);
        assert_eq!(obeys("MauiBot"), Obedience::Unknown);
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
