//! The crawlers that many files speak of: who runs them, and what for. Facts with a date, in `known_crawlers.json`.

use std::fmt;
use std::sync::LazyLock;

use clap::ValueEnum;
use polite_robots::{InvalidToken, Robot, RobotsTxt};
use serde::{Deserialize, Serialize};

/// Every crawler of the table, in the alphabetical order of their names.
pub(crate) fn all() -> &'static [KnownCrawler] {
    &TABLE.crawlers
}

/// The crawler that asks a robots.txt by this product token. ASCII case does not count, as in a file.
pub(crate) fn find(token: &str) -> Option<&'static KnownCrawler> {
    all()
        .iter()
        .find(|crawler| crawler.token().eq_ignore_ascii_case(token))
}

/// The day of the table's state, as in 2026-11-21.
pub(crate) fn as_of() -> &'static str {
    TABLE.as_of
}

/// A crawler, or a token by which files speak to one.
#[derive(Debug, Deserialize)]
pub(crate) struct KnownCrawler {
    name: &'static str,
    operator: Option<&'static str>,
    purpose: Purpose,
    /// The list of AI crawlers that has it.
    list: Option<&'static str>,
    documentation: Option<&'static str>,
    falls_back_to: Option<&'static str>,
    crawled_by: Option<&'static str>,
    #[serde(default)]
    ignores_wildcard: bool,
}

impl KnownCrawler {
    /// As its operator or the list writes it; not always a product token: `Kangaroo Bot`.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// What a file must name, as RFC 9309 reads the name: `Kangaroo`.
    pub(crate) fn token(&self) -> &'static str {
        let is_outside =
            |character: char| !character.is_ascii_alphanumeric() && !"_.-".contains(character);
        self.name.split(is_outside).next().unwrap_or_default()
    }

    /// Who runs it, if that is known.
    pub(crate) fn operator(&self) -> Option<&'static str> {
        self.operator
    }

    pub(crate) fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Whether a list of AI crawlers has it. Apple's search crawler is on one too, so this is no [`Purpose`].
    pub(crate) fn is_ai(&self) -> bool {
        self.list.is_some()
    }

    /// The operator's page about it, if the table has that from there.
    pub(crate) fn documentation(&self) -> Option<&'static str> {
        self.documentation
    }

    /// The token that it obeys where a file does not name its own, before `*`: `Googlebot` for `Googlebot-Image`.
    pub(crate) fn falls_back_to(&self) -> Option<&'static str> {
        self.falls_back_to
    }

    /// The crawler that fetches for it, if it never does: Google-Extended and Applebot-Extended are names for a use of
    /// what others have fetched.
    pub(crate) fn crawled_by(&self) -> Option<&'static str> {
        self.crawled_by
    }

    /// Whether it obeys only groups that name it, by agreement with the sites that it visits: AdsBot-Google.
    pub(crate) fn ignores_wildcard(&self) -> bool {
        self.ignores_wildcard
    }

    /// The rules that it obeys, by what its operator says about the tokens that it reads.
    pub(crate) fn robot(&self, robots_txt: &RobotsTxt) -> Result<Robot, InvalidToken> {
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

/// What a crawler fetches for, mainly.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Purpose {
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
    /// Not known
    Unknown,
}

impl Purpose {
    /// The stable name, for machines: lower case with hyphens, as in the table.
    pub(crate) fn as_str(self) -> &'static str {
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

/// That it can be read is tested; a command that could not would know no crawlers, which beats a panic.
static TABLE: LazyLock<Table> =
    LazyLock::new(|| serde_json::from_str(include_str!("known_crawlers.json")).unwrap_or_default());

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::ValueEnum as _;
    use polite_robots::{AgentMatch, ProductToken, RobotsTxt};

    use super::{Purpose, Table, all, as_of, find};

    #[test]
    fn the_table_can_be_read() {
        let table: Table = serde_json::from_str(include_str!("known_crawlers.json")).unwrap();
        assert!(table.crawlers.len() > 150);
        assert_eq!(as_of().len(), "2026-11-21".len());
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
            assert!(crawler.is_ai() || documentation.is_some(), "{crawler:?}");
            assert!(
                documentation.is_none_or(|page| page.starts_with("https://")),
                "{crawler:?}"
            );
        }
        assert!(all().is_sorted_by_key(|crawler| crawler.name().to_ascii_lowercase()));
    }

    #[test]
    fn what_an_entry_refers_to_is_known() {
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
    fn names_beyond_product_tokens_are_asked_by_what_a_file_can_say() {
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
    fn purposes_have_the_names_of_the_table_and_of_the_command_line() {
        for purpose in Purpose::value_variants() {
            let name = format!("\"{}\"", purpose.as_str());
            assert_eq!(serde_json::to_string(purpose).unwrap(), name);
            assert_eq!(
                purpose.to_possible_value().unwrap().get_name(),
                purpose.as_str()
            );
        }
    }
}
