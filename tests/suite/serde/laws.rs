//! Laws of stored forms: what is written reads back unchanged, and a changed form makes no value
//! that a file could not make.

use std::hash::{DefaultHasher, Hash, Hasher};

use polite_robots::record::PolicyToken;
use polite_robots::{AgentMatch, Robot, RobotsTxt};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::suite::serde::round_trip;
use crate::suite::verdict::entry_points::options;
use crate::suite::verdict::strategies::{AGENTS, any_files as files, dialects, urls};

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Checks the invariants of every robot of a file, which its serialised form must keep too.
fn check_invariants(robot: &Robot, url: &str) -> Result<(), TestCaseError> {
    let mut lines: Vec<u32> = robot.rules().map(|rule| rule.line()).collect();
    lines.sort_unstable();
    prop_assert!(lines.first() != Some(&0) && lines.windows(2).all(|pair| pair[0] < pair[1]));
    for rule in robot.rules() {
        let pattern = rule.pattern();
        prop_assert!(pattern.is_ascii() && pattern.len() == rule.length());
        prop_assert!(
            matches!(pattern.as_bytes(), [] | [b'/' | b'*', ..])
                && !pattern.contains(['\r', '\n', '#', '\0'])
        );
    }
    let is_none = robot.agent_match() == AgentMatch::None;
    prop_assert!(!is_none || lines.is_empty() && robot.crawl_delay().is_none());
    prop_assert!(
        robot
            .sitemaps()
            .all(|sitemap| !sitemap.is_empty() && !sitemap.contains(['\r', '\n']))
    );
    prop_assert_eq!(robot.check(url).is_allowed(), robot.allowed(url));
    if let Some(training) = robot.policy(PolicyToken::AiTraining) {
        prop_assert_eq!(training.agent_match(), AgentMatch::Named);
        check_invariants(training, url)?;
    }
    round_trip(robot)
}

/// Replaces the value at `path`, where each step is taken modulo the number of children.
fn mutate(tree: &mut Value, path: &[usize], replacement: &Value) {
    let Some((step, path)) = path.split_first() else {
        *tree = replacement.clone();
        return;
    };
    let inner = match tree {
        Value::Array(list) if !list.is_empty() => {
            let at = step % list.len();
            list.get_mut(at)
        }
        Value::Object(fields) if !fields.is_empty() => {
            let at = step % fields.len();
            fields.values_mut().nth(at)
        }
        _ => None,
    };
    match inner {
        Some(inner) => mutate(inner, path, replacement),
        None => *tree = replacement.clone(),
    }
}

fn replacements() -> impl Strategy<Value = Value> {
    prop_oneof![
        select(
            &[
                "/",
                "/a b",
                "/é",
                "/%",
                "/%zz",
                "/%e9",
                "/%41",
                "/#",
                "/\0",
                "/\n",
                "/ ",
                "*",
                "a",
                "",
                "/$a",
                "/%24a",
                "/index.html",
                "User-agent",
                "Allow",
                "Sitemap",
                "License",
                "me",
                "__usage_ai-training",
                "google",
                "rfc9309",
                "unreachable",
                "https://h/s\nDisallow: /",
            ][..]
        )
        .prop_map(Value::from),
        select(
            &[
                0_u64,
                1,
                2,
                3,
                404,
                65_536,
                4_294_967_295,
                4_294_967_296,
                u64::MAX
            ][..]
        )
        .prop_map(Value::from),
        Just(Value::Null),
        Just(json!([])),
        Just(json!({})),
        Just(json!({"line": 9, "field": "Disallow", "value": "/x"})),
        Just(json!([
            {"line": 1, "field": "User-agent", "value": "*"},
            {"line": 3, "field": "Allow", "value": "/"},
            {"line": 2, "field": "Allow", "value": "/"},
        ])),
        Just(json!({"access": "disallow", "cause": {"status": 503}})),
        Just(json!({"secs": u64::MAX, "nanos": u32::MAX})),
        Just(json!(-1.5)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1024) })]

    #[test]
    fn a_document_reads_back(
        file in prop_oneof![files(), vec(any::<u8>(), 0..99)],
        max_bytes in proptest::option::of(0_usize..300),
        dialect in dialects(),
    ) {
        let mut options = options(dialect);
        options.max_bytes = max_bytes;
        let document = RobotsTxt::parse_with(&file, &options);
        round_trip(&document)?;
        round_trip(&options)?;
        let again: RobotsTxt = serde_json::from_value(serde_json::to_value(&document).unwrap()).unwrap();
        prop_assert_eq!(hash(&again), hash(&document));
        for agent in AGENTS {
            prop_assert_eq!(again.robot(agent).unwrap(), document.robot(agent).unwrap());
        }
    }

    #[test]
    fn a_robot_reads_back(file in files(), agent in select(AGENTS), urls in vec(urls(), 3), dialect in dialects()) {
        let robot = Robot::with_options(agent, &file, &options(dialect)).unwrap();
        for robot in [robot.clone(), robot.named_only()] {
            check_invariants(&robot, &urls[0])?;
            let again: Robot = postcard::from_bytes(&postcard::to_allocvec(&robot).unwrap()).unwrap();
            prop_assert_eq!(hash(&again), hash(&robot));
            prop_assert!(again.rules().eq(robot.rules()) && again.sitemaps().eq(robot.sitemaps()));
            for url in &urls {
                prop_assert_eq!(again.check(url), robot.check(url));
                prop_assert_eq!(again.allowed(url), robot.allowed(url));
            }
        }
    }

    #[test]
    fn hostile_trees_make_no_invalid_robot(
        file in files(),
        agent in select(AGENTS),
        dialect in dialects(),
        changes in vec((vec(0_usize..40, 1..5), replacements()), 1..4),
        url in urls(),
    ) {
        let document = RobotsTxt::parse_with(&file, &options(dialect));
        let mut tree = serde_json::to_value(document.robot(agent).unwrap()).unwrap();
        changes.iter().for_each(|(path, replacement)| mutate(&mut tree, path, replacement));
        if let Ok(robot) = serde_json::from_value::<Robot>(tree) {
            check_invariants(&robot, &url)?;
        }
        let mut tree = serde_json::to_value(&document).unwrap();
        changes.iter().for_each(|(path, replacement)| mutate(&mut tree, path, replacement));
        if let Ok(document) = serde_json::from_value::<RobotsTxt>(tree) {
            round_trip(&document)?;
        }
    }

    #[test]
    fn hostile_bytes_make_no_invalid_robot(
        file in files(),
        agent in select(AGENTS),
        dialect in dialects(),
        changes in vec((any::<usize>(), any::<u8>()), 1..4),
        url in urls(),
    ) {
        let document = RobotsTxt::parse_with(&file, &options(dialect));
        let changed = |mut bytes: Vec<u8>| {
            for (at, byte) in &changes {
                let at = at % bytes.len();
                bytes[at] = *byte;
            }
            bytes
        };
        let bytes = changed(postcard::to_allocvec(&document.robot(agent).unwrap()).unwrap());
        if let Ok(robot) = postcard::from_bytes::<Robot>(&bytes) {
            check_invariants(&robot, &url)?;
        }
        let bytes = changed(postcard::to_allocvec(&document).unwrap());
        if let Ok(document) = postcard::from_bytes::<RobotsTxt>(&bytes) {
            round_trip(&document)?;
        }
    }
}
