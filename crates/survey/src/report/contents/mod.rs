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
use crate::report::document::{Document, Figure};
use crate::report::number::{bytes, grouped, percent};
use crate::summary::Summary;
use crate::summary::agents::WildcardEffect;
use crate::summary::domain_files::Trait;

pub(super) use crate::report::contents::crawlers::named as crawlers_that_files_name;
pub(super) use crate::report::contents::redirects::in_words as redirects_in_words;

/// Makes the report of a survey.
pub(crate) fn of_survey(title: &str, summary: &Summary) -> Document {
    Document {
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
    let disallow_all = summary.agents.everyone.get(&WildcardEffect::DisallowAll);
    let with_rules = &summary.findings.with_rules;
    let figure = |label, value| Figure {
        value,
        label,
        by_domain: String::new(),
    };
    let beside = |label, value, wanted, of| Figure {
        by_domain: by_domain::share(summary, wanted, of)
            .map_or(String::new(), |share| format!("each domain once: {share}")),
        ..figure(label, value)
    };
    vec![
        figure("robots.txt files", grouped(files)),
        figure("different ones", distinct(&summary.distinct_bodies)),
        beside(
            "name an AI crawler",
            of_files(summary.agents.ai.named),
            Trait::NamesAi,
            None,
        ),
        beside(
            "disallow an AI crawler everything",
            of_files(summary.agents.ai.disallowed),
            Trait::BlocksAi,
            None,
        ),
        beside(
            "disallow everyone everything",
            of_files(disallow_all.copied().unwrap_or_default()),
            Trait::BlocksEveryone,
            None,
        ),
        beside(
            "name a sitemap",
            of_files(summary.sitemaps.files),
            Trait::HasSitemap,
            None,
        ),
        beside(
            "of those with rules have a line that very likely does not do what was meant",
            percent(with_rules.with_error, with_rules.files),
            Trait::HasError,
            Some(Trait::HasRules),
        ),
        figure("median size", bytes(summary.texts.bytes.quantile(0.5))),
    ]
}
