//! The crawlers for people: a table, and below it the lines of the robots.txt that were not obeyed.

use std::io::{self, Write};
use std::time::Duration;

use polite_robots_site::obedience::{CrawlerRecord, CrawlerRequests};

use crate::columns::{self, Cell};
use crate::counted::{counted_long, grouped, seconds};
use crate::terminal::{self, ASIDE, DISALLOWED, EMPHASIS, WARNING, printable};
use crate::wrap::wrapped;

pub(super) fn write(out: &mut dyn Write, requests: &CrawlerRequests<'_>) -> io::Result<()> {
    let crawlers = requests.crawlers();
    if crawlers.is_empty() {
        writeln!(out, "no crawler asked for anything")?;
    } else {
        let head = HEAD.map(|name| Cell::styled(EMPHASIS, name)).to_vec();
        let shown = crawlers.iter().take(MOST_CRAWLERS);
        let rows = std::iter::once(head).chain(shown.map(|crawler| row(crawler)));
        columns::write_table(out, rows.collect())?;
        if let more @ 1.. = crawlers.len().saturating_sub(MOST_CRAWLERS) {
            writeln!(
                out,
                "{ASIDE}and {more} more, all of them in --json{ASIDE:#}"
            )?;
        }
    }
    for crawler in &crawlers {
        write_lines(out, crawler)?;
    }
    writeln!(out)?;
    write_summary(out, requests, &crawlers)
}

const HEAD: [&str; 6] = [
    "crawler",
    "requests",
    "disallowed",
    "too soon",
    "robots.txt",
    "",
];

fn row(crawler: &CrawlerRecord<'_>) -> Vec<Cell> {
    let count = |count: u64| match count {
        0 => Cell::new("0"),
        count => Cell::styled(DISALLOWED, &grouped(count)),
    };
    let too_soon = match crawler.crawl_delay() {
        Some(_) if !crawler.ignores_crawl_delay() => count(crawler.too_soon()),
        _ => Cell::new(""),
    };
    let remarks = crawler.crawler().into_iter();
    let mut remarks: Vec<String> = remarks.flat_map(|crawler| crawler.remarks()).collect();
    if crawler.ignores_crawl_delay() && crawler.crawl_delay().is_some() {
        remarks.push("ignores Crawl-delay, as Google says".to_owned());
    }
    vec![
        Cell::new(crawler.name()),
        Cell::new(&grouped(crawler.requests())),
        count(crawler.disallowed().disallowed()),
        too_soon,
        fetches(crawler),
        Cell::styled(WARNING, &remarks.join("; ")),
    ]
}

/// Whether the crawler fetched the file, and the greatest age of its copy.
fn fetches(crawler: &CrawlerRecord<'_>) -> Cell {
    let count = crawler.robots_txt_fetches();
    let fetches = match count {
        0 => return Cell::styled(DISALLOWED, "never"),
        1 => "once".to_owned(),
        count => format!("{} times", grouped(count)),
    };
    match crawler.oldest_copy().filter(|copy| *copy > A_DAY) {
        None => Cell::new(&fetches),
        Some(copy) => {
            let hours = copy.as_secs() / 3600;
            Cell::styled(WARNING, &format!("{fetches}, a copy {hours} h old"))
        }
    }
}

/// The lines that the crawler did not obey, and its delay.
fn write_lines(out: &mut dyn Write, crawler: &CrawlerRecord<'_>) -> io::Result<()> {
    let note = crawler.disallowed().first_note();
    if !crawler.disobeyed() && note.is_none() {
        return Ok(());
    }
    let name = printable(crawler.name());
    writeln!(out, "\n{EMPHASIS}{name}{EMPHASIS:#}")?;
    let mut rules = crawler.disallowed().rules();
    for rule in rules.by_ref().take(MOST_RULES) {
        writeln!(
            out,
            "  line {}: {}  {ASIDE}({}){ASIDE:#}",
            rule.line(),
            rule.text(),
            counted_long(rule.urls(), "request"),
        )?;
        if let Some(example) = rule.examples().first() {
            writeln!(out, "    {}", printable(example))?;
        }
    }
    let others = rules.fold(crawler.disallowed().by_other_rules(), |sum, rule| {
        sum.saturating_add(rule.urls())
    });
    if others > 0 {
        let requests = counted_long(others, "request");
        writeln!(out, "  {ASIDE}{requests} by other lines{ASIDE:#}")?;
    }
    if let (too_soon @ 1.., Some(delay)) = (crawler.too_soon(), crawler.crawl_delay()) {
        let requests = counted_long(too_soon, "request");
        let delay = seconds(delay);
        writeln!(out, "  {requests} sooner than {delay} after another one")?;
    }
    match note {
        Some(note) => {
            let requests = counted_long(crawler.disallowed().noted(), "request");
            let note = printable(note);
            writeln!(
                out,
                "  {ASIDE}another reading differs about {requests}, such as {note}{ASIDE:#}"
            )
        }
        None => Ok(()),
    }
}

fn write_summary(
    out: &mut dyn Write,
    requests: &CrawlerRequests<'_>,
    crawlers: &[&CrawlerRecord<'_>],
) -> io::Result<()> {
    let disobeyed = crawlers
        .iter()
        .filter(|crawler| crawler.disobeyed())
        .count();
    let of = counted_long(crawlers.len() as u64, "crawler");
    let obeyed = match disobeyed {
        0 => format!("{of} obeyed"),
        disobeyed => format!("{disobeyed} of {of} did not obey"),
    };
    let others = counted_long(requests.others(), "request");
    let summary = format!(
        "{obeyed}; {others} of others. Crawlers are counted by the name that they give: identities are not verified."
    );
    match terminal::width() {
        Some(width) => wrapped(&summary, width, 0)
            .iter()
            .try_for_each(|line| writeln!(out, "{line}")),
        None => writeln!(out, "{summary}"),
    }
}

/// The time for which RFC 9309 §2.4 lets a crawler use a copy.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The most rows of the table. A log may have hundreds of names.
const MOST_CRAWLERS: usize = 50;

/// The most lines of each crawler.
const MOST_RULES: usize = 5;
