//! The access of each known crawler to a site, and counts of it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use polite_robots_audit::coverage::Extent;
use polite_robots_audit::known::{self, KnownCrawler};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::summary::agent_name;
use crate::summary::file::AgentFacts;
use crate::summary::merge::{Merge, counts};

/// How much an agent may fetch: all, a part, or nothing but robots.txt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Openness {
    None,
    Part,
    All,
}

impl Openness {
    pub(crate) const ALL: [Openness; 3] = [Openness::None, Openness::Part, Openness::All];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Openness::None => "none",
            Openness::Part => "part",
            Openness::All => "all",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Openness> {
        let mut all = Openness::ALL.into_iter();
        all.find(|openness| openness.as_str() == name)
    }
}

impl From<Extent> for Openness {
    fn from(extent: Extent) -> Openness {
        match extent {
            Extent::Nothing => Openness::None,
            Extent::Part => Openness::Part,
            Extent::Everything => Openness::All,
        }
    }
}

/// The access of a known crawler to one site, and the name in the file that decides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CrawlerAccess {
    pub(crate) access: Openness,
    pub(crate) by: By,
}

/// The groups that a crawler obeys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// The groups that name it, from this line on.
    Name(u32),
    /// The groups that name its second token, as Googlebot for Googlebot-Image.
    SecondName(u32),
    /// The groups for `*`, or no group.
    Everyone,
}

impl By {
    /// The line that names the crawler, or its second token.
    pub(crate) fn line(self) -> Option<u32> {
        match self {
            By::Name(line) | By::SecondName(line) => Some(line),
            By::Everyone => None,
        }
    }
}

/// The access of each known crawler to a site with these groups, in the order of [`known::all`].
pub(crate) fn of_known_crawlers(
    agents: &[AgentFacts<'_>],
    everyone: Option<&AgentFacts<'_>>,
) -> Vec<CrawlerAccess> {
    let openness = everyone.map_or(Openness::All, |everyone| everyone.extent.into());
    let through_everyone = |crawler: &KnownCrawler| CrawlerAccess {
        access: match crawler.ignores_wildcard() {
            true => Openness::All,
            false => openness,
        },
        by: By::Everyone,
    };
    let mut accesses: Vec<_> = known::all().iter().map(through_everyone).collect();
    let mut set = |at: usize, agent: &AgentFacts<'_>, by: By| {
        if let Some(place) = accesses.get_mut(at) {
            let access = agent.extent.into();
            *place = CrawlerAccess { access, by };
        }
    };
    let known = agents
        .iter()
        .filter_map(|agent| Some((agent, agent.name.known?)));
    let second_names = known.clone().flat_map(|(agent, known)| {
        let second_of = known.second_of.iter();
        second_of.map(move |second| (second.rank, second.crawler, agent))
    });
    let mut second_names: Vec<_> = second_names.collect();
    // The last value that is set counts. It is that of the crawler's own name, or else that of the
    // second name that is first in the table, whatever the order in the file.
    second_names.sort_by_key(|(rank, ..)| Reverse(*rank));
    for (_, at, agent) in second_names {
        set(at, agent, By::SecondName(agent.line));
    }
    for (agent, known) in known {
        if let Some((at, _)) = known.own {
            set(at, agent, By::Name(agent.line));
        }
    }
    accesses
}

/// Counts of files by the access of each known crawler, in the order of [`known::all`]. `all`,
/// `part` and `none` of a crawler add up to the files.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KnownAccess(Vec<AccessCounts>);

counts! {
    /// Counts of files by the access of one agent.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub(crate) struct AccessCounts {
        /// Files whose groups name the agent.
        pub(crate) by_name: ThreeCounts,
        /// Files whose groups name its second token and not its own.
        pub(crate) by_second_name: ThreeCounts,
        /// Files in which `*` or no group decides about the agent.
        pub(crate) by_everyone: ThreeCounts,
    }
}

/// Counts of files that let an agent fetch all, a part or nothing.
pub(crate) type ThreeCounts = ByOpenness<u64>;

/// A value for each openness.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ByOpenness<T> {
    pub(crate) all: T,
    pub(crate) part: T,
    pub(crate) none: T,
}

impl<T> ByOpenness<T> {
    pub(crate) fn get_mut(&mut self, openness: Openness) -> &mut T {
        match openness {
            Openness::All => &mut self.all,
            Openness::Part => &mut self.part,
            Openness::None => &mut self.none,
        }
    }
}

impl ThreeCounts {
    pub(crate) fn sum(&self) -> u64 {
        self.all + self.part + self.none
    }

    pub(crate) fn add(&mut self, access: Openness) {
        self.get_mut(access).merge(1);
    }
}

impl Merge for ThreeCounts {
    fn merge(&mut self, other: ThreeCounts) {
        self.all.merge(other.all);
        self.part.merge(other.part);
        self.none.merge(other.none);
    }
}

