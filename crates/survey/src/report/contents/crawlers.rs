//! Section: the treatment of the known AI crawlers.

use std::cmp::Reverse;

use polite_robots_audit::known::{self, KnownCrawler, Purpose};

use crate::report::contents::agents::{known_crawlers, named_chart, named_table};
use crate::report::contents::tables::NAMED_AND_SHUT_OUT;
use crate::report::contents::{access, by_domain};
use crate::report::document::{Chart, ChartForm, Section, Table, Whole};
use crate::report::number::{counted, percent, percent_of_files};
use crate::summary::Summary;
use crate::summary::agents::{Agent, ClassCounts, is_ai};
use crate::summary::domain_files::Trait;

pub(super) fn section(summary: &Summary) -> Section {
    let (list, files) = (known::ai_list(), summary.files);
    let mut crawlers = known_crawlers(summary);
    crawlers.retain(|(crawler, _)| is_ai(crawler));
    let purposes = purposes(summary);
    let mut charts = Vec::from_iter(named(summary, &crawlers));
    charts.extend(access::chart(summary));
    charts.extend((!crawlers.is_empty()).then(|| purposes_chart(summary, &purposes)));
    let named = crawlers
        .iter()
        .map(|(crawler, agent)| (crawler.token(), agent));
    let classes = [(String::from("on a list of AI crawlers"), summary.agents.ai)].into_iter();
    Section {
        id: "ai-crawlers",
        title: "AI crawlers",
        text: format!(
            "A file names a crawler in a `User-agent` line. It disallows it everything with a `Disallow` that matches \
             every path and no `Allow`; by name, or through the rules for everyone (`*`) if it does not name it. \
             Google-Extended is no crawler; it controls how content is used. An AI crawler is one that the list {} of {} \
             has ({}), whatever else it fetches for: the table by purpose shows search engines and previews apart. \
             {}Operators and purposes as of {}.",
            list.name,
            list.as_of,
            list.url,
            shared_tokens(),
            known::as_of()
        ),
        charts,
        tables: vec![
            Table::of("Crawlers by purpose", classes.chain(purposes))
                .text("purpose", |(name, _)| name.clone())
                .counts("files that name one", files, |(_, class)| class.named)
                .counts("files that disallow one everything", files, |(_, class)| {
                    class.disallowed
                })
                .table(),
            named_table("AI crawlers that files name", summary, named).table(),
        ],
    }
}

/// A note on each crawler of the list that shares its token with another one.
fn shared_tokens() -> String {
    let notes = known::all().iter().filter_map(|crawler| {
        let (name, other) = (crawler.name(), crawler.shared_with()?);
        let operator = crawler.operator().unwrap_or("unknown");
        Some(format!(
            "{name} of {operator} is left out, as {other} has or had a crawler of the same token, whatever its case: \
             which of the two a file means is not known. "
        ))
    });
    notes.collect()
}

fn named(summary: &Summary, crawlers: &[(&KnownCrawler, Agent)]) -> Option<Chart> {
    let (files, ai) = (summary.files, summary.agents.ai);
    let (first, agent) = crawlers.first()?;
    let headline = format!(
        "{}{} name an AI crawler, and {}{} block one from the whole site. {} is named most often, by {}; it is blocked by {}.",
        percent_of_files(ai.named, files),
        by_domain::beside(summary, Trait::NamesAi),
        percent(ai.disallowed, files),
        by_domain::beside(summary, Trait::BlocksAi),
        first.name(),
        percent(agent.named, files),
        percent(agent.disallowed, files),
    );
    let crawlers = crawlers.iter();
    let crawlers = crawlers.map(|(crawler, agent)| (String::from(crawler.name()), *agent));
    Some(named_chart(
        headline,
        "AI crawlers named most often",
        summary,
        crawlers,
    ))
}

/// The purposes of the crawlers that are named, in the order of [`Purpose::ALL`].
fn purposes(summary: &Summary) -> Vec<(String, ClassCounts)> {
    let purposes = Purpose::ALL.into_iter();
    let named = purposes.filter_map(|purpose| {
        let class = summary.agents.by_purpose.get(&purpose)?;
        Some((purpose.to_string(), *class))
    });
    named.collect()
}

fn purposes_chart(summary: &Summary, purposes: &[(String, ClassCounts)]) -> Chart {
    let files = summary.files;
    let mut purposes = purposes.to_vec();
    purposes.sort_by_key(|(_, class)| Reverse(class.named));
    let unknown = Purpose::Unknown.to_string();
    let known = purposes.iter().filter(|(purpose, _)| *purpose != unknown);
    let most = known.max_by_key(|(_, class)| class.disallowed);
    let headline = match most.filter(|(_, class)| class.disallowed > 0) {
        Some((purpose, class)) => format!(
            "Crawlers of the purpose “{purpose}” are blocked most: {} disallow one of them everything by name.",
            percent_of_files(class.disallowed, files)
        ),
        None => format!(
            "None of {} disallows a crawler of a known purpose everything by name.",
            counted(files, "file")
        ),
    };
    let rows = purposes.into_iter();
    let rows = rows.map(|(purpose, class)| (purpose, [class.disallowed, class.named]));
    let title = "Files that name a crawler of the purpose";
    let (form, whole) = (ChartForm::Nested, Whole::files(files));
    Chart::of_counts(form, headline, title, NAMED_AND_SHUT_OUT, rows, whole)
}
