//! Section: the agents that files name, known or not, and the groups for everyone.

use std::cmp::Reverse;

use polite_robots_audit::known::{self, KnownCrawler};

use crate::report::contents::access;
use crate::report::contents::by_domain;
use crate::report::contents::tables::{
    MOST_NAMES, NAMED_AND_SHUT_OUT, distributions, left_out, rows,
};
use crate::report::document::{Chart, ChartForm, Columns, MOST_BARS, Section, Table, Whole};
use crate::report::measures::EVERYONE;
use crate::report::number::{percent, percent_of_files};
use crate::summary::Summary;
use crate::summary::agents::{Agent, WildcardEffect, known};
use crate::summary::domain_files::Trait;

pub(super) fn section(summary: &Summary) -> Section {
    let agents = &summary.agents;
    let names = agents.by_token.by_weight();
    let most = names.iter().copied().take(MOST_NAMES);
    Section {
        id: "agents",
        title: "Agents",
        text: String::from(
            "Product tokens as RFC 9309 reads them, in any case and without a version. Agents that are not known are in \
             lower case.",
        ),
        charts: [everyone_chart(summary)]
            .into_iter()
            .chain(named_most(summary, &names))
            .collect(),
        tables: vec![
            Table::of_counts(SAID, "files", rows(EVERYONE, summary)),
            distributions(
                "Agents and groups of a file",
                &[
                    ("agents that are named", &agents.named_per_file),
                    ("groups", &agents.groups_per_file),
                ],
            ),
            named_table("Agents that files name", summary, most)
                .note(left_out(&agents.by_token))
                .table(),
            access::agents_table(summary),
            access::table(summary),
        ],
    }
}

/// The known crawlers that are named, those that most files name first.
pub(in crate::report) fn known_crawlers(summary: &Summary) -> Vec<(&'static KnownCrawler, Agent)> {
    let counted = |crawler: &'static KnownCrawler| {
        let agent = summary.agents.by_token.get(crawler.token())?;
        Some((crawler, *agent))
    };
    let mut named: Vec<(&KnownCrawler, Agent)> = known::all().iter().filter_map(counted).collect();
    named.sort_by_key(|(crawler, agent)| (Reverse(agent.named), crawler.name()));
    named
}

/// A table of agents with the files that name them and shut them out.
pub(super) fn named_table<'a>(
    title: &str,
    summary: &'a Summary,
    agents: impl IntoIterator<Item = (&'a str, &'a Agent)>,
) -> Columns<(&'a str, &'a Agent)> {
    let files = summary.files;
    Table::of(title, agents)
        .code("product token", |(token, _)| display_name(token))
        .text("operator", |(token, _)| {
            known(token).map_or("", |crawler| crawler.operator().unwrap_or("unknown"))
        })
        .text("purpose", |(token, _)| {
            known(token).map_or(String::new(), |crawler| crawler.purpose().to_string())
        })
        .counts("named", files, |(_, agent)| agent.named)
        .counts("disallowed by name", files, |(_, agent)| agent.disallowed)
        .number("named, while `*` is disallowed everything", |(_, agent)| {
            agent.exempt
        })
        .counts("by name or `*`", files, |(token, agent)| {
            by_name_or_everyone(summary, token, agent)
        })
}

/// The files that disallow an agent everything, by its name or through `*`.
pub(in crate::report) fn by_name_or_everyone(summary: &Summary, token: &str, agent: &Agent) -> u64 {
    // A group for `*` does not keep out a crawler that ignores `*`.
    match known(token).is_some_and(KnownCrawler::ignores_wildcard) {
        true => agent.disallowed,
        false => summary.agents.disallowed_at_all(agent),
    }
}

fn everyone_chart(summary: &Summary) -> Chart {
    let (agents, files) = (&summary.agents, summary.files);
    let headline = format!(
        "{} keep everyone out of some paths, and {}{} out of the whole site.",
        percent_of_files(agents.said(WildcardEffect::Partly), files),
        percent(agents.said(WildcardEffect::DisallowAll), files),
        by_domain::beside(summary, Trait::BlocksEveryone),
    );
    // Each file has one of the first four effects. The last measure counts a part of those files
    // again.
    let bars = rows(EVERYONE, summary).take(4);
    let bars = bars.map(|(name, count, _)| (String::from(name), count));
    Chart::of_shares(headline, SAID, bars, Whole::files(files))
}

fn named_most(summary: &Summary, names: &[(&str, &Agent)]) -> Option<Chart> {
    let (first, agent) = names.first()?;
    let headline = format!(
        "{} is named most often, by {}; {} block it from the whole site.",
        display_name(first),
        percent_of_files(agent.named, summary.files),
        percent(agent.disallowed, summary.files),
    );
    let names = names
        .iter()
        .map(|(name, agent)| (display_name(name), **agent));
    Some(named_chart(
        headline,
        "Agents named most often",
        summary,
        names,
    ))
}

/// A chart of the agents that are named most often, and of how many files shut them out.
pub(super) fn named_chart(
    headline: String,
    title: &str,
    summary: &Summary,
    agents: impl Iterator<Item = (String, Agent)>,
) -> Chart {
    let rows = agents.take(MOST_BARS);
    let rows = rows.map(|(name, agent)| (name, [agent.disallowed, agent.named]));
    let (form, whole) = (ChartForm::Nested, Whole::files(summary.files));
    Chart::of_counts(form, headline, title, NAMED_AND_SHUT_OUT, rows, whole)
}

/// The name of a known crawler in its own case, or the token itself.
fn display_name(token: &str) -> String {
    known(token).map_or(String::from(token), |crawler| crawler.name().into())
}

const SAID: &str = "What files say to everyone (`*`)";
