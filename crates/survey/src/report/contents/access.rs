//! Chart and tables: how much of a site crawlers may fetch, by their name or through `*`.

use std::cmp::Reverse;

use polite_robots_audit::known::KnownCrawler;

use crate::report::contents::tables::{MOST_NAMES, left_out};
use crate::report::document::{Chart, ChartForm, Columns, Table, Whole, code, text};
use crate::report::number::{percent, percent_of_files};
use crate::summary::Summary;
use crate::summary::access::{AccessCounts, ThreeCounts};
use crate::summary::agents::{AgentRules, is_ai};

/// The names of the three shares of a bar, as in rows and in JSON.
pub(crate) const NONE_PART_ALL: [&str; 3] = ["may fetch none", "part", "all of the site"];

/// The three counts in the order of their names.
pub(super) fn parts(counts: ThreeCounts) -> [u64; 3] {
    [counts.none, counts.part, counts.all]
}

/// The chart of the AI crawlers, of the largest other crawlers and of any agent that is not named;
/// `None` if no file names a known crawler.
pub(super) fn chart(summary: &Summary) -> Option<Chart> {
    let rows = largest(summary);
    let mut crawlers = rows.iter().filter(|(_, class, _)| *class != Class::Anyone);
    let most_shut_out = crawlers.next()?;
    let first = rows.iter().find(|(_, class, _)| *class == Class::Ai);
    let (first, _, of_first) = first.unwrap_or(most_shut_out);
    let files = summary.files;
    let last = rows.iter().rfind(|(_, class, _)| *class == Class::Other);
    let last =
        last.map(|(last, _, counts)| format!(", and {} with {last}", percent(counts.none, files)));
    let headline = format!(
        "{} let {} fetch none of the site; {} do so with a crawler that they do not name{}.",
        percent_of_files(of_first.none, files),
        first,
        percent(summary.agents.everyone_access.none, files),
        last.unwrap_or_default(),
    );
    let rows = rows.into_iter();
    let rows = rows.map(|(name, _, counts)| (String::from(name), parts(counts)));
    Some(Chart::of_counts(
        ChartForm::Stacked,
        headline,
        "How much the AI crawlers and the largest others may fetch, by name or through `*`",
        NONE_PART_ALL,
        rows,
        Whole::files(files),
    ))
}

/// The table of all known crawlers that files name and of any other agent, the most restricted
/// first.
pub(super) fn table(summary: &Summary) -> Table {
    let files = summary.files;
    let anyone = AccessCounts {
        by_everyone: summary.agents.everyone_access,
        ..AccessCounts::default()
    };
    let known = summary.agents.known_access.iter();
    let known = known.filter(|(_, counts)| counts.by_name.sum() + counts.by_second_name.sum() > 0);
    let known = known.map(|(crawler, counts)| (crawler.name(), counts));
    let mut rows: Vec<_> = known.chain([(ANYONE, anyone)]).collect();
    rows.sort_by_key(|(name, counts)| (Reverse(restriction(counts.total())), *name));
    let mut table = Table::of("How much crawlers may fetch, by name or through `*`", rows)
        .text("crawler", |(name, _)| *name)
        .counts("none", files, |(_, counts)| counts.total().none)
        .counts("part", files, |(_, counts)| counts.total().part)
        .counts("all", files, |(_, counts)| counts.total().all);
    for (head, of) in [
        (
            "by name",
            (|counts| counts.by_name) as fn(&AccessCounts) -> ThreeCounts,
        ),
        ("by its second name", |counts| counts.by_second_name),
        ("through `*` or no group", |counts| counts.by_everyone),
    ] {
        table = three(table, &format!("{head}: "), |(_, counts)| of(counts));
    }
    let note = "All others have what any other crawler has; except those that ignore `*`, which may fetch all.";
    table.note(Some(String::from(note))).table()
}

