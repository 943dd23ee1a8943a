//! What a report of a survey tells, in the order in which a reader asks.

mod agents;
mod crawl_delays;
mod crawlers;
mod dialects;
mod fields;
mod findings;
mod method;
mod outcome;
mod rules;
mod sitemaps;
mod size;
mod speed;
mod usage;

use crate::report::document::{Cell, Document, Figure, Table, number, right, text};
use crate::report::number::{grouped, octets, percent};
use crate::summary::Summary;
use crate::summary::agents::Everyone;
use crate::summary::distribution::Distribution;
use crate::summary::sketch::Distinct;

pub(super) use crate::report::contents::crawlers::named as crawlers_that_files_name;

pub(crate) fn of_survey(title: &str, summary: &Summary) -> Document {
    Document {
        title: String::from(title),
        lead: lead(summary),
        figures: figures(summary),
        sections: vec![
            outcome::section(summary),
            size::section(summary),
            crawlers::section(summary),
            agents::section(summary),
            rules::section(summary),
            crawl_delays::section(summary),
            sitemaps::section(summary),
            usage::section(summary),
            fields::section(summary),
            findings::section(summary),
            dialects::section(summary),
            speed::section(summary),
            method::section(summary),
        ],
    }
}

fn lead(summary: &Summary) -> String {
    format!(
        "{} robots.txt files of {} responses, read as RFC 9309 says.",
        grouped(summary.files),
        grouped(summary.responses)
    )
}

fn figures(summary: &Summary) -> Vec<Figure> {
    let files = summary.files;
    let of_files = |count| percent(count, files);
    let everyone = summary.agents.everyone.get(&Everyone::DisallowAll);
    let errors = &summary.findings.by_severity;
    let figure = |label, value| Figure { value, label };
    vec![
        figure("robots.txt files", grouped(files)),
        figure("different ones", distinct(&summary.distinct_bodies)),
        figure("name an AI crawler", of_files(summary.agents.ai.named)),
        figure(
            "disallow an AI crawler everything",
            of_files(summary.agents.ai.disallowed),
        ),
        figure(
            "disallow everyone everything",
            of_files(everyone.copied().unwrap_or_default()),
        ),
        figure("name a sitemap", of_files(summary.sitemaps.files)),
        figure(
            "have a line that very likely does not do what was meant",
            of_files(
                errors
                    .get(&polite_robots::Severity::Error)
                    .copied()
                    .unwrap_or_default(),
            ),
        ),
        figure("median size", octets(summary.texts.octets.quantile(0.5))),
    ]
}

/// `1,234`, or `about 1,234` of an estimate.
pub(super) fn distinct(distinct: &Distinct) -> String {
    let count = grouped(distinct.estimate());
    if distinct.is_exact() {
        count
    } else {
        format!("about {count}")
    }
}

/// A table of distributions, one in each row.
fn distributions(title: &'static str, rows: &[(&'static str, &Distribution)]) -> Table {
    let mut table = Table::new(
        title,
        &[
            "", "count", "sum", "mean", "median", "90 %", "99 %", "largest",
        ],
    );
    let rows = rows
        .iter()
        .filter(|(_, distribution)| distribution.count() > 0);
    for (name, distribution) in rows {
        let quantile = |share| number(distribution.quantile(share));
        let cells: [Cell; 8] = [
            text(*name),
            number(distribution.count()),
            number(distribution.sum()),
            right(crate::report::number::decimal(distribution.mean())),
            quantile(0.5),
            quantile(0.9),
            quantile(0.99),
            number(distribution.max()),
        ];
        table.row(cells);
    }
    table
}

/// The name of a choice as JSON has it.
fn name_of(choice: &impl serde::Serialize) -> String {
    match serde_json::to_value(choice) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}

/// What a table leaves out, if it does.
fn left_out(shown: usize, distinct: u64, is_complete: bool) -> Option<String> {
    let about = if is_complete { "" } else { "about " };
    (distinct > shown as u64).then(|| {
        format!(
            "The {} with the most files of {about}{}; the survey's JSON has more.",
            grouped(shown as u64),
            grouped(distinct)
        )
    })
}

/// Rows of a table of names that anybody may choose.
const MOST_NAMES: usize = 100;
