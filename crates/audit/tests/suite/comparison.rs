//! Tests of `Comparison`: the URLs on which the dialects disagree, and the reasons it gives.

use std::collections::HashSet;

use polite_robots::{Cause, Options, Robot, RobotsTxt, Target};
use polite_robots_audit::comparison::{Comparison, DisagreementReason};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

#[test]
fn every_difference_has_its_reason() {
    let long = format!("Disallow: /{}", "a".repeat(17_000));
    let long_url = format!("/{}", "a".repeat(16_900));
    let short = format!("Allow: /\n{long}");
    let longer_url = format!("/{}", "a".repeat(17_001));
    // The `Allow` line is the longest that Google's matcher reads whole, and its path is longer
    // than the cut one.
    let whole = format!("{long}\nAllow: /{}", "a".repeat(16_655));
    let escaped = format!("Disallow: /%61{}", "a".repeat(16_649));
    for (rules, agent, url, expected) in [
        (
            "Disallow: /",
            "ExampleBot",
            "/robots.txt",
            DisagreementReason::RobotsTxtItself,
        ),
        (
            "Disallow: /\nAllow: /d/index.html",
            "ExampleBot",
            "/d/",
            DisagreementReason::DirectoryOfIndex,
        ),
        (
            "Disallow: /two words",
            "ExampleBot",
            "/two%20words",
            DisagreementReason::RuleEncoding,
        ),
        (
            "Disallow: /%61bc",
            "ExampleBot",
            "/abc",
            DisagreementReason::RuleEncoding,
        ),
        (
            "Disallow: /abc",
            "ExampleBot",
            "/%61bc",
            DisagreementReason::UrlEncoding,
        ),
        // Google's matcher ends a URL at a NUL.
        (
            "Disallow: /x$",
            "ExampleBot",
            "/x\0y",
            DisagreementReason::UrlForm,
        ),
        (
            long.as_str(),
            "ExampleBot",
            long_url.as_str(),
            DisagreementReason::LineLength,
        ),
        (
            short.as_str(),
            "ExampleBot",
            long_url.as_str(),
            DisagreementReason::LineLength,
        ),
        (
            whole.as_str(),
            "ExampleBot",
            longer_url.as_str(),
            DisagreementReason::LineLength,
        ),
        (
            escaped.as_str(),
            "ExampleBot",
            long_url.as_str(),
            DisagreementReason::RuleEncoding,
        ),
        (
            "DisallowAITraining: /",
            "ExampleBot",
            "/x",
            DisagreementReason::FieldName,
        ),
        (
            "Disallow: /\nAllow-all-crawlers: /d/index.html",
            "ExampleBot",
            "/d/",
            DisagreementReason::FieldName,
        ),
        (
            "Disallow: /x\nUser-agent-purpose: training\nDisallow: /y",
            "ExampleBot",
            "/y",
            DisagreementReason::FieldName,
        ),
        // The field names change the answer for another URL, so they are not the reason here.
        (
            "DisallowAITraining: /z\nDisallow: /%61bc",
            "ExampleBot",
            "/abc",
            DisagreementReason::RuleEncoding,
        ),
        (
            "Allow: /\n\nUser-agent: MJ12bot\nDisallow: /x",
            "MJ12bot",
            "/x",
            DisagreementReason::AgentName,
        ),
    ] {
        let file = format!("User-agent: *\n{rules}");
        let comparison = Comparison::new(agent, file.as_bytes()).unwrap();
        let found = comparison.disagreement(url).map(|found| found.reason());
        assert_eq!(found, Some(expected), "{rules} {url}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn a_disagreement_has_two_answers(
        lines in vec(("(Allow|Disallow|User-agent)(AITraining|-x|s)?: ?", select(vec![
            "*", "ExampleBot", "/", "/a b", "/%61", "/a", "/d/index.htm", "*/é$", "/*?q=%26", "robots.txt", "//", "",
        ])), 0..8),
        urls in vec("(http://h)?/?[a-z%61é ?;#/.]{0,6}", 1..6),
    ) {
        let file: String = lines.iter().map(|(field, value)| format!("{field}{value}\n")).collect();
        let file = format!("User-agent: *\n{file}");
        let rfc9309 = Robot::new("ExampleBot", file.as_bytes()).unwrap();
        let google = Robot::with_options("ExampleBot", file.as_bytes(), &Options::google()).unwrap();
        let of_google = RobotsTxt::parse_with(file.as_bytes(), &Options::google());
        for comparison in [
            Comparison::new("ExampleBot", file.as_bytes()).unwrap(),
            Comparison::of("ExampleBot", &of_google).unwrap(),
        ] {
            for url in urls.iter().cloned().chain(comparison.urls_of_rules()) {
                let target = Target::requested(&url);
                let expected = rfc9309.allowed(&target) != google.allowed(&target);
                let found = comparison.disagreement(&url);
                prop_assert_eq!(found.is_some(), expected, "{} in\n{}", url, file);
                if let Some(found) = found {
                    prop_assert!(found.rfc9309().is_allowed() != found.google().is_allowed());
                    prop_assert!(!found.to_string().is_empty());
                }
            }
        }
    }
}

/// No client requests `/café` or `/b/../a` as they are written, so both dialects agree about them.
#[test]
fn a_url_is_compared_as_it_is_requested() {
    let file = "User-agent: *\nDisallow: /café\nDisallow: /a\n";
    let comparison = Comparison::new("ExampleBot", file.as_bytes()).unwrap();
    for url in ["/café", "http://h;q/a", "/b/../a", "https:/h/a"] {
        assert_eq!(comparison.disagreement(url), None, "{url}");
    }
}

#[test]
fn google_only_rules_also_yield_urls() {
    let file =
        "User-agent: *\nDisallow: /a\nDisallowAITraining: /b*c\nUser-agent-x: *\nDisallow: /d\n";
    let comparison = Comparison::new("ExampleBot", file.as_bytes()).unwrap();
    let mut urls: Vec<String> = comparison.urls_of_rules().collect();
    urls.sort_unstable();
    assert_eq!(urls, ["/a", "/bxc", "/d", "/robots.txt"]);
}

#[test]
fn rule_urls_are_those_that_a_client_requests() {
    let file = "User-agent: *\nDisallow: /a*b$\nAllow: */\"<é>\nDisallow: /%7eå|\nAllow: /d/index.html\nAllow: x\nAllow: ///y\n";
    let comparison = Comparison::new("ExampleBot", file.as_bytes()).unwrap();
    let urls: Vec<String> = comparison.urls_of_rules().collect();
    assert_eq!(
        urls,
        [
            "/axb",
            "/x/%22%3C%C3%A9%3E",
            "/%7e%C3%A5%7C",
            "/d/index.html",
            "/d/",
            // More slashes at the start would begin an authority.
            "/y",
            "/robots.txt",
        ]
    );
}

#[test]
fn without_a_file_the_dialects_agree() {
    for robots_txt in [
        RobotsTxt::allow_all(Cause::Status(404)),
        RobotsTxt::disallow_all(Cause::Status(503)),
    ] {
        let comparison = Comparison::of("ExampleBot", &robots_txt).unwrap();
        assert_eq!(comparison.disagreement("/a"), None);
    }
}

const REASONS: [DisagreementReason; 8] = [
    DisagreementReason::RobotsTxtItself,
    DisagreementReason::DirectoryOfIndex,
    DisagreementReason::FieldName,
    DisagreementReason::AgentName,
    DisagreementReason::LineLength,
    DisagreementReason::RuleEncoding,
    DisagreementReason::UrlEncoding,
    DisagreementReason::UrlForm,
];

#[test]
fn names_are_stable_and_sentences_distinct() {
    assert_eq!(
        REASONS.map(DisagreementReason::as_str),
        [
            "robots-txt-itself",
            "directory-of-index",
            "field-name",
            "agent-name",
            "line-length",
            "rule-encoding",
            "url-encoding",
            "url-form",
        ]
    );
    let sentences: HashSet<String> = REASONS
        .iter()
        .map(|difference| difference.to_string())
        .collect();
    assert_eq!(sentences.len(), REASONS.len());

    let comparison = Comparison::new("ExampleBot", b"User-agent: *\nDisallow: /two words").unwrap();
    let disagreement = comparison.disagreement("/two%20words").unwrap();
    assert!(
        disagreement
            .to_string()
            .contains(&DisagreementReason::RuleEncoding.to_string())
    );
}
