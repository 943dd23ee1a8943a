//! Tables and cells that several sections share.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::report::document::{Cell, Columns, Table, code, right_aligned, share};
use crate::report::measures::Measure;
use crate::report::number::{decimal, grouped};
use crate::summary::Summary;
use crate::summary::distribution::Distribution;
use crate::summary::occurrences::Occurrences;
use crate::summary::sketch::DistinctCount;
use crate::summary::tally::{NameCounts, Tally};

/// Writes a number of distinct values: `1,234`, or `about 1,234` for an estimate.
pub(in crate::report) fn distinct(distinct: &DistinctCount) -> String {
    let about = if distinct.is_exact() { "" } else { "about " };
    format!("{about}{}", grouped(distinct.estimate()))
}

/// The rows of measures in a table of counts.
pub(super) fn rows<'s>(
    measures: &'static [Measure],
    summary: &'s Summary,
) -> impl Iterator<Item = (&'static str, u64, u64)> + use<'s> {
    measures.iter().map(|measure| {
        let (count, whole) = measure.share(summary);
        (measure.name, count, whole)
    })
}

/// A table with one distribution in each row, without the empty ones.
pub(super) fn distributions(title: &str, rows: &[(&'static str, &Distribution)]) -> Table {
    let rows = rows.iter().filter(|(_, values)| values.count() > 0);
    Table::of(title, rows)
        .text("", |(name, _)| *name)
        .number("count", |(_, values)| values.count())
        .number("sum", |(_, values)| values.sum())
        .column("mean", |(_, values)| right_aligned(decimal(values.mean())))
        .number("median", |(_, values)| values.quantile(0.5))
        .number("90 %", |(_, values)| values.quantile(0.9))
        .number("99 %", |(_, values)| values.quantile(0.99))
        .number("largest", |(_, values)| values.max())
        .table()
}

/// A table of how often something occurs: the files with their share, and the `times`, with their
/// share if the number of all times is known.
pub(super) fn occurrences(
    title: &str,
    (head, times): (&str, &str),
    files: u64,
    all: Option<u64>,
    rows: impl IntoIterator<Item = (Cell, Occurrences)>,
) -> Columns<(Cell, Occurrences)> {
    let table = Table::of(title, rows)
        .column(head, |(name, _)| name.clone())
        .counts("files", files, |(_, counts)| counts.files)
        .number(times, |(_, counts)| counts.times);
    match all {
        Some(all) => table.column(format!("share of {times}"), |(_, counts)| {
            share(counts.times, all)
        }),
        None => table,
    }
}

/// A table of the names that most files have, as [`occurrences`] makes it.
pub(super) fn names(
    title: &str,
    heads: (&str, &str),
    files: u64,
    all: Option<u64>,
    names: &Tally<Occurrences>,
) -> Table {
    let shown = names.by_weight().into_iter().take(MOST_NAMES);
    let shown = shown.map(|(name, counts)| (code(name), *counts));
    let table = occurrences(title, heads, files, all, shown);
    table.note(left_out(names)).table()
}

/// The counts by name, sorted by the number of files, the largest first.
pub(in crate::report) fn by_files<N: Ord + Clone>(
    counts: &BTreeMap<N, Occurrences>,
) -> Vec<(N, Occurrences)> {
    let mut counts: Vec<(N, Occurrences)> = counts.clone().into_iter().collect();
    // The sort is stable: names with equally many files stay in the order of names.
    counts.sort_by_key(|(_, counts)| Reverse(counts.files));
    counts
}

/// The name of an enum variant in JSON.
pub(super) fn name_of(choice: &impl serde::Serialize) -> String {
    let name = serde_json::to_value(choice).unwrap_or_default();
    String::from(name.as_str().unwrap_or_default())
}

/// A note on the names that a table leaves out; `None` if it leaves out none.
pub(super) fn left_out<C: NameCounts>(names: &Tally<C>) -> Option<String> {
    let (shown, all) = (MOST_NAMES as u64, names.distinct());
    let about = if names.is_complete() { "" } else { "about " };
    let (shown, more) = (grouped(shown), all > shown);
    let all = grouped(all);
    more.then(|| {
        format!("The {shown} with the most files of {about}{all}; the survey's JSON has more.")
    })
}

/// The most rows of a table of names.
pub(super) const MOST_NAMES: usize = 100;

/// The names of the two shares of a bar: the first is a part of the second.
pub(super) const NAMED_AND_SHUT_OUT: [&str; 2] = ["disallowed everything by name", "named"];
