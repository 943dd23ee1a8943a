//! Laws and examples of the builders and of the canonical form.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout
)]

/// The reference matcher and the strategies of the core's laws.
#[allow(dead_code)]
#[path = "../../../tests/suite"]
mod suite {
    pub(crate) mod verdict {
        pub(crate) mod answers;
        pub(crate) mod entry_points;
        pub(crate) mod naive;
        pub(crate) mod strategies;
    }
}

#[path = "suite"]
mod build {
    mod canonical;
    mod examples;
    mod laws;
    mod layering;
}
