//! The accessors of the small types, their machine-readable names, and their sentences for people.

use std::collections::HashSet;

use polite_robots::build::{GroupBuilder, RobotsTxtBuilder};
use polite_robots::document::{Scope, Separator, Spelling};
use polite_robots::lint::{Comparison, Diagnostic, Difference, Severity, Sink};
use polite_robots::record::{
    ContentSignal, ExtensionField, ExtensionValue, Preference, UsageCategory,
};
use polite_robots::{
    AgentMatch, Cause, Options, ProductToken, Robot, RobotsTxt, Target, robots_url,
};

use super::hostile::SHAPES;

const DIFFERENCES: [Difference; 8] = [
    Difference::RobotsTxtItself,
    Difference::DirectoryOfIndex,
    Difference::FieldName,
    Difference::AgentName,
    Difference::LineLength,
    Difference::RuleEncoding,
    Difference::UrlEncoding,
    Difference::UrlForm,
];

#[test]
fn rfc_tokens_that_differ_in_case_are_one_key() {
    let parsed: ProductToken = "ExampleBot".parse().unwrap();
    assert_eq!(parsed.to_string(), "ExampleBot");
    let tokens: HashSet<ProductToken> = ["ExampleBot", "EXAMPLEBOT", "Example", "exampleBot"]
        .iter()
        .map(|token| ProductToken::new(token).unwrap())
        .collect();
    assert_eq!(tokens.len(), 2);
    let hasher = std::hash::RandomState::new();
    let hash =
        |token: &str| std::hash::BuildHasher::hash_one(&hasher, ProductToken::new(token).unwrap());
    assert_eq!(hash("ExampleBot"), hash("EXAMPLEBOT"));
    assert_ne!(hash("ExampleBot"), hash("Example"));
    assert!("Example Bot".parse::<ProductToken>().is_err());
}

#[test]
fn inputs_are_returned_unchanged() {
    let target = Target::new("https://example.com/a b");
    assert_eq!(target.as_str(), "https://example.com/a b");
    assert_eq!(target.to_string(), "https://example.com/a b");
    let refused = robots_url("ftp://example.com/").unwrap_err();
    assert_eq!(refused.url(), "ftp://example.com/");
    let refused = RobotsTxtBuilder::new().sitemap("a sitemap").unwrap_err();
    assert_eq!((refused.field(), refused.value()), ("Sitemap", "a sitemap"));
    let file = b"User-agent: *\nDisallow: /a\nDisallow: \x1B[1m\xFF\n";
    assert_eq!(
        RobotsTxt::parse(file).to_string().as_bytes(),
        String::from_utf8_lossy(file).as_bytes()
    );
}

#[test]
fn a_line_has_its_parts() {
    let long = format!("Disallow: /{}", "a".repeat(16_663 - "Disallow: /".len()));
    let file = format!("# head\nUser-agent *\nDisalow: /x # typo\nColour = red\n{long}\n{long}a\n");
    let robots_txt = RobotsTxt::parse(file.as_bytes());
    let lines: Vec<_> = robots_txt.lines().collect();
    let parts = |at: usize| {
        let (line, text) = (&lines[at], |bytes: Option<&[u8]>| {
            bytes.map(|bytes| String::from_utf8(bytes.to_vec()).unwrap())
        });
        let parts = [line.key(), line.value(), line.comment()].map(text);
        (parts, line.spelling(), line.separator())
    };
    let some = |text: &str| Some(text.to_string());
    assert_eq!(parts(0), ([None, None, some("# head")], None, None));
    assert_eq!(
        parts(1),
        (
            [some("User-agent"), some("*"), None],
            Some(Spelling::Standard),
            Some(Separator::Blank)
        )
    );
    assert_eq!(
        parts(2),
        (
            [some("Disalow"), some("/x"), some("# typo")],
            Some(Spelling::Misspelled),
            Some(Separator::Colon)
        )
    );
    assert_eq!(lines[2].to_string(), "Disalow: /x # typo");
    let over: Vec<bool> = lines.iter().map(|line| line.is_too_long()).collect();
    assert_eq!(over, [false, false, false, false, false, true, false]);
}

#[test]
fn scopes_are_equal_by_their_agents() {
    let robots_txt = RobotsTxt::parse(
        b"User-agent: A\nCrawl-delay: 1\nCrawl-delay: 2\nUser-agent: B\nCrawl-delay: 1",
    );
    let scopes: Vec<Scope<'_>> = robots_txt
        .extensions()
        .map(|record| record.scope())
        .collect();
    assert_eq!(scopes.len(), 3);
    assert_eq!(scopes[0], scopes[1]);
    assert_ne!(scopes[0], scopes[2]);
}

