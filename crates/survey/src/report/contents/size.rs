//! Section: the size and the text of the files.

use crate::report::contents::tables::{distributions, name_of};
use crate::report::document::{Chart, Section, Table, Whole, number, text};
use crate::report::number::{bytes, counted, percent};
use crate::summary::Summary;
use crate::summary::texts::Texts;

pub(super) fn section(summary: &Summary) -> Section {
    let texts = &summary.texts;
    let files = texts.bytes.count();
    let bins = sizes_by_bin(texts);
    Section {
        id: "size",
        title: "Size and text",
        text: introduction(texts, files),
        charts: vec![Chart::of_shares(
            headline(texts, files),
            "Files by size in bytes",
            bins.clone(),
            Whole::files(files),
        )],
        tables: vec![
            sizes_table(bins, files),
            distributions(
                "Bytes and lines of a file",
                &[
                    ("bytes", &texts.bytes),
                    ("lines", &texts.lines),
                    ("bytes of the longest line", &texts.longest_line),
                ],
            ),
            kinds_table(texts, files),
            comments_table(texts),
        ],
    }
}

fn introduction(texts: &Texts, files: u64) -> String {
    format!(
        "99 % of the files have at most {}. {} are larger than 500 KiB, which is as much as RFC 9309 §2.5 asks \
         crawlers to read at least, and all that Google reads.",
        bytes(texts.bytes.quantile(0.99)),
        percent(texts.over_500_kib, files),
    )
}

fn headline(texts: &Texts, files: u64) -> String {
    format!(
        "Half of {} have at most {}; {} are empty, and {} are a web page (HTML or XML).",
        counted(files, "file"),
        bytes(texts.bytes.quantile(0.5)),
        percent(texts.blank, files),
        percent(texts.html, files),
    )
}

fn sizes_table(bins: Vec<(String, u64)>, files: u64) -> Table {
    let mut table = Table::new("Files by size", &["bytes", "files", "share"]);
    for (name, count) in bins {
        table.count(name, count, files);
    }
    table
}

fn kinds_table(texts: &Texts, files: u64) -> Table {
    let mut table = Table::new("Files as text", &["", "files", "share"]);
    for (name, count) in [
        ("empty", texts.empty),
        ("nothing but white space", texts.blank),
        (
            "more than 500 KiB, which Google does not read",
            texts.over_500_kib,
        ),
        ("web pages, in HTML or XML", texts.html),
        ("with comments", texts.with_comments),
        ("with a byte order mark", texts.byte_order_mark),
        ("with a NUL byte", texts.with_nul),
    ] {
        table.count(name, count, files);
    }
    for (encoding, count) in &texts.encodings {
        table.count(format!("encoding: {}", name_of(encoding)), *count, files);
    }
    table
}

fn comments_table(texts: &Texts) -> Table {
    let mut table = Table::new("Comments", &["", "lines"]);
    table.row([text("lines with a comment"), number(texts.comments)]);
    table
}

/// The number of files in each bin, with the name of the bin. Three digits distinguish the limits
/// of the bins.
fn sizes_by_bin(texts: &Texts) -> Vec<(String, u64)> {
    let limits = [
        1, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000, 512_000,
    ];
    let firsts = std::iter::once(0).chain(limits);
    let lasts = limits.into_iter().map(|limit| limit - 1).chain([u64::MAX]);
    firsts
        .zip(lasts)
        .map(|(first, last)| (bin_name(first, last), texts.bytes.between(first, last)))
        .collect()
}

fn bin_name(first: u64, last: u64) -> String {
    match (first, last) {
        (0, _) => String::from("0"),
        (_, u64::MAX) => format!("from {}", in_thousands(first)),
        _ => format!(
            "{} to under {}",
            in_thousands(first),
            in_thousands(last + 1)
        ),
    }
}

/// Shortens a number: `50 k`.
fn in_thousands(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{} k", number / 1_000),
    }
}
