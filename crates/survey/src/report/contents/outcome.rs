//! Section: the responses, and the records that are not counted as one.

use crate::report::contents::access;
use crate::report::contents::redirects;
use crate::report::contents::tables::{MOST_NAMES, distinct, distributions, left_out, name_of};
use crate::report::document::{Chart, Section, Table, code, number, right_aligned, share, text};
use crate::report::number::percent;
use crate::summary::Summary;
use crate::summary::statuses::Statuses;

pub(super) fn section(summary: &Summary) -> Section {
    let statuses = &summary.statuses;
    Section {
        id: "outcome",
        title: "Outcome",
        text: String::from(
            "What servers answered to the request for /robots.txt. Everything below is about the files: answers with a \
             status of 2xx. Files from folders and plain archives count as 200.",
        ),
        charts: Vec::from_iter(classes_chart(summary)),
        tables: vec![
            counts_table(summary),
            statuses_table(summary),
            access::outcomes(summary),
            redirects::ends(summary),
            redirects::outcomes(summary),
            bodies_table(summary),
            header_fields_table(summary),
            distributions(
                "Seconds",
                &[
                    ("max-age", &statuses.cache_control.max_age),
                    ("Retry-After", &statuses.retry_after.seconds),
                ],
            ),
            media_types_table(statuses),
        ],
    }
}

/// The chart of the classes of statuses; `None` if all responses are files, as from a folder.
fn classes_chart(summary: &Summary) -> Option<Chart> {
    let whole = summary.responses;
    if summary.files == whole {
        return None;
    }
    let by_status = &summary.statuses.by_status;
    let of_class = |class: u16| -> u64 {
        let statuses = by_status.range(class * 100..(class + 1) * 100);
        statuses.map(|(_, count)| *count).sum()
    };
    let bars = (2..)
        .zip(STATUS_CLASSES)
        .map(|(class, name)| (String::from(name), of_class(class)));
    let headline = format!(
        "{} of the requests were answered with a file; {} found none (4xx), and {} met a server error (5xx).",
        percent(of_class(2), whole),
        percent(of_class(4), whole),
        percent(of_class(5), whole),
    );
    Some(Chart::of_shares(
        headline,
        "Responses by class of status, in % of all",
        bars,
        whole,
    ))
}

fn counts_table(summary: &Summary) -> Table {
    let mut table = Table::new("What was counted", &["", "count"]);
    table.row([text("responses"), number(summary.responses)]);
    if summary.distinct_urls.estimate() > 0 {
        table.row([
            text("different URLs"),
            right_aligned(distinct(&summary.distinct_urls)),
        ]);
    }
    table.row([text("files (2xx)"), number(summary.files)]);
    table.row([
        text("different files"),
        right_aligned(distinct(&summary.distinct_bodies)),
    ]);
    table.row([text("panics of the library"), number(summary.panics)]);
    for (reason, count) in &summary.passed {
        let first = summary.damage.get(reason);
        let first = first.and_then(|first| first.0.as_ref());
        let first = first.map_or(String::new(), |place| format!(" (first: {place})"));
        table.row([text(format!("skipped: {reason}{first}")), number(*count)]);
    }
    table
}

fn statuses_table(summary: &Summary) -> Table {
    let mut table = Table::new("Responses by status", &["status", "responses", "share"]);
    for (status, count) in &summary.statuses.by_status {
        table.row([
            text(status.to_string()),
            number(*count),
            share(*count, summary.responses),
        ]);
    }
    table
}

fn bodies_table(summary: &Summary) -> Table {
    let mut table = Table::new("Bodies", &["", "responses", "share"]);
    for (end, count) in &summary.statuses.body_end {
        table.count(name_of(end), *count, summary.responses);
    }
    table
}

fn header_fields_table(summary: &Summary) -> Table {
    let redirects = &summary.statuses.redirects;
    let cache = &summary.statuses.cache_control;
    let retry = &summary.statuses.retry_after;
    let mut table = Table::new("Header fields", &["", "responses", "share"]);
    if redirects.responses > 0 {
        table.count("redirects (3xx)", redirects.responses, summary.responses);
    }
    for (name, count) in [
        ("… without Location", redirects.without_location),
        ("… to another host", redirects.to_other_host),
    ] {
        table.count(name, count, redirects.responses);
    }
    if cache.responses > 0 {
        table.count("files with header fields", cache.responses, summary.files);
    }
    for (name, count) in [
        ("… with Cache-Control", cache.present),
        ("… with no-store", cache.no_store),
        ("… with no-cache", cache.no_cache),
        ("… with max-age", cache.max_age.count()),
    ] {
        table.count(name, count, cache.responses);
    }
    if retry.responses > 0 {
        table.count("429 and 503", retry.responses, summary.responses);
    }
    for (name, count) in [
        ("… with Retry-After", retry.present),
        ("… in seconds", retry.seconds.count()),
    ] {
        table.count(name, count, retry.responses);
    }
    table
}

fn media_types_table(statuses: &Statuses) -> Table {
    let mut table = Table::new(
        "Media types of the files",
        &["media type", "files", "share"],
    );
    let names = statuses.media_types.by_weight();
    for (name, counts) in names.into_iter().take(MOST_NAMES) {
        table.row([
            code(name),
            number(counts.files),
            share(counts.files, statuses.cache_control.responses),
        ]);
    }
    table.note = left_out(&table, &statuses.media_types);
    table
}

/// The classes of statuses, from 2xx on.
const STATUS_CLASSES: [&str; 4] = [
    "2xx success",
    "3xx redirect",
    "4xx not there",
    "5xx server error",
];
