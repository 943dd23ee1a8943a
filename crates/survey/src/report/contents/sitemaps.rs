//! Section: the sitemaps that files name.

use crate::report::contents::by_domain;
use crate::report::contents::tables::distributions;
use crate::report::document::{Chart, Section, Table, Whole};
use crate::report::number::{percent, percent_of_files};
use crate::summary::Summary;
use crate::summary::domain_files::Trait;
use crate::summary::sitemaps::Sitemaps;

pub(super) fn section(summary: &Summary) -> Section {
    let sitemaps = &summary.sitemaps;
    let files = summary.files;
    let bins = BINS.map(|(name, first, last)| {
        let count = sitemaps.per_file.between(first, last);
        (String::from(name), count)
    });
    Section {
        id: "sitemaps",
        title: "Sitemaps",
        text: String::from(
            "`Sitemap` records with a value, wherever they stand. Another host is also that of a `www.` more or less.",
        ),
        charts: vec![Chart::of_shares(
            headline(summary),
            "Sitemaps that files name",
            bins.clone(),
            Whole::files(files),
        )],
        tables: vec![
            bins_table(bins, files),
            hosts_table(sitemaps, files),
            distributions("Sitemaps of a file", &[("sitemaps", &sitemaps.per_file)]),
        ],
    }
}

fn headline(summary: &Summary) -> String {
    let (sitemaps, files) = (&summary.sitemaps, summary.files);
    format!(
        "{}{} name a sitemap, and {} more than one.",
        percent_of_files(sitemaps.files, files),
        by_domain::beside(summary, Trait::HasSitemap, None),
        percent(sitemaps.per_file.between(2, u64::MAX), files),
    )
}

fn bins_table(bins: impl IntoIterator<Item = (String, u64)>, files: u64) -> Table {
    let mut table = Table::new("Sitemaps that files name", &["", "files", "share"]);
    for (name, count) in bins {
        table.count(name, count, files);
    }
    table
}

fn hosts_table(sitemaps: &Sitemaps, files: u64) -> Table {
    let mut table = Table::new("Files with sitemaps", &["", "files", "share"]);
    for (name, count, whole) in [
        ("with at least one", sitemaps.files, files),
        ("with more than 50", sitemaps.over_50, files),
        (
            "whose own URL is known",
            sitemaps.files_with_url,
            sitemaps.files,
        ),
        (
            "… with one on another host",
            sitemaps.other_host,
            sitemaps.files_with_url,
        ),
    ] {
        table.count(name, count, whole);
    }
    table
}

/// The bins of the number of sitemaps in a file: name, first and last number.
const BINS: [(&str, u64, u64); 6] = [
    ("none", 0, 0),
    ("1", 1, 1),
    ("2", 2, 2),
    ("3 to 10", 3, 10),
    ("11 to 50", 11, 50),
    ("more than 50", 51, u64::MAX),
];
