//! How it was counted, and what the numbers do not say.

use crate::report::document::{Section, Table, right_aligned, text};
use crate::summary::Summary;

pub(super) fn section(summary: &Summary) -> Section {
    let mut table = Table::new("Method and limits", &["", ""]);
    let mut row = |name: &str, says: &str| table.row([text(name), text(says)]);
    row(
        "Reading",
        "Each file is parsed as RFC 9309 says, by the library polite-robots, with the misspellings that Google's matcher accepts.",
    );
    row(
        "Shares",
        "Of files, if nothing else is said. The same file from two URLs counts twice; see the number of different ones.",
    );
    row(
        "Disallowed everything",
        "A `Disallow` matches every path and no `Allow` can match any. A file that allows one page only is not counted.",
    );
    row(
        "Second names",
        "Crawlers that obey a second name, as Googlebot-Image obeys Googlebot, are counted by their own name and `*`.",
    );
    row(
        "Distributions",
        "Counts, sums and largest values are exact, the quantiles have three significant digits.",
    );
    row(
        "Names",
        "Names are cut to 64 bytes. Beyond 65,536 unknown ones a fair sample of the names is kept, each with its exact count.",
    );
    row(
        "What this is a sample of",
        "The inputs: an archive holds what its crawler asked for, which is not the web.",
    );
    let mut estimates = Table::new("Exact or estimated", &["", ""]);
    for (name, is_exact) in [
        ("number of different URLs", summary.distinct_urls.is_exact()),
        (
            "number of different files",
            summary.distinct_bodies.is_exact(),
        ),
        ("list of agents", summary.agents.by_token.is_complete()),
        (
            "list of unknown fields",
            summary.records.unknown.is_complete(),
        ),
    ] {
        let says = if is_exact {
            "exact"
        } else {
            "estimated, ± 0.4 %"
        };
        estimates.row([text(name), right_aligned(says)]);
    }
    Section {
        id: "method",
        title: "Method and limits",
        text: String::from("How it was counted, and what the numbers do not say."),
        charts: Vec::new(),
        tables: vec![table, estimates],
    }
}
