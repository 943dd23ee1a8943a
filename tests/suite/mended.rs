//! Files in which the suggestions of the findings are carried out.

use std::collections::BTreeSet;
use std::ops::Range;

use polite_robots::{Diagnostic, Options, RobotsTxt};

use super::entry_points::Answer;

/// Those of the lines, then those of the rules.
pub(crate) fn findings(file: &[u8], options: &Options) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let robots_txt = RobotsTxt::parse_with(file, options, &mut found);
    robots_txt.lint(&mut found);
    found
}

/// The suggestions with their places, in the order of the file.
pub(crate) fn mends(found: &[Diagnostic]) -> Vec<(Range<usize>, &str)> {
    let mends = found
        .iter()
        .filter_map(|finding| Some((finding.span(), finding.suggestion()?)));
    let mut mends: Vec<_> = mends.collect();
    mends.sort_by_key(|(span, _)| span.start);
    mends
}

pub(crate) fn assert_apart(mends: &[(Range<usize>, &str)]) {
    for pair in mends.windows(2) {
        assert!(pair[0].0.end <= pair[1].0.start, "{pair:?} overlap");
    }
}

/// The file with the mends, which are in its order.
pub(crate) fn with(file: &[u8], mends: &[(Range<usize>, &str)]) -> Vec<u8> {
    let mut mended = file.to_vec();
    for (span, suggestion) in mends.iter().rev() {
        mended.splice(span.clone(), suggestion.bytes());
    }
    mended
}

/// The same answer of the same line to every agent of the file, and the same delay.
pub(crate) fn assert_means_the_same(file: &[u8], mended: &[u8]) {
    let (before, after) = (RobotsTxt::parse(file), RobotsTxt::parse(mended));
    let urls = urls(&before);
    for agent in agents(&before) {
        let Ok(robot) = before.robot(&agent) else {
            continue;
        };
        let mended_robot = after.robot(&agent).unwrap();
        assert_eq!(robot.crawl_delay(), mended_robot.crawl_delay());
        assert_eq!(robot.agent_match(), mended_robot.agent_match());
        for url in &urls {
            assert_eq!(
                Answer::of(&robot.check(url)),
                Answer::of(&mended_robot.check(url)),
                "{url} for {agent} in\n{}\nand\n{}",
                file.escape_ascii(),
                mended.escape_ascii()
            );
        }
    }
}

fn agents(robots_txt: &RobotsTxt) -> BTreeSet<String> {
    let mut agents = BTreeSet::from(["*".to_string(), "ExampleBot".to_string()]);
    for line in robots_txt.groups().flat_map(|group| group.user_agents()) {
        let is_token = |octet: &&u8| octet.is_ascii_alphanumeric() || b"-_.".contains(*octet);
        let whole = line.value().iter().take_while(is_token);
        agents.insert(whole.map(|octet| char::from(*octet)).collect());
        agents.insert(line.product_token().to_string());
    }
    agents
}

/// A few that the file's rules may match.
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
        urls.push(value.iter().map(|octet| format!("%{octet:02X}")).collect());
    }
    urls
}