/// The table of the agents that most files name.
pub(super) fn agents_table(summary: &Summary) -> Table {
    let agents = &summary.agents;
    let everyone = (
        text("any other (`*`)"),
        agents.everyone_access,
        agents.everyone_rules,
    );
    let named = agents.by_token.by_weight().into_iter().take(MOST_NAMES);
    let named = named.map(|(name, agent)| (code(name), agent.access, agent.rules));
    let table = Table::of(
        "How much agents may fetch whom files name, by an exact walk of all their rules",
        [everyone].into_iter().chain(named),
    );
    let mut table = three(
        table.column("product token", |(name, ..)| name.clone()),
        "",
        |row| row.1,
    );
    for (head, of) in [
        (
            "Disallow rules",
            (|rules| rules.disallow_rules) as fn(&AgentRules) -> u64,
        ),
        ("in files", |rules| rules.files_with_disallow),
        ("Allow rules", |rules| rules.allow_rules),
        ("in files", |rules| rules.files_with_allow),
        ("files with a crawl delay", |rules| rules.files_with_delay),
        ("sum of the delays in ms", |rules| rules.delay_milliseconds),
    ] {
        table = table.number(head, |(.., rules)| of(rules));
    }
    let uncertain = (agents.uncertain > 0).then(|| {
        format!(
            "Rules of {} files meet in more ways than can be walked through; there the most probable answer counts.",
            agents.uncertain
        )
    });
    let notes: Vec<String> = left_out(&agents.by_token)
        .into_iter()
        .chain(uncertain)
        .collect();
    table
        .note((!notes.is_empty()).then(|| notes.join(" ")))
        .table()
}

fn three<R>(table: Columns<R>, head: &str, of: impl Fn(&R) -> ThreeCounts) -> Columns<R> {
    table
        .number(&format!("{head}all"), |row| of(row).all)
        .number("part", |row| of(row).part)
        .number("none", |row| of(row).none)
}

/// The known crawlers that files name, those that most files name first.
pub(super) fn named(summary: &Summary) -> Vec<(&'static KnownCrawler, AccessCounts)> {
    let known = summary.agents.known_access.iter();
    let known = known.filter(|(_, counts)| counts.by_name.sum() > 0);
    let mut named: Vec<_> = known.collect();
    named.sort_by_key(|(crawler, counts)| (Reverse(counts.by_name.sum()), crawler.name()));
    named
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Ai,
    Other,
    /// Any agent that is not named.
    Anyone,
}

/// The few crawlers of each kind that most files name, and any other agent; the most restricted
/// first. Other crawlers than AI crawlers are left out if they ignore `*`.
fn largest(summary: &Summary) -> Vec<(&'static str, Class, ThreeCounts)> {
    let (ai, mut others): (Vec<_>, Vec<_>) = named(summary)
        .into_iter()
        .partition(|(crawler, _)| is_ai(crawler));
    others.retain(|(crawler, _)| !crawler.ignores_wildcard());
    let row = |class| {
        move |(crawler, counts): (&'static KnownCrawler, AccessCounts)| {
            (crawler.name(), class, counts.total())
        }
    };
    let ai = ai.into_iter().take(MOST_AI_CRAWLERS).map(row(Class::Ai));
    let others = others.into_iter().take(MOST_OTHERS);
    let others = others.map(row(Class::Other));
    let anyone = (ANYONE, Class::Anyone, summary.agents.everyone_access);
    let mut rows: Vec<_> = ai.chain(others).chain([anyone]).collect();
    rows.sort_by_key(|(.., counts)| Reverse(restriction(*counts)));
    rows
}

/// The sort key of restriction: first the files that let an agent fetch nothing.
fn restriction(counts: ThreeCounts) -> (u64, u64) {
    (counts.none, counts.part)
}

const ANYONE: &str = "any other crawler";

/// The most AI crawlers in the chart.
const MOST_AI_CRAWLERS: usize = 10;

/// The most others in the chart.
const MOST_OTHERS: usize = 5;
