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
    mod json;
    mod lint;
    mod lint_expected;
    mod lint_fix;
    mod lint_formats;
    mod readme;
    mod robots;
    mod terminal;
    mod text;
}
