//! Table: the strata of a survey, side by side.

use std::collections::BTreeMap;

use polite_robots_audit::known::KnownCrawler;

use crate::report::document::{Table, number, share, text};
use crate::summary::Summary;
use crate::summary::outcome::Outcome;
use crate::summary::stratum::Stratum;

/// The table, with the whole in its last row; `None` without strata.
pub(crate) fn table(strata: &BTreeMap<String, Stratum>, summary: &Summary) -> Option<Table> {
    if strata.is_empty() {
        return None;
    }
    let crawlers = most_disallowed(summary);
    let mut columns = Vec::from(
        [
            "stratum",
            "responses",
            "files",
            "rules to obey",
            "AI crawler named",
            "everyone: none",
        ]
        .map(String::from),
    );
    columns.extend(
        crawlers
            .iter()
            .map(|crawler| format!("{}: none", crawler.name())),
    );
    let mut table = Table::new("Strata", &columns);
    let mut whole = Stratum::default();
    for (label, stratum) in strata {
        row(&mut table, label, stratum, &crawlers);
        crate::summary::merge::Merge::merge(&mut whole, stratum.clone());
    }
    row(&mut table, "all", &whole, &crawlers);
    table.note = Some(String::from(
        "Shares are of the files of the stratum; `none` counts files that let the crawler fetch nothing, by its name or \
         through `*`.",
    ));
    Some(table)
}

fn row(table: &mut Table, label: &str, stratum: &Stratum, crawlers: &[&'static KnownCrawler]) {
    let outcomes = &stratum.outcomes.direct;
    let rules = outcomes.get(&Outcome::Rules).copied().unwrap_or_default();
    let mut cells = vec![
        text(label),
        number(stratum.responses),
        number(stratum.files),
        share(rules, stratum.files),
        share(stratum.ai.named, stratum.files),
        share(stratum.everyone_access.none, stratum.files),
    ];
    for crawler in crawlers {
        let mut known = stratum.known_access.iter();
        let counts = known.find(|(other, _)| other.token() == crawler.token());
        let none = counts.map_or(0, |(_, counts)| counts.total().none);
        cells.push(share(none, stratum.files));
    }
    table.row(cells);
}

/// The few AI crawlers that most files let fetch nothing by name.
fn most_disallowed(summary: &Summary) -> Vec<&'static KnownCrawler> {
    let known = summary.agents.known_access.iter();
    let mut known: Vec<_> = known
        .filter(|(crawler, counts)| crawler.is_ai() && counts.by_name.none > 0)
        .collect();
    known.sort_by_key(|(crawler, counts)| (std::cmp::Reverse(counts.by_name.none), crawler.name()));
    known
        .into_iter()
        .map(|(crawler, _)| crawler)
        .take(MOST_CRAWLERS)
        .collect()
}

/// The most crawlers with a column.
const MOST_CRAWLERS: usize = 3;
