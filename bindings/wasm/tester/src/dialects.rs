//! URLs about which RFC 9309 and Google's matcher disagree.

use polite_robots_audit::answer::{Reading, Readings};
use serde::Serialize;

use crate::reading::use_named;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DialectsOfAgent<'a> {
    agent: &'a str,
    urls: Vec<DialectsOfUrl>,
    has_more: bool,
}

#[derive(Serialize)]
pub(crate) struct DialectsOfUrl {
    url: String,
    rfc9309: bool,
    google: bool,
    reason: String,
}

/// The first URLs of the rules about which the dialects disagree, for each agent that has some. The
/// comparison is the one that the answers of the table have their notes from.
pub(crate) fn disagreements<'a>(
    readings: &Readings,
    agents: impl Iterator<Item = &'a str>,
    reading: Reading,
) -> Vec<DialectsOfAgent<'a>> {
    let of_agent = |agent: &'a str| {
        // The name of a use fetches nothing.
        if use_named(agent).is_some() {
            return None;
        }
        let answers = readings.answers(agent, reading).ok()?;
        let comparison = answers.comparison();
        let mut shown: Vec<DialectsOfUrl> = Vec::new();
        let mut has_more = false;
        for url in comparison.urls_of_rules() {
            let Some(disagreement) = comparison.disagreement(&url) else {
                continue;
            };
            // Several rules may have one example.
            if shown.iter().any(|other| other.url == url) {
                continue;
            }
            has_more = shown.len() == MOST_URLS;
            if has_more {
                break;
            }
            shown.push(DialectsOfUrl {
                rfc9309: disagreement.rfc9309().is_allowed(),
                google: disagreement.google().is_allowed(),
                reason: disagreement.reason().to_string(),
                url,
            });
        }
        (!shown.is_empty()).then_some(DialectsOfAgent {
            agent,
            urls: shown,
            has_more,
        })
    };
    agents.filter_map(of_agent).collect()
}

const MOST_URLS: usize = 20;
