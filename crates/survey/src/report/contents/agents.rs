//! Whom the files name, known or not, and what they say to everyone.

use crate::report::contents::tables::{MOST_NAMES, distributions, left_out};
use crate::report::document::{Chart, Section, Table, code, number, share, text};
use crate::summary::Summary;
use crate::summary::agents::{WildcardEffect, known};

pub(super) fn section(summary: &Summary) -> Section {
    let agents = &summary.agents;
    let files = summary.files;
    let said = |everyone| agents.everyone.get(&everyone).copied().unwrap_or_default();
    let said = [
        ("some paths are disallowed", said(WildcardEffect::Partly)),
        ("everything is allowed", said(WildcardEffect::AllowAll)),
        (
            "everything is disallowed",
            said(WildcardEffect::DisallowAll),
        ),
        ("no group for everyone", said(WildcardEffect::NoGroup)),
    ];
    let mut everyone = Table::new("What files say to everyone (`*`)", &["", "files", "share"]);
    for (name, count) in said {
        everyone.count(name, count, files);
    }
    everyone.count(
        "an agent that is not named may not fetch /",
        agents.root_disallowed,
        files,
    );
    let names = agents.by_token.by_weight();
    let written =
        |name: &str| known(name).map_or(String::from(name), |crawler| crawler.name().into());
    let mut table = Table::new(
        "Agents that files name",
        &[
            "product token",
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
        let at_all = agents.disallowed_at_all(agent);
        table.row([
            code(written(name)),
            text(known(name).map_or(String::new(), |crawler| crawler.purpose().to_string())),
            number(agent.named),
            share(agent.named, files),
            number(agent.disallowed),
            share(agent.disallowed, files),
            number(agent.exempt),
            number(at_all),
            share(at_all, files),
        ]);
    }
    table.note = left_out(
        table.rows.len(),
        agents.by_token.distinct(),
        agents.by_token.is_complete(),
    );
    let bars = names
        .iter()
        .map(|(name, agent)| (written(name), agent.named));
    let mut charts = vec![Chart::of_shares(
        "What files say to everyone, in % of files",
        said.map(|(name, count)| (String::from(name), count)),
        files,
    )];
    charts.extend(Chart::of_largest(
        "Agents that most files name, in % of files",
        bars,
        files,
    ));
    Section {
        id: "agents",
        title: "Agents",
        text: String::from(
            "Product tokens as RFC 9309 reads them, in any case and without a version. Agents that are not known are in \
             lower case.",
        ),
        charts,
        tables: vec![
            everyone,
            distributions(
                "Agents and groups of a file",
                &[
                    ("agents that are named", &agents.named_per_file),
                    ("groups", &agents.groups_per_file),
                ],
            ),
            table,
        ],
    }
}
