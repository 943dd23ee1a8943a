//! Every answer of a robot as one text, so that two robots can be compared.

use std::fmt::Write as _;

use polite_robots::{Reason, Robot};

/// Lists the agent match, delay, rules, records and verdicts of a robot, without line numbers.
pub(crate) fn answers(robot: &Robot, urls: &[String]) -> String {
    let mut text = format!("{:?} {:?}", robot.agent_match(), robot.crawl_delay());
    for rule in robot.rules() {
        let _ = write!(text, "\n{rule}");
    }
    for sitemap in robot.sitemaps() {
        let _ = write!(text, "\n{sitemap:?}");
    }
    for record in robot.records() {
        let _ = write!(text, "\n{record} {:?}", record.level());
    }
    for url in urls {
        let verdict = robot.check(url);
        let reason = match verdict.reason() {
            Reason::Rule(rule) => format!("rule {rule}"),
            Reason::DirectoryOfIndex(rule) => format!("directory {rule}"),
            other => other.to_string(),
        };
        let overruled = verdict.overruled().map(|rule| rule.to_string());
        let _ = write!(text, "\n{} {reason} {overruled:?}", verdict.is_allowed());
    }
    text
}
