//! The measures of a survey: counts and distributions that add up, whatever the order and the split of the inputs.

pub(crate) mod agents;
pub(crate) mod crawl_delays;
pub(crate) mod dialects;
pub(crate) mod distribution;
pub(crate) mod file;
pub(crate) mod findings;
mod hash;
mod host;
mod merge;
pub(crate) mod occurrences;
pub(crate) mod pattern;
pub(crate) mod records;
pub(crate) mod rules;
mod shape;
pub(crate) mod sitemaps;
pub(crate) mod sketch;
pub(crate) mod statuses;
pub(crate) mod tally;
pub(crate) mod texts;
pub(crate) mod timings;
pub(crate) mod top;
pub(crate) mod usage;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::content::{Content, Place, Response, SkipReason};
use crate::depth::Depth;
use crate::summary::agents::Agents;
use crate::summary::crawl_delays::CrawlDelays;
use crate::summary::dialects::Dialects;
use crate::summary::file::Facts;
use crate::summary::findings::Findings;
use crate::summary::hash::hash;
use crate::summary::merge::{Merge, merge_fields};
use crate::summary::records::Records;
use crate::summary::rules::Rules;
use crate::summary::sitemaps::Sitemaps;
use crate::summary::sketch::Distinct;
use crate::summary::statuses::Statuses;
use crate::summary::texts::Texts;
use crate::summary::timings::Timings;
use crate::summary::top::{Entry, Top};
use crate::summary::usage::Usage;

/// Everything that is counted. Of bounded size, whatever is added: a few megabytes.
/// Its names in JSON are stable.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// Responses, of any status.
    pub(crate) responses: u64,
    /// Skipped records and files, by reason.
    pub(crate) passed: BTreeMap<SkipReason, u64>,
    /// Where the first of each kind of damage is, so that somebody can look.
    pub(crate) damage: BTreeMap<SkipReason, First>,
    pub(crate) distinct_urls: Distinct,
    pub(crate) statuses: Statuses,
    /// Responses with a status of 2xx: the robots.txt files of which the rest is told.
    pub(crate) files: u64,
    pub(crate) distinct_bodies: Distinct,
    /// Files that made the library panic, which none should; nothing else is counted of them.
    pub(crate) panics: u64,
    pub(crate) texts: Texts,
    pub(crate) largest: Top,
    pub(crate) records: Records,
    pub(crate) agents: Agents,
    pub(crate) rules: Rules,
    pub(crate) crawl_delays: CrawlDelays,
    pub(crate) sitemaps: Sitemaps,
    pub(crate) usage: Usage,
    pub(crate) findings: Findings,
    pub(crate) dialects: Dialects,
    pub(crate) timings: Timings,
}

impl Summary {
    /// Counts one find. A panic in the library leaves the summary as it was, but for `panics`.
    pub(crate) fn add(&mut self, found: &Content, depth: Depth) {
        match found {
            Content::Response(response) => self.add_response(response, depth),
            Content::Skipped(passed, place) => {
                *self.passed.entry(*passed).or_default() += 1;
                if is_damage(*passed) {
                    let first = self.damage.entry(*passed).or_default();
                    first.merge(First(Some(place.clone())));
                }
            }
        }
    }

    /// Adds the counts of another survey: the same as one survey of both inputs.
    pub(crate) fn merge(&mut self, other: Summary) {
        Merge::merge(self, other);
    }

    /// Takes back that an input cannot be read, which is tried again.
    pub(crate) fn take_back_unreadable(&mut self, place: &Place) {
        let Some(count) = self.passed.get_mut(&SkipReason::Unreadable) else {
            return;
        };
        *count = count.saturating_sub(1);
        let is_last = *count == 0;
        if is_last {
            self.passed.remove(&SkipReason::Unreadable);
        }
        // Which of the others is the first was not kept.
        let first = self.damage.get(&SkipReason::Unreadable);
        if is_last || first.is_some_and(|first| first.0.as_ref() == Some(place)) {
            self.damage.remove(&SkipReason::Unreadable);
        }
    }

    fn add_response(&mut self, response: &Response, depth: Depth) {
        self.responses += 1;
        self.statuses.add(response);
        if let Some(url) = &response.url {
            self.distinct_urls.add(hash(url.as_bytes()));
        }
        if matches!(response.status, 200..=299) {
            self.files += 1;
            let hash = hash(&response.body);
            self.distinct_bodies.add(hash);
            if self.add_file(response, hash, depth).is_none() {
                self.panics += 1;
            }
        }
    }

    /// `None` if the library panics; then nothing is counted.
    fn add_file(&mut self, response: &Response, hash: u64, depth: Depth) -> Option<()> {
        let parsed = file::parse(&response.body)?;
        let facts = file::facts(&response.body, hash, &parsed, depth)?;
        let describe = |value| entry(response, value, &facts);
        let octets = response.body.len() as u64;
        self.texts.add(&facts);
        self.largest.offer(octets, || describe(octets));
        self.records.add(&facts);
        self.agents.add(&facts);
        self.rules.add(&facts);
        self.crawl_delays.add(&facts);
        self.sitemaps.add(&facts, response.url.as_deref());
        self.usage.add(&facts);
        self.findings.add(&facts);
        self.dialects.add(&facts);
        self.timings.add(parsed.time, &facts, describe);
        Some(())
    }
}

/// The first of several places, whatever the order in which they are found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct First(pub(crate) Option<Place>);

impl Merge for First {
    fn merge(&mut self, other: First) {
        let both = [self.0.take(), other.0];
        self.0 = both.into_iter().flatten().min();
    }
}

/// Whether something is wrong with the input, rather than of another kind.
fn is_damage(passed: SkipReason) -> bool {
    match passed {
        SkipReason::BrokenRecord | SkipReason::BrokenCompression | SkipReason::Unreadable => true,
        SkipReason::NotAResponse | SkipReason::OtherPath | SkipReason::NotHttp => false,
    }
}

fn entry(response: &Response, value: u64, facts: &Facts<'_>) -> Entry {
    let rules = &facts.rules;
    Entry {
        value,
        place: response.place.clone(),
        url: response.url.clone(),
        octets: response.body.len() as u64,
        lines: facts.shape.lines,
        rules: rules.len() as u64,
        wildcards: rules.iter().map(|rule| rule.wildcards).sum(),
    }
}

merge_fields!(Summary {
    responses,
    passed,
    damage,
    distinct_urls,
    statuses,
    files,
    distinct_bodies,
    panics,
    texts,
    largest,
    records,
    agents,
    rules,
    crawl_delays,
    sitemaps,
    usage,
    findings,
    dialects,
    timings,
});

#[cfg(test)]
mod tests;
