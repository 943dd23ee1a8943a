//! Tests of the lint: its findings are compared with the answers for every URL of a small alphabet.

use std::collections::BTreeSet;

use polite_robots::{Access, Options, Reason, RobotsTxt, Rule};
use polite_robots_lint::{Diagnostic, DiagnosticCode, Linter};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

const AGENTS: [&str; 3] = ["Apple", "Pear", "Plum"];

/// Files with a few groups and short patterns, which the paths of [`paths`] distinguish.
fn files() -> impl Strategy<Value = String> {
    let agents = vec(
        select(vec!["*", "*", "Apple", "Pear", "apple/1.0", "Plum", "360"]),
        1..3,
    );
    let body = vec(select(vec!["a", "b", "*", "/"]), 0..4);
    let open = (
        select(vec!["/", "/", "/", "*"]),
        body,
        select(vec!["", "", "$"]),
    );
    let value = open.prop_map(|(start, body, end)| {
        // A pattern that begins with a `*` may need one more byte in a path.
        let longest = if start == "*" { 2 } else { 3 };
        format!(
            "{start}{}{end}",
            body.into_iter().take(longest).collect::<String>()
        )
    });
    let value = prop_oneof![12 => value, 1 => Just(String::new())];
    let rules = vec((select(vec!["Allow", "Disallow", "Disallow"]), value), 0..5);
    vec((agents, rules), 1..4).prop_map(|groups| {
        let mut file = String::new();
        for (agents, rules) in groups {
            for agent in agents {
                file.push_str(&format!("User-agent: {agent}\n"));
            }
            file.push_str("Crawl-delay: 1\n");
            for (field, value) in rules {
                file.push_str(&format!("{field}: {value}\n"));
            }
        }
        file
    })
}

/// Lists all paths of up to five bytes; no pattern contains `z`.
fn paths() -> Vec<String> {
    let mut paths = vec!["/".to_string()];
    let mut from = 0;
    for _ in 0..4 {
        let to = paths.len();
        for at in from..to {
            for byte in ["a", "b", "/", "z"] {
                let longer = format!("{}{byte}", paths[at]);
                paths.push(longer);
            }
        }
        from = to;
    }
    // A path that begins with two slashes would be read as an authority.
    paths
        .into_iter()
        .map(|path| format!("http://h{path}"))
        .collect()
}

fn findings(robots_txt: &RobotsTxt) -> Vec<Diagnostic> {
    Linter::without_crawlers().only_rules().lint(robots_txt)
}

fn lines_with(found: &[Diagnostic], codes: &[DiagnosticCode]) -> BTreeSet<u32> {
    found
        .iter()
        .filter(|finding| codes.contains(&finding.code()))
        .map(Diagnostic::line)
        .collect()
}

/// Returns the agents that the file names, and `*`.
fn agents(robots_txt: &RobotsTxt) -> Vec<&'static str> {
    let is_named = |agent: &&str| {
        robots_txt
            .groups()
            .flat_map(|group| group.user_agents())
            .any(|line| {
                line.product_token().eq_ignore_ascii_case(agent)
                    || *agent == "*" && line.is_wildcard()
            })
    };
    AGENTS.into_iter().chain(["*"]).filter(is_named).collect()
}

fn rules_that_never_decide(robots_txt: &RobotsTxt, paths: &[String]) -> BTreeSet<u32> {
    let mut rules = BTreeSet::new();
    let mut deciding = BTreeSet::new();
    for agent in agents(robots_txt) {
        let robot = robots_txt.robot(agent).unwrap();
        rules.extend(
            robot
                .rules()
                .filter(|rule| rule.length() > 0)
                .map(|rule| rule.line()),
        );
        for path in paths {
            if let Reason::Rule(rule) = robot.check(path).reason() {
                deciding.insert(rule.line());
            }
        }
    }
    rules.difference(&deciding).copied().collect()
}

