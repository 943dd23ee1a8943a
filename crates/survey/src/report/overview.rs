//! The short summary for a terminal: the figures that a reader wants first.

use polite_robots_lint::Severity;

use crate::report::contents::tables::distinct;
use crate::report::contents::{crawlers_that_files_name, nothing_odd, redirects_in_words};
use crate::report::document::{Table, code, number, right_aligned, share, text};
use crate::report::number::{bytes, duration, grouped, percent, percent_of_sample};
use crate::summary::Summary;
use crate::summary::agents::WildcardEffect;

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
    rows.extend(skipped(summary));
    rows.push(("robots.txt files", files(summary)));
    if summary.files > 0 {
        rows.extend([
            ("size", size(summary)),
            ("everyone (*)", everyone(summary)),
            ("AI crawlers", ai(summary)),
            ("rules of a file", rules(summary)),
            ("Crawl-delay", crawl_delays(summary)),
            ("Sitemap", sitemaps(summary)),
            ("use of content", usage(summary)),
            ("findings", severities(summary)),
        ]);
        rows.extend(dialects(summary).map(|dialects| ("RFC 9309 and Google", dialects)));
        rows.push(("time to parse", times(summary)));
        rows.extend(panics(summary));
    }
    let mut table = Table::new::<&str>("", &[]);
    for (name, value) in rows {
        table.row([text(name), text(value)]);
    }
    table
}

fn statuses(summary: &Summary) -> Option<(&'static str, String)> {
    let statuses = summary.statuses.by_status.iter();
    let statuses: Vec<String> = statuses
        .map(|(status, count)| format!("{status}: {}", percent(*count, summary.responses)))
        .collect();
    (statuses.len() > 1).then(|| ("statuses", statuses.join(", ")))
}

fn skipped(summary: &Summary) -> impl Iterator<Item = (&'static str, String)> {
    summary.passed.iter().map(|(reason, count)| {
        let skipped = format!("{} {}", grouped(*count), reason.noun(*count));
        ("skipped", skipped)
    })
}

fn files(summary: &Summary) -> String {
    format!(
        "{} (different: {})",
        grouped(summary.files),
        distinct(&summary.distinct_bodies)
    )
}

fn size(summary: &Summary) -> String {
    let (sizes, of_files) = (&summary.texts.bytes, of_files(summary));
    format!(
        "median {}, 99 % within {}, largest {}; over 500 KiB: {}, empty: {}, HTML: {}",
        bytes(sizes.quantile(0.5)),
        bytes(sizes.quantile(0.99)),
        bytes(sizes.max()),
        of_files(summary.texts.over_500_kib),
        of_files(summary.texts.blank),
        of_files(summary.texts.html),
    )
}

fn everyone(summary: &Summary) -> String {
    let share = |everyone| {
        let count = summary.agents.everyone.get(&everyone);
        percent(count.copied().unwrap_or_default(), summary.files)
    };
    format!(
        "some paths disallowed: {}, all allowed: {}, all disallowed: {}, no group: {}",
        share(WildcardEffect::Partly),
        share(WildcardEffect::AllowAll),
        share(WildcardEffect::DisallowAll),
        share(WildcardEffect::NoGroup),
    )
}

fn ai(summary: &Summary) -> String {
    let (ai, of_files) = (&summary.agents.ai, of_files(summary));
    format!(
        "named: {}, disallowed everything by name: {}",
        of_files(ai.named),
        of_files(ai.disallowed)
    )
}

fn rules(summary: &Summary) -> String {
    let rules = &summary.rules.per_file;
    format!(
        "median {}, 99 % within {}, most {}",
        grouped(rules.quantile(0.5)),
        grouped(rules.quantile(0.99)),
        grouped(rules.max())
    )
}

fn crawl_delays(summary: &Summary) -> String {
    let (delays, of_files) = (&summary.crawl_delays, of_files(summary));
    format!(
        "{} of files; over 30 s: {}, no number: {}",
        of_files(delays.valid.files),
        of_files(delays.over_30.files),
        of_files(delays.not_a_number.files)
    )
}

fn sitemaps(summary: &Summary) -> String {
    format!("{} of files", of_files(summary)(summary.sitemaps.files))
}

fn usage(summary: &Summary) -> String {
    let (usage, of_files) = (&summary.usage, of_files(summary));
    format!(
        "Content-Signal: {}, Content-Usage: {}, License: {}",
        of_files(usage.content_signal.records.files),
        of_files(usage.content_usage.records.files),
        of_files(usage.license.files)
    )
}

fn severities(summary: &Summary) -> String {
    let (findings, of_files) = (&summary.findings, of_files(summary));
    let nothing = nothing_odd(&findings.with_rules);
    let share = |severity| {
        let count = findings.by_severity.get(&severity);
        of_files(count.copied().unwrap_or_default())
    };
    format!(
        "of lines: errors {}, warnings {}, notes {}{}",
        share(Severity::Error),
        share(Severity::Warning),
        share(Severity::Note),
        nothing.map_or(String::new(), |share| format!("; nothing: {share}")),
    )
}

fn dialects(summary: &Summary) -> Option<String> {
    let dialects = &summary.dialects;
    let share = percent_of_sample(dialects.disagreeing, dialects.compared, summary.files);
    (dialects.compared > 0).then(|| format!("answers differ in {share}"))
}

fn times(summary: &Summary) -> String {
    let times = &summary.timings.parse;
    format!(
        "median {}, 99 % within {}, slowest {}",
        duration(times.quantile(0.5)),
        duration(times.quantile(0.99)),
        duration(times.max())
    )
}

fn panics(summary: &Summary) -> Option<(&'static str, String)> {
    (summary.panics > 0).then(|| ("panics", grouped(summary.panics)))
}

/// A function that writes a count as a share of the files.
fn of_files(summary: &Summary) -> impl Fn(u64) -> String + use<> {
    let files = summary.files;
    move |count| percent(count, files)
}

fn ai_crawlers(summary: &Summary) -> Table {
    let mut table = Table::new(
        "AI crawlers",
        &["crawler", "named", "disallowed by name", "by name or *"],
    );
    let named = crawlers_that_files_name(summary);
    let ai = named.iter().filter(|(crawler, _)| crawler.is_ai());
    for (crawler, agent) in ai.take(ROWS) {
        table.row([
            text(crawler.name()),
            share(agent.named, summary.files),
            share(agent.disallowed, summary.files),
            share(summary.agents.disallowed_at_all(agent), summary.files),
        ]);
    }
    table
}

fn agents(summary: &Summary) -> Table {
    let mut table = Table::new("Agents", &["token", "files", "named", "disallowed by name"]);
    for (token, agent) in summary.agents.by_token.by_weight().into_iter().take(ROWS) {
        table.row([
            code(token),
            number(agent.named),
            share(agent.named, summary.files),
            share(agent.disallowed, summary.files),
        ]);
    }
    table
}

fn findings(summary: &Summary) -> Table {
    let mut table = Table::new(
        "Findings",
        &["kind", "severity", "files", "of files", "times"],
    );
    let mut findings: Vec<_> = summary.findings.of_lines.iter().collect();
    findings.sort_by_key(|(code, counts)| (std::cmp::Reverse(counts.files), **code));
    for (code, counts) in findings.into_iter().take(ROWS) {
        table.row([
            text(code.as_str()),
            text(code.severity().as_str()),
            number(counts.files),
            share(counts.files, summary.files),
            right_aligned(grouped(counts.times)),
        ]);
    }
    table
}

/// The most rows of a table.
const ROWS: usize = 10;
