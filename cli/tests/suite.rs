//! Runs the real `robots`: what it prints, where, and with which exit code.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::std_instead_of_core
)]

mod suite {
    mod agents;
    mod diff;
    mod errors;
    mod explain;
    mod format;
    #[path = "../../src/survey/input/warc/generator.rs"]
    mod generator;
    mod hostile;
    mod json;
    mod lint;
    mod lint_expected;
    mod lint_fix;
    mod lint_formats;
    mod pages;
    mod readme;
    mod robots;
    mod several;
    mod survey;
    mod survey_hostile;
    mod survey_output;
    mod survey_parts;
    mod survey_report;
    mod terminal;
    mod text;
}
