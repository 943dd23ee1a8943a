//! The largest and the slowest files, with what may explain it.

use crate::report::document::{Section, Table, code, number, right_aligned, text};
use crate::report::number::{decimal, duration};
use crate::summary::Summary;
use crate::summary::top::TopFiles;

pub(super) fn section(summary: &Summary) -> Section {
    let timings = &summary.timings;
    let mut times = Table::new(
        "Time for a file, on one thread",
        &[
            "", "files", "mean", "median", "90 %", "99 %", "slowest", "in all",
        ],
    );
    for (name, distribution) in [
        ("to parse, with findings", &timings.parse),
        (
            "to compile the rules for everyone and check a first URL",
            &timings.check,
        ),
    ] {
        let quantile = |share| right_aligned(duration(distribution.quantile(share)));
        times.row([
            text(name),
            number(distribution.count()),
            right_aligned(duration(distribution.mean() as u64)),
            quantile(0.5),
            quantile(0.9),
            quantile(0.99),
            right_aligned(duration(distribution.max())),
            right_aligned(duration(distribution.sum())),
        ]);
    }
    let mut bytes = Table::new("Bytes that were parsed", &["", "bytes"]);
    bytes.row([text("all"), number(timings.bytes_parsed)]);
    Section {
        id: "slowest",
        title: "Largest and slowest",
        text: format!(
            "Parsing went at {} MB a second on one thread. Times are of this machine and this run; everything else in this \
             report is the same in every run.",
            decimal((timings.bytes_per_second() / 1e6).round())
        ),
        charts: Vec::new(),
        tables: vec![
            times,
            bytes,
            top("Largest files", "bytes", &summary.largest, |value| {
                value.to_string()
            }),
            top(
                "Slowest to parse",
                "time",
                &timings.slowest_to_parse,
                duration,
            ),
            top(
                "Slowest to check",
                "time",
                &timings.slowest_to_check,
                duration,
            ),
        ],
    }
}

fn top(title: &str, measure: &'static str, top: &TopFiles, show: impl Fn(u64) -> String) -> Table {
    let mut columns = vec![measure, "bytes", "lines", "rules", "wildcards", "file"];
    // The largest are in order of what the next column says.
    if measure == "bytes" {
        columns.remove(0);
    }
    let mut table = Table::new(title, &columns);
    for entry in top.entries() {
        let mut cells = vec![
            number(entry.bytes),
            number(entry.lines),
            number(entry.rules),
            number(entry.wildcards),
            code(match &entry.url {
                Some(url) => format!("{url} ({})", entry.place),
                None => entry.place.to_string(),
            }),
        ];
        if measure != "bytes" {
            cells.insert(0, right_aligned(show(entry.value)));
        }
        table.row(cells);
    }
    table
}
