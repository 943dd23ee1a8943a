//! Section: the method of the survey, and the limits of its numbers.

use crate::report::document::{Section, Table, right_aligned};
use crate::report::measures;
use crate::summary::Summary;

pub(super) fn section(summary: &Summary) -> Section {
    let estimates = [
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
    ];
    let notes = NOTES
        .into_iter()
        .map(|(name, note)| (name, String::from(note)));
    let definitions = measures::all().map(|measure| {
        let (definition, base) = (measure.definition, measure.base.name);
        let note = format!("Counts: {definition}. A share of the {base}.");
        (measure.name, note)
    });
    Section {
        id: "method",
        title: "Method and limits",
        text: String::from("How it was counted, and what the numbers do not say."),
        charts: Vec::new(),
        tables: vec![
            Table::of("Method and limits", notes.chain(definitions))
                .text("", |(name, _)| *name)
                .text("", |(_, note)| note.clone())
                .table(),
            Table::of("Exact or estimated", estimates)
                .text("", |(name, _)| *name)
                .column("", |(_, is_exact)| {
                    right_aligned(if *is_exact {
                        "exact"
                    } else {
                        "estimated, ± 0.4 %"
                    })
                })
                .table(),
        ],
    }
}

/// The notes on the method, each with a title.
const NOTES: [(&str, &str); 7] = [
    (
        "Reading",
        "Each file is parsed as RFC 9309 says, by the library polite-robots, with the misspellings that Google's matcher \
         accepts.",
    ),
    (
        "Shares",
        "Of files, if nothing else is said. The same file from two URLs counts twice; see the number of different ones.",
    ),
    (
        "Disallowed everything",
        "A `Disallow` matches every path and no `Allow` can match any. A file that allows one page only is not counted.",
    ),
    (
        "Second names",
        "Crawlers that obey a second name, as Googlebot-Image obeys Googlebot, are counted by their own name and `*`.",
    ),
    (
        "Distributions",
        "Counts, sums and largest values are exact, the quantiles have three significant digits.",
    ),
    (
        "Names",
        "Names are cut to 64 bytes. Beyond 65,536 unknown ones a fair sample of the names is kept, each with its exact \
         count.",
    ),
    (
        "What this is a sample of",
        "The inputs: an archive holds what its crawler asked for, which is not the web.",
    ),
];
