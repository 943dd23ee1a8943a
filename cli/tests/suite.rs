//! Runs the real `robots`: what it prints, where, and with which exit code.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::std_instead_of_core
)]

mod suite {
    #[cfg(unix)]
    mod action;
    mod agents;
    mod edit;
    mod errors;
    mod expect;
    mod explain;
    mod format;
    #[cfg(feature = "survey")]
    #[path = "../../../crates/survey/tests/generator.rs"]
    mod generator;
    mod golden;
    mod hostile;
    mod layering;
    mod lint;
    mod lint_expected;
    mod lint_fix;
    mod lint_formats;
    mod lint_volume;
    #[cfg(feature = "site")]
    mod obeyed;
    #[cfg(feature = "site")]
    mod one_answer;
    mod page;
    mod pages;
    #[cfg(all(feature = "fetch", feature = "site", feature = "survey"))]
    mod readme;
    #[cfg(all(feature = "fetch", feature = "site", feature = "survey"))]
    mod readme_links;
    mod robots;
    #[cfg(feature = "site")]
    mod sitemap;
    mod stream;
    #[cfg(feature = "survey")]
    mod survey;
    #[cfg(feature = "survey")]
    mod survey_count;
    #[cfg(feature = "survey")]
    mod survey_hostile;
    #[cfg(feature = "survey")]
    mod survey_method;
    #[cfg(feature = "survey")]
    mod survey_output;
    #[cfg(feature = "survey")]
    mod survey_parts;
    #[cfg(feature = "survey")]
    mod survey_redirects;
    #[cfg(feature = "survey")]
    mod survey_report;
    #[cfg(feature = "survey")]
    mod survey_rows;
    #[cfg(feature = "survey")]
    mod survey_stream;
    #[cfg(feature = "survey")]
    mod survey_units;
    mod terminal;
}
