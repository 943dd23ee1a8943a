//! The order of the files of the crate: data flows one way, and a file imports only from files above it.

#[path = "../../../../tests/suite/layering/checker.rs"]
mod checker;

/// A checker that reads fewer imports than these has not read the files.
const LEAST_IMPORTS: usize = 3 * ORDER.len();

/// The files of `src`, from those that all others may use.
const ORDER: &[&str] = &[
    "address_kind",
    "egress",
    "groups",
    "host_rules",
    "identity",
    "resolver",
    "address_book",
    "net_error",
    "hickory",
    "store/key",
    "store/store_error",
    "store/record",
    "store/batch",
    "store",
    "store/laws",
    "store/memory",
    "store/redb",
    "store/records",
    "sign_error",
    "signature",
    "signer",
    "host_state",
    "build_error",
    "error",
    "trace",
    "ownership",
    "request",
    "still_clock",
    "transport",
    "clock",
    "metrics",
    "in_flight",
    "request_time",
    "turn",
    "rota",
    "room",
    "group_turns",
    "state",
    "persistence",
    "shared",
    "rounds",
    "response",
    "page",
    "permit",
    "hand_over",
    "builder",
    "client",
    "middleware",
];
