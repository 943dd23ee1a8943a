//! How the files treat the crawlers that are known, the AI crawlers first.

use polite_robots_audit::known::{self, KnownCrawler, Purpose};

use crate::report::document::{
    Chart, MOST_BARS, Section, Series, Table, code, number, share, text,
};
use crate::summary::Summary;
use crate::summary::agents::Agent;
use crate::summary::distribution::ratio;

pub(super) fn section(summary: &Summary) -> Section {
    let files = summary.files;
    let named = named(summary);
    let ai: Vec<&(&KnownCrawler, Agent)> = named
        .iter()
        .filter(|(crawler, _)| crawler.is_ai())
        .collect();
    let bars = ai.iter().take(MOST_BARS);
    let chart = Chart {
        title: String::from("AI crawlers that most files name, in % of files"),
        labels: bars
            .clone()
            .map(|(crawler, _)| String::from(crawler.name()))
            .collect(),
        series: vec![
            Series {
                name: String::from("named"),
                percent: bars
                    .clone()
                    .map(|(_, agent)| ratio(agent.named, files) * 100.0)
                    .collect(),
            },
            Series {
                name: String::from("disallowed everything by name"),
                percent: bars
                    .map(|(_, agent)| ratio(agent.disallowed, files) * 100.0)
                    .collect(),
            },
        ],
    };
    let any = &summary.agents.ai;
    let mut groups = Table::new(
        "Crawlers by purpose",
        &[
            "purpose",
            "files that name one",
            "share",
            "files that disallow one everything",
            "share",
        ],
    );
    groups.row([
        text("on a list of AI crawlers"),
        number(any.named),
        share(any.named, files),
        number(any.disallowed),
        share(any.disallowed, files),
    ]);
    for purpose in Purpose::ALL {
        if let Some(any) = summary.agents.by_purpose.get(&purpose) {
            groups.row([
                text(purpose.to_string()),
                number(any.named),
                share(any.named, files),
                number(any.disallowed),
                share(any.disallowed, files),
            ]);
        }
    }
    Section {
        id: "ai-crawlers",
        title: "AI crawlers",
        text: format!(
            "A file names a crawler in a `User-agent` line. It disallows it everything with a `Disallow` that matches \
             every path and no `Allow`; by name, or through the rules for everyone (`*`) if it does not name it. Tokens \
             such as Google-Extended fetch nothing: they speak of a use. Known crawlers, as of {}.",
            known::as_of()
        ),
        charts: if ai.is_empty() {
            Vec::new()
        } else {
            vec![chart]
        },
        tables: vec![
            groups,
            crawlers("AI crawlers that files name", summary, &ai),
        ],
    }
}

/// The known crawlers that are named, those that most files name first.
pub(in crate::report) fn named(summary: &Summary) -> Vec<(&'static KnownCrawler, Agent)> {
    let of = |crawler: &'static KnownCrawler| {
        let agent = summary.agents.by_token.get(crawler.token())?;
        Some((crawler, *agent))
    };
    let mut named: Vec<(&KnownCrawler, Agent)> = known::all().iter().filter_map(of).collect();
    named.sort_by_key(|(crawler, agent)| (std::cmp::Reverse(agent.named), crawler.name()));
    named
}

fn crawlers(title: &str, summary: &Summary, named: &[&(&KnownCrawler, Agent)]) -> Table {
    let files = summary.files;
    let mut table = Table::new(
        title,
        &[
            "crawler",
            "operator",
            "purpose",
            "named",
            "share",
            "disallowed by name",
            "share",
            "by name or `*`",
            "share",
        ],
    );
    for (crawler, agent) in named {
        // A group for `*` does not keep out a crawler that ignores `*`.
        let at_all = if crawler.ignores_wildcard() {
            agent.disallowed
        } else {
            summary.agents.disallowed_at_all(agent)
        };
        table.row([
            code(crawler.name()),
            text(crawler.operator().unwrap_or("unknown")),
            text(crawler.purpose().to_string()),
            number(agent.named),
            share(agent.named, files),
            number(agent.disallowed),
            share(agent.disallowed, files),
            number(at_all),
            share(at_all, files),
        ]);
    }
    table
}
