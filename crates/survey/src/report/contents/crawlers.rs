//! Section: the treatment of the known AI crawlers.

use polite_robots_audit::known::{self, KnownCrawler, Purpose};

use crate::report::contents::tables::NAMED_AND_SHUT_OUT;
use crate::report::contents::{by_domain, openness};
use crate::report::document::{
    Chart, ChartForm, MOST_BARS, Section, Table, Whole, code, number, share, text,
};
use crate::report::number::{counted, percent, percent_of_files};
use crate::summary::Summary;
use crate::summary::agents::{Agent, ClassCounts};
use crate::summary::domain_files::Trait;

pub(super) fn section(summary: &Summary) -> Section {
    let list = known::ai_list();
    let mut ai_crawlers = named(summary);
    ai_crawlers.retain(|(crawler, _)| crawler.is_ai());
    Section {
        id: "ai-crawlers",
        title: "AI crawlers",
        text: format!(
            "A file names a crawler in a `User-agent` line. It disallows it everything with a `Disallow` that matches \
             every path and no `Allow`; by name, or through the rules for everyone (`*`) if it does not name it. \
             Google-Extended is no crawler; it controls how content is used. An AI crawler is one that the list {} of {} \
             has ({}), whatever else it fetches for: the table by purpose shows search engines and previews apart. \
             Operators and purposes as of {}.",
            list.name,
            list.as_of,
            list.url,
            known::as_of()
        ),
        charts: charts(&ai_crawlers, summary),
        tables: vec![
            openness::table(summary),
            purposes_table(summary),
            ai_table(&ai_crawlers, summary),
        ],
    }
}

fn charts(ai_crawlers: &[(&KnownCrawler, Agent)], summary: &Summary) -> Vec<Chart> {
    if ai_crawlers.is_empty() {
        return Vec::from_iter(openness::chart(summary));
    }
    let mut charts = vec![ai_chart(ai_crawlers, summary)];
    charts.extend(openness::chart(summary));
    charts.push(purposes_chart(summary));
    charts
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

fn ai_chart(crawlers: &[(&KnownCrawler, Agent)], summary: &Summary) -> Chart {
    let files = summary.files;
    let most = crawlers.first().map(|(crawler, agent)| {
        let name = crawler.name();
        let [named, blocked] = [agent.named, agent.disallowed].map(|count| percent(count, files));
        format!(" {name} is named most often, by {named}; it is blocked by {blocked}.")
    });
    let headline = format!(
        "{}{} name an AI crawler, and {}{} block one from the whole site.{}",
        percent_of_files(summary.agents.ai.named, files),
        by_domain::beside(summary, Trait::NamesAi, None),
        percent(summary.agents.ai.disallowed, files),
        by_domain::beside(summary, Trait::BlocksAi, None),
        most.unwrap_or_default(),
    );
    let bars = crawlers.get(..MOST_BARS).unwrap_or(crawlers).iter();
    let rows = bars.map(|(crawler, agent)| {
        (
            String::from(crawler.name()),
            [agent.disallowed, agent.named],
        )
    });
    Chart::of_counts(
        ChartForm::Nested,
        headline,
        "AI crawlers named most often",
        NAMED_AND_SHUT_OUT,
        rows,
        Whole::files(files),
    )
}

fn purposes_chart(summary: &Summary) -> Chart {
    let files = summary.files;
    let purposes = Purpose::ALL.into_iter().filter_map(|purpose| {
        let class = summary.agents.by_purpose.get(&purpose)?;
        Some((purpose.to_string(), class))
    });
    let mut purposes: Vec<(String, &ClassCounts)> = purposes.collect();
    purposes.sort_by_key(|(_, class)| std::cmp::Reverse(class.named));
    let unknown = Purpose::Unknown.to_string();
    let known = purposes.iter().filter(|(purpose, _)| *purpose != unknown);
    let most = known.max_by_key(|(_, class)| class.disallowed);
    let most = most.filter(|(_, class)| class.disallowed > 0);
    let headline = match most {
        Some((purpose, class)) => format!(
            "Crawlers of the purpose “{purpose}” are blocked most: {} disallow one of them everything by name.",
            percent_of_files(class.disallowed, files)
        ),
        None => format!(
            "None of {} disallows a crawler of a known purpose everything by name.",
            counted(files, "file")
        ),
    };
    let rows = purposes
        .into_iter()
        .map(|(purpose, class)| (purpose, [class.disallowed, class.named]));
    Chart::of_counts(
        ChartForm::Nested,
        headline,
        "Files that name a crawler of the purpose",
        NAMED_AND_SHUT_OUT,
        rows,
        Whole::files(files),
    )
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
