//! One rule and one URL: every tier equals the naive matcher of the tests.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use polite_robots::{Dialect, Tier, matches_in_tier};

#[allow(dead_code)]
#[path = "../../tests/suite/naive.rs"]
mod naive;

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    google: bool,
    /// To build a regex takes a hundred times as long as all else, so one input in eight has it.
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
    let expected = naive::matches(input.value, input.url, dialect);
    let tiers: &[Tier] = if input.tiers.is_multiple_of(8) {
        &[Tier::Prefix, Tier::Span, Tier::Regex]
    } else {
        &[Tier::Prefix, Tier::Span]
    };
    for &tier in tiers {
        if let Some(found) = matches_in_tier(tier, input.value, input.url, dialect) {
            assert_eq!(found, expected, "{tier:?}");
        }
    }
});
