//! The accessors of robots, verdicts, rules and tokens, and their equality.

use std::collections::HashSet;

use polite_robots::{Options, ProductToken, Robot, RobotsTxt, Target, robots_url};

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
    let file = b"User-agent: *\nDisallow: /a\nDisallow: \x1B[1m\xFF\n";
    assert_eq!(
        RobotsTxt::parse(file).to_string().as_bytes(),
        String::from_utf8_lossy(file).as_bytes()
    );
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
fn a_verdict_names_the_group_of_its_rule() {
    let file = b"User-agent: *\nDisallow: /0\n\nUser-agent: A\nDisallow: /1\n\nUser-agent: B\nDisallow: /\n\n\
        User-agent: A\nDisallow: /2\n\nUser-agent: a\nDisallow: /3\n";
    let robot = Robot::new("A", file).unwrap();
    let groups = ["/0", "/1", "/2", "/3"].map(|path| robot.check(path).group_line());
    assert_eq!(groups, [Some(4), Some(4), Some(10), Some(13)]);
}

#[test]
fn a_verdict_names_the_longest_rule_that_it_overrules() {
    let file = b"User-agent: *\nDisallow: /a\nDisallow: /a/b\nAllow: /a/b/c\nAllow: /a/*/x\n";
    let robot = Robot::new("*", file).unwrap();
    let overruled = ["/a/b/c", "/a/b", "/a/y/x", "/z"]
        .map(|path| robot.check(path).overruled().map(|rule| rule.line()));
    assert_eq!(overruled, [Some(3), None, Some(2), None]);
}
