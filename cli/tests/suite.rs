//! Runs the real `robots`: what it prints, where, and with which exit code.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::std_instead_of_core
)]

mod suite {
    mod errors;
    #[path = "../../src/survey/input/warc/generator.rs"]
    mod generator;
    mod json;
    mod readme;
    mod robots;
    mod survey;
    mod terminal;
    mod text;
}
