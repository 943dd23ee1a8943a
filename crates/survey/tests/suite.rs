//! The tests of the whole crate; those of its parts stand beside them in `src/`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod suite {
    mod layering;
    mod readme;
}
