//! Tables and cells that several sections have.

use crate::report::document::{Cell, Table, number, right_aligned, text};
use crate::report::number::{decimal, grouped};
use crate::summary::distribution::Distribution;
use crate::summary::sketch::DistinctCount;

/// `1,234`, or `about 1,234` of an estimate.
pub(in crate::report) fn distinct(distinct: &DistinctCount) -> String {
    let count = grouped(distinct.estimate());
    if distinct.is_exact() {
        count
    } else {
        format!("about {count}")
    }
}

/// A table of distributions, one in each row.
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

/// The name of a choice as JSON has it.
pub(super) fn name_of(choice: &impl serde::Serialize) -> String {
    match serde_json::to_value(choice) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}

/// A note on the rows that a table leaves out, if it does.
pub(super) fn left_out(shown: usize, distinct: u64, is_complete: bool) -> Option<String> {
    let about = if is_complete { "" } else { "about " };
    (distinct > shown as u64).then(|| {
        format!(
            "The {} with the most files of {about}{}; the survey's JSON has more.",
            grouped(shown as u64),
            grouped(distinct)
        )
    })
}

/// Rows of a table of names that anybody may choose.
pub(super) const MOST_NAMES: usize = 100;
