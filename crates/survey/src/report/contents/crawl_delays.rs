//! Section: the crawl delays that files ask for.

use crate::report::contents::by_domain;
use crate::report::contents::tables::{MOST_NAMES, left_out};
use crate::report::document::{Cell, Chart, Section, Table, Whole, code, number, share, text};
use crate::report::number::{percent, percent_of_files};
use crate::summary::Summary;
use crate::summary::crawl_delays::CrawlDelays;
use crate::summary::domain_files::Trait;
use crate::summary::occurrences::Occurrences;

pub(super) fn section(summary: &Summary) -> Section {
    let delays = &summary.crawl_delays;
    let files = summary.files;
    let values = delays.seconds.by_weight();
    let bars = values
        .iter()
        .map(|(seconds, counts)| (format!("{seconds} s"), counts.files));
    Section {
        id: "crawl-delay",
        title: "Crawl delays",
        text: String::from(
            "Not part of RFC 9309: Google ignores the record, Bing takes it for a window of up to 30 seconds, others for \
             a gap between two requests. More than 300 seconds some crawlers take for a ban.",
        ),
        charts: Vec::from_iter(Chart::of_largest(
            headline(summary, &values),
            "Files with a delay of this value",
            bars,
            Whole::files(files),
        )),
        tables: vec![
            kinds_table(delays, files),
            values_table(delays, &values, files),
        ],
    }
}

fn headline(summary: &Summary, values: &[(&str, &Occurrences)]) -> String {
    let (delays, files) = (&summary.crawl_delays, summary.files);
    let most = values.first().map(|(seconds, counts)| {
        let share = percent(counts.files, files);
        format!(", most often for {seconds} seconds ({share})")
    });
    format!(
        "{}{} ask for a delay{}; {} for more than 30 seconds.",
        percent_of_files(delays.valid.files, files),
        by_domain::beside(summary, Trait::AsksForDelay, None),
        most.unwrap_or_default(),
        percent(delays.over_30.files, files),
    )
}

fn kinds_table(delays: &CrawlDelays, files: u64) -> Table {
    let mut table = Table::new(
        "Crawl-delay records",
        &["", "files", "share", "records", "share of records"],
    );
    for (name, counts) in [
        ("a number of seconds", delays.valid),
        ("something else", delays.not_a_number),
        ("more than 30 seconds", delays.over_30),
        ("more than 300 seconds", delays.over_300),
        ("more than an hour", delays.over_3600),
    ] {
        table.row(row(text(name), counts, files, records(delays)));
    }
    table
}

fn values_table(delays: &CrawlDelays, values: &[(&str, &Occurrences)], files: u64) -> Table {
    let mut table = Table::new(
        "Delays by value",
        &["seconds", "files", "share", "records", "share of records"],
    );
    for (seconds, counts) in values.iter().take(MOST_NAMES) {
        table.row(row(code(*seconds), **counts, files, records(delays)));
    }
    table.note = left_out(&table, &delays.seconds);
    table
}

fn row(label: Cell, counts: Occurrences, files: u64, records: u64) -> [Cell; 5] {
    [
        label,
        number(counts.files),
        share(counts.files, files),
        number(counts.times),
        share(counts.times, records),
    ]
}

/// The number of `Crawl-delay` records.
fn records(delays: &CrawlDelays) -> u64 {
    delays.valid.times + delays.not_a_number.times
}
