//! How long crawlers are asked to wait.

use crate::report::contents::tables::{MOST_NAMES, left_out};
use crate::report::document::{Chart, Section, Table, code, number, share, text};
use crate::summary::Summary;

pub(super) fn section(summary: &Summary) -> Section {
    let delays = &summary.crawl_delays;
    let files = summary.files;
    let mut kinds = Table::new(
        "Crawl-delay records",
        &["", "files", "share", "records", "share of records"],
    );
    let all = delays.valid.times + delays.not_a_number.times;
    for (name, counts) in [
        ("a number of seconds", delays.valid),
        ("something else", delays.not_a_number),
        ("more than 30 seconds", delays.over_30),
        ("more than 300 seconds", delays.over_300),
        ("more than an hour", delays.over_3600),
    ] {
        kinds.row([
            text(name),
            number(counts.files),
            share(counts.files, files),
            number(counts.times),
            share(counts.times, all),
        ]);
    }
    let names = delays.seconds.by_weight();
    let mut values = Table::new(
        "Delays by value",
        &["seconds", "files", "share", "records", "share of records"],
    );
    for (seconds, counts) in names.iter().take(MOST_NAMES) {
        values.row([
            code(*seconds),
            number(counts.files),
            share(counts.files, files),
            number(counts.times),
            share(counts.times, all),
        ]);
    }
    values.note = left_out(
        values.rows.len(),
        delays.seconds.distinct(),
        delays.seconds.is_complete(),
    );
    let bars = names
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
            "Files with a delay of this value, in % of all files",
            bars,
            files,
        )),
        tables: vec![kinds, values],
    }
}
