//! Data flows one way: a file imports only from files that stand above it.

use std::path::Path;

use self::checker::{Report, check};

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
    "error",
    "build_error",
];

#[test]
fn imports_point_up() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let Report { violations, .. } = check(&src, ORDER);
    assert!(violations.is_empty(), "{violations:#?}");
}
