//! Section: the preferences about the use of content.

use crate::report::contents::by_domain;
use crate::report::contents::tables::{MOST_NAMES, left_out};
use crate::report::document::{Chart, ChartForm, Section, Table, Whole, code, number, share, text};
use crate::report::number::{grouped, percent, percent_of_files};
use crate::summary::Summary;
use crate::summary::domain_files::Trait;
use crate::summary::usage::{Statements, Usage, UseCounts};

pub(super) fn section(summary: &Summary) -> Section {
    let usage = &summary.usage;
    let files = summary.files;
    let (charts, tables) = if usage.files > 0 {
        let tables = vec![
            records_table(usage, files),
            uses_table(usage, files),
            pairs_table("Content-Signal as written", &usage.content_signal),
            pairs_table("Content-Usage as written", &usage.content_usage),
        ];
        let mut charts = vec![uses_chart(summary)];
        charts.retain(|chart| !chart.labels.is_empty());
        (charts, tables)
    } else {
        (Vec::new(), Vec::new())
    };
    Section {
        id: "use",
        title: "Use of content",
        text: introduction(usage),
        charts,
        tables,
    }
}

fn introduction(usage: &Usage) -> String {
    format!(
        "{} `Content-Signal` (contentsignals.org), `Content-Usage` (IETF AIPREF) and `License` (Really Simple Licensing) \
         say what content may be used for, not what may be fetched. If a file says both, the more restrictive counts.",
        match usage.files {
            0 => String::from("No file says anything of it."),
            1 => String::from("One file has one of three records."),
            count => format!("{} files have one of three records.", grouped(count)),
        }
    )
}

fn records_table(usage: &Usage, files: u64) -> Table {
    let mut table = Table::new("Records about use", &["", "files", "share", "records"]);
    let (signal, content_usage) = (&usage.content_signal, &usage.content_usage);
    for (name, counts) in [
        ("Content-Signal", signal.records),
        ("… malformed", signal.invalid),
        ("… for a part of the site", signal.with_path),
        ("Content-Usage", content_usage.records),
        ("… malformed", content_usage.invalid),
        ("… for a part of the site", content_usage.with_path),
        ("License", usage.license),
        ("… without an absolute URI", usage.invalid_license),
    ] {
        table.row([
            text(name),
            number(counts.files),
            share(counts.files, files),
            number(counts.times),
        ]);
    }
    table.row([
        text("any of the three"),
        number(usage.files),
        share(usage.files, files),
        text(""),
    ]);
    table
}

fn uses_table(usage: &Usage, files: u64) -> Table {
    let mut table = Table::new(
        "What files say about each use",
        &["", "allowed", "share", "disallowed", "share"],
    );
    for (name, counts) in uses(usage) {
        table.row([
            text(name),
            number(counts.allowed),
            share(counts.allowed, files),
            number(counts.disallowed),
            share(counts.disallowed, files),
        ]);
    }
    table
}

fn uses_chart(summary: &Summary) -> Chart {
    let (usage, files) = (&summary.usage, summary.files);
    let uses = uses(usage);
    let training = usage.content_signal.ai_training;
    let headline = format!(
        "{}{} say what their content may be used for; `Content-Signal` disallows AI training in {} and allows it in \
         {}.",
        percent_of_files(usage.files, files),
        by_domain::beside(summary, Trait::StatesUse, None),
        percent(training.disallowed, files),
        percent(training.allowed, files),
    );
    let rows = uses
        .into_iter()
        .filter(|(_, counts)| counts.disallowed + counts.allowed > 0)
        .map(|(name, counts)| (name, [counts.disallowed, counts.allowed]));
    Chart::of_counts(
        ChartForm::Stacked,
        headline,
        "What files say about each use",
        ["disallowed", "allowed"],
        rows,
        Whole::files(files),
    )
}

/// The counts of each use in each of the two fields, with their names.
fn uses(usage: &Usage) -> Vec<(String, UseCounts)> {
    let fields = [
        ("Content-Signal", &usage.content_signal),
        ("Content-Usage", &usage.content_usage),
    ];
    let uses_of_field = |(field, statements): (&str, &Statements)| {
        [
            ("search", statements.search),
            ("AI input", statements.ai_input),
            ("AI training", statements.ai_training),
        ]
        .map(|(name, counts)| (format!("{field}: {name}"), counts))
    };
    fields.into_iter().flat_map(uses_of_field).collect()
}

fn pairs_table(title: &str, statements: &Statements) -> Table {
    let mut table = Table::new(title, &["key and value", "files", "times"]);
    for (pair, counts) in statements.pairs.by_weight().into_iter().take(MOST_NAMES) {
        table.row([code(pair), number(counts.files), number(counts.times)]);
    }
    table.note = left_out(&table, &statements.pairs);
    table
}
