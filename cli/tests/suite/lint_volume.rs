//! How much `robots lint` prints, of which files, and what comments allow.

use serde_json::Value;

use crate::suite::robots::{command, file, robots_reading, run};

#[test]
fn a_closed_site_fails_the_run_until_it_is_accepted() {
    let closed = "User-agent: *\nDisallow: /\nAllow: /wp-admin/admin-ajax.php\n";
    let run = robots_reading(closed, ["lint", "-"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("warning[site-closed]"), "{run:?}");
    let run = robots_reading(closed, ["lint", "-", "--allow=closed"]);
    assert_eq!(run.code, 0, "{run:?}");

    let on_purpose =
        format!("# robots-lint: closed on purpose\n{closed}Disallow: /\nDisalow: /a\n");
    let run = robots_reading(&on_purpose, ["lint", "-", "--format=short"]);
    assert_eq!(run.code, 1);
    assert!(!run.stdout.contains("site-closed"), "{run:?}");
    assert!(run.stdout.contains("misspelled-field"), "{run:?}");

    // A suppressed result is no alert, but the document still has it.
    let run = robots_reading(&on_purpose, ["lint", "-", "--format=sarif"]);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let results = document["runs"][0]["results"].as_array().unwrap();
    for result in results {
        let is_closed = result["ruleId"] == "site-closed";
        let suppressed = &result["suppressions"][0]["kind"];
        assert_eq!(suppressed == "inSource", is_closed, "{result}");
    }
    assert!(
        results
            .iter()
            .any(|result| result["ruleId"] == "site-closed")
    );
}

#[test]
fn a_comment_allows_a_finding() {
    let codes = |text: &str| -> Vec<String> {
        let run = robots_reading(text, ["lint", "-", "--format=json"]);
        assert_eq!(run.stderr, "");
        let document: Value = serde_json::from_str(&run.stdout).unwrap();
        let findings = document["files"][0]["findings"].as_array().unwrap();
        let code = |finding: &Value| finding["code"].as_str().unwrap().to_owned();
        findings.iter().map(code).collect()
    };
    let rules = "User-agent: *\nDisalow: /a\nDisalow: /b\n";
    assert_eq!(codes(rules), ["misspelled-field", "misspelled-field"]);
    let of_line = rules.replace("/a", "/a # robots-lint: allow misspelled-field");
    assert_eq!(codes(&of_line), ["misspelled-field"]);
    let of_file = format!("# robots-lint: allow-file misspelled-field\n{rules}");
    assert_eq!(codes(&of_file), [""; 0]);
    let unknown = robots_reading("# robots-lint: allow foo\n", ["lint", "-"]);
    assert_eq!(unknown.code, 0);
    assert!(
        unknown
            .stderr
            .contains("standard input, line 1: `foo` is the code of no finding"),
        "{unknown:?}"
    );
}

#[test]
fn gitlab_has_a_fingerprint_for_each_finding() {
    let issues = |text: &str| -> Vec<Value> {
        let run = robots_reading(text, ["lint", "-", "--format=gitlab"]);
        serde_json::from_str(&run.stdout).unwrap()
    };
    let found = issues("User-agent: *\nDisalow: /a\nDisalow: /a\nColour: red\n");
    let severities: Vec<&str> = found
        .iter()
        .map(|issue| issue["severity"].as_str().unwrap())
        .collect();
    assert_eq!(severities, ["minor", "minor", "info", "info"]);
    assert_eq!(found[0]["check_name"], "misspelled-field");
    assert_eq!(found[0]["location"]["path"], "-");
    assert_eq!(found[0]["location"]["lines"]["begin"], 2);
    let fingerprints: std::collections::BTreeSet<&str> = found
        .iter()
        .map(|issue| issue["fingerprint"].as_str().unwrap())
        .collect();
    assert_eq!(fingerprints.len(), found.len());
    // A line above leaves a finding the same.
    let moved = issues("# new\nUser-agent: *\nDisalow: /a\nDisalow: /a\nColour: red\n");
    assert_eq!(moved[0]["fingerprint"], found[0]["fingerprint"]);
    assert_eq!(moved[0]["location"]["lines"]["begin"], 3);
}

/// A line that is wider than the terminal has a single word.
#[test]
fn help_pages_and_tables_fit_the_terminal() {
    let file = file(
        "width.robots.txt",
        "User-agent: GPTBot\nDisallow: /\nCrawl-delay: 2\n",
    );
    let file = file.to_str().unwrap();
    for width in [40, 80, 200] {
        for arguments in [
            &["lint", "--explain", "group-bleed"][..],
            &["lint", "--explain"],
            &["agents", file],
            &["agents", file, "--purpose=training"],
        ] {
            let run = run(
                command().env("COLUMNS", width.to_string()).args(arguments),
                b"",
            );
            assert_eq!(run.code, 0);
            for line in run.stdout.lines() {
                let is_code = line.starts_with("    ") && arguments.contains(&"group-bleed");
                let is_word = line.split_whitespace().count() == 1;
                assert!(
                    line.chars().count() <= width || is_code || is_word,
                    "{width} {arguments:?}: {line}"
                );
            }
        }
    }
}