/// Returns the first line of each merged group whose agents lack a rule of the wildcard group.
fn agents_without_the_wildcard(robots_txt: &RobotsTxt, paths: &[String]) -> BTreeSet<u32> {
    let mut sets: Vec<(Vec<u32>, u32)> = Vec::new();
    if !agents(robots_txt).contains(&"*") {
        return BTreeSet::new();
    }
    let everyone = robots_txt.robot("*").unwrap();
    let closes_everything = |rule: Rule<'_>| {
        rule.access() == Access::Disallow
            && rule.length() > 0
            && paths.iter().all(|path| rule.matches(path))
            && paths.iter().any(|path| {
                everyone
                    .check(path)
                    .rule()
                    .is_some_and(|by| by.line() == rule.line())
            })
    };
    // An allow-list lacks the rules for everyone on purpose.
    if everyone.rules().any(closes_everything) {
        return BTreeSet::new();
    }
    for agent in agents(robots_txt).into_iter().filter(|agent| *agent != "*") {
        let robot = robots_txt.robot(agent).unwrap();
        let of_agent: Vec<_> = robots_txt
            .groups()
            .filter(|group| {
                group
                    .user_agents()
                    .any(|line| line.product_token().eq_ignore_ascii_case(agent))
            })
            .collect();
        // Everything is allowed by default, so an `Allow` of everything decides about nothing.
        let decides = |rule: Rule<'_>, path: &String| {
            let says_so =
                rule.access() == Access::Allow && paths.iter().all(|path| rule.matches(path));
            rule.length() > 0 && rule.matches(path) && !says_so
        };
        let loses = |path: &String| {
            let for_everyone = everyone.check(path);
            for_everyone
                .rule()
                .is_some_and(|rule| rule.access() == Access::Disallow && rule.length() > 0)
                && !robot.rules().any(|rule| decides(rule, path))
        };
        if paths.iter().any(loses) {
            let lines = of_agent.iter().flat_map(|group| group.user_agents());
            let first = lines
                .filter(|line| line.product_token().eq_ignore_ascii_case(agent))
                .map(|line| line.line())
                .min()
                .unwrap();
            sets.push((of_agent.iter().map(|group| group.line()).collect(), first));
        }
    }
    sets.sort();
    sets.dedup_by(|one, other| one.0 == other.0);
    sets.into_iter().map(|(_, line)| line).collect()
}

/// Whether the file has rules for everyone, and neither they nor those of a named agent open more
/// than the home page and a few paths that begin alike.
fn is_closed_to_everyone(robots_txt: &RobotsTxt, paths: &[String]) -> bool {
    let is_closed = |agent: &str| {
        let robot = robots_txt.robot(agent).unwrap();
        let closes_all = |rule: Rule<'_>| {
            rule.access() == Access::Disallow
                && rule.length() > 0
                && paths.iter().all(|path| rule.matches(path))
        };
        let verdicts = paths.iter().map(|path| robot.check(path));
        let exceptions: Vec<Rule<'_>> = verdicts
            .filter(|verdict| verdict.is_allowed())
            .filter_map(|verdict| verdict.rule())
            .collect();
        let is_small = |rule: &Rule<'_>| {
            let pattern = rule.pattern();
            !pattern.starts_with('*') && !pattern.starts_with("/*") && pattern != "/"
        };
        let beside_home_page = exceptions.iter().filter(|rule| rule.pattern() != "/$");
        let lines: BTreeSet<u32> = beside_home_page.map(|rule| rule.line()).collect();
        robot.rules().any(closes_all) && lines.len() <= 4 && exceptions.iter().all(is_small)
    };
    let tokens = robots_txt
        .merged_groups()
        .map(|group| group.product_token());
    let mut tokens: BTreeSet<&str> = tokens.collect();
    tokens.remove("*") && is_closed("*") && tokens.into_iter().all(is_closed)
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        // With `--release` there are ten thousand cases.
        ..ProptestConfig::with_cases(if cfg!(debug_assertions) { 1_000 } else { 10_000 })
    })]

    #[test]
    fn lint_equals_an_answer_for_every_path(file in files(), google: bool) {
        let options = if google { Options::google() } else { Options::rfc9309() };
        let robots_txt = RobotsTxt::parse_with(file.as_bytes(), &options);
        for merged in robots_txt.merged_groups() {
            let Ok(robot) = robots_txt.robot(merged.product_token()) else { continue };
            let can_match = merged.rules().filter(|rule| !rule.value().is_empty());
            let expected: BTreeSet<u32> = can_match.map(|rule| rule.line()).collect();
            let rules = robot.rules().filter(|rule| rule.length() > 0);
            prop_assert_eq!(rules.map(|rule| rule.line()).collect::<BTreeSet<u32>>(), expected, "{}", file);
        }
        let found = findings(&robots_txt);
        let paths = paths();
        prop_assert_eq!(
            lines_with(&found, &[
                DiagnosticCode::ShadowedRule,
                DiagnosticCode::RedundantRule,
                DiagnosticCode::SiteOpenedByAllow,
                DiagnosticCode::DuplicateRule,
            ]),
            rules_that_never_decide(&robots_txt, &paths),
            "{}", file
        );
        prop_assert_eq!(
            !lines_with(&found, &[DiagnosticCode::SiteClosed]).is_empty(),
            is_closed_to_everyone(&robots_txt, &paths),
            "{}", file
        );
        prop_assert_eq!(
            lines_with(&found, &[DiagnosticCode::WildcardRulesDropped]),
            agents_without_the_wildcard(&robots_txt, &paths),
            "{}", file
        );
        // The suggestions change no answer.
        let fixed_file = with_suggestions(&file, &found);
        let fixed = RobotsTxt::parse_with(fixed_file.as_bytes(), &options);
        for agent in agents(&robots_txt) {
            let (before, after) = (robots_txt.robot(agent).unwrap(), fixed.robot(agent).unwrap());
            for path in &paths {
                prop_assert_eq!(before.allowed(path), after.allowed(path), "{} for {} in\n{}", path, agent, file);
            }
        }
    }
}

