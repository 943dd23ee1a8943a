//! The short summary for a terminal: what a reader wants to know first.

use std::io::{self, Write};

use polite_robots::Severity;

use crate::columns;
use crate::report::contents::{crawlers_that_files_name, distinct};
use crate::report::document::{Cell, Table, code, number, right, share, text};
use crate::report::number::{duration, grouped, octets, percent};
use crate::survey::summary::Summary;
use crate::survey::summary::agents::Everyone;
use crate::terminal::ASIDE;

pub(crate) fn write(out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
    write_table(out, &overview(summary))?;
    if summary.files > 0 {
        for table in [ai_crawlers(summary), agents(summary), findings(summary)] {
            if !table.rows.is_empty() {
                writeln!(out, "\n{ASIDE}{}{ASIDE:#}", table.title)?;
                write_table(out, &table)?;
            }
        }
    }
    Ok(())
}

fn overview(summary: &Summary) -> Table {
    let files = summary.files;
    let mut table = Table::new::<&str>("", &[]);
    let mut row = |name: &str, says: String| table.row([text(name), text(says)]);
    row("responses", grouped(summary.responses));
    let statuses: Vec<String> = summary
        .statuses
        .by_status
        .iter()
        .map(|(status, count)| format!("{status}: {}", percent(*count, summary.responses)))
        .collect();
    if statuses.len() > 1 {
        row("statuses", statuses.join(", "));
    }
    for (passed, count) in &summary.passed {
        row(
            "passed over",
            format!("{} {}", grouped(*count), passed.counted(*count)),
        );
    }
    row(
        "robots.txt files",
        format!(
            "{} (different: {})",
            grouped(files),
            distinct(&summary.distinct_bodies)
        ),
    );
    if files == 0 {
        return table;
    }
    let sizes = &summary.texts.octets;
    row(
        "size",
        format!(
            "median {}, 99 % within {}, largest {}; over 500 KiB: {}, empty: {}, HTML: {}",
            octets(sizes.quantile(0.5)),
            octets(sizes.quantile(0.99)),
            octets(sizes.max()),
            percent(summary.texts.over_500_kib, files),
            percent(summary.texts.blank, files),
            percent(summary.texts.html, files),
        ),
    );
    let everyone = |said| {
        summary
            .agents
            .everyone
            .get(&said)
            .copied()
            .unwrap_or_default()
    };
    row(
        "everyone (*)",
        format!(
            "some paths disallowed: {}, all allowed: {}, all disallowed: {}, no group: {}",
            percent(everyone(Everyone::Partly), files),
            percent(everyone(Everyone::AllowAll), files),
            percent(everyone(Everyone::DisallowAll), files),
            percent(everyone(Everyone::NoGroup), files),
        ),
    );
    let ai = &summary.agents.ai;
    row(
        "AI crawlers",
        format!(
            "named: {}, disallowed everything by name: {}",
            percent(ai.named, files),
            percent(ai.disallowed, files)
        ),
    );
    let rules = &summary.rules.per_file;
    row(
        "rules of a file",
        format!(
            "median {}, 99 % within {}, most {}",
            grouped(rules.quantile(0.5)),
            grouped(rules.quantile(0.99)),
            grouped(rules.max())
        ),
    );
    let delays = &summary.crawl_delays;
    row(
        "Crawl-delay",
        format!(
            "{} of files; over 30 s: {}, no number: {}",
            percent(delays.valid.files, files),
            percent(delays.over_30.files, files),
            percent(delays.not_a_number.files, files)
        ),
    );
    row(
        "Sitemap",
        format!("{} of files", percent(summary.sitemaps.files, files)),
    );
    let usage = &summary.usage;
    row(
        "use of content",
        format!(
            "Content-Signal: {}, Content-Usage: {}, License: {}",
            percent(usage.content_signal.records.files, files),
            percent(usage.content_usage.records.files, files),
            percent(usage.license.files, files)
        ),
    );
    let severity = |severity| {
        let count = summary.findings.by_severity.get(&severity);
        percent(count.copied().unwrap_or_default(), files)
    };
    row(
        "findings",
        format!(
            "errors: {}, warnings: {}, notes: {}, nothing: {}",
            severity(Severity::Error),
            severity(Severity::Warning),
            severity(Severity::Note),
            percent(summary.findings.clean, files)
        ),
    );
    let dialects = &summary.dialects;
    row(
        "RFC 9309 and Google",
        format!(
            "answers differ in {} of {} {}",
            percent(dialects.disagreeing, dialects.compared),
            grouped(dialects.compared),
            if dialects.compared == 1 {
                "file"
            } else {
                "files"
            }
        ),
    );
    let timings = &summary.timings;
    row(
        "time to parse",
        format!(
            "median {}, 99 % within {}, slowest {}",
            duration(timings.parse.quantile(0.5)),
            duration(timings.parse.quantile(0.99)),
            duration(timings.parse.max())
        ),
    );
    if summary.panics > 0 {
        row("panics", grouped(summary.panics));
    }
    table
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
            right(grouped(counts.times)),
        ]);
    }
    table
}

/// In columns, the numbers to the right.
pub(crate) fn write_table(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    let heads = table.columns.iter().map(|column| text(column.as_str()));
    let heads = Some(heads.collect::<Vec<Cell>>()).filter(|heads| !heads.is_empty());
    let rows: Vec<&Vec<Cell>> = heads.iter().chain(&table.rows).collect();
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let width = |column: usize| {
        let first = table.rows.first().and_then(|row| row.get(column));
        let is_right = matches!(first, Some(Cell::Number(_)));
        let cells = rows.iter().filter_map(|row| row.get(column));
        let widths = cells.map(|cell| cell.as_str().chars().count());
        widths.max().filter(|_| is_right).unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let padded = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths);
        let cells =
            cells.map(|(cell, width)| columns::Cell::new(&format!("{:>width$}", cell.as_str())));
        cells.collect()
    });
    columns::write(out, &padded.collect::<Vec<Vec<columns::Cell>>>())
}

const ROWS: usize = 10;
