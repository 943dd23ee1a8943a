//! Section: the responses.

use crate::report::contents::tables::{MOST_NAMES, distinct, distributions, left_out, name_of};
use crate::report::document::{Chart, Section, Table, code, number, right_aligned, share, text};
use crate::summary::Summary;

pub(super) fn section(summary: &Summary) -> Section {
    let statuses = &summary.statuses;
    let responses = summary.responses;
    let mut by_status = Table::new("Responses by status", &["status", "responses", "share"]);
    for (status, count) in &statuses.by_status {
        by_status.row([
            text(status.to_string()),
            number(*count),
            share(*count, responses),
        ]);
    }
    let mut counted = Table::new("What was counted", &["", "count"]);
    counted.row([text("responses"), number(responses)]);
    if summary.distinct_urls.estimate() > 0 {
        counted.row([
            text("different URLs"),
            right_aligned(distinct(&summary.distinct_urls)),
        ]);
    }
    counted.row([text("files (2xx)"), number(summary.files)]);
    counted.row([
        text("different files"),
        right_aligned(distinct(&summary.distinct_bodies)),
    ]);
    counted.row([text("panics of the library"), number(summary.panics)]);
    for (passed, count) in &summary.passed {
        let first = summary
            .damage
            .get(passed)
            .and_then(|first| first.0.as_ref());
        let first = first.map_or(String::new(), |place| format!(" (first: {place})"));
        counted.row([
            text(format!("passed over: {passed}{first}")),
            number(*count),
        ]);
    }
    let mut ends = Table::new("Bodies", &["", "responses", "share"]);
    for (end, count) in &statuses.body_end {
        ends.count(name_of(end), *count, responses);
    }
    let redirects = &statuses.redirects;
    let mut headers = Table::new("Header fields", &["", "responses", "share"]);
    if redirects.responses > 0 {
        headers.count("redirects (3xx)", redirects.responses, responses);
    }
    headers.count(
        "… without Location",
        redirects.without_location,
        redirects.responses,
    );
    headers.count(
        "… to another host",
        redirects.to_other_host,
        redirects.responses,
    );
    let cache = &statuses.cache_control;
    if cache.responses > 0 {
        headers.count("files with header fields", cache.responses, summary.files);
    }
    headers.count("… with Cache-Control", cache.present, cache.responses);
    headers.count("… with no-store", cache.no_store, cache.responses);
    headers.count("… with no-cache", cache.no_cache, cache.responses);
    headers.count("… with max-age", cache.max_age.count(), cache.responses);
    let retry = &statuses.retry_after;
    if retry.responses > 0 {
        headers.count("429 and 503", retry.responses, responses);
    }
    headers.count("… with Retry-After", retry.present, retry.responses);
    headers.count("… in seconds", retry.seconds.count(), retry.responses);
    let seconds = distributions(
        "Seconds",
        &[("max-age", &cache.max_age), ("Retry-After", &retry.seconds)],
    );
    let mut media = Table::new(
        "Media types of the files",
        &["media type", "files", "share"],
    );
    let names = statuses.media_types.by_weight();
    for (name, files) in names.iter().take(MOST_NAMES) {
        media.row([
            code(*name),
            number(files.files),
            share(files.files, cache.responses),
        ]);
    }
    media.note = left_out(
        media.rows.len(),
        statuses.media_types.distinct(),
        statuses.media_types.is_complete(),
    );
    Section {
        id: "outcome",
        title: "Outcome",
        text: String::from(
            "What servers answered to the request for /robots.txt. Everything below is about the files: answers with a \
             status of 2xx. Files from folders and plain archives count as 200.",
        ),
        charts: vec![Chart::of_shares(
            "Responses by class of status, in % of all",
            classes(summary),
            responses,
        )],
        tables: vec![counted, by_status, ends, headers, seconds, media],
    }
}

fn classes(summary: &Summary) -> Vec<(String, u64)> {
    let names = [
        "2xx success",
        "3xx redirect",
        "4xx not there",
        "5xx server error",
    ];
    (2..)
        .zip(names)
        .map(|(class, name)| {
            let statuses = summary
                .statuses
                .by_status
                .range(class * 100..(class + 1) * 100);
            (String::from(name), statuses.map(|(_, count)| *count).sum())
        })
        .collect()
}
