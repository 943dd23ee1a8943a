//! The tests of the whole crate; those of its parts stand beside them in `src/`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout
)]

use std::path::PathBuf;

mod suite {
    mod advice;
    #[path = "../../../../tests/suite/case_files.rs"]
    mod case_files;
    #[path = "../../../../tests/oracle/corpus.rs"]
    mod corpus;
    mod crawlers;
    mod findings;
    mod fixed;
    mod hostile;
    mod layering;
    #[path = "../../../../tests/suite/notation.rs"]
    mod notation;
    mod oddities;
    mod real_files;
    mod rules;
    #[cfg(feature = "serde")]
    mod serde;
    mod views;

    use super::shared;
}

/// The path of a file in the folder `shared` beside the checkout, which may be absent.
fn shared(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared")
        .join(path)
}
