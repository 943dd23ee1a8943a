//! Section: the fields that files use, and their spellings.

use crate::report::contents::tables::{MOST_NAMES, left_out};
use crate::report::document::{Cell, Chart, Section, Table, Whole, code, number, share};
use crate::report::number::percent_of_files;
use crate::summary::Summary;
use crate::summary::occurrences::Occurrences;
use crate::summary::tally::Tally;

pub(super) fn section(summary: &Summary) -> Section {
    let records = &summary.records;
    let files = summary.files;
    let known = known_by_files(summary);
    let bars = known
        .iter()
        .map(|(name, counts)| (String::from(*name), counts.files));
    Section {
        id: "fields",
        title: "Fields",
        text: String::from(
            "Misspellings that Google's matcher accepts count as the field that is meant, and are listed as written. \
             Names that no standard defines have no effect.",
        ),
        charts: Vec::from_iter(Chart::of_largest(
            headline(&known, files),
            "Files with a record of the field",
            bars,
            Whole::files(files),
        )),
        tables: vec![
            known_table(&known, files),
            names_table("Misspellings that are read", &records.misspelled, files),
            names_table("Proposed fields, without effect", &records.proposed, files),
            names_table("Unknown fields", &records.unknown, files),
        ],
    }
}

/// The fields outside of RFC 9309 that most files have.
fn headline(known: &[(&str, Occurrences)], files: u64) -> String {
    let others = known
        .iter()
        .filter(|(name, _)| !["User-agent", "Allow", "Disallow"].contains(name));
    let others: Vec<String> = others
        .take(2)
        .map(|(name, counts)| format!("`{name}` ({})", percent_of_files(counts.files, files)))
        .collect();
    match others.is_empty() {
        true => String::from("No file has a field outside of RFC 9309."),
        false => format!(
            "The fields outside of RFC 9309 most in use: {}.",
            others.join(" and ")
        ),
    }
}

/// The known fields, those of most files first.
fn known_by_files(summary: &Summary) -> Vec<(&str, Occurrences)> {
    let fields = summary.records.known.iter();
    let mut fields: Vec<(&str, Occurrences)> =
        fields.map(|(name, counts)| (&**name, *counts)).collect();
    fields.sort_by_key(|(name, counts)| (std::cmp::Reverse(counts.files), *name));
    fields
}

fn known_table(known: &[(&str, Occurrences)], files: u64) -> Table {
    let mut table = Table::new("Known fields", &["field", "files", "share", "records"]);
    for (name, counts) in known {
        table.row(row(name, counts, files));
    }
    table
}

fn names_table(title: &str, names: &Tally<Occurrences>, files: u64) -> Table {
    let mut table = Table::new(title, &["as written", "files", "share", "lines"]);
    for (name, counts) in names.by_weight().into_iter().take(MOST_NAMES) {
        table.row(row(name, counts, files));
    }
    table.note = left_out(&table, names);
    table
}

fn row(name: &str, counts: &Occurrences, files: u64) -> [Cell; 4] {
    [
        code(name),
        number(counts.files),
        share(counts.files, files),
        number(counts.times),
    ]
}
