//! Section: the preferences about the use of content.

use crate::report::contents::tables::{MOST_NAMES, left_out};
use crate::report::document::{Chart, Section, Series, Table, code, number, share, text};
use crate::report::number::grouped;
use crate::summary::Summary;
use crate::summary::distribution::ratio;
use crate::summary::usage::Statements;

pub(super) fn section(summary: &Summary) -> Section {
    let usage = &summary.usage;
    let files = summary.files;
    let mut records = Table::new("Records about use", &["", "files", "share", "records"]);
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
        records.row([
            text(name),
            number(counts.files),
            share(counts.files, files),
            number(counts.times),
        ]);
    }
    records.row([
        text("any of the three"),
        number(usage.files),
        share(usage.files, files),
        text(""),
    ]);
    let mut uses = Table::new(
        "What files say about each use",
        &["", "allowed", "share", "disallowed", "share"],
    );
    let mut labels = Vec::new();
    let (mut allowed, mut disallowed) = (Vec::new(), Vec::new());
    for (field, statements) in [("Content-Signal", signal), ("Content-Usage", content_usage)] {
        for (name, of_use) in [
            ("search", statements.search),
            ("AI input", statements.ai_input),
            ("AI training", statements.ai_training),
        ] {
            let label = format!("{name} ({field})");
            uses.row([
                text(label.as_str()),
                number(of_use.allowed),
                share(of_use.allowed, files),
                number(of_use.disallowed),
                share(of_use.disallowed, files),
            ]);
            labels.push(label);
            allowed.push(ratio(of_use.allowed, files) * 100.0);
            disallowed.push(ratio(of_use.disallowed, files) * 100.0);
        }
    }
    let chart = Chart {
        title: String::from("What files say about each use, in % of files"),
        labels,
        series: vec![
            Series {
                name: String::from("allowed"),
                percent: allowed,
            },
            Series {
                name: String::from("disallowed"),
                percent: disallowed,
            },
        ],
    };
    Section {
        id: "use",
        title: "Use of content",
        text: format!(
            "{} `Content-Signal` (contentsignals.org), `Content-Usage` (IETF AIPREF) and `License` (Really Simple Licensing) \
             say what content may be used for, not what may be fetched. If a file says both, the more restrictive counts.",
            match usage.files {
                0 => String::from("No file says anything of it."),
                count => format!("{} files have one of three records.", grouped(count)),
            }
        ),
        charts: if usage.files > 0 {
            vec![chart]
        } else {
            Vec::new()
        },
        tables: if usage.files > 0 {
            vec![
                records,
                uses,
                pairs("Content-Signal as written", signal),
                pairs("Content-Usage as written", content_usage),
            ]
        } else {
            Vec::new()
        },
    }
}

fn pairs(title: &str, statements: &Statements) -> Table {
    let mut table = Table::new(title, &["key and value", "files", "times"]);
    for (pair, counts) in statements.pairs.by_weight().into_iter().take(MOST_NAMES) {
        table.row([code(pair), number(counts.files), number(counts.times)]);
    }
    table.note = left_out(
        table.rows.len(),
        statements.pairs.distinct(),
        statements.pairs.is_complete(),
    );
    table
}
