//! Section: the responses, the redirects, and the records that do not count as responses.

use crate::report::contents::tables::{MOST_NAMES, distinct, distributions, left_out, name_of};
use crate::report::document::{Chart, Section, Table, Whole, right_aligned, share};
use crate::report::number::{counted, grouped, percent};
use crate::summary::Summary;
use crate::summary::followed::Ends;
use crate::summary::outcome::Outcome;

pub(super) fn section(summary: &Summary) -> Section {
    let statuses = &summary.statuses;
    let (bodies, responses) = (statuses.body_end.iter(), summary.responses);
    let bodies = bodies.map(|(end, count)| (name_of(end), *count, responses));
    let by_status = statuses.by_status.iter();
    let by_status = by_status.map(|(status, count)| (status.to_string(), *count, responses));
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
            Table::of_counts("Responses by status", "responses", by_status),
            outcomes_table(summary),
            ends_table(summary),
            Table::of_counts("Bodies", "responses", bodies),
            header_fields_table(summary),
            distributions(
                "Seconds",
                &[
                    ("max-age", &statuses.cache_control.max_age),
                    ("Retry-After", &statuses.retry_after.seconds),
                ],
            ),
            media_types_table(summary),
        ],
    }
}

/// The charts of the statuses and of the outcomes; none if all responses are files, as from a
/// folder.
fn charts(summary: &Summary) -> Vec<Chart> {
    match summary.files == summary.responses {
        true => Vec::new(),
        false => {
            let charts = statuses_chart(summary).into_iter();
            charts.chain([outcomes_chart(summary)]).collect()
        }
    }
}

fn statuses_chart(summary: &Summary) -> Option<Chart> {
    let whole = responses(summary);
    let by_status = &summary.statuses.by_status;
    let of_class = |class: u16| {
        let statuses = by_status.range(class * 100..(class + 1) * 100);
        percent(statuses.map(|(_, count)| *count).sum(), whole.count)
    };
    let headline = format!(
        "{} of {} were answered with a file; {} found none (4xx), and {} met a server error (5xx).",
        of_class(2),
        counted(whole.count, "request"),
        of_class(4),
        of_class(5),
    );
    let bars = by_status.iter();
    let bars = bars.map(|(status, count)| (with_its_name(*status), *count));
    let mut bars: Vec<(String, u64)> = bars.collect();
    bars.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    Chart::of_largest(headline, "Responses by status", bars, whole)
}

fn outcomes_chart(summary: &Summary) -> Chart {
    let whole = responses(summary);
    let share = |outcome| percent(summary.outcomes.of(outcome), whole.count);
    let headline = format!(
        "Rules decide for {} of {}; {} open the whole site, and {} close it with an error of the server.",
        share(Outcome::Rules),
        counted(whole.count, "response"),
        share(Outcome::FullAllow),
        share(Outcome::FullDisallow),
    );
    let bar = |outcome| {
        (
            String::from(description(outcome)),
            summary.outcomes.of(outcome),
        )
    };
    Chart::of_shares(headline, OUTCOMES, Outcome::ALL.map(bar), whole)
}

fn responses(summary: &Summary) -> Whole {
    Whole {
        count: summary.responses,
        noun: "response",
    }
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
    const TEMPLATES: &str = "templates: files that differ in more than the hosts of URLs";
    let counts = [
        ("responses", grouped(summary.responses)),
        ("different URLs", distinct(&summary.distinct_urls)),
        ("files (2xx)", grouped(summary.files)),
        ("different files", distinct(&summary.distinct_bodies)),
        (TEMPLATES, distinct(&summary.copies.families)),
        ("panics of the library", grouped(summary.panics)),
    ];
    let counts = counts.map(|(name, count)| (String::from(name), count));
    let skipped = summary.passed.iter().map(|(reason, count)| {
        let first = summary.damage.get(reason);
        let first = first.and_then(|first| first.0.as_ref());
        let first = first.map_or(String::new(), |place| format!(" (first: {place})"));
        (format!("skipped: {reason}{first}"), grouped(*count))
    });
    let counts = counts.into_iter().chain(skipped);
    Table::of("What was counted", counts)
        .text("", |(name, _)| name.clone())
        .column("count", |(_, count)| right_aligned(count.clone()))
        .table()
}

/// The body, the template and the domain of the most files, counted in a sample of a large survey.
fn copies_table(summary: &Summary) -> Table {
    let names = [
        "the same bytes",
        "the same but for the hosts of URLs",
        "one domain",
    ];
    let rows = names.into_iter().zip(summary.copies.largest());
    let rows = rows.filter_map(|(name, largest)| Some((name, largest?)));
    Table::of("The most files with one body, template or domain", rows)
        .text("", |(name, _)| *name)
        .code("which", |(_, largest)| largest.name.clone())
        .number("files", |(_, largest)| largest.files)
        .number("of", |(_, largest)| largest.of)
        .column("share", |(_, largest)| share(largest.files, largest.of))
        .table()
}

