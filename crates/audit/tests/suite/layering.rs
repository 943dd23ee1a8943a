//! The order of the files of the crate: data flows one way, and a file imports only from files above it.

#[path = "../../../../tests/suite/layering/checker.rs"]
mod checker;

/// The files of `src/`, each of which imports only from those above it.
const ORDER: &[&str] = &[
    "printable",
    "known/purpose",
    "known/standing",
    "known",
    "findings/names",
    "findings/exceptions",
    "findings/agent_names",
    "findings/crawl_delays",
    "findings/preferences",
    "findings/opinions",
    "operator",
    "findings",
    "suggestion",
    "fix",
    "fix/tests",
    "explanation",
    "witness/rule",
    "witness/alphabet",
    "witness/walk",
    "witness",
    "coverage",
    "sentence",
    "agent",
    "difference/question",
    "difference/records",
    "difference/change",
    "difference",
];
