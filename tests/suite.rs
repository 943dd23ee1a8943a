//! The main test binary: cases as data, laws, layering. The other binary, `oracle`, compares with recorded verdicts.

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
    pub(crate) mod answers;
    mod builder;
    mod builder_laws;
    pub(crate) mod canonical;
    mod cases;
    mod compare;
    mod contract;
    mod diagnostics;
    mod documents;
    pub(crate) mod entry_points;
    pub(crate) mod fixed;
    pub(crate) mod hostile;
    pub(crate) mod laws;
    mod layering;
    mod lint;
    // Without `std` there is no lazy initialisation, so more memory is in use from the start.
    #[cfg(feature = "std")]
    mod memory;
    pub(crate) mod naive;
    pub(crate) mod naive_file;
    mod page;
    mod prose;
    mod record_laws;
    mod records;
    #[cfg(feature = "serde")]
    mod serde;
    mod stack;
    mod threads;
    mod views;
    pub(crate) mod written;
}
