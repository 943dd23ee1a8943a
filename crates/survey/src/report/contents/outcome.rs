//! Section: the responses, and the records that are not counted as one.

use crate::report::contents::access;
use crate::report::contents::redirects;
use crate::report::contents::tables::{MOST_NAMES, distinct, distributions, left_out, name_of};
use crate::report::document::{
    Chart, Section, Table, Whole, code, number, right_aligned, share, text,
};
use crate::report::number::{counted, percent};
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
        charts: charts(summary),
        tables: vec![
            counts_table(summary),
            copies_table(summary),
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

/// The charts of the statuses and of what they mean; none if all responses are files, as from a
/// folder.
fn charts(summary: &Summary) -> Vec<Chart> {
    match summary.files == summary.responses {
        true => Vec::new(),
        false => Vec::from_iter(statuses_chart(summary))
            .into_iter()
            .chain([access::outcomes_chart(summary)])
            .collect(),
    }
}

fn statuses_chart(summary: &Summary) -> Option<Chart> {
    let whole = summary.responses;
    let by_status = &summary.statuses.by_status;
    let of_class = |class: u16| -> u64 {
        let statuses = by_status.range(class * 100..(class + 1) * 100);
        statuses.map(|(_, count)| *count).sum()
    };
    let headline = format!(
        "{} of {} were answered with a file; {} found none (4xx), and {} met a server error (5xx).",
        percent(of_class(2), whole),
        counted(whole, "request"),
        percent(of_class(4), whole),
        percent(of_class(5), whole),
    );
    let mut bars: Vec<(String, u64)> = by_status
        .iter()
        .map(|(status, count)| (with_its_name(*status), *count))
        .collect();
    bars.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let whole = Whole {
        count: whole,
        noun: "response",
    };
    Chart::of_largest(headline, "Responses by status", bars, whole)
}

/// A status with its name in RFC 9110, if it is one that sites often send.
fn with_its_name(status: u16) -> String {
    let name = STATUS_NAMES.iter().find(|(named, _)| *named == status);
    match name {
        Some((_, name)) => format!("{status} {name}"),
        None => status.to_string(),
    }
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
    table.row([
        text("templates: files that differ in more than the hosts of URLs"),
        right_aligned(distinct(&summary.copies.families)),
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

/// The body, the template and the domain of the most files, counted in a sample of a large survey.
fn copies_table(summary: &Summary) -> Table {
    let mut table = Table::new(
        "The most files with one body, template or domain",
        &["", "which", "files", "of", "share"],
    );
    let names = [
        "the same bytes",
        "the same but for the hosts of URLs",
        "one domain",
    ];
    for (name, largest) in names.into_iter().zip(summary.copies.largest()) {
        let Some(largest) = largest else { continue };
        table.row([
            text(name),
            code(largest.name),
            number(largest.files),
            number(largest.of),
            share(largest.files, largest.of),
        ]);
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

/// The names of statuses.
const STATUS_NAMES: [(u16, &str); 20] = [
    (200, "OK"),
    (202, "Accepted"),
    (204, "No Content"),
    (206, "Partial Content"),
    (301, "Moved Permanently"),
    (302, "Found"),
    (303, "See Other"),
    (307, "Temporary Redirect"),
    (308, "Permanent Redirect"),
    (400, "Bad Request"),
    (401, "Unauthorized"),
    (403, "Forbidden"),
    (404, "Not Found"),
    (406, "Not Acceptable"),
    (410, "Gone"),
    (429, "Too Many Requests"),
    (500, "Internal Server Error"),
    (502, "Bad Gateway"),
    (503, "Service Unavailable"),
    (504, "Gateway Timeout"),
];
