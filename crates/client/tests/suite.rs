//! Tests of the crate as a whole that need no sockets.

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
    #[cfg(feature = "client")]
    mod signatures;
}
