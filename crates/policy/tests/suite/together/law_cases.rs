//! The number of cases of each law.

use proptest::test_runner::Config;

/// The configuration of a law with this number of cases. The gate multiplies it, because it tries
/// more cases than a developer waits for.
pub(crate) fn law_cases(cases: u32) -> Config {
    let factor = std::env::var("POLITE_ROBOTS_LAW_CASES");
    let factor = factor.map_or(1, |factor| factor.parse().unwrap());
    Config {
        failure_persistence: None,
        ..Config::with_cases(cases * factor)
    }
}
