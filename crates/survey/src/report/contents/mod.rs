//! The contents of the report of a survey, in the order of a reader's questions.

mod access;
mod agents;
mod by_domain;
mod co_restriction;
mod crawlers;
mod findings;
mod method;
mod outcome;
mod records;
pub(super) mod strata;
pub(super) mod tables;
mod texts;

use crate::report::contents::tables::distinct;
use crate::report::document::{Chart, Document, Figure};
use crate::report::measures;
use crate::report::number::{bytes, counted, grouped, percent};
use crate::summary::Summary;

pub(crate) use crate::report::contents::access::NONE_PART_ALL;
pub(super) use crate::report::contents::agents::{by_name_or_everyone, known_crawlers};
pub(super) use crate::report::contents::findings::nothing_odd;
pub(super) use crate::report::contents::outcome::redirects_in_words;

/// Makes the report of a survey.
pub(crate) fn of_survey(title: &str, summary: &Summary) -> Document {
    let mut document = Document {
        title: String::from(title),
        lead: lead(summary),
        source: String::from(title),
        figures: figures(summary),
        sections: vec![
            outcome::section(summary),
            crawlers::section(summary),
            co_restriction::section(summary),
            agents::section(summary),
            records::usage(summary),
            records::rules(summary),
            records::crawl_delays(summary),
            records::sitemaps(summary),
            texts::size(summary),
            records::fields(summary),
            findings::findings(summary),
            findings::dialects(summary),
            texts::slowest(summary),
            method::section(summary),
        ],
        ..Document::default()
    };
    // The headline of a chart without bars would have shares of nothing, or of zero only.
    for section in &mut document.sections {
        section.charts.retain(Chart::shows_anything);
    }
    if let Some(share) = by_domain::large_share(summary) {
        let base = counted(summary.files, "file");
        let charts = document.sections.iter_mut();
        let charts = charts.flat_map(|section| &mut section.charts);
        for chart in charts.filter(|chart| chart.title.ends_with(&base)) {
            chart.title = format!("{}, {share}", chart.title);
        }
    }
    document
}

fn lead(summary: &Summary) -> String {
    format!(
        "{} robots.txt files of {} responses, read as RFC 9309 says.",
        grouped(summary.files),
        grouped(summary.responses)
    )
}

fn figures(summary: &Summary) -> Vec<Figure> {
    let figure = |label, value| Figure {
        value,
        label,
        by_domain: String::new(),
    };
    let shares = measures::headlines().filter_map(|(measure, headline)| {
        let (count, whole) = measure.share(summary);
        // A whole of zero has no shares.
        (whole > 0).then(|| Figure {
            by_domain: by_domain::share(summary, headline.wanted).unwrap_or_default(),
            ..figure(headline.label, percent(count, whole))
        })
    });
    let mut figures = vec![
        figure("robots.txt files", grouped(summary.files)),
        figure("different ones", distinct(&summary.distinct_bodies)),
    ];
    figures.extend(shares);
    let median = summary.texts.bytes.quantile(0.5);
    figures.push(figure("median size", bytes(median)));
    figures
}
