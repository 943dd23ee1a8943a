//! Many rules and one URL: verdict and line equal the naive choice, by scan and by index.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use polite_robots::{Access, Dialect, Options, Robot};

#[allow(dead_code)]
#[path = "../../tests/suite/verdict/naive.rs"]
mod naive;

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    google: bool,
    /// Number of additional rules that match nothing: with enough rules the index is used instead
    /// of the scan.
    fillers: u8,
    rules: Vec<(bool, &'a [u8])>,
    url: &'a str,
}

fuzz_target!(|input: Input<'_>| {
    if input.url.contains("filler")
        || input
            .rules
            .iter()
            .any(|(_, value)| !is_written_value(value))
    {
        return;
    }
    let (dialect, options) = if input.google {
        (Dialect::Google, Options::google())
    } else {
        (Dialect::Rfc9309, Options::rfc9309())
    };
    let mut file = b"User-agent: *\n".to_vec();
    for filler in 0..input.fillers {
        file.extend(format!("Disallow: /*filler{filler}=\n").bytes());
    }
    let mut expected = Vec::new();
    for (line, (is_allow, value)) in (u32::from(input.fillers) + 2..).zip(&input.rules) {
        let access = if *is_allow {
            Access::Allow
        } else {
            Access::Disallow
        };
        file.extend(access.as_str().bytes());
        file.extend(b": ");
        file.extend(*value);
        file.push(b'\n');
        expected.push((access, value.to_vec(), line));
    }
    let robot = Robot::with_options("ExampleBot", &file, &options).unwrap();
    let verdict = robot.check(input.url);
    let line = verdict.rule().map_or(0, |rule| rule.line());
    assert_eq!(
        (verdict.is_allowed(), line),
        naive::verdict(&expected, input.url, dialect)
    );
    assert_eq!(robot.allowed(input.url), verdict.is_allowed());
    if let Some(overruled) = verdict.overruled() {
        assert!(
            overruled.matches(input.url)
                && Some(overruled.line()) != verdict.rule().map(|rule| rule.line())
        );
    }
});

/// Whether a value reads back unchanged: it has no line end, comment or outer blank, and fits in
/// Google's line limit.
fn is_written_value(value: &[u8]) -> bool {
    let is_cut = |byte: &u8| matches!(byte, b'\n' | b'\r' | b'#' | 0);
    let is_trimmed = |byte: Option<&u8>| matches!(byte, Some(b'\t'..=b'\r' | b' '));
    !value.iter().any(is_cut)
        && !is_trimmed(value.first())
        && !is_trimmed(value.last())
        && value.len() < 10_000
}
