//! The order of the files of this crate: data flows one way, and a file imports only from files above it.

#[path = "../../../../tests/suite/layering/checker.rs"]
mod checker;

/// The files of `src/`, each of which imports only from those above it.
const ORDER: &[&str] = &[
    "gzip",
    "host",
    "by_rule",
    "sitemap/error",
    "sitemap/kind",
    "sitemap/metered",
    "sitemap/text",
    "sitemap/xml",
    "sitemap",
    "sitemap/tests",
];
