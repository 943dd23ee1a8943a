//! The measures of a survey: counts and distributions that add up in any order and any split of the
//! inputs.

pub(crate) mod access;
mod agent_name;
pub(crate) mod agents;
pub(crate) mod co_restriction;
pub(crate) mod copies;
pub(crate) mod crawl_delays;
pub(crate) mod dialects;
pub(crate) mod distribution;
pub(crate) mod domain_files;
pub(crate) mod file;
pub(crate) mod findings;
pub(crate) mod followed;
pub(crate) mod hash;
pub(crate) mod host;
pub(crate) mod interval;
pub(crate) mod merge;
pub(crate) mod occurrences;
pub(crate) mod outcome;
pub(crate) mod pattern;
mod plain_rules;
pub(crate) mod records;
pub(crate) mod rules;
mod shape;
pub(crate) mod site;
pub(crate) mod sitemaps;
pub(crate) mod sketch;
mod smallest;
mod source;
pub(crate) mod statuses;
pub(crate) mod stratum;
pub(crate) mod tally;
mod template;
pub(crate) mod texts;
pub(crate) mod timings;
pub(crate) mod top;
mod tried_urls;
pub(crate) mod usage;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::content::{Content, Place, RobotsResponse, SkipReason};
use crate::depth::Depth;
use crate::summary::agents::Agents;
use crate::summary::co_restriction::CoRestriction;
use crate::summary::copies::Copies;
use crate::summary::crawl_delays::CrawlDelays;
use crate::summary::dialects::Dialects;
use crate::summary::domain_files::DomainFiles;
use crate::summary::file::FileFacts;
use crate::summary::findings::Findings;
use crate::summary::followed::Followed;
use crate::summary::hash::hash;
use crate::summary::merge::{Merge, counts};
use crate::summary::outcome::{Outcome, Outcomes};
use crate::summary::records::Records;
use crate::summary::rules::Rules;
use crate::summary::site::{Site, SiteFile};
use crate::summary::sitemaps::Sitemaps;
use crate::summary::sketch::DistinctCount;
use crate::summary::source::Source;
use crate::summary::statuses::Statuses;
use crate::summary::texts::Texts;
use crate::summary::timings::Timings;
use crate::summary::top::{TopFile, TopFiles};
use crate::summary::usage::Usage;

counts! {
    /// All counts of a survey, of bounded size: a few megabytes for any number of files. The names
    /// in JSON are stable, and are how the counts are read.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub struct Summary {
        /// Responses, of any status.
        pub(crate) responses: u64,
        /// Skipped records and files, by reason.
        pub(crate) passed: BTreeMap<SkipReason, u64>,
        /// The first place of each kind of damage, for a person to look at.
        pub(crate) damage: BTreeMap<SkipReason, FirstPlace>,
        pub(crate) distinct_urls: DistinctCount,
        pub(crate) statuses: Statuses,
        pub(crate) outcomes: Outcomes,
        /// The ends of the redirects within the input.
        pub(crate) followed: Followed,
        /// Responses with a status of 2xx: the robots.txt files that the fields below are about.
        pub(crate) files: u64,
        pub(crate) distinct_bodies: DistinctCount,
        /// A sample of the files, in which large shares of one body or domain show.
        pub(crate) copies: Copies,
        /// One file of each domain.
        pub(crate) domains: DomainFiles,
        /// Files on which the library panicked, which should never happen. Nothing else is counted
        /// of them.
        pub(crate) panics: u64,
        pub(crate) texts: Texts,
        pub(crate) largest: TopFiles,
        pub(crate) records: Records,
        pub(crate) agents: Agents,
        pub(crate) co_restriction: CoRestriction,
        pub(crate) rules: Rules,
        pub(crate) crawl_delays: CrawlDelays,
        pub(crate) sitemaps: Sitemaps,
        pub(crate) usage: Usage,
        pub(crate) findings: Findings,
        pub(crate) dialects: Dialects,
        pub(crate) timings: Timings,
    }
}

