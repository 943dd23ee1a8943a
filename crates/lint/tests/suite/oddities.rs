//! Mistakes of owners, each in a small file. A finding names the way out, and a correct file has no
//! finding.

use std::path::Path;

use polite_robots::RobotsTxt;
use polite_robots_lint::{Diagnostic, lint};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Oddities {
    odd: Vec<Odd>,
    fine: Vec<Fine>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Odd {
    robots: String,
    line: u32,
    words: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fine {
    robots: String,
}

#[test]
fn what_owners_do_wrong_is_named_with_the_way_out() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/oddities.toml");
    let oddities: Oddities = toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert!(oddities.odd.len() >= 96 && oddities.fine.len() >= 12);
    let found = |robots: &str| lint(&RobotsTxt::parse(robots.as_bytes()));
    let is_named = |odd: &Odd, finding: &Diagnostic| {
        let mut words = odd.words.iter();
        finding.line() == odd.line && words.all(|word| finding.message().contains(word))
    };
    let mut wrong = Vec::new();
    for odd in &oddities.odd {
        let found = found(&odd.robots);
        if !found.iter().any(|finding| is_named(odd, finding)) {
            let found: Vec<String> = found.iter().map(ToString::to_string).collect();
            wrong.push(format!(
                "{:?} lacks {:?}: {found:#?}",
                odd.robots, odd.words
            ));
        }
    }
    for fine in &oddities.fine {
        let found = found(&fine.robots);
        if !found.is_empty() {
            wrong.push(format!("{:?} is fine, but {found:?}", fine.robots));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong: {}",
        wrong.len(),
        wrong.join("\n")
    );
}
