//! The sitemaps that files name.

use crate::report::contents::tables::distributions;
use crate::report::document::{Chart, Section, Table};
use crate::summary::Summary;

pub(super) fn section(summary: &Summary) -> Section {
    let sitemaps = &summary.sitemaps;
    let files = summary.files;
    let bins: Vec<(String, u64)> = BINS
        .iter()
        .map(|(name, first, last)| {
            (
                String::from(*name),
                sitemaps.per_file.between(*first, *last),
            )
        })
        .collect();
    let mut table = Table::new("Sitemaps that files name", &["", "files", "share"]);
    for (name, count) in &bins {
        table.count(name.as_str(), *count, files);
    }
    let mut more = Table::new("Files with sitemaps", &["", "files", "share"]);
    more.count("with at least one", sitemaps.files, files);
    more.count("with more than 50", sitemaps.over_50, files);
    more.count(
        "whose own URL is known",
        sitemaps.files_with_url,
        sitemaps.files,
    );
    more.count(
        "… with one on another host",
        sitemaps.other_host,
        sitemaps.files_with_url,
    );
    Section {
        id: "sitemaps",
        title: "Sitemaps",
        text: String::from(
            "`Sitemap` records with a value, wherever they stand. Another host is also that of a `www.` more or less.",
        ),
        charts: vec![Chart::of_shares(
            "Sitemaps that files name, in % of files",
            bins,
            files,
        )],
        tables: vec![
            table,
            more,
            distributions("Sitemaps of a file", &[("sitemaps", &sitemaps.per_file)]),
        ],
    }
}

const BINS: [(&str, u64, u64); 6] = [
    ("none", 0, 0),
    ("1", 1, 1),
    ("2", 2, 2),
    ("3 to 10", 3, 10),
    ("11 to 50", 11, 50),
    ("more than 50", 51, u64::MAX),
];
