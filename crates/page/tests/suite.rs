//! The tests of the whole crate; those of its parts stand beside them in `src/`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout
)]

mod suite {
    mod answers;
    #[path = "../../../../tests/suite/case_files.rs"]
    mod case_files;
    mod cases;
    mod laws;
    mod layering;
    #[path = "../../../../tests/suite/notation.rs"]
    mod notation;
    mod stack;
}
