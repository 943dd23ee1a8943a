//! The order of the files of the crate: data flows one way, and a file imports only from files above it.

#[path = "../../../../tests/suite/layering/checker.rs"]
mod checker;

/// The files of `src`, from those that all others may use.
const ORDER: &[&str] = &[
    "address_kind",
    "egress",
    "host_rules",
    "identity",
    "resolver",
    "net_error",
    "store/key",
    "store/store_error",
    "store/record",
    "store/batch",
    "store",
    "store/laws",
    "store/memory",
    "store/redb",
    "store/records",
    "build_error",
    "error",
    "request",
    "still_clock",
    "transport",
    "clock",
    "metrics",
    "in_flight",
    "turn",
    "rota",
    "room",
    "state",
    "persistence",
    "shared",
    "rounds",
    "response",
    "page",
    "permit",
    "builder",
    "client",
];
