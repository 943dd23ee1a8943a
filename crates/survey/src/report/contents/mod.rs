//! The contents of the report of a survey, in the order of a reader's questions.

mod access;
mod agents;
mod by_domain;
mod co_restriction;
mod crawl_delays;
mod crawlers;
mod dialects;
mod fields;
mod findings;
mod method;
pub(super) mod openness;
mod outcome;
mod redirects;
mod rules;
mod sitemaps;
mod size;
mod speed;
pub(super) mod strata;
pub(super) mod tables;
mod usage;

use crate::report::contents::tables::distinct;
use crate::report::document::{Chart, Document, Figure};
use crate::report::number::{bytes, counted, grouped, percent};
use crate::summary::Summary;
use crate::summary::agents::WildcardEffect;
use crate::summary::domain_files::Trait;

pub(super) use crate::report::contents::crawlers::named as crawlers_that_files_name;
pub(super) use crate::report::contents::findings::nothing_odd;
pub(super) use crate::report::contents::redirects::in_words as redirects_in_words;

/// Makes the report of a survey.
pub(crate) fn of_survey(title: &str, summary: &Summary) -> Document {
    let mut document = Document {
        title: String::from(title),
        lead: lead(summary),
        cautions: Vec::new(),
        dates: String::new(),
        source: String::from(title),
        provenance: Vec::new(),
        figures: figures(summary),
        sections: vec![
            outcome::section(summary),
            crawlers::section(summary),
            co_restriction::section(summary),
            agents::section(summary),
            usage::section(summary),
            rules::section(summary),
            crawl_delays::section(summary),
            sitemaps::section(summary),
            size::section(summary),
            fields::section(summary),
            findings::section(summary),
            dialects::section(summary),
            speed::section(summary),
            method::section(summary),
        ],
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
    let (files, ai) = (summary.files, summary.agents.ai);
    let disallow_all = summary.agents.everyone.get(&WildcardEffect::DisallowAll);
    let disallow_all = disallow_all.copied().unwrap_or_default();
    let sitemaps = summary.sitemaps.files;
    let with_rules = &summary.findings.with_rules;
    let figure = |label, value| Figure {
        value,
        label,
        by_domain: String::new(),
    };
    let shares = [
        ("name an AI crawler", ai.named, Trait::NamesAi),
        (
            "disallow an AI crawler everything",
            ai.disallowed,
            Trait::BlocksAi,
        ),
        (
            "disallow everyone everything",
            disallow_all,
            Trait::BlocksEveryone,
        ),
        ("name a sitemap", sitemaps, Trait::HasSitemap),
    ]
    .map(|(label, count, wanted)| (label, count, files, wanted, None));
    let errors = (
        "of those with rules have a line that very likely does not do what was meant",
        with_rules.with_error,
        with_rules.files,
        Trait::HasError,
        Some(Trait::HasRules),
    );
    // There is no share of nothing.
    let shares = shares.into_iter().chain([errors]);
    let shares = shares.filter(|(_, _, whole, ..)| *whole > 0);
    let shares = shares.map(|(label, count, whole, wanted, of)| Figure {
        by_domain: by_domain::share(summary, wanted, of).unwrap_or_default(),
        ..figure(label, percent(count, whole))
    });
    let sizes = &summary.texts.bytes;
    [
        figure("robots.txt files", grouped(files)),
        figure("different ones", distinct(&summary.distinct_bodies)),
    ]
    .into_iter()
    .chain(shares)
    .chain([figure("median size", bytes(sizes.quantile(0.5)))])
    .collect()
}
