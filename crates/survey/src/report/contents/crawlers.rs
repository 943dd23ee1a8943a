//! Section: the treatment of the known AI crawlers.

use polite_robots_audit::known::{self, KnownCrawler, Purpose};

use crate::report::document::{
    Chart, MOST_BARS, Section, Series, Table, code, number, share, text,
};
use crate::summary::Summary;
use crate::summary::agents::{Agent, ClassCounts};
use crate::summary::distribution::ratio;

pub(super) fn section(summary: &Summary) -> Section {
    let mut ai_crawlers = named(summary);
    ai_crawlers.retain(|(crawler, _)| crawler.is_ai());
    Section {
        id: "ai-crawlers",
        title: "AI crawlers",
        text: format!(
            "A file names a crawler in a `User-agent` line. It disallows it everything with a `Disallow` that matches \
             every path and no `Allow`; by name, or through the rules for everyone (`*`) if it does not name it. Tokens \
             such as Google-Extended fetch nothing: they speak of a use. Known crawlers, as of {}.",
            known::as_of()
        ),
        charts: if ai_crawlers.is_empty() {
            Vec::new()
        } else {
            vec![ai_chart(&ai_crawlers, summary.files)]
        },
        tables: vec![purposes_table(summary), ai_table(&ai_crawlers, summary)],
    }
}

/// The known crawlers that are named, those that most files name first.
pub(in crate::report) fn named(summary: &Summary) -> Vec<(&'static KnownCrawler, Agent)> {
    let counted = |crawler: &'static KnownCrawler| {
        let agent = summary.agents.by_token.get(crawler.token())?;
        Some((crawler, *agent))
    };
    let mut named: Vec<(&KnownCrawler, Agent)> = known::all().iter().filter_map(counted).collect();
    named.sort_by_key(|(crawler, agent)| (std::cmp::Reverse(agent.named), crawler.name()));
    named
}

fn ai_chart(crawlers: &[(&KnownCrawler, Agent)], files: u64) -> Chart {
    let bars = crawlers.get(..MOST_BARS).unwrap_or(crawlers);
    let series = |name, count: fn(&Agent) -> u64| {
        let percent = bars
            .iter()
            .map(|(_, agent)| ratio(count(agent), files) * 100.0);
        Series {
            name: String::from(name),
            percent: percent.collect(),
        }
    };
    Chart {
        title: String::from("AI crawlers that most files name, in % of files"),
        labels: bars
            .iter()
            .map(|(crawler, _)| String::from(crawler.name()))
            .collect(),
        series: vec![
            series("named", |agent| agent.named),
            series("disallowed everything by name", |agent| agent.disallowed),
        ],
    }
}

fn purposes_table(summary: &Summary) -> Table {
    let files = summary.files;
    let mut table = Table::new(
        "Crawlers by purpose",
        &[
            "purpose",
            "files that name one",
            "share",
            "files that disallow one everything",
            "share",
        ],
    );
    let mut row = |label: String, class: &ClassCounts| {
        table.row([
            text(label),
            number(class.named),
            share(class.named, files),
            number(class.disallowed),
            share(class.disallowed, files),
        ]);
    };
    row(String::from("on a list of AI crawlers"), &summary.agents.ai);
    for purpose in Purpose::ALL {
        if let Some(class) = summary.agents.by_purpose.get(&purpose) {
            row(purpose.to_string(), class);
        }
    }
    table
}

fn ai_table(crawlers: &[(&KnownCrawler, Agent)], summary: &Summary) -> Table {
    let files = summary.files;
    let mut table = Table::new(
        "AI crawlers that files name",
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
    for (crawler, agent) in crawlers {
        // A group for `*` does not keep out a crawler that ignores `*`.
        let disallowed_at_all = if crawler.ignores_wildcard() {
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
            number(disallowed_at_all),
            share(disallowed_at_all, files),
        ]);
    }
    table
}
