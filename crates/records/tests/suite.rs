//! Cases, laws and views of the records outside of RFC 9309.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout
)]

/// The reference matcher and the notation of the core's cases.
#[allow(dead_code)]
#[path = "../../../tests/suite"]
mod suite {
    pub(crate) mod case_files;
    pub(crate) mod delay;
    pub(crate) mod notation;
    pub(crate) mod verdict {
        pub(crate) mod entry_points;
        pub(crate) mod naive;
        pub(crate) mod naive_file;
    }
}

#[path = "suite"]
mod records {
    mod cases;
    mod laws;
    mod layering;
    mod syntax;
    mod views;
}
