//! Builders with any values: each value is one line that reads back. Any file: its canonical form
//! gives the same answers.
#![no_main]

use std::time::Duration;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use polite_robots::record::ExtensionField;
use polite_robots::{Options, Robot, RobotsTxt};
use polite_robots_build::{CommentPolicy, GroupBuilder, PathPattern, RobotsTxtBuilder, canonical};

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    groups: Vec<(&'a str, Vec<Step<'a>>)>,
    tail: Vec<Tail<'a>>,
    file: &'a [u8],
    url: &'a str,
}

#[derive(Debug, Arbitrary)]
enum Step<'a> {
    Agent(&'a str),
    Comment(&'a str),
    Allow(&'a str),
    Disallow(&'a str),
    Prefix(&'a str),
    Exact(&'a str),
    CrawlDelay(Duration),
    RequestRate(u32, Duration),
    VisitTime((u8, u8), (u8, u8)),
    Signal(Option<&'a str>, Vec<(&'a str, &'a str)>),
    Usage(Option<&'a str>, Vec<(&'a str, &'a str)>),
    License(&'a str),
    Noindex(&'a str),
}

#[derive(Debug, Arbitrary)]
enum Tail<'a> {
    Comment(&'a str),
    Sitemap(&'a str),
    Host(&'a str),
    CleanParam(Vec<&'a str>, Option<&'a str>),
    Signal(Option<&'a str>, Vec<(&'a str, &'a str)>),
    License(&'a str),
    Extension(&'a str),
}

fuzz_target!(|input: Input<'_>| {
    check_builder(&input);
    check_canonical(&input);
});

/// Number of records of each kind that the builders accepted.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    groups: usize,
    agents: usize,
    rules: usize,
    records: usize,
}

fn check_builder(input: &Input<'_>) {
    let mut builder = RobotsTxtBuilder::new();
    let mut expected = Counts::default();
    for step in &input.tail {
        let is_comment = matches!(step, Tail::Comment(_));
        let before = builder.clone();
        let next = match step {
            Tail::Comment(text) => before.comment(text),
            Tail::Sitemap(url) => before.sitemap(url),
            Tail::Host(host) => before.host(host),
            Tail::CleanParam(parameters, path) => before.clean_param(parameters, *path),
            Tail::Signal(path, signals) => before.content_signal(*path, signals),
            Tail::License(url) => before.license(url),
            Tail::Extension(value) => before.extension(ExtensionField::Sitemap, value),
        };
        if let Ok(next) = next {
            builder = next;
            expected.records += usize::from(!is_comment);
        }
    }
    for (agent, steps) in &input.groups {
        let Ok(mut group) = GroupBuilder::new(agent) else {
            continue;
        };
        expected.groups += 1;
        expected.agents += 1;
        let mut rules = 0;
        for step in steps {
            let before = group.clone();
            let mut nothing = 0;
            let (next, count) = match step {
                Step::Agent(agent) => (before.user_agent(agent), &mut expected.agents),
                Step::Comment(text) => (before.comment(text), &mut nothing),
                Step::Allow(path) => (before.allow(*path), &mut rules),
                Step::Disallow(path) => (before.disallow(*path), &mut rules),
                Step::Prefix(path) => (before.allow(PathPattern::prefix(path)), &mut rules),
                Step::Exact(path) => (before.allow(PathPattern::exact(path)), &mut rules),
                Step::CrawlDelay(delay) => (Ok(before.crawl_delay(*delay)), &mut expected.records),
                Step::RequestRate(documents, per) => {
                    (before.request_rate(*documents, *per), &mut expected.records)
                }
                Step::VisitTime(from, to) => (before.visit_time(*from, *to), &mut expected.records),
                Step::Signal(path, signals) => {
                    (before.content_signal(*path, signals), &mut expected.records)
                }
                Step::Usage(path, usage) => {
                    (before.content_usage(*path, usage), &mut expected.records)
                }
                Step::License(url) => (before.license(url), &mut expected.records),
                Step::Noindex(value) => (
                    before.extension(ExtensionField::Noindex, value),
                    &mut expected.records,
                ),
            };
            if let Ok(next) = next {
                group = next;
                *count += 1;
            }
        }
        expected.rules += rules.max(1);
        builder = builder.group(group);
    }
    let file = builder.build();
    for options in [Options::rfc9309(), Options::google()] {
        let robots_txt = RobotsTxt::parse_with(file.as_bytes(), &options);
        let groups = || robots_txt.groups();
        let found = Counts {
            groups: groups().count(),
            agents: groups().map(|group| group.user_agents().count()).sum(),
            rules: groups().map(|group| group.rules().count()).sum(),
            records: robots_txt.extensions().count(),
        };
        assert_eq!(found, expected, "{file}");
    }
}

fn check_canonical(input: &Input<'_>) {
    for options in [Options::rfc9309(), Options::google()] {
        let before = RobotsTxt::parse_with(input.file, &options);
        for comments in [CommentPolicy::Keep, CommentPolicy::Drop] {
            let written = canonical(&before, comments);
            let after = RobotsTxt::parse_with(&written, &options);
            assert_eq!(canonical(&after, comments), written);
            for agent in ["*", "ExampleBot", "a", "b1", "b"] {
                let [before, after] = [&before, &after].map(|file| file.robot(agent).unwrap());
                assert_eq!(answers(&before, input.url), answers(&after, input.url));
            }
        }
    }
}

/// Lists every answer of a robot, without line numbers.
fn answers(robot: &Robot, url: &str) -> String {
    let rules: Vec<String> = robot.rules().map(|rule| rule.to_string()).collect();
    let sitemaps: Vec<&str> = robot.sitemaps().collect();
    let verdict = robot.check(url);
    let rule = verdict.rule().map(|rule| rule.to_string());
    format!(
        "{:?} {:?} {rules:?} {sitemaps:?} {} {rule:?}",
        robot.agent_match(),
        robot.crawl_delay(),
        verdict.is_allowed(),
    )
}
