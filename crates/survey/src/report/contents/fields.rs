//! The fields that files use, and how they write them.

use crate::report::contents::tables::{MOST_NAMES, left_out};
use crate::report::document::{Chart, Section, Table, code, number, share};
use crate::summary::Summary;
use crate::summary::occurrences::Occurrences;
use crate::summary::tally::Tally;

pub(super) fn section(summary: &Summary) -> Section {
    let records = &summary.records;
    let files = summary.files;
    let mut known: Vec<(&str, &Occurrences)> = records
        .known
        .iter()
        .map(|(name, counts)| (&**name, counts))
        .collect();
    known.sort_by_key(|(name, counts)| (std::cmp::Reverse(counts.files), *name));
    let mut table = Table::new("Known fields", &["field", "files", "share", "records"]);
    for (name, counts) in &known {
        table.row([
            code(*name),
            number(counts.files),
            share(counts.files, files),
            number(counts.times),
        ]);
    }
    let bars = known
        .iter()
        .map(|(name, counts)| (String::from(*name), counts.files));
    Section {
        id: "fields",
        title: "Fields",
        text: String::from(
            "Misspellings that Google's matcher accepts count as the field that is meant, and are listed as written. \
             Names that no document defines have no effect.",
        ),
        charts: Vec::from_iter(Chart::of_largest(
            "Files with a record of the field, in % of files",
            bars,
            files,
        )),
        tables: vec![
            table,
            names("Misspellings that are read", &records.misspelled, files),
            names("Unknown fields", &records.unknown, files),
        ],
    }
}

fn names(title: &str, tally: &Tally<Occurrences>, files: u64) -> Table {
    let mut table = Table::new(title, &["as written", "files", "share", "lines"]);
    for (name, counts) in tally.by_weight().into_iter().take(MOST_NAMES) {
        table.row([
            code(name),
            number(counts.files),
            share(counts.files, files),
            number(counts.times),
        ]);
    }
    table.note = left_out(table.rows.len(), tally.distinct(), tally.is_complete());
    table
}
