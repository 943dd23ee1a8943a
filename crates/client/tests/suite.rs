//! Tests of the crate as a whole that need neither sockets nor features.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod suite {
    mod figures;
    mod layering;
}
