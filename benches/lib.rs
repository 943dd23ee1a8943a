//! Inputs, peers and clocks that the benchmarks share.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::new_without_default,
    missing_docs
)]

pub mod harness;
pub mod inputs;
pub mod peers;
pub mod timing;