impl Summary {
    /// Counts the content of an input. This is for a crawl that is stored in a form that
    /// [`Input`](crate::Input) does not read. A panic in the library changes nothing but `panics`.
    ///
    /// ```
    /// use polite_robots_survey::{Content, Depth, Summary};
    ///
    /// let mut summary = Summary::default();
    /// let url = "https://example.com/robots.txt";
    /// let body = b"User-agent: *\nDisallow: /search".to_vec();
    /// summary.add(&Content::response(url, 200, body), Depth::Thorough);
    /// summary.add(&Content::response(url, 503, Vec::new()), Depth::Thorough);
    ///
    /// let json = serde_json::to_value(&summary)?;
    /// assert_eq!((&json["responses"], &json["files"]), (&2.into(), &1.into()));
    /// assert_eq!(json["statuses"]["by_status"]["503"], 1);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn add(&mut self, content: &Content, depth: Depth) {
        self.add_and_visit(content, depth, &mut |_| ());
    }

    /// Counts the content of an input, and hands a response to `visit`.
    pub(crate) fn add_and_visit(
        &mut self,
        content: &Content,
        depth: Depth,
        visit: &mut dyn FnMut(&Site<'_>),
    ) {
        match content {
            Content::Response(response) => self.add_response(response, depth, visit),
            Content::Skipped(reason, place) => {
                *self.passed.entry(*reason).or_default() += 1;
                if is_damage(*reason) {
                    let first = self.damage.entry(*reason).or_default();
                    first.merge(FirstPlace(Some(place.clone())));
                }
            }
        }
    }

    /// Whether a redirect to this URL can be followed, as far as is known now.
    pub(crate) fn follows(&self, url: &str) -> bool {
        self.followed.keeps(url)
    }

    /// Keeps a capture to which a redirect may lead, and that is not counted itself.
    pub(crate) fn add_target(&mut self, response: &RobotsResponse) {
        let facts = || -> Option<Outcome> {
            let parsed = file::parse(&response.body)?;
            let source = Source::of(response);
            let facts = file::collect_facts(&response.body, source.hash, &parsed, Depth::Sampled)?;
            Some(Outcome::of_file(&facts))
        };
        let outcome = match response.status {
            200..=299 => facts().unwrap_or(Outcome::Unknown),
            _ => Outcome::of_status(response),
        };
        self.followed.add_target(response, outcome);
    }

    /// Adds the counts of another survey. The result equals one survey of both inputs.
    pub fn merge(&mut self, other: Summary) {
        Merge::merge(self, other);
    }

    /// Removes the count of an unreadable input, before it is tried again.
    pub(crate) fn take_back_unreadable(&mut self, place: &Place) {
        let Some(count) = self.passed.get_mut(&SkipReason::Unreadable) else {
            return;
        };
        *count = count.saturating_sub(1);
        let is_last = *count == 0;
        if is_last {
            self.passed.remove(&SkipReason::Unreadable);
        }
        // The place of the next one is unknown, because only the first is kept.
        let first = self.damage.get(&SkipReason::Unreadable);
        if is_last || first.is_some_and(|first| first.0.as_ref() == Some(place)) {
            self.damage.remove(&SkipReason::Unreadable);
        }
    }

    /// A phrase for each kind of damage but unreadable inputs, which are named when they are met.
    pub(crate) fn damage_in_words(&self) -> Vec<String> {
        let damage = self.damage.iter();
        let damage = damage.filter(|(reason, _)| **reason != SkipReason::Unreadable);
        let phrase = |(reason, first): (&SkipReason, &FirstPlace)| {
            let count = self.passed.get(reason).copied().unwrap_or_default();
            let place = first.0.as_ref();
            let place = place.map_or(String::new(), |place| format!(", first in {place}"));
            format!("{reason}: {count}{place}")
        };
        damage.map(phrase).collect()
    }

    pub(crate) fn is_only_damage(&self) -> bool {
        let is_damaged = self.passed.keys().any(|reason| is_damage(*reason));
        let is_sound = |reason: &SkipReason| !is_damage(*reason);
        is_damaged && self.responses == 0 && !self.passed.keys().any(is_sound)
    }

    fn add_response(
        &mut self,
        response: &RobotsResponse,
        depth: Depth,
        visit: &mut dyn FnMut(&Site<'_>),
    ) {
        self.responses += 1;
        self.statuses.add(response);
        if let Some(url) = &response.url {
            self.distinct_urls.add(hash(url.as_bytes()));
        }
        if matches!(response.status, 200..=299) {
            self.files += 1;
            let hash = hash(&response.body);
            self.distinct_bodies.add(hash);
            let source = Source::of(response);
            self.copies.add(&source, &response.body, hash);
            let added = self.add_file(response, &source, hash, depth, visit);
            if added.is_some() {
                return;
            }
            self.panics += 1;
        }
        let outcome = Outcome::of_status(response);
        self.outcomes.add(outcome);
        self.followed.add(response, outcome);
        visit(&Site {
            response,
            outcome,
            file: None,
        });
    }

    /// Counts a file; `None`, with nothing counted, if the library panics.
    fn add_file(
        &mut self,
        response: &RobotsResponse,
        source: &Source,
        hash: u64,
        depth: Depth,
        visit: &mut dyn FnMut(&Site<'_>),
    ) -> Option<()> {
        let parsed = file::parse(&response.body)?;
        let facts = file::collect_facts(&response.body, source.hash, &parsed, depth)?;
        let accesses = access::of_known_crawlers(&facts.agents, facts.everyone.as_ref());
        let top_file = |value| describe(response, value, &facts);
        let bytes = response.body.len() as u64;
        let outcome = Outcome::of_file(&facts);
        self.outcomes.add(outcome);
        self.followed.add(response, outcome);
        self.domains.add(source, &facts);
        self.texts.add(&facts);
        self.largest.offer(bytes, || top_file(bytes));
        self.records.add(&facts);
        self.agents.add(&facts, &accesses);
        self.co_restriction.add(&accesses);
        self.rules.add(&facts);
        self.crawl_delays.add(&facts);
        self.sitemaps.add(&facts, response.url.as_deref());
        self.usage.add(&facts);
        self.findings.add(&facts);
        self.dialects.add(&facts);
        self.timings.add(parsed.time, &facts, top_file);
        visit(&Site {
            response,
            outcome,
            file: Some(SiteFile {
                hash,
                facts: &facts,
                accesses: &accesses,
            }),
        });
        Some(())
    }
}

/// The first of several places in the order of their names, so that the order of reading does not
/// matter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct FirstPlace(pub(crate) Option<Place>);

impl Merge for FirstPlace {
    fn merge(&mut self, other: FirstPlace) {
        let both = [self.0.take(), other.0];
        self.0 = both.into_iter().flatten().min();
    }
}

/// Whether a skipped record shows damage of the input, rather than being of another kind.
fn is_damage(reason: SkipReason) -> bool {
    match reason {
        SkipReason::BrokenRecord | SkipReason::BrokenCompression | SkipReason::Unreadable => true,
        SkipReason::NotAResponse
        | SkipReason::OtherPath
        | SkipReason::NotHttp
        | SkipReason::Repeated => false,
    }
}

/// Describes a file with its value.
fn describe(response: &RobotsResponse, value: u64, facts: &FileFacts<'_>) -> TopFile {
    let rules = &facts.rules;
    TopFile {
        value: Reverse(value),
        place: response.place.clone(),
        url: response.url.clone(),
        bytes: response.body.len() as u64,
        lines: facts.shape.lines,
        rules: rules.len() as u64,
        wildcards: rules.iter().map(|rule| rule.wildcards).sum(),
    }
}

#[cfg(test)]
mod tests;
