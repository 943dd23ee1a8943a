//! Section: the agents that files name, known or not, and the groups for everyone.

use crate::report::contents::tables::{MOST_NAMES, NAMED_AND_SHUT_OUT, distributions, left_out};
use crate::report::contents::{access, by_domain};
use crate::report::document::{
    Chart, ChartForm, MOST_BARS, Section, Table, Whole, code, number, share, text,
};
use crate::report::number::{percent, percent_of_files};
use crate::summary::Summary;
use crate::summary::agents::{Agent, Agents, WildcardEffect, known};
use crate::summary::domain_files::Trait;

pub(super) fn section(summary: &Summary) -> Section {
    let agents = &summary.agents;
    let files = summary.files;
    let names = agents.by_token.by_weight();
    let mut charts = vec![everyone_chart(summary)];
    charts.extend(names_chart(&names, files));
    let [agents_access, crawlers_access] = access::tables(summary);
    Section {
        id: "agents",
        title: "Agents",
        text: String::from(
            "Product tokens as RFC 9309 reads them, in any case and without a version. Agents that are not known are in \
             lower case.",
        ),
        charts,
        tables: vec![
            everyone_table(agents, files),
            distributions(
                "Agents and groups of a file",
                &[
                    ("agents that are named", &agents.named_per_file),
                    ("groups", &agents.groups_per_file),
                ],
            ),
            names_table(agents, &names, files),
            agents_access,
            crawlers_access,
        ],
    }
}

fn everyone_chart(summary: &Summary) -> Chart {
    let (agents, files) = (&summary.agents, summary.files);
    let bars = wildcard_effects(agents).map(|(name, count)| (String::from(name), count));
    let count = |effect| agents.everyone.get(&effect).copied().unwrap_or_default();
    let headline = format!(
        "{} keep everyone out of some paths, and {}{} out of the whole site.",
        percent_of_files(count(WildcardEffect::Partly), files),
        percent(count(WildcardEffect::DisallowAll), files),
        by_domain::beside(summary, Trait::BlocksEveryone, None),
    );
    Chart::of_shares(
        headline,
        "What files say to everyone (`*`)",
        bars,
        Whole::files(files),
    )
}

fn names_chart(names: &[(&str, &Agent)], files: u64) -> Option<Chart> {
    let (first, agent) = names.first()?;
    let headline = format!(
        "{} is named most often, by {}; {} block it from the whole site.",
        display_name(first),
        percent_of_files(agent.named, files),
        percent(agent.disallowed, files),
    );
    let rows = names
        .iter()
        .take(MOST_BARS)
        .map(|(name, agent)| (display_name(name), [agent.disallowed, agent.named]));
    Some(Chart::of_counts(
        ChartForm::Nested,
        headline,
        "Agents named most often",
        NAMED_AND_SHUT_OUT,
        rows,
        Whole::files(files),
    ))
}

fn everyone_table(agents: &Agents, files: u64) -> Table {
    let mut table = Table::new("What files say to everyone (`*`)", &["", "files", "share"]);
    for (name, count) in wildcard_effects(agents) {
        table.count(name, count, files);
    }
    table.count(
        "an agent that is not named may not fetch /",
        agents.root_disallowed,
        files,
    );
    table
}

fn names_table(agents: &Agents, names: &[(&str, &Agent)], files: u64) -> Table {
    let mut table = Table::new(
        "Agents that files name",
        &[
            "product token",
            "operator",
            "purpose",
            "named",
            "share",
            "disallowed by name",
            "share",
            "named, while `*` is disallowed everything",
            "by name or `*`",
            "share",
        ],
    );
    for (name, agent) in names.iter().take(MOST_NAMES) {
        let disallowed_at_all = agents.disallowed_at_all(agent);
        let crawler = known(name);
        let operator = crawler.map(|crawler| crawler.operator().unwrap_or("unknown"));
        table.row([
            code(display_name(name)),
            text(operator.unwrap_or_default()),
            text(crawler.map_or(String::new(), |crawler| crawler.purpose().to_string())),
            number(agent.named),
            share(agent.named, files),
            number(agent.disallowed),
            share(agent.disallowed, files),
            number(agent.exempt),
            number(disallowed_at_all),
            share(disallowed_at_all, files),
        ]);
    }
    table.note = left_out(&table, &agents.by_token);
    table
}

/// The effects of the groups for `*`, each with its name and the number of files.
fn wildcard_effects(agents: &Agents) -> [(&'static str, u64); 4] {
    let count = |effect| agents.everyone.get(&effect).copied().unwrap_or_default();
    [
        ("some paths are disallowed", count(WildcardEffect::Partly)),
        ("everything is allowed", count(WildcardEffect::AllowAll)),
        (
            "everything is disallowed",
            count(WildcardEffect::DisallowAll),
        ),
        ("no group for everyone", count(WildcardEffect::NoGroup)),
    ]
}

/// The name of a known crawler in its own case, or the token itself.
fn display_name(token: &str) -> String {
    known(token).map_or(String::from(token), |crawler| crawler.name().into())
}
