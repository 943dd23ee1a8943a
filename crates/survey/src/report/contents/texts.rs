//! Sections: the size and the text of the files, and the largest and the slowest of them.

use crate::report::contents::tables::{distributions, name_of, rows};
use crate::report::document::{Chart, Columns, Section, Table, Whole, right_aligned};
use crate::report::measures::TEXTS;
use crate::report::number::{bytes, counted, decimal, duration, grouped, percent};
use crate::summary::Summary;
use crate::summary::distribution::Distribution;
use crate::summary::texts::Texts;
use crate::summary::top::{TopFile, TopFiles};

pub(super) fn size(summary: &Summary) -> Section {
    let (texts, files) = (&summary.texts, summary.files);
    let bins = sizes_by_bin(texts);
    let in_table = bins
        .iter()
        .map(|(name, count)| (name.clone(), *count, files));
    let encodings = texts.encodings.iter();
    let encodings =
        encodings.map(|(name, count)| (format!("encoding: {}", name_of(name)), *count, files));
    let lines = texts.lines.sum();
    let comments = (String::from("lines with a comment"), texts.comments, lines);
    let kinds = rows(TEXTS, summary).map(|(name, count, of)| (String::from(name), count, of));
    let headline = format!(
        "Half of {} have at most {}; {} are empty, and {} are a web page (HTML or XML).",
        counted(files, "file"),
        bytes(texts.bytes.quantile(0.5)),
        percent(texts.blank, files),
        percent(texts.html, files),
    );
    Section {
        id: "size",
        title: "Size and text",
        text: format!(
            "99 % of the files have at most {}. {} are larger than 500 KiB, which is as much as RFC 9309 §2.5 asks \
             crawlers to read at least, and all that Google reads.",
            bytes(texts.bytes.quantile(0.99)),
            percent(texts.over_500_kib, files),
        ),
        tables: vec![
            Table::of_counts("Files by size in bytes", "files", in_table),
            distributions(
                "Bytes and lines of a file",
                &[
                    ("bytes", &texts.bytes),
                    ("lines", &texts.lines),
                    ("bytes of the longest line", &texts.longest_line),
                ],
            ),
            Table::of_counts(
                "Files as text",
                "count",
                kinds.chain(encodings).chain([comments]),
            ),
        ],
        charts: vec![Chart::of_shares(
            headline,
            "Files by size in bytes",
            bins,
            Whole::files(files),
        )],
    }
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
    let in_thousands = |number: u64| match number {
        0..1_000 => number.to_string(),
        _ => format!("{} k", number / 1_000),
    };
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

pub(super) fn slowest(summary: &Summary) -> Section {
    let timings = &summary.timings;
    let slowest = |title, files: &TopFiles| {
        let files = Table::of(title, files.entries().to_vec());
        described(files.column("time", |file| right_aligned(duration(file.value.0))))
    };
    Section {
        id: "slowest",
        title: "Largest and slowest",
        text: format!(
            "Parsing went at {} MB a second on one thread, over {} bytes. Times are of this machine and this run; \
             everything else in this report is the same in every run. A check is timed in the files that are read in both \
             dialects.",
            decimal((timings.bytes_per_second() / 1e6).round()),
            grouped(timings.bytes_parsed),
        ),
        charts: Vec::new(),
        tables: vec![
            times_table(&[
                ("to parse, with findings", &timings.parse),
                (
                    "to compile the rules for everyone and check a first URL",
                    &timings.check,
                ),
            ]),
            described(Table::of(
                "Largest files",
                summary.largest.entries().to_vec(),
            )),
            slowest("Slowest to parse", &timings.slowest_to_parse),
            slowest("Slowest to check", &timings.slowest_to_check),
        ],
    }
}

fn times_table(rows: &[(&'static str, &Distribution)]) -> Table {
    let time = |nanoseconds: u64| right_aligned(duration(nanoseconds));
    Table::of("Time for a file, on one thread", rows)
        .text("", |(name, _)| *name)
        .number("files", |(_, times)| times.count())
        .column("mean", |(_, times)| time(times.mean() as u64))
        .column("median", |(_, times)| time(times.quantile(0.5)))
        .column("90 %", |(_, times)| time(times.quantile(0.9)))
        .column("99 %", |(_, times)| time(times.quantile(0.99)))
        .column("slowest", |(_, times)| time(times.max()))
        .column("in all", |(_, times)| time(times.sum()))
        .table()
}

/// The columns that describe a file.
fn described(files: Columns<TopFile>) -> Table {
    files
        .number("bytes", |file| file.bytes)
        .number("lines", |file| file.lines)
        .number("rules", |file| file.rules)
        .number("wildcards", |file| file.wildcards)
        .code("file", |file| match &file.url {
            Some(url) => format!("{url} ({})", file.place),
            None => file.place.to_string(),
        })
        .table()
}
