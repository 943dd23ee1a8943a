//! How large the files are, and what kind of text.

use crate::report::contents::tables::{distributions, name_of};
use crate::report::document::{Chart, Section, Table};
use crate::report::number::{bytes, percent};
use crate::summary::Summary;

pub(super) fn section(summary: &Summary) -> Section {
    let texts = &summary.texts;
    let files = texts.bytes.count();
    let mut sizes = Table::new("Files by size", &["bytes", "files", "share"]);
    let bins: Vec<(String, u64)> = bins()
        .map(|(name, first, last)| (name, texts.bytes.between(first, last)))
        .collect();
    for (name, count) in &bins {
        sizes.count(name.as_str(), *count, files);
    }
    let mut kinds = Table::new("Files as text", &["", "files", "share"]);
    kinds.count("empty", texts.empty, files);
    kinds.count("nothing but white space", texts.blank, files);
    kinds.count(
        "more than 500 KiB, which Google does not read",
        texts.over_500_kib,
        files,
    );
    kinds.count("HTML pages", texts.html, files);
    kinds.count("with comments", texts.with_comments, files);
    kinds.count("with a byte order mark", texts.byte_order_mark, files);
    kinds.count("with a NUL byte", texts.with_nul, files);
    for (encoding, count) in &texts.encodings {
        kinds.count(format!("encoding: {}", name_of(encoding)), *count, files);
    }
    let mut comments = Table::new("Comments", &["", "lines"]);
    comments.row([
        crate::report::document::text("lines with a comment"),
        crate::report::document::number(texts.comments),
    ]);
    Section {
        id: "size",
        title: "Size and text",
        text: format!(
            "Half of the files have at most {}, 99 % at most {}. {} are larger than 500 KiB, which is as much as \
             RFC 9309 §2.5 asks crawlers to read at least, and all that Google reads.",
            bytes(texts.bytes.quantile(0.5)),
            bytes(texts.bytes.quantile(0.99)),
            percent(texts.over_500_kib, files),
        ),
        charts: vec![Chart::of_shares(
            "Files by size, in % of files",
            bins,
            files,
        )],
        tables: vec![
            sizes,
            distributions(
                "Bytes and lines of a file",
                &[
                    ("bytes", &texts.bytes),
                    ("lines", &texts.lines),
                    ("bytes of the longest line", &texts.longest_line),
                ],
            ),
            kinds,
            comments,
        ],
    }
}

/// Names with the first and the last size of each; three digits tell their limits apart.
fn bins() -> impl Iterator<Item = (String, u64, u64)> {
    let limits = [
        1, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000, 512_000,
    ];
    let firsts = std::iter::once(0).chain(limits);
    let lasts = limits.into_iter().map(|limit| limit - 1).chain([u64::MAX]);
    firsts.zip(lasts).map(|(first, last)| {
        let name = match (first, last) {
            (0, _) => String::from("0"),
            (_, u64::MAX) => format!("from {}", short(first)),
            _ => format!("{} to {}", short(first), short(last + 1)),
        };
        (name, first, last)
    })
}

/// `50 k`
fn short(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{} k", number / 1_000),
    }
}
