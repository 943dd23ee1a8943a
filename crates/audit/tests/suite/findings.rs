//! Tests of the findings that need the table of known crawlers: the cases of testdata/diagnostics/ and the pages of their
//! codes, which the suite of the library leaves to this crate.

use std::path::Path;

use polite_robots::Options;
use polite_robots::lint::{Diagnostic, DiagnosticCode};
use polite_robots_audit::findings;
use serde::Deserialize;

#[derive(Deserialize)]
struct CaseFile {
    hit: Vec<Case>,
    near_miss: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    robots: String,
    findings: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    line: u32,
    code: String,
    text: String,
}

fn found(file: &str) -> Vec<Diagnostic> {
    findings::all(file.as_bytes(), &Options::rfc9309()).1
}

fn codes_with_crawlers() -> impl Iterator<Item = DiagnosticCode> {
    let all = DiagnosticCode::ALL.iter().copied();
    all.filter(|code| code.needs_known_crawlers())
}

#[test]
fn hits_and_near_misses() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/diagnostics");
    let mut cases = 0;
    for code in codes_with_crawlers() {
        let text = std::fs::read_to_string(folder.join(format!("{code}.toml"))).unwrap();
        let file: CaseFile = toml::from_str(&text).unwrap();
        for case in file.hit.iter().chain(&file.near_miss) {
            cases += 1;
            let found: Vec<_> = found(&case.robots)
                .iter()
                .map(|finding| {
                    let text = case.robots.get(finding.span()).unwrap_or_default();
                    (finding.line(), finding.code().to_string(), text.to_owned())
                })
                .collect();
            let expected: Vec<_> = case
                .findings
                .iter()
                .map(|expected| (expected.line, expected.code.clone(), expected.text.clone()))
                .collect();
            assert_eq!(found, expected, "{code}: {}", case.name);
        }
    }
    assert!(cases > 10, "{cases}");
}

#[test]
fn examples_of_the_pages_hold() {
    for code in codes_with_crawlers() {
        let mut blocks = code.page().split("```text\n").skip(1);
        let mut block = || blocks.next().unwrap().split_once("```").unwrap().0;
        let (example, fixed) = (block(), block());
        assert!(
            found(example).iter().any(|finding| finding.code() == code),
            "{code}"
        );
        assert_eq!(found(fixed), [], "{code}");
    }
}

#[test]
fn messages_are_one_sentence_for_people() {
    let file =
        "User-agent: Googlebot2\nUser-agent: GTPBot\nUser-agent: Anthropic\nDisallow: /tmp/\n";
    let found = found(file);
    assert_eq!(found.len(), 3);
    for finding in found {
        let message = finding.message();
        assert!(!message.ends_with('.') && message.len() < 500, "{message}");
    }
}

/// Sogou documents a name with blanks.
#[test]
fn a_documented_name_with_blanks_is_right() {
    assert_eq!(found("User-agent: Sogou web spider\nDisallow: /x\n"), []);
    assert_eq!(
        found("User-agent: Sogou net spider\nDisallow: /x\n").len(),
        1
    );
}

/// AdsBot-Google never reads the group for everyone, but a crawler that shares its group does.
#[test]
fn rules_for_everyone_are_not_missed_by_crawlers_that_never_read_them() {
    let lines = |agents: &str| {
        let file = format!("User-agent: *\nDisallow: /cart\n\n{agents}Disallow: /x\n");
        let found = found(&file);
        found
            .iter()
            .filter(|finding| finding.code() == DiagnosticCode::WildcardRulesDropped)
            .count()
    };
    assert_eq!(lines("User-agent: AdsBot-Google\n"), 0);
    assert_eq!(
        lines("User-agent: Mediapartners-Google\nUser-agent: AdsBot-Google\n"),
        0
    );
    assert_eq!(
        lines("User-agent: AdsBot-Google\nUser-agent: ExampleBot\n"),
        1
    );
    assert_eq!(lines("User-agent: ExampleBot\n"), 1);
}