/// The responses by their outcome and, if there are redirects, by the outcome at their end.
fn outcomes_table(summary: &Summary) -> Table {
    let (all, ends) = (summary.responses, summary.followed.ends());
    let resolved = |outcome| ends.resolved_of_all(outcome);
    let all_resolved: u64 = Outcome::ALL.into_iter().map(resolved).sum();
    let of_end = |outcome| match outcome {
        Outcome::Unknown => summary.outcomes.of(outcome).saturating_sub(all_resolved),
        _ => summary.outcomes.of(outcome),
    };
    let outcomes = Outcome::ALL.into_iter().filter(|_| all > 0);
    let title = match ends.of {
        0 => String::from(OUTCOMES),
        _ => format!("{OUTCOMES} and of the ends of redirects"),
    };
    let table = Table::of(title, outcomes)
        .text("", |outcome| description(*outcome))
        .counts("responses", all, |outcome| summary.outcomes.of(*outcome));
    if ends.of == 0 {
        return table.table();
    }
    table
        .counts("with the ends of redirects", all, |outcome| {
            of_end(*outcome) + resolved(*outcome)
        })
        .table()
}

/// The ends of the redirects; no rows if there are no redirects.
fn ends_table(summary: &Summary) -> Table {
    let ends: Ends = summary.followed.ends();
    let resolved = Outcome::ALL.map(|outcome| {
        let count = ends.resolved.get(&outcome).copied().unwrap_or_default();
        (format!("end at: {}", description(outcome)), count, ends.of)
    });
    let others = [
        (
            "lead to a URL that the input does not have",
            ends.not_in_input,
        ),
        ("come back to a URL", ends.loops),
        ("take more than five hops", ends.too_many_hops),
        ("lead out of the sample of hosts", ends.not_in_sample),
    ];
    let is_exact = summary.followed.is_exact();
    let others = others.into_iter().take(if is_exact { 3 } else { 4 });
    let others = others.map(|(name, count)| (String::from(name), count, ends.of));
    let mut table = Table::of_counts(
        "Redirects, followed within the input",
        "redirects",
        resolved.into_iter().chain(others),
    );
    table.note = (!is_exact).then(|| {
        let (of, all) = (grouped(ends.of), grouped(ends.redirects));
        format!("A fair sample of hosts was followed: {of} of {all} redirects.")
    });
    table
}

/// The redirects that end at an answer, as a share; `None` if there are no redirects.
pub(in crate::report) fn redirects_in_words(summary: &Summary) -> Option<String> {
    let ends = summary.followed.ends();
    let answered: u64 = ends.resolved.values().sum();
    (ends.of > 0).then(|| {
        format!(
            "{} of {} end at an answer that the input has",
            percent(answered, ends.of),
            grouped(ends.redirects)
        )
    })
}

fn header_fields_table(summary: &Summary) -> Table {
    let redirects = &summary.statuses.redirects;
    let cache = &summary.statuses.cache_control;
    let retry = &summary.statuses.retry_after;
    let all = redirects.responses;
    let counts = [
        ("redirects (3xx)", all, summary.responses),
        ("… without Location", redirects.without_location, all),
        ("… to another host", redirects.to_other_host, all),
        ("files with header fields", cache.responses, summary.files),
        ("… with Cache-Control", cache.present, cache.responses),
        ("… with no-store", cache.no_store, cache.responses),
        ("… with no-cache", cache.no_cache, cache.responses),
        ("… with max-age", cache.max_age.count(), cache.responses),
        ("429 and 503", retry.responses, summary.responses),
        ("… with Retry-After", retry.present, retry.responses),
        ("… in seconds", retry.seconds.count(), retry.responses),
    ];
    Table::of_counts("Header fields", "responses", counts)
}

fn media_types_table(summary: &Summary) -> Table {
    let types = &summary.statuses.media_types;
    let files = summary.statuses.cache_control.responses;
    Table::of(
        "Media types of the files",
        types.by_weight().into_iter().take(MOST_NAMES),
    )
    .code("media type", |(name, _)| *name)
    .counts("files", files, |(_, counts)| counts.files)
    .note(left_out(types))
    .table()
}

/// Describes an outcome.
fn description(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Rules => "rules to obey",
        Outcome::FullAllow => "all allowed: no rule, or 4xx",
        Outcome::FullDisallow => "all disallowed: 5xx",
        Outcome::Unknown => "unknown: redirect or other",
    }
}

const OUTCOMES: &str = "What RFC 9309 makes of the responses";

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
