//! The order of the files of this crate: data flows one way, and a file imports only from files
//! above it.

#[path = "../../../../tests/suite/layering/checker.rs"]
mod checker;

/// A checker that reads fewer imports than these has not read the files.
const LEAST_IMPORTS: usize = ORDER.len();

/// The files of `src/`, each of which imports only from those above it.
const ORDER: &[&str] = &[
    "effect",
    "date",
    "rule",
    "list",
    "statement",
    "usage_headers",
    "license",
    "controls",
];
