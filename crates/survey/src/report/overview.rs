//! The short summary for a terminal: the figures that a reader wants first.

use polite_robots_lint::Severity;

use crate::report::contents::tables::{by_files, distinct};
use crate::report::contents::{
    by_name_or_everyone, known_crawlers, nothing_odd, redirects_in_words,
};
use crate::report::document::{Table, share, text};
use crate::report::number::{bytes, duration, grouped, percent, percent_of_sample};
use crate::summary::Summary;
use crate::summary::agents::{WildcardEffect, is_ai};
use crate::summary::distribution::Distribution;

/// The overview, then the tables of AI crawlers, agents and findings that are not empty.
pub(crate) fn tables(summary: &Summary) -> Vec<Table> {
    let mut tables = vec![overview(summary)];
    if summary.files > 0 {
        tables.extend([ai_crawlers(summary), agents(summary), findings(summary)]);
    }
    // The overview always has rows.
    tables.retain(|table| !table.rows.is_empty());
    tables
}

fn overview(summary: &Summary) -> Table {
    let mut rows = vec![("responses", grouped(summary.responses))];
    rows.extend(statuses(summary));
    rows.extend(redirects_in_words(summary).map(|redirects| ("redirects", redirects)));
    rows.extend(summary.passed.iter().map(|(reason, count)| {
        (
            "skipped",
            format!("{} {}", grouped(*count), reason.noun(*count)),
        )
    }));
    let different = distinct(&summary.distinct_bodies);
    let files = format!("{} (different: {different})", grouped(summary.files));
    rows.push(("robots.txt files", files));
    if summary.files > 0 {
        rows.extend(of_files(summary));
        rows.extend(dialects(summary).map(|dialects| ("RFC 9309 and Google", dialects)));
        rows.push((
            "time to parse",
            quantiles(&summary.timings.parse, "slowest", duration),
        ));
        rows.extend((summary.panics > 0).then(|| ("panics", grouped(summary.panics))));
    }
    Table::of_facts(rows.into_iter().map(|(name, value)| (name, text(value))))
}

/// The rows that are about the files.
fn of_files(summary: &Summary) -> [(&'static str, String); 8] {
    let share = |count| percent(count, summary.files);
    let shares = |counts: &[(&str, u64)]| {
        let shares = counts
            .iter()
            .map(|(name, count)| format!("{name}: {}", share(*count)));
        shares.collect::<Vec<String>>().join(", ")
    };
    let (texts, agents, usage) = (&summary.texts, &summary.agents, &summary.usage);
    let (delays, findings) = (&summary.crawl_delays, &summary.findings);
    let severity = |severity| {
        let count = findings.by_severity.get(&severity);
        share(count.copied().unwrap_or_default())
    };
    let nothing = nothing_odd(&findings.with_rules);
    [
        (
            "size",
            format!(
                "{}; {}",
                quantiles(&texts.bytes, "largest", bytes),
                shares(&[
                    ("over 500 KiB", texts.over_500_kib),
                    ("empty", texts.blank),
                    ("HTML", texts.html),
                ])
            ),
        ),
        (
            "everyone (*)",
            shares(&[
                ("some paths disallowed", agents.said(WildcardEffect::Partly)),
                ("all allowed", agents.said(WildcardEffect::AllowAll)),
                ("all disallowed", agents.said(WildcardEffect::DisallowAll)),
                ("no group", agents.said(WildcardEffect::NoGroup)),
            ]),
        ),
        (
            "AI crawlers",
            shares(&[
                ("named", agents.ai.named),
                ("disallowed everything by name", agents.ai.disallowed),
            ]),
        ),
        (
            "rules of a file",
            quantiles(&summary.rules.per_file, "most", grouped),
        ),
        (
            "Crawl-delay",
            format!(
                "{} of files; {}",
                share(delays.valid.files),
                shares(&[
                    ("over 30 s", delays.over_30.files),
                    ("no number", delays.not_a_number.files),
                ])
            ),
        ),
        (
            "Sitemap",
            format!("{} of files", share(summary.sitemaps.files)),
        ),
        (
            "use of content",
            shares(&[
                ("Content-Signal", usage.content_signal.records.files),
                ("Content-Usage", usage.content_usage.records.files),
                ("License", usage.license.files),
            ]),
        ),
        (
            "findings",
            format!(
                "of lines: errors {}, warnings {}, notes {}{}",
                severity(Severity::Error),
                severity(Severity::Warning),
                severity(Severity::Note),
                nothing.map_or(String::new(), |share| format!("; nothing: {share}")),
            ),
        ),
    ]
}

/// Some quantiles and the largest value, each written with its unit.
fn quantiles(values: &Distribution, largest: &str, write: impl Fn(u64) -> String) -> String {
    let [median, most] = [0.5, 0.99].map(|share| write(values.quantile(share)));
    format!(
        "median {median}, 99 % within {most}, {largest} {}",
        write(values.max())
    )
}

fn statuses(summary: &Summary) -> Option<(&'static str, String)> {
    let statuses = summary.statuses.by_status.iter();
    let statuses: Vec<String> = statuses
        .map(|(status, count)| format!("{status}: {}", percent(*count, summary.responses)))
        .collect();
    (statuses.len() > 1).then(|| ("statuses", statuses.join(", ")))
}

fn dialects(summary: &Summary) -> Option<String> {
    let dialects = &summary.dialects;
    let share = percent_of_sample(dialects.disagreeing, dialects.compared, summary.files);
    (dialects.compared > 0).then(|| format!("answers differ in {share}"))
}

fn ai_crawlers(summary: &Summary) -> Table {
    let files = summary.files;
    let ai = known_crawlers(summary).into_iter();
    let ai = ai.filter(|(crawler, _)| is_ai(crawler)).take(ROWS);
    Table::of("AI crawlers", ai)
        .text("crawler", |(crawler, _)| crawler.name())
        .column("named", |(_, agent)| share(agent.named, files))
        .column("disallowed by name", |(_, agent)| {
            share(agent.disallowed, files)
        })
        .column("by name or *", |(crawler, agent)| {
            share(by_name_or_everyone(summary, crawler.token(), agent), files)
        })
        .table()
}

fn agents(summary: &Summary) -> Table {
    let files = summary.files;
    Table::of(
        "Agents",
        summary.agents.by_token.by_weight().into_iter().take(ROWS),
    )
    .code("token", |(token, _)| *token)
    .number("files", |(_, agent)| agent.named)
    .column("named", |(_, agent)| share(agent.named, files))
    .column("disallowed by name", |(_, agent)| {
        share(agent.disallowed, files)
    })
    .table()
}

fn findings(summary: &Summary) -> Table {
    Table::of(
        "Findings",
        by_files(&summary.findings.of_lines).into_iter().take(ROWS),
    )
    .text("kind", |(code, _)| code.as_str())
    .text("severity", |(code, _)| code.severity().as_str())
    .number("files", |(_, counts)| counts.files)
    .column("of files", |(_, counts)| share(counts.files, summary.files))
    .number("times", |(_, counts)| counts.times)
    .table()
}

/// The most rows of a table.
const ROWS: usize = 10;
