//! The tests of the whole crate; those of its parts stand beside them in `src/`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::path::PathBuf;

mod suite {
    mod comparison;
    #[path = "../../../../tests/oracle/corpus.rs"]
    mod corpus;
    mod edits;
    mod layering;

    use super::shared;
}

/// The path of a file in the folder `shared` beside the checkout, which may be absent.
fn shared(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared")
        .join(path)
}
