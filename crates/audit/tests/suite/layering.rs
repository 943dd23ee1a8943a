//! The order of the files of the crate: data flows one way, and a file imports only from files
//! above it.

#[path = "../../../../tests/suite/layering/checker.rs"]
mod checker;

/// A checker that reads fewer imports than these has not read the files.
const LEAST_IMPORTS: usize = 3 * ORDER.len();

/// The files of `src/`, each of which imports only from those above it.
const ORDER: &[&str] = &[
    "printable",
    "example_path",
    "known/spelling",
    "known/purpose",
    "known/standing",
    "known/crawler",
    "known/products",
    "known/meant",
    "known",
    "policy",
    "readings",
    "comparison",
    "budget",
    "answer/statement",
    "answer",
    "classes",
    "doubt",
    "explanation",
    "witness/rule",
    "witness/alphabet",
    "witness/walk",
    "witness",
    "coverage",
    "sentence",
    "agent",
    "forgotten",
    "difference/alike",
    "difference/question",
    "difference/reader",
    "difference/records",
    "difference/change",
    "difference/comparison",
    "difference",
    "edit/error",
    "edit/patch",
    "edit/groups",
    "edit/access",
    "edit/signals",
    "edit/proof",
    "edit",
    "edit/tests",
];
