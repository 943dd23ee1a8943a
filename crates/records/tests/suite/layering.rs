//! The order of the files of this crate: data flows one way, and a file imports only from files
//! above it.

#[path = "../../../../tests/suite/layering/checker.rs"]
mod checker;

/// A checker that reads fewer imports than these has not read the files.
const LEAST_IMPORTS: usize = ORDER.len();

/// The files of `src/`, each of which imports only from those above it.
const ORDER: &[&str] = &[
    "calendar",
    "number",
    "preferences/preference",
    "preferences/content_use",
    "preferences/dictionary",
    "preferences/content_signal",
    "preferences/content_usage",
    "preferences/usage",
    "preferences/of_robot",
    "preferences",
    "rate/day_window",
    "rate/request_rate",
    "rate",
    "clean_param",
    "clean_params",
    "host",
    "license",
    "proposed_field",
    "value",
];
