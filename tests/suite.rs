//! The main test binary: cases as data, laws, layering. The other binary, `oracle`, compares with
//! recorded verdicts.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr,
    missing_docs
)]

mod suite {
    mod case_files;
    mod delay;
    mod document;
    mod layering;
    mod notation;
    mod promises;
    mod repository;
    #[cfg(feature = "serde")]
    mod serde;
    mod verdict;
}