#[test]
fn records_have_their_parts() {
    let robots_txt = RobotsTxt::parse(
        b"User-agent: *\nHost: https://www.example.com:8443\nClean-param: a&b /p*\nClean-param: c\n\
          Request-rate: 4/10m 1800-1900\nVisit-time: 2300-0459\nContent-Signal: search=yes, ai-train=no\n\
          Content-Usage: train-ai=n, search=y\n",
    );
    let host = robots_txt.host().unwrap();
    assert_eq!(host.scheme(), Some("https"));
    assert_eq!(host.name(), "www.example.com");
    assert_eq!(host.port(), Some(8443));

    let typed: Vec<ExtensionValue<'_>> = robots_txt
        .extensions()
        .map(|record| record.typed())
        .collect();
    let written: Vec<String> = typed
        .iter()
        .filter_map(|record| match record {
            ExtensionValue::CleanParam(record) => Some(record.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(written, ["a&b /p*", "c"]);
    let signal: ContentSignal<'_> = typed
        .iter()
        .find_map(|record| match record {
            ExtensionValue::ContentSignal(signal) => Some(*signal),
            _ => None,
        })
        .unwrap();
    let preferences = every_category(|category| signal.preference(category));
    assert_eq!(
        preferences,
        [
            Preference::Allowed,
            Preference::Unstated,
            Preference::Disallowed
        ]
    );

    let usage = typed.iter().find_map(|record| match record {
        ExtensionValue::ContentUsage(usage) => {
            Some(every_category(|category| usage.preference(category)))
        }
        _ => None,
    });
    assert_eq!(usage.unwrap(), preferences);

    let robot = robots_txt.robot("ExampleBot").unwrap();
    let rate = robot.request_rates().next().unwrap();
    assert_eq!(rate.documents(), 4);
    assert_eq!(rate.window().unwrap().last_minute(), 19 * 60);
    assert_eq!(
        robot.visit_times().next().unwrap().last_minute(),
        4 * 60 + 59
    );

    let usage = robot.usage("/");
    let record = usage.record(UsageCategory::AiTraining).unwrap();
    assert_eq!(record.field(), ExtensionField::ContentSignal);
    assert_eq!(record.value(), b"search=yes, ai-train=no");
    assert_eq!(
        record.to_string(),
        "Content-Signal: search=yes, ai-train=no"
    );
}

#[test]
fn machine_readable_names_are_stable() {
    assert_eq!(
        [
            Preference::Unstated,
            Preference::Allowed,
            Preference::Disallowed
        ]
        .map(Preference::as_str),
        ["unstated", "allowed", "disallowed"]
    );
    assert_eq!(
        every_category(UsageCategory::as_str),
        ["search", "ai-input", "ai-training"]
    );
    assert_eq!(
        DIFFERENCES.map(Difference::as_str),
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
    assert_eq!(
        [AgentMatch::None, AgentMatch::Wildcard, AgentMatch::Named].map(|kind| kind.to_string()),
        ["no group", "wildcard group", "named group"]
    );
}

#[test]
fn sentences_are_distinct() {
    let causes = [
        Cause::Configured,
        Cause::NotFetched,
        Cause::Status(404),
        Cause::Unreachable,
        Cause::TooManyRedirects,
        Cause::Truncated,
        Cause::ParseErrors,
        Cause::NoCopy,
        Cause::GaveUp,
    ];
    let sentences: HashSet<String> = causes
        .iter()
        .map(|cause| Robot::allow_all(*cause).check("/").to_string())
        .collect();
    assert_eq!(sentences.len(), causes.len());
    assert!(
        sentences
            .iter()
            .all(|sentence| sentence.starts_with("allowed: "))
    );

    let sentences: HashSet<String> = DIFFERENCES
        .iter()
        .map(|difference| difference.to_string())
        .collect();
    assert_eq!(sentences.len(), DIFFERENCES.len());

    let comparison = Comparison::new("ExampleBot", b"User-agent: *\nDisallow: /two words").unwrap();
    let disagreement = comparison.disagreement("/two%20words").unwrap();
    assert_eq!(disagreement.url(), "/two%20words");
    assert!(
        disagreement
            .to_string()
            .contains(&Difference::RuleEncoding.to_string())
    );
}

#[test]
fn a_finding_is_a_sentence_with_its_line() {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let _ = RobotsTxt::parse_with(b"User-agent: *\njunk", &Options::rfc9309(), &mut findings);
    let finding = findings.first().unwrap().clone();
    assert_eq!(
        finding.to_string(),
        format!("line 2: {}", finding.message())
    );
    assert_eq!(finding.severity().to_string(), finding.severity().as_str());
    assert_eq!(Severity::Error.to_string(), "error");
    // `()` listens to no report, so a report has no effect.
    assert!(!().is_listening());
    ().report(finding);
}

#[test]
fn a_name_with_digits_is_one_merged_group() {
    let robots_txt = RobotsTxt::parse(b"User-agent: MJ12bot\nDisallow: /");
    let tokens: Vec<String> = robots_txt
        .merged_groups()
        .map(|group| String::from_utf8_lossy(group.user_agent().value()).into_owned())
        .collect();
    assert_eq!(tokens, ["MJ12bot"]);
    let robots_txt = RobotsTxt::parse(b"User-agent: MJ12bot\nUser-agent: MJ\nDisallow: /");
    assert_eq!(robots_txt.merged_groups().count(), 2);
}

#[test]
fn an_overruled_empty_rule_has_no_trailing_blank() {
    let file = b"User-agent: *\nDisallow:\nAllow: /a";
    let google = Robot::with_options("ExampleBot", file, &Options::google()).unwrap();
    assert_eq!(
        google.check("/a").to_string(),
        "allowed by line 3: Allow: /a in the wildcard group on line 1, over line 2: Disallow:"
    );
}

#[test]
fn merged_groups_show_their_product_token() {
    let robots_txt = RobotsTxt::parse(b"User-agent: A\nDisallow: /\n\nUser-agent: a\nAllow: /b");
    let shown: Vec<String> = robots_txt
        .merged_groups()
        .map(|group| format!("{group:?}"))
        .collect();
    assert_eq!(shown.len(), 1);
    assert!(shown[0].starts_with("MergedGroup {") && shown[0].contains("product_token"));
}

#[test]
fn rules_are_equal_by_access_pattern_and_line() {
    let file = b"User-agent: *\nDisallow: /a\nAllow: /a\nDisallow: /b\nAllow:\n";
    let robot = Robot::with_options("*", file, &Options::google()).unwrap();
    let same = Robot::with_options("*", file, &Options::google()).unwrap();
    let rules: Vec<_> = robot.rules().collect();
    for (at, rule) in rules.iter().enumerate() {
        for (other_at, other) in same.rules().enumerate() {
            assert_eq!(*rule == other, at == other_at, "{rule} and {other}");
        }
    }
    assert_eq!(rules.iter().collect::<HashSet<_>>().len(), 4);
    let hasher = std::hash::RandomState::new();
    let hashes: HashSet<u64> = rules
        .iter()
        .map(|rule| std::hash::BuildHasher::hash_one(&hasher, rule))
        .collect();
    assert_eq!(hashes.len(), 4);
    let mut written: Vec<String> = rules.iter().map(|rule| rule.to_string()).collect();
    written.sort();
    assert_eq!(
        written,
        ["Allow:", "Allow: /a", "Disallow: /a", "Disallow: /b"]
    );
    assert_eq!(
        format!("{:?}", robot.check("/b").rule().unwrap()),
        "Rule { access: Disallow, pattern: \"/b\", line: 4, tier: Prefix }"
    );
}

#[test]
fn robots_with_the_same_answers_are_equal() {
    let robot = |file: &str| Robot::new("*", file.as_bytes()).unwrap();
    let file =
        "User-agent: *\nDisallow: /a\nCrawl-delay: 1\nContent-Signal: search=yes\nSitemap: /s\n";
    assert_eq!(robot(file), robot(file));
    assert_eq!(robot(file), robot(&format!("{file}# end")));
    for (old, new) in [
        ("/a", "/b"),
        ("delay: 1", "delay: 2"),
        ("yes", "no"),
        ("/s", "/t"),
        ("Disallow", "Allow"),
    ] {
        assert_ne!(robot(file), robot(&file.replace(old, new)), "{new}");
    }
    let shown = format!("{:?}", robot(file));
    for part in ["\"/a\"", "\"/s\"", "ContentSignal, \"search=yes\""] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn hashes_of_robots_follow_equality() {
    let hasher = std::hash::RandomState::new();
    let hash = |file: &str| {
        let robot = Robot::new("*", file.as_bytes()).unwrap();
        std::hash::BuildHasher::hash_one(&hasher, &robot)
    };
    let file =
        "User-agent: *\nDisallow: /a\nCrawl-delay: 1\nContent-Signal: search=yes\nSitemap: /s\n";
    assert_eq!(hash(file), hash(&format!("{file}# end")));
    for (old, new) in [
        ("/a", "/b"),
        ("delay: 1", "delay: 2"),
        ("yes", "no"),
        ("/s", "/t"),
    ] {
        assert_ne!(hash(file), hash(&file.replace(old, new)), "{new}");
    }
}

#[test]
fn documents_are_equal_by_bytes_and_options() {
    let read =
        |file: &str, options: Options| RobotsTxt::parse_with(file.as_bytes(), &options, &mut ());
    let (file, google) = ("User-agent: *\nDisallow: /", Options::google());
    let documents = [
        read(file, Options::rfc9309()),
        read(file, google),
        read("User-agent: *\nDisallow: /a", google),
        read("User-agent: *\nDisallow: /a", google.with_max_bytes(20)),
        RobotsTxt::allow_all(Cause::GaveUp),
        RobotsTxt::disallow_all(Cause::GaveUp),
        RobotsTxt::parse(b""),
    ];
    let hasher = std::hash::RandomState::new();
    let hash = |document: &RobotsTxt| std::hash::BuildHasher::hash_one(&hasher, document);
    for (at, one) in documents.iter().enumerate() {
        for (other_at, other) in documents.iter().enumerate() {
            assert_eq!(one == other, at == other_at);
            assert_eq!(hash(one) == hash(other), at == other_at);
        }
    }
    assert_eq!(documents[0], read(file, Options::rfc9309()));
    assert_eq!(hash(&documents[0]), hash(&read(file, Options::rfc9309())));
}

#[test]
fn documents_show_their_parts() {
    let robots_txt =
        RobotsTxt::parse(b"User-agent: A\nUser-agent: b\nCrawl-delay: 1\nDisallow: /\x1Bx");
    let shown = format!("{robots_txt:?}");
    for part in [
        "RobotsTxt {",
        "Rfc9309",
        "Group {",
        "user_agents",
        "CrawlDelay",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let scope = robots_txt.extensions().next().unwrap().scope();
    let shown = format!("{scope:?}");
    assert!(shown.starts_with("Agents([UserAgent"), "{shown}");
    let group = robots_txt.groups().next().unwrap();
    let agents: Vec<String> = group.user_agents().map(|agent| agent.to_string()).collect();
    assert_eq!(agents, ["User-agent: A", "User-agent: b"]);
    let rule = group.rules().next().unwrap();
    assert_eq!(rule.to_string(), "Disallow: /\\u{1b}x");
    let tokens: Vec<_> = robots_txt
        .merged_groups()
        .map(|group| group.product_token().to_string())
        .collect();
    assert_eq!(tokens, ["A", "b"]);
}

#[test]
fn each_line_has_its_kind() {
    use polite_robots::Access;
    use polite_robots::document::LineKind;

    let robots_txt = RobotsTxt::parse(
        b"\n# comment\n \t \nUser-agent: *\nallow:/\nDisallow: /\nSitemap: /s\nColour: red\n<html>",
    );
    let kinds: Vec<LineKind> = robots_txt.lines().map(|line| line.kind()).collect();
    assert_eq!(
        kinds,
        [
            LineKind::Blank,
            LineKind::Blank,
            LineKind::Blank,
            LineKind::UserAgent,
            LineKind::Rule(Access::Allow),
            LineKind::Rule(Access::Disallow),
            LineKind::Extension(ExtensionField::Sitemap),
            LineKind::UnknownField,
            LineKind::NotARecord,
        ]
    );
    // Text after a record is no comment without a `#`.
    assert!(
        robots_txt
            .lines()
            .skip(2)
            .all(|line| line.comment().is_none())
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

#[test]
fn a_verdict_names_the_group_of_its_rule() {
    let file = b"User-agent: *\nDisallow: /0\n\nUser-agent: A\nDisallow: /1\n\nUser-agent: B\nDisallow: /\n\n\
        User-agent: A\nDisallow: /2\n\nUser-agent: a\nDisallow: /3\n";
    let robot = Robot::new("A", file).unwrap();
    let groups = ["/0", "/1", "/2", "/3"].map(|path| robot.check(path).group_line());
    assert_eq!(groups, [Some(4), Some(4), Some(10), Some(13)]);
}

#[test]
fn a_license_for_everyone_stands_above_all_groups() {
    let written = RobotsTxtBuilder::new()
        .group(GroupBuilder::new("*").unwrap().disallow("/a").unwrap())
        .license("https://example.com/license.xml")
        .unwrap()
        .build();
    assert!(
        written.starts_with("License: https://example.com/license.xml\n"),
        "{written}"
    );
    assert!(RobotsTxtBuilder::new().license("/license.xml").is_err());
}

#[test]
fn the_slowest_rate_has_the_longest_interval() {
    let robot = Robot::new(
        "*",
        b"User-agent: *\nRequest-rate: 5/40\nRequest-rate: 1/10\nRequest-rate: 9/50",
    )
    .unwrap();
    let slowest = robot.request_rates().max_by_key(|rate| rate.interval());
    assert_eq!(slowest.unwrap().to_string(), "1/10s");
}

#[test]
fn merged_groups_equal_the_groups_of_the_robot() {
    let file = b"User-agent: MJ12bot\nDisallow: /1\n\nUser-agent: Pear\nUser-agent: MJ\nDisallow: /2\n\n\
        User-agent: pear\nDisallow: /3\n\nUser-agent: *\nDisallow: /4\n\nUser-agent: PEAR\nUser-agent: Pear\nDisallow: /5\n\n\
        User-agent: Apples-of-the-Garden-Old\nDisallow: /6\n\nUser-agent: apples-OF-the-garden-new\nDisallow: /7\n\n\
        User-agent: apples-of-the-garden-old\nDisallow: /8\n";
    for options in [Options::rfc9309(), Options::google()] {
        let robots_txt = RobotsTxt::parse_with(file, &options, &mut ());
        let mut most = 0;
        for merged in robots_txt.merged_groups() {
            let robot = robots_txt.robot(merged.product_token()).unwrap();
            let mut rules: Vec<u32> = robot.rules().map(|rule| rule.line()).collect();
            rules.sort_unstable();
            let written: Vec<u32> = merged.rules().map(|rule| rule.line()).collect();
            assert_eq!(written, rules, "{}", merged.product_token());
            assert_eq!(merged.groups().count(), robot.group_lines().count());
            most = most.max(written.len());
        }
        assert_eq!(most, 3);
    }
}

#[test]
fn a_verdict_names_the_longest_rule_that_it_overrules() {
    let file = b"User-agent: *\nDisallow: /a\nDisallow: /a/b\nAllow: /a/b/c\nAllow: /a/*/x\n";
    let robot = Robot::new("*", file).unwrap();
    let overruled = ["/a/b/c", "/a/b", "/a/y/x", "/z"]
        .map(|path| robot.check(path).overruled().map(|rule| rule.line()));
    assert_eq!(overruled, [Some(3), None, Some(2), None]);
}

#[test]
fn usage_is_asked_by_category_and_reported_in_words() {
    let robot = Robot::new(
        "ExampleBot",
        b"User-agent: *\nContent-Signal: search=yes, ai-train=no\n",
    )
    .unwrap();
    let usage = robot.usage("/");
    let answers = [usage.search(), usage.ai_input(), usage.ai_training()];
    assert_eq!(
        answers.map(|preference| preference.to_string()),
        ["allowed", "not stated", "disallowed"]
    );
    assert_eq!(
        every_category(|category| category.to_string()),
        ["search", "AI input", "AI training"]
    );
    assert_eq!(
        usage.to_string(),
        "search: allowed by line 2; AI input: not stated; AI training: disallowed by line 2"
    );
    let usage = Robot::new(
        "ExampleBot",
        b"User-agent: *\nContent-Signal: ai-input=no\n",
    )
    .unwrap();
    assert_eq!(usage.usage("/").ai_input().to_string(), "disallowed");
}

/// Linear growth, as SECURITY.md promises for every operation, even where thousands of records share thousands of agents.
#[test]
fn debug_forms_grow_linearly() {
    for (name, shape) in SHAPES {
        let bytes = |elements| {
            let robots_txt = RobotsTxt::parse(&shape(elements).file);
            let robot = robots_txt.robot("a").unwrap();
            format!("{robots_txt:?} {robot:?}").len()
        };
        let (once, twice) = (bytes(1 << 10), bytes(1 << 11));
        assert!(
            twice <= 3 * once,
            "{name}: {once} bytes, and {twice} for a file twice as long"
        );
    }
}

fn every_category<T>(of: impl FnMut(UsageCategory) -> T) -> Vec<T> {
    UsageCategory::ALL.iter().copied().map(of).collect()
}
