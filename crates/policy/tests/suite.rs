//! One binary of tests: scenarios as data, laws over random histories, oracles, layering.

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
    mod bounds;
    mod cache;
    #[path = "../../../../tests/suite/case_files.rs"]
    mod case_files;
    mod case_format;
    mod cases;
    mod crawl_pages;
    mod fetch;
    mod findings;
    mod forgetting;
    pub(crate) mod laws;
    mod layering;
    mod long_gaps;
    mod machine;
    mod memory;
    pub(crate) mod naive;
    #[path = "../../../../tests/suite/notation.rs"]
    mod notation;
    mod oracles;
    mod pace_faults;
    #[cfg(feature = "std")]
    mod robots_cache;
    mod scheduler;
    mod taking_over;
    mod together;
    mod turns;
    mod words;
}