fn with_suggestions(file: &str, found: &[Diagnostic]) -> String {
    let mut fixed = file.to_string();
    for finding in found.iter().rev() {
        if let Some(suggestion) = finding.suggestion() {
            fixed.replace_range(finding.span(), suggestion);
        }
    }
    fixed
}

/// Patterns with literals of at least four bytes, by which the index finds them.
fn wildcard_rules() -> impl Strategy<Value = Vec<(&'static str, String)>> {
    let piece = select(vec![
        "*",
        "*",
        "pear",
        "apple",
        "plums",
        "/orchard/",
        "ear",
        "x",
    ]);
    let body = vec(piece, 1..6).prop_map(|pieces| pieces.concat());
    let end = select(vec!["", "", "$"]);
    let value = (select(vec!["/*", "*", "/"]), body, end)
        .prop_map(|(start, body, end)| format!("{start}{body}{end}"));
    vec((select(vec!["Allow", "Disallow"]), value), 1..10)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    /// Among many wildcards, a pattern is compared only with those that share bytes with it; none
    /// that covers it may be skipped.
    #[test]
    fn many_other_wildcards_change_no_finding(rules in wildcard_rules()) {
        let mut file = String::from("User-agent: *\n");
        for (field, value) in &rules {
            file.push_str(&format!("{field}: {value}\n"));
        }
        let last = rules.len() as u32 + 1;
        let mut crowd = file.clone();
        for number in 0..40 {
            crowd.push_str(&format!("Disallow: /*~{number}~q{number:04}\n"));
        }
        let codes = [DiagnosticCode::ShadowedRule, DiagnosticCode::RedundantRule, DiagnosticCode::DuplicateRule];
        let alone = lines_with(&findings(&RobotsTxt::parse(file.as_bytes())), &codes);
        let mut among = lines_with(&findings(&RobotsTxt::parse(crowd.as_bytes())), &codes);
        among.retain(|line| *line <= last);
        prop_assert_eq!(alone, among, "{}", file);
    }
}

#[test]
fn a_shadowed_rule_is_found_among_many_wildcards() {
    let mut file = String::from("User-agent: *\n");
    let mut expected = BTreeSet::new();
    for number in 0..40 {
        file.push_str(&format!("Disallow: /a*shop{number:04}\n"));
        file.push_str(&format!("Disallow: /*a*shop{number:04}\n"));
        // This wildcard does not cover the rule.
        file.push_str(&format!("Allow: /*b*{number:04}shop\n"));
        expected.insert(2 + 3 * number);
    }
    let found = findings(&RobotsTxt::parse(file.as_bytes()));
    assert_eq!(
        lines_with(&found, &[DiagnosticCode::RedundantRule]),
        expected
    );
}

