//! Chart and table: how much of a site crawlers may fetch, whether by their name or through `*`.

use polite_robots_audit::known::KnownCrawler;

use crate::report::document::{Chart, ChartForm, Table, Whole, number, share, text};
use crate::report::number::{percent, percent_of_files};
use crate::summary::Summary;
use crate::summary::access::{AccessCounts, ThreeCounts};

/// The names of the three shares of a bar, as in rows and in JSON.
pub(crate) const NONE_PART_ALL: [&str; 3] = ["may fetch none", "part", "all of the site"];

/// The three counts in the order of their names.
pub(super) fn parts(counts: ThreeCounts) -> [u64; 3] {
    [counts.none, counts.part, counts.all]
}

/// The chart of the AI crawlers and of the largest others, with any other agent among them; `None`
/// if no file names a known crawler.
pub(super) fn chart(summary: &Summary) -> Option<Chart> {
    let rows = rows_of(summary, Selection::Largest);
    let mut crawlers = rows.iter().filter(|row| row.class != Class::Anyone);
    let most_shut_out = crawlers.next()?;
    let first = rows.iter().find(|row| row.class == Class::Ai);
    let first = first.unwrap_or(most_shut_out);
    let files = summary.files;
    let anyone = percent(summary.agents.everyone_access.none, files);
    let last = rows.iter().rfind(|row| row.class == Class::Other);
    let headline = format!(
        "{} let {} fetch none of the site; {anyone} do so with a crawler that they do not name{}.",
        percent_of_files(first.counts.none, files),
        first.name,
        last.map_or(String::new(), |last| {
            format!(
                ", and {} with {}",
                percent(last.counts.none, files),
                last.name
            )
        }),
    );
    let rows = rows
        .into_iter()
        .map(|row| (String::from(row.name), parts(row.counts)));
    Some(Chart::of_counts(
        ChartForm::Stacked,
        headline,
        "How much the AI crawlers and the largest others may fetch, by name or through `*`",
        NONE_PART_ALL,
        rows,
        Whole::files(files),
    ))
}

/// The table of all known crawlers that files name.
pub(super) fn table(summary: &Summary) -> Table {
    let files = summary.files;
    let mut table = Table::new(
        "How much crawlers may fetch, by name or through `*`",
        &["crawler", "none", "share", "part", "share", "all", "share"],
    );
    for row in rows_of(summary, Selection::All) {
        let mut cells = vec![text(row.name)];
        let parts = parts(row.counts).into_iter();
        cells.extend(parts.flat_map(|count| [number(count), share(count, files)]));
        table.row(cells);
    }
    table
}

/// The known crawlers that files name, those that most files name first.
pub(super) fn named(summary: &Summary) -> Vec<(&'static KnownCrawler, AccessCounts)> {
    let known = summary.agents.known_access.iter();
    let mut named: Vec<_> = known
        .filter(|(_, counts)| counts.by_name.sum() > 0)
        .collect();
    named
        .sort_by_key(|(crawler, counts)| (std::cmp::Reverse(counts.by_name.sum()), crawler.name()));
    named
}

/// A crawler with the files by how much it may fetch.
struct Row {
    name: &'static str,
    class: Class,
    counts: ThreeCounts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Ai,
    Other,
    /// Any agent that is not named.
    Anyone,
}

/// The crawlers that have a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Selection {
    /// The few of each kind that most files name, without the others that ignore `*`.
    Largest,
    All,
}

/// Any agent and the crawlers that files name, the most restricted first.
fn rows_of(summary: &Summary, selection: Selection) -> Vec<Row> {
    let (ai, mut others): (Vec<_>, Vec<_>) = named(summary)
        .into_iter()
        .partition(|(crawler, _)| crawler.is_ai());
    let (most_ai, most_others) = match selection {
        Selection::Largest => (MOST_AI_CRAWLERS, MOST_OTHERS),
        Selection::All => (usize::MAX, usize::MAX),
    };
    if selection == Selection::Largest {
        others.retain(|(crawler, _)| !crawler.ignores_wildcard());
    }
    let ai = ai.into_iter().take(most_ai).map(|row| (Class::Ai, row));
    let others = others.into_iter().take(most_others);
    let others = others.map(|row| (Class::Other, row));
    let anyone = Row {
        name: "any other crawler",
        class: Class::Anyone,
        counts: summary.agents.everyone_access,
    };
    let crawlers = ai.chain(others).map(|(class, (crawler, counts))| Row {
        name: crawler.name(),
        class,
        counts: counts.total(),
    });
    let mut rows: Vec<Row> = crawlers.chain([anyone]).collect();
    rows.sort_by_key(|row| std::cmp::Reverse((row.counts.none, row.counts.part)));
    rows
}

/// The most AI crawlers in the chart.
const MOST_AI_CRAWLERS: usize = 10;

/// The most others in the chart.
const MOST_OTHERS: usize = 5;
