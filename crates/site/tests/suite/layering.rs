//! The order of the files of this crate: data flows one way, and a file imports only from files
//! above it.

#[path = "../../../../tests/suite/layering/checker.rs"]
mod checker;

/// A checker that reads fewer imports than these has not read the files.
const LEAST_IMPORTS: usize = ORDER.len();

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
    "log/escapes",
    "log/time",
    "log/combined",
    "log/load_balancer",
    "log/w3c",
    "log/json",
    "log/json_user_agent",
    "log/lines",
    "log",
    "log/tests",
    "obedience/recent",
    "obedience/crawler_names",
    "obedience/crawler_record",
    "obedience",
    "obedience/tests",
];