#[test]
fn a_shadowed_rule_is_reported_with_the_rule_that_decides() {
    // Both other rules match every path of the rule, and the longer one decides.
    for others in [["/*a", "/*a*b"], ["/*a*b", "/*a"]] {
        let file = format!(
            "User-agent: *\nDisallow: /ab\nAllow: {}*\nAllow: {}*\n",
            others[0], others[1]
        );
        let found = findings(&RobotsTxt::parse(file.as_bytes()));
        let shadowed: Vec<&Diagnostic> = found
            .iter()
            .filter(|finding| finding.line() == 2 && finding.code() == DiagnosticCode::ShadowedRule)
            .collect();
        let line = 3 + others.iter().position(|other| *other == "/*a*b").unwrap();
        let quoted = format!("`/*a*b*` on line {line}");
        assert_eq!(shadowed.len(), 1, "{file}");
        assert!(
            shadowed[0].message().contains(&quoted),
            "{}",
            shadowed[0].message()
        );
    }
}

/// The wildcards are too short for grams, so only their sets of bytes distinguish them.
#[test]
fn short_wildcards_do_not_hide_a_covering_rule() {
    let mut file = String::from("User-agent: *\nDisallow: /pear\n");
    for number in 1..=100 {
        file.push_str(&format!("Allow: /*~{}*~*\n", "*e".repeat(number)));
    }
    file.push_str("Allow: /p*e*a*r*\n");
    let found = findings(&RobotsTxt::parse(file.as_bytes()));
    assert_eq!(
        lines_with(&found, &[DiagnosticCode::ShadowedRule]),
        BTreeSet::from([2])
    );
}

/// The work on a file is bounded over all its merged groups together.
#[test]
fn the_lint_stops_when_its_work_is_spent() {
    let shared = "Disallow:\n".repeat(2_000);
    let (file, lines) = shared_then_own_groups(&shared, |_| "Disallow: /a\nDisallow: /a\n".into());
    // Empty rules count in the Google dialect.
    let robots_txt = RobotsTxt::parse_with(file.as_bytes(), &Options::google());
    let reported = lines_with(&findings(&robots_txt), &[DiagnosticCode::DuplicateRule]);
    let twins: Vec<u32> = lines.iter().map(|line| line + 2).collect();
    assert!((300..600).contains(&reported.len()), "{}", reported.len());
    assert!(reported.iter().eq(&twins[..reported.len()]));
}

/// The last agent has no `Allow` that overrules the shared rule, but the work is spent before its
/// group.
#[test]
fn rules_of_unchecked_agents_are_not_reported() {
    let shared = format!("{}Disallow: /b\n", "Allow: /a\n".repeat(2_000));
    let own = |is_last| {
        if is_last {
            "Disallow: /c\n"
        } else {
            "Allow: /b*\n"
        }
    };
    let (file, _) = shared_then_own_groups(&shared, |at| own(at + 1 == SHARING_AGENTS).into());
    let found = findings(&RobotsTxt::parse(file.as_bytes()));
    assert_eq!(
        lines_with(&found, &[DiagnosticCode::ShadowedRule]),
        BTreeSet::new()
    );
}

const SHARING_AGENTS: usize = 600;

/// Makes one group with many agents, then one group for each agent; also returns the first lines of
/// the latter.
fn shared_then_own_groups(rules: &str, own_rules: impl Fn(usize) -> String) -> (String, Vec<u32>) {
    let agents = || agents_by_letters().take(SHARING_AGENTS);
    let mut file: String = agents()
        .map(|agent| format!("User-agent: {agent}\n"))
        .collect();
    file.push_str(rules);
    let mut lines = Vec::new();
    for (at, agent) in agents().enumerate() {
        lines.push(file.lines().count() as u32 + 1);
        file.push_str(&format!("User-agent: {agent}\n{}", own_rules(at)));
    }
    (file, lines)
}

fn agents_by_letters() -> impl Iterator<Item = String> {
    let letters = || 'a'..='z';
    letters().flat_map(move |first| letters().map(move |second| format!("{first}{second}")))
}

/// An agent that may fetch nothing cannot lack a wildcard rule, so no rules are compared.
#[test]
fn blocked_agents_need_no_comparisons() {
    let mut file = String::from("User-agent: *\n");
    for number in 0..1_000 {
        file.push_str(&format!("Disallow: /{number:03}/\n"));
    }
    for agent in agents_by_letters().take(600) {
        file.push_str(&format!("User-agent: {agent}\nDisallow: /\n"));
    }
    let last = file.lines().count() as u32 + 1;
    file.push_str("User-agent: zz\nDisallow: /a\n");
    let found = findings(&RobotsTxt::parse(file.as_bytes()));
    assert_eq!(
        lines_with(&found, &[DiagnosticCode::WildcardRulesDropped]),
        BTreeSet::from([last])
    );
}

