//! Section: the largest and the slowest files, with numbers that may explain them.

use crate::report::document::{Cell, Section, Table, code, number, right_aligned, text};
use crate::report::number::{decimal, duration};
use crate::summary::Summary;
use crate::summary::timings::Timings;
use crate::summary::top::{TopFile, TopFiles};

pub(super) fn section(summary: &Summary) -> Section {
    let timings = &summary.timings;
    Section {
        id: "slowest",
        title: "Largest and slowest",
        text: format!(
            "Parsing went at {} MB a second on one thread. Times are of this machine and this run; everything else in this \
             report is the same in every run. A check is timed in the files that are read in both dialects.",
            decimal((timings.bytes_per_second() / 1e6).round())
        ),
        charts: Vec::new(),
        tables: vec![
            times_table(timings),
            bytes_table(timings),
            largest_table(&summary.largest),
            slowest_table("Slowest to parse", &timings.slowest_to_parse),
            slowest_table("Slowest to check", &timings.slowest_to_check),
        ],
    }
}

fn times_table(timings: &Timings) -> Table {
    let mut table = Table::new(
        "Time for a file, on one thread",
        &[
            "", "files", "mean", "median", "90 %", "99 %", "slowest", "in all",
        ],
    );
    for (name, times) in [
        ("to parse, with findings", &timings.parse),
        (
            "to compile the rules for everyone and check a first URL",
            &timings.check,
        ),
    ] {
        let quantile = |share| right_aligned(duration(times.quantile(share)));
        table.row([
            text(name),
            number(times.count()),
            right_aligned(duration(times.mean() as u64)),
            quantile(0.5),
            quantile(0.9),
            quantile(0.99),
            right_aligned(duration(times.max())),
            right_aligned(duration(times.sum())),
        ]);
    }
    table
}

fn bytes_table(timings: &Timings) -> Table {
    let mut table = Table::new("Bytes that were parsed", &["", "bytes"]);
    table.row([text("all"), number(timings.bytes_parsed)]);
    table
}

fn largest_table(files: &TopFiles) -> Table {
    let mut table = Table::new("Largest files", &DESCRIPTION_COLUMNS);
    for file in files.entries() {
        table.row(description(file));
    }
    table
}

fn slowest_table(title: &str, files: &TopFiles) -> Table {
    let columns = [&["time"], DESCRIPTION_COLUMNS.as_slice()].concat();
    let mut table = Table::new(title, &columns);
    for file in files.entries() {
        let mut cells = vec![right_aligned(duration(file.value))];
        cells.extend(description(file));
        table.row(cells);
    }
    table
}

/// The cells below [`DESCRIPTION_COLUMNS`].
fn description(file: &TopFile) -> [Cell; 5] {
    [
        number(file.bytes),
        number(file.lines),
        number(file.rules),
        number(file.wildcards),
        code(match &file.url {
            Some(url) => format!("{url} ({})", file.place),
            None => file.place.to_string(),
        }),
    ]
}

/// The columns that describe a file.
const DESCRIPTION_COLUMNS: [&str; 5] = ["bytes", "lines", "rules", "wildcards", "file"];
