//! Tables and a chart: how much each agent may fetch, and what RFC 9309 makes of the responses.

use polite_robots_audit::known::KnownCrawler;

use crate::report::contents::tables::{MOST_NAMES, left_out};
use crate::report::document::{Cell, Chart, Table, Whole, code, number, text};
use crate::report::number::{counted, percent};
use crate::summary::Summary;
use crate::summary::access::{AccessCounts, ThreeCounts};
use crate::summary::agents::AgentRules;
use crate::summary::outcome::Outcome;

/// The responses by their outcome.
pub(super) fn outcomes(summary: &Summary) -> Table {
    let mut table = Table::new(
        "What RFC 9309 makes of the responses",
        &["", "responses", "share"],
    );
    for outcome in Outcome::ALL {
        let count = summary.outcomes.direct.get(&outcome).copied();
        table.count(
            description(outcome),
            count.unwrap_or_default(),
            summary.responses,
        );
    }
    table
}

/// The chart of the responses by their outcome.
pub(super) fn outcomes_chart(summary: &Summary) -> Chart {
    let count = |outcome| {
        let outcomes = &summary.outcomes.direct;
        outcomes.get(&outcome).copied().unwrap_or_default()
    };
    let share = |outcome| percent(count(outcome), summary.responses);
    Chart::of_shares(
        format!(
            "Rules decide for {} of {}; {} open the whole site, and {} close it with an error of the server.",
            share(Outcome::Rules),
            counted(summary.responses, "response"),
            share(Outcome::FullAllow),
            share(Outcome::FullDisallow),
        ),
        "What RFC 9309 makes of the responses",
        Outcome::ALL.map(|outcome| (String::from(description(outcome)), count(outcome))),
        Whole {
            count: summary.responses,
            noun: "response",
        },
    )
}

/// The tables about agents and known crawlers.
pub(super) fn tables(summary: &Summary) -> [Table; 2] {
    [agents(summary), known_crawlers(summary)]
}

fn agents(summary: &Summary) -> Table {
    let agents = &summary.agents;
    let mut table = Table::new(
        "How much agents may fetch whom files name, by an exact walk of all their rules",
        &[
            "product token",
            "all",
            "part",
            "none",
            "Disallow rules",
            "in files",
            "Allow rules",
            "in files",
            "files with a crawl delay",
            "sum of the delays in ms",
        ],
    );
    let mut row = |name: Cell, access: &ThreeCounts, rules: &AgentRules| {
        let mut cells = vec![name];
        cells.extend(three(access));
        cells.extend([
            number(rules.disallow_rules),
            number(rules.files_with_disallow),
            number(rules.allow_rules),
            number(rules.files_with_allow),
            number(rules.files_with_delay),
            number(rules.delay_milliseconds),
        ]);
        table.row(cells);
    };
    row(
        text("any other (`*`)"),
        &agents.everyone_access,
        &agents.everyone_rules,
    );
    for (name, agent) in agents.by_token.by_weight().into_iter().take(MOST_NAMES) {
        row(code(name), &agent.access, &agent.rules);
    }
    let uncertain = (agents.uncertain > 0).then(|| {
        format!(
            "Rules of {} files meet in more ways than can be walked through; there the most probable answer counts.",
            agents.uncertain
        )
    });
    let notes: Vec<String> = left_out(&table, &agents.by_token)
        .into_iter()
        .chain(uncertain)
        .collect();
    table.note = (!notes.is_empty()).then(|| notes.join(" "));
    table
}

fn known_crawlers(summary: &Summary) -> Table {
    let mut table = Table::new(
        "How much known crawlers may fetch",
        &[
            "crawler",
            "by name: all",
            "part",
            "none",
            "by its second name: all",
            "part",
            "none",
            "through `*` or no group: all",
            "part",
            "none",
        ],
    );
    let mut crawlers: Vec<(&KnownCrawler, AccessCounts)> =
        summary.agents.known_access.iter().collect();
    let named = |counts: &AccessCounts| counts.by_name.sum() + counts.by_second_name.sum();
    crawlers.retain(|(_, counts)| named(counts) > 0);
    crawlers.sort_by_key(|(crawler, counts)| (std::cmp::Reverse(named(counts)), crawler.name()));
    for (crawler, counts) in crawlers {
        let mut cells = vec![code(crawler.name())];
        for counts in [&counts.by_name, &counts.by_second_name, &counts.by_everyone] {
            cells.extend(three(counts));
        }
        table.row(cells);
    }
    table.note = Some(String::from(
        "All others have what any other agent has; except those that ignore `*`, which may fetch all.",
    ));
    table
}

fn three(counts: &ThreeCounts) -> [Cell; 3] {
    [number(counts.all), number(counts.part), number(counts.none)]
}

/// Describes an outcome.
pub(super) fn description(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Rules => "rules to obey",
        Outcome::FullAllow => "all allowed: no rule, or 4xx",
        Outcome::FullDisallow => "all disallowed: 5xx",
        Outcome::Unknown => "unknown: redirect or other",
    }
}