#[test]
fn a_duplicate_is_found_among_thousands_of_rules() {
    for pattern in [|at| format!("/{at}"), |at| format!("/{at:06}/apples")] {
        let mut file = String::from("User-agent: *\n");
        for at in 0..3_000 {
            file.push_str(&format!("Disallow: {}\n", pattern(at)));
        }
        file.push_str(&format!("Disallow: {}\n", pattern(2_999)));
        let found = findings(&RobotsTxt::parse(file.as_bytes()));
        assert_eq!(
            lines_with(&found, &[DiagnosticCode::DuplicateRule]),
            BTreeSet::from([3_002])
        );
    }
}

/// All words have the same letters and different ends. Comparing every pair would exceed the work
/// limit.
#[test]
fn a_shadowed_rule_is_found_among_wildcards_of_the_same_letters() {
    let words: Vec<String> = (0..1024)
        .map(|number: usize| {
            let end = (0..5).map(|place| ["p", "e", "a", "r"][number >> (2 * place) & 3]);
            format!("pear-{}", end.collect::<String>())
        })
        .collect();
    let mut file = String::from("User-agent: *\n");
    for word in &words {
        file.push_str(&format!("Disallow: /*a*~{word}\n"));
    }
    for word in &words {
        file.push_str(&format!("Disallow: /a*~{word}\n"));
    }
    let found = findings(&RobotsTxt::parse(file.as_bytes()));
    let all: BTreeSet<u32> = (1026..2050).collect();
    assert_eq!(lines_with(&found, &[DiagnosticCode::RedundantRule]), all);
}

/// Every wildcard is a candidate, and only the last one matches.
#[test]
fn a_rule_is_compared_with_every_candidate() {
    let mut wildcards = String::new();
    for number in 1..=100 {
        // The path has one slash, but the pattern needs two.
        wildcards.push_str(&format!("Allow: /*/{}\n", "*p".repeat(number)));
    }
    wildcards.push_str("Allow: /*p*p*\n");
    let lines = |file: String| {
        let found = findings(&RobotsTxt::parse(file.as_bytes()));
        let codes = [
            DiagnosticCode::ShadowedRule,
            DiagnosticCode::WildcardRulesDropped,
        ];
        lines_with(&found, &codes)
    };
    let one_set = format!("User-agent: *\nDisallow: /pp\n{wildcards}");
    assert_eq!(lines(one_set), BTreeSet::from([2]));
    let two_sets = format!("User-agent: *\nDisallow: /pp\nUser-agent: a\n{wildcards}");
    assert_eq!(lines(two_sets), BTreeSet::new());
}

/// The wildcard rules spend all the work, so it is unknown whether the agent lacks them.
#[test]
fn uncompared_rules_are_not_reported_as_dropped() {
    let mut file = String::from("User-agent: *\n");
    for number in 0..30_000 {
        file.push_str(&format!("Disallow: /*a{number:05}\n"));
    }
    file.push_str("User-agent: a\n");
    for number in 0..10_000 {
        file.push_str(&format!("Allow: /*/*{}\n", number % 10));
    }
    file.push_str("Allow: /*a*\n");
    let found = findings(&RobotsTxt::parse(file.as_bytes()));
    assert_eq!(
        lines_with(&found, &[DiagnosticCode::WildcardRulesDropped]),
        BTreeSet::new()
    );
}

#[test]
fn query_dependent_rules_shadow_no_rule() {
    let file = "User-agent: *\nDisallow: /a%2Fb\nAllow: /*%2Fb*\n";
    assert_eq!(findings(&RobotsTxt::parse(file.as_bytes())), []);
}

#[test]
fn wildcard_rules_that_never_decide_are_not_reported_as_dropped() {
    let count = |everyone: &str| {
        let file = format!("User-agent: *\n{everyone}\n\nUser-agent: Apple\nDisallow: /b\n");
        let found = findings(&RobotsTxt::parse(file.as_bytes()));
        lines_with(&found, &[DiagnosticCode::WildcardRulesDropped]).len()
    };
    assert_eq!(count("Disallow: /a"), 1);
    assert_eq!(count("Disallow: /a\nAllow: /a*"), 0);
    // A pattern that begins with `*` has two generic paths, and it still decides one of them.
    assert_eq!(count("Disallow: */a\nAllow: /*/a"), 1);
}
