//! One rule and one URL: every tier equals the naive matcher of the tests.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use polite_robots::Dialect;

#[allow(dead_code)]
#[path = "../../tests/suite/verdict/entry_points.rs"]
mod entry_points;
#[allow(dead_code)]
#[path = "../../tests/suite/verdict/naive.rs"]
mod naive;

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    google: bool,
    /// One input in eight builds a regex, which takes a hundred times as long as everything else.
    tiers: u8,
    value: &'a [u8],
    url: &'a str,
}

fuzz_target!(|input: Input<'_>| {
    let dialect = if input.google {
        Dialect::Google
    } else {
        Dialect::Rfc9309
    };
    let ask = |value: &[u8], url: &str| {
        if let Some((tier, found)) = entry_points::answer_of_rule(value, url, dialect) {
            assert_eq!(found, naive::matches(value, url, dialect), "{tier:?}");
        }
    };
    ask(input.value, input.url);
    if input.tiers.is_multiple_of(8) {
        // With this many wildcards the regex tier takes the pattern.
        let value = [input.value, &b"*~".repeat(33)].concat();
        ask(&value, &format!("{}{}", input.url, "~".repeat(33)));
    }
});
