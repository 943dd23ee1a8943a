//! The largest and the slowest files, with what may explain it.

use crate::report::document::{Section, Table, code, number, right, text};
use crate::report::number::{decimal, duration};
use crate::summary::Summary;
use crate::summary::top::Top;

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
        let quantile = |share| right(duration(distribution.quantile(share)));
        times.row([
            text(name),
            number(distribution.count()),
            right(duration(distribution.mean() as u64)),
            quantile(0.5),
            quantile(0.9),
            quantile(0.99),
            right(duration(distribution.max())),
            right(duration(distribution.sum())),
        ]);
    }
    let mut octets = Table::new("Octets that were parsed", &["", "octets"]);
    octets.row([text("all"), number(timings.octets_parsed)]);
    Section {
        id: "slowest",
        title: "Largest and slowest",
        text: format!(
            "Parsing went at {} MB a second on one thread. Times are of this machine and this run; everything else in this \
             report is the same in every run.",
            decimal((timings.octets_per_second() / 1e6).round())
        ),
        charts: Vec::new(),
        tables: vec![
            times,
            octets,
            top("Largest files", "octets", &summary.largest, |value| {
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

fn top(title: &str, measure: &'static str, top: &Top, show: impl Fn(u64) -> String) -> Table {
    let mut columns = vec![measure, "octets", "lines", "rules", "wildcards", "file"];
    // The largest are in order of what the next column says.
    if measure == "octets" {
        columns.remove(0);
    }
    let mut table = Table::new(title, &columns);
    for entry in top.entries() {
        let mut cells = vec![
            number(entry.octets),
            number(entry.lines),
            number(entry.rules),
            number(entry.wildcards),
            code(match &entry.url {
                Some(url) => format!("{url} ({})", entry.place),
                None => entry.place.to_string(),
            }),
        ];
        if measure != "octets" {
            cells.insert(0, right(show(entry.value)));
        }
        table.row(cells);
    }
    table
}
