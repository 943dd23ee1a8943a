//! Tables and cells that several sections share.

use crate::report::document::{Cell, Table, number, right_aligned, text};
use crate::report::number::{decimal, grouped};
use crate::summary::distribution::Distribution;
use crate::summary::sketch::DistinctCount;
use crate::summary::tally::{NameCounts, Tally};

/// Writes a number of distinct values: `1,234`, or `about 1,234` for an estimate.
pub(in crate::report) fn distinct(distinct: &DistinctCount) -> String {
    let count = grouped(distinct.estimate());
    if distinct.is_exact() {
        count
    } else {
        format!("about {count}")
    }
}

/// A table with one distribution in each row, without the empty ones.
pub(super) fn distributions(title: &'static str, rows: &[(&'static str, &Distribution)]) -> Table {
    let mut table = Table::new(
        title,
        &[
            "", "count", "sum", "mean", "median", "90 %", "99 %", "largest",
        ],
    );
    let rows = rows
        .iter()
        .filter(|(_, distribution)| distribution.count() > 0);
    for (name, distribution) in rows {
        let quantile = |share| number(distribution.quantile(share));
        let cells: [Cell; 8] = [
            text(*name),
            number(distribution.count()),
            number(distribution.sum()),
            right_aligned(decimal(distribution.mean())),
            quantile(0.5),
            quantile(0.9),
            quantile(0.99),
            number(distribution.max()),
        ];
        table.row(cells);
    }
    table
}

/// The name of an enum variant in JSON.
pub(super) fn name_of(choice: &impl serde::Serialize) -> String {
    match serde_json::to_value(choice) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}

/// A note on the names that a table leaves out; `None` if it has all of them.
pub(super) fn left_out<C: NameCounts>(table: &Table, names: &Tally<C>) -> Option<String> {
    let shown = table.rows.len() as u64;
    let about = if names.is_complete() { "" } else { "about " };
    (names.distinct() > shown).then(|| {
        format!(
            "The {} with the most files of {about}{}; the survey's JSON has more.",
            grouped(shown),
            grouped(names.distinct())
        )
    })
}

/// The most rows of a table of names.
pub(super) const MOST_NAMES: usize = 100;

/// The names of the two shares of a bar: the first is a part of the second.
pub(super) const NAMED_AND_SHUT_OUT: [&str; 2] = ["disallowed everything by name", "named"];