impl AccessCounts {
    /// The counts by any name.
    pub(crate) fn total(&self) -> ThreeCounts {
        let mut total = self.by_name;
        total.merge(self.by_second_name);
        total.merge(self.by_everyone);
        total
    }
}

impl KnownAccess {
    pub(crate) fn add(&mut self, accesses: &[CrawlerAccess]) {
        for (own, crawler) in self.0.iter_mut().zip(accesses) {
            let counts = match crawler.by {
                By::Name(_) => &mut own.by_name,
                By::SecondName(_) => &mut own.by_second_name,
                By::Everyone => &mut own.by_everyone,
            };
            counts.add(crawler.access);
        }
    }

    /// The known crawlers with their counts.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static KnownCrawler, AccessCounts)> {
        known::all().iter().zip(self.0.iter().copied())
    }
}

impl Default for KnownAccess {
    fn default() -> KnownAccess {
        KnownAccess(vec![AccessCounts::default(); known::all().len()])
    }
}

impl Merge for KnownAccess {
    fn merge(&mut self, other: KnownAccess) {
        self.0.merge(other.0);
    }
}

/// The JSON form: an object by the tokens of the crawlers.
impl Serialize for KnownAccess {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let by_token = self
            .iter()
            .map(|(crawler, counts)| (crawler.token(), counts));
        serializer.collect_map(by_token)
    }
}

impl<'de> Deserialize<'de> for KnownAccess {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<KnownAccess, D::Error> {
        let by_token: BTreeMap<String, AccessCounts> = BTreeMap::deserialize(deserializer)?;
        let mut known = KnownAccess::default();
        if by_token.len() != known.0.len() {
            return Err(D::Error::custom(OTHER_TABLE));
        }
        for (token, counts) in by_token {
            let crawler = agent_name::crawler(&token.to_ascii_lowercase());
            let own = crawler.and_then(|(at, _)| known.0.get_mut(at));
            *own.ok_or_else(|| D::Error::custom(OTHER_TABLE))? = counts;
        }
        Ok(known)
    }
}

/// A part must have exactly the crawlers of the table. With another table, the counts of some
/// crawlers would lack files.
const OTHER_TABLE: &str = "the crawlers are those of another version of `robots`";

#[cfg(test)]
mod tests {
    use polite_robots_audit::agent::CrawlerSummary;
    use polite_robots_audit::answer::{Reading, Readings};
    use proptest::prelude::*;

    use super::*;
    use crate::depth::Depth;
    use crate::summary::file::{collect_facts, parse};

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 128, ..ProptestConfig::default() })]

        /// `robots agents --known` prints `CrawlerSummary`.
        #[test]
        fn known_crawlers_have_the_access_that_robots_agents_prints(
            lines in prop::collection::vec(
                "User-agent: (\\*|gptbot|Googlebot|googlebot-image|AdsBot-Google|Yandex|CCBot|Claude-Web|anthropic-ai|msnbot|bingbot)|(Disallow|Allow): (/|/[ab]|/\\*a|)",
                0..12,
            ),
        ) {
            let body = lines.join("\n");
            let parsed = parse(body.as_bytes()).unwrap();
            let facts = collect_facts(body.as_bytes(), 0, &parsed, Depth::Sampled).unwrap();
            let accesses = of_known_crawlers(&facts.agents, facts.everyone.as_ref());
            let readings = Readings::new(&parsed.robots_txt);
            let summaries = CrawlerSummary::all(&readings, Reading::Crawler);
            prop_assert_eq!([accesses.len(), summaries.len()], [known::all().len(); 2]);
            for (summary, found) in summaries.iter().zip(accesses) {
                let context = (summary.crawler().name(), &body);
                let extent = summary.agent().coverage().extent();
                prop_assert_eq!(found.access, Openness::from(extent), "{:?}", context);
                let is_named = summary.agent().agent_match() == polite_robots::AgentMatch::Named;
                prop_assert_eq!(found.by.line().is_some(), is_named, "{:?}", context);
                let is_second = matches!(found.by, By::SecondName(_));
                prop_assert_eq!(is_second, summary.second_token().is_some(), "{:?}", context);
                if let Some(line) = found.by.line() {
                    prop_assert_eq!(Some(&line), summary.agent().group_lines().first(), "{:?}", context);
                }
            }
        }
    }

    #[test]
    fn counts_of_another_table_are_refused() {
        let text = serde_json::to_string(&KnownAccess::default()).unwrap();
        assert_eq!(
            serde_json::from_str::<KnownAccess>(&text).unwrap(),
            KnownAccess::default()
        );
        for other in [
            text.replace("\"GPTBot\"", "\"OtherBot\""),
            String::from("{}"),
        ] {
            let error = serde_json::from_str::<KnownAccess>(&other).unwrap_err();
            assert!(error.to_string().starts_with(OTHER_TABLE), "{error}");
        }
    }
}
