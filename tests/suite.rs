//! One binary of tests: cases as data, recorded verdicts, laws, layering.

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
    mod cases;
    mod contract;
    pub(crate) mod corpus;
    pub(crate) mod entry_points;
    mod laws;
    mod layering;
    pub(crate) mod naive;
    pub(crate) mod oracle;
    #[cfg(all(feature = "policy", feature = "serde"))]
    mod policy_cases;
    #[cfg(all(feature = "policy", feature = "serde"))]
    mod policy_laws;
    #[cfg(all(feature = "policy", feature = "serde"))]
    mod policy_machine;
    #[cfg(all(feature = "policy", feature = "serde"))]
    mod policy_memory;
    #[cfg(all(feature = "policy", feature = "serde"))]
    pub(crate) mod policy_naive;
    #[cfg(all(feature = "policy", feature = "serde"))]
    mod policy_oracles;
    mod recorded;
}
