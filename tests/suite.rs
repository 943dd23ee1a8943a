//! One binary of tests: cases as data, recorded verdicts, laws, layering.

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
    mod builder;
    pub(crate) mod canonical;
    mod cases;
    mod compare;
    mod contract;
    pub(crate) mod corpus;
    pub(crate) mod entry_points;
    pub(crate) mod laws;
    mod layering;
    mod lint;
    pub(crate) mod naive;
    pub(crate) mod oracle;
    mod page;
    mod record_laws;
    mod recorded;
    mod records;
    #[cfg(feature = "serde")]
    mod serde;
}
