//! Helpers that apply the suggestions of findings and compare the fixed file with the original.

use std::collections::BTreeSet;
use std::ops::Range;

use polite_robots::{Options, RobotsTxt, Verdict};
use polite_robots_lint::{Diagnostic, Linter};

/// Returns the findings about lines, then those about rules, that the file shows alone.
pub(crate) fn findings(file: &[u8], options: &Options) -> Vec<Diagnostic> {
    findings_by(Linter::without_crawlers(), file, options)
}

/// Returns the findings of a file on a host, if it is known.
pub(crate) fn findings_on(host: Option<&str>, file: &[u8], options: &Options) -> Vec<Diagnostic> {
    match host {
        None => findings(file, options),
        Some(host) => {
            let linter = Linter::without_crawlers().with_host(host);
            linter.lint(&RobotsTxt::parse_with(file, options))
        }
    }
}

fn findings_by(linter: Linter, file: &[u8], options: &Options) -> Vec<Diagnostic> {
    let robots_txt = RobotsTxt::parse_with(file, options);
    let parts = [linter.clone().only_lines(), linter.only_rules()];
    parts
        .iter()
        .flat_map(|linter| linter.lint(&robots_txt))
        .collect()
}

/// Returns the suggestions with their spans, in the order of the file.
pub(crate) fn fixes(found: &[Diagnostic]) -> Vec<(Range<usize>, &str)> {
    let fixes = found
        .iter()
        .filter_map(|finding| Some((finding.span(), finding.suggestion()?)));
    let mut fixes: Vec<_> = fixes.collect();
    fixes.sort_by_key(|(span, _)| span.start);
    fixes
}

pub(crate) fn assert_apart(fixes: &[(Range<usize>, &str)]) {
    for pair in fixes.windows(2) {
        assert!(pair[0].0.end <= pair[1].0.start, "{pair:?} overlap");
    }
}

/// Applies the fixes, which must be in the order of the file.
pub(crate) fn with(file: &[u8], fixes: &[(Range<usize>, &str)]) -> Vec<u8> {
    let mut fixed = file.to_vec();
    for (span, suggestion) in fixes.iter().rev() {
        fixed.splice(span.clone(), suggestion.bytes());
    }
    fixed
}

/// Asserts that both files give every agent the same verdicts, deciding lines and delay.
pub(crate) fn assert_means_the_same(file: &[u8], fixed: &[u8]) {
    let (before, after) = (RobotsTxt::parse(file), RobotsTxt::parse(fixed));
    let urls = urls(&before);
    for agent in agents(&before) {
        let Ok(robot) = before.robot(&agent) else {
            continue;
        };
        let fixed_robot = after.robot(&agent).unwrap();
        assert_eq!(robot.crawl_delay(), fixed_robot.crawl_delay());
        assert_eq!(robot.agent_match(), fixed_robot.agent_match());
        for url in &urls {
            assert_eq!(
                answer(&robot.check(url)),
                answer(&fixed_robot.check(url)),
                "{url} for {agent} in\n{}\nand\n{}",
                file.escape_ascii(),
                fixed.escape_ascii()
            );
        }
    }
}

/// The answer and the line that decides.
fn answer(verdict: &Verdict<'_>) -> (bool, Option<u32>) {
    (verdict.is_allowed(), verdict.rule().map(|rule| rule.line()))
}

fn agents(robots_txt: &RobotsTxt) -> BTreeSet<String> {
    let mut agents = BTreeSet::from(["*".to_string(), "ExampleBot".to_string()]);
    for line in robots_txt.groups().flat_map(|group| group.user_agents()) {
        let is_token = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.".contains(*byte);
        let whole = line.value().iter().take_while(is_token);
        agents.insert(whole.map(|byte| char::from(*byte)).collect());
        agents.insert(line.product_token().to_string());
    }
    agents
}

/// Makes some URLs that the rules of the file may match.
fn urls(robots_txt: &RobotsTxt) -> Vec<String> {
    let mut urls: Vec<String> = ["/", "/a", "/a/b", "/robots.txt", "/x?y"]
        .map(String::from)
        .into();
    for rule in robots_txt.groups().flat_map(|group| group.rules()) {
        let value = rule.value().strip_suffix(b"$").unwrap_or(rule.value());
        let text = String::from_utf8_lossy(value);
        for filler in ["", "x"] {
            let path = text.replace('*', filler);
            urls.extend([format!("http://h{path}"), format!("http://h/{path}z")]);
        }
        urls.push(value.iter().map(|byte| format!("%{byte:02X}")).collect());
    }
    urls
}
