//! URLs about which RFC 9309 and Google's matcher disagree.

use std::collections::HashSet;

use polite_robots::RobotsTxt;
use polite_robots_audit::comparison::Comparison;
use serde::Serialize;

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

/// The first URLs of the rules about which the dialects disagree, for each agent that has some.
pub(crate) fn disagreements<'a>(
    robots_txt: &RobotsTxt,
    agents: impl Iterator<Item = &'a str>,
) -> Vec<DialectsOfAgent<'a>> {
    let of_agent = |agent: &'a str| {
        let comparison = Comparison::of(agent, robots_txt).ok()?;
        let mut seen = HashSet::new();
        let mut urls = comparison
            .urls_of_rules()
            .filter(|url| seen.insert(url.clone()))
            .filter_map(|url| {
                let disagreement = comparison.disagreement(&url)?;
                Some(DialectsOfUrl {
                    rfc9309: disagreement.rfc9309().is_allowed(),
                    google: disagreement.google().is_allowed(),
                    reason: disagreement.reason().to_string(),
                    url: url.clone(),
                })
            });
        let shown: Vec<DialectsOfUrl> = (&mut urls).take(MOST_URLS).collect();
        let has_more = urls.next().is_some();
        (!shown.is_empty()).then_some(DialectsOfAgent {
            agent,
            urls: shown,
            has_more,
        })
    };
    agents.filter_map(of_agent).collect()
}

const MOST_URLS: usize = 20;
