//! The access of each known crawler to a site, and counts of it.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::LazyLock;

use polite_robots_audit::coverage::Extent;
use polite_robots_audit::known::{self, KnownCrawler};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::summary::file::AgentFacts;
use crate::summary::merge::{Merge, merge_fields};
use crate::summary::tally::Name;

/// How much an agent may fetch: all, a part, or nothing but robots.txt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Openness {
    None,
    Part,
    All,
}

impl Openness {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Openness::None => "none",
            Openness::Part => "part",
            Openness::All => "all",
        }
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

impl fmt::Display for Openness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The access of a known crawler to one site, and the name by which it has it.
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

/// The access of each known crawler, in the order of [`known::all`], to a site with these groups.
pub(crate) fn of_known_crawlers(
    agents: &[AgentFacts<'_>],
    everyone: Option<&AgentFacts<'_>>,
) -> Vec<CrawlerAccess> {
    let everyone = everyone.map_or(Openness::All, |everyone| everyone.extent.into());
    let mut accesses = THROUGH_EVERYONE
        .get(everyone as usize)
        .cloned()
        .unwrap_or_default();
    let mut set = |at: &usize, access, by| {
        if let Some(place) = accesses.get_mut(*at) {
            // The own name goes before the second one, whatever their order in the file.
            if !matches!(place.by, By::Name(_)) {
                *place = CrawlerAccess { access, by };
            }
        }
    };
    for agent in agents {
        let name = Name::lower(agent.token.as_bytes());
        let access = agent.extent.into();
        for at in BY_SECOND_NAME.get(name.as_str()).into_iter().flatten() {
            set(at, access, By::SecondName(agent.line));
        }
        if let Some(at) = BY_NAME.get(name.as_str()) {
            set(at, access, By::Name(agent.line));
        }
    }
    accesses
}

/// Counts of files by the access of each known crawler. `all`, `part` and `none` of a crawler add up to the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KnownAccess {
    /// Counts in the order of [`known::all`].
    counts: Vec<AccessCounts>,
}

/// Counts of files by the access of one agent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AccessCounts {
    /// Files whose groups name the agent.
    pub(crate) by_name: ThreeCounts,
    /// Files whose groups name its second token and not its own.
    pub(crate) by_second_name: ThreeCounts,
    /// Files in which `*` decides about it, or nothing does.
    pub(crate) by_everyone: ThreeCounts,
}

/// Counts of files that let an agent fetch all, a part or nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ThreeCounts {
    pub(crate) all: u64,
    pub(crate) part: u64,
    pub(crate) none: u64,
}

impl ThreeCounts {
    pub(crate) fn sum(&self) -> u64 {
        self.all + self.part + self.none
    }

    pub(crate) fn add(&mut self, access: Openness) {
        let count = match access {
            Openness::All => &mut self.all,
            Openness::Part => &mut self.part,
            Openness::None => &mut self.none,
        };
        *count = count.saturating_add(1);
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
        for (counts, crawler) in self.counts.iter_mut().zip(accesses) {
            let counts = match crawler.by {
                By::Name(_) => &mut counts.by_name,
                By::SecondName(_) => &mut counts.by_second_name,
                By::Everyone => &mut counts.by_everyone,
            };
            counts.add(crawler.access);
        }
    }

    /// The known crawlers with their counts.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static KnownCrawler, &AccessCounts)> {
        known::all().iter().zip(&self.counts)
    }
}

impl Default for KnownAccess {
    fn default() -> KnownAccess {
        KnownAccess {
            counts: vec![AccessCounts::default(); known::all().len()],
        }
    }
}

impl Merge for KnownAccess {
    fn merge(&mut self, other: KnownAccess) {
        for (own, other) in self.counts.iter_mut().zip(other.counts) {
            own.merge(other);
        }
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
        if by_token.len() != known.counts.len() {
            return Err(D::Error::custom(OTHER_TABLE));
        }
        for (token, counts) in by_token {
            let at = BY_NAME.get(token.to_ascii_lowercase().as_str());
            let own = at.and_then(|at| known.counts.get_mut(*at));
            *own.ok_or_else(|| D::Error::custom(OTHER_TABLE))? = counts;
        }
        Ok(known)
    }
}

merge_fields!(AccessCounts {
    by_name,
    by_second_name,
    by_everyone,
});
merge_fields!(ThreeCounts { all, part, none });

/// The access of the known crawlers to a site that names none of them, by that of `*`.
static THROUGH_EVERYONE: LazyLock<[Vec<CrawlerAccess>; 3]> = LazyLock::new(|| {
    [Openness::None, Openness::Part, Openness::All].map(|everyone| {
        let crawlers = known::all().iter();
        crawlers
            .map(|crawler| CrawlerAccess {
                access: match crawler.ignores_wildcard() {
                    true => Openness::All,
                    false => everyone,
                },
                by: By::Everyone,
            })
            .collect()
    })
});

/// The places of the crawlers in the table, by their tokens in lower case.
static BY_NAME: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
    let crawlers = known::all().iter().enumerate();
    crawlers
        .map(|(at, crawler)| (crawler.token().to_ascii_lowercase(), at))
        .collect()
});

/// The places of the crawlers that obey another token where their own is not named, by that token in lower case.
static BY_SECOND_NAME: LazyLock<HashMap<String, Vec<usize>>> = LazyLock::new(|| {
    let mut by_second: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, crawler) in known::all().iter().enumerate() {
        if let Some(second) = crawler.falls_back_to() {
            by_second
                .entry(second.to_ascii_lowercase())
                .or_default()
                .push(at);
        }
    }
    by_second
});

/// A part must have exactly the crawlers of the table: the files that another table does not name would be missing.
const OTHER_TABLE: &str = "the crawlers are those of another version of `robots`";

#[cfg(test)]
mod tests {
    use polite_robots_audit::agent::CrawlerSummary;
    use polite_robots_audit::coverage::CoverageSearch;
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
                "User-agent: (\\*|gptbot|Googlebot|googlebot-image|AdsBot-Google|Yandex|CCBot)|(Disallow|Allow): (/|/[ab]|/\\*a|)",
                0..12,
            ),
        ) {
            let body = lines.join("\n");
            let parsed = parse(body.as_bytes()).unwrap();
            let facts = collect_facts(body.as_bytes(), 0, &parsed, Depth::Sampled).unwrap();
            let accesses = of_known_crawlers(&facts.agents, facts.everyone.as_ref());
            let mut search = CoverageSearch::new(&parsed.robots_txt);
            prop_assert_eq!(accesses.len(), known::all().len());
            for (crawler, found) in known::all().iter().zip(accesses) {
                let summary = CrawlerSummary::new(crawler, &parsed.robots_txt, &mut search).unwrap();
                let context = (crawler.name(), &body);
                let extent = summary.agent().coverage().extent();
                prop_assert_eq!(found.access, Openness::from(extent), "{:?}", context);
                let is_named = summary.agent().agent_match() == polite_robots::AgentMatch::Named;
                prop_assert_eq!(found.by.line().is_some(), is_named, "{:?}", context);
                let is_second = matches!(found.by, By::SecondName(_));
                prop_assert_eq!(is_second, summary.is_by_second_token(), "{:?}", context);
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
