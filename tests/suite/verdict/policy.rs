//! Rules about a use of content: every robot of a file has them, and they change no verdict.

use polite_robots::record::PolicyToken;
use polite_robots::{Cause, Dialect, Options, Robot, RobotsTxt};
use proptest::prelude::*;
use proptest::sample::select;

use crate::suite::verdict::entry_points::{Answer, options};
use crate::suite::verdict::naive_file;
use crate::suite::verdict::strategies::{AGENTS, any_files, dialects, files, urls};

const TOKEN: &str = "__usage_ai-training";

/// The robots of a file that know its rules about uses, made in every way.
fn robots(agent: &str, file: &[u8], options: &Options) -> Vec<Robot> {
    let document = RobotsTxt::parse_with(file, options);
    let one = Robot::with_options(agent, file, options).unwrap();
    let mut robots = vec![
        one.clone().named_only(),
        one,
        document.robot(agent).unwrap(),
        document.robot_first(&[agent, "b"]).unwrap(),
        document.robot_merged(&["b", agent]).unwrap(),
        document.robot_merged(&[]).unwrap(),
    ];
    #[cfg(feature = "serde")]
    for at in 0..2 {
        let stored = serde_json::to_string(&robots[at]).unwrap();
        robots.push(serde_json::from_str(&stored).unwrap());
    }
    robots.push(robots[0].clone());
    robots
}

fn policy(robot: &Robot, url: &str) -> Option<(bool, u32)> {
    let answer = Answer::of(&robot.policy(PolicyToken::AiTraining)?.check(url));
    Some((answer.allowed, answer.line))
}

/// A group about a use, with and without rules. It stands alone or shares an agent that nobody asks
/// for.
const GROUPS: &[&str] = &[
    "User-agent: __usage_ai-training\nDisallow: /\n",
    "User-agent: __usage_ai-training\nAllow: /\nDisallow: /a\n",
    "User-agent: nobody\nUser-agent: __USAGE_ai-training\nContent-Usage: train-ai=n\nDisallow: /*b\n",
    "User-agent: __usage_ai-training\n",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2048) })]

    /// Whatever agent a robot is for, its rules about uses are those of the naive reading.
    #[test]
    fn every_robot_has_the_rules_of_the_naive_reading(
        file in files(),
        agent in select(AGENTS),
        url in urls(),
        dialect in dialects(),
    ) {
        let expected = naive_file::policy(&file, TOKEN, &url, dialect);
        for robot in robots(agent, &file, &options(dialect)) {
            prop_assert_eq!(policy(&robot, &url), expected);
        }
    }

    /// A group about a use, before or after the other groups, changes no verdict of an agent.
    #[test]
    fn a_group_about_a_use_changes_no_verdict(
        file in prop_oneof![files(), any_files()],
        group in select(GROUPS),
        agent in select(AGENTS),
        url in urls(),
        dialect in dialects(),
    ) {
        prop_assume!(agent != TOKEN);
        // A byte order mark counts at the start only, and a list of agents is ended by a rule.
        let mark = file.iter().zip([0xEF, 0xBB, 0xBF]).take_while(|(byte, mark)| *byte == mark).count();
        let (mark, rest) = file.split_at(mark);
        let closed = [rest, b"\nDisallow: x\n"].concat();
        let before = [mark, &closed[..]].concat();
        for after in [
            [&before[..], group.as_bytes()].concat(),
            [mark, group.as_bytes(), b"\n", &closed[..]].concat(),
        ] {
            let [old, new] = [&before, &after].map(|file| Robot::with_options(agent, file, &options(dialect)).unwrap());
            prop_assert_eq!(old.allowed(&url), new.allowed(&url));
            prop_assert_eq!(old.check(&url).is_allowed(), new.check(&url).is_allowed());
            prop_assert_eq!(old.agent_match(), new.agent_match());
            prop_assert!(new.policy(PolicyToken::AiTraining).is_some());
        }
    }
}

#[test]
fn only_a_group_that_names_the_token_counts() {
    for (file, expected) in [
        (
            "User-agent: __usage_ai-training\nDisallow: /",
            Some((false, 2)),
        ),
        (
            "User-agent: GPTBot\nUser-agent: __USAGE_AI-TRAINING\nDisallow: /",
            Some((false, 3)),
        ),
        ("User-agent: __usage_ai-training", Some((true, 0))),
        ("User-agent: *\nDisallow: /", None),
        ("User-agent: __usage-ai-training\nDisallow: /", None),
        ("User-agent: _usage_ai-training\nDisallow: /", None),
        ("User-agent: __usage_ai-training-x\nDisallow: /", None),
        (
            "# __usage_ai-training\nUser-agent: *\nDisallow: /__usage_ai-training",
            None,
        ),
        ("", None),
    ] {
        for dialect in [Dialect::Rfc9309, Dialect::Google] {
            for robot in robots("ExampleBot", file.as_bytes(), &options(dialect)) {
                assert_eq!(policy(&robot, "/x"), expected, "{file}");
            }
        }
    }
}

#[test]
fn the_robot_of_a_token_ends_with_its_rules() {
    let file = b"User-agent: __usage_ai-training\nContent-Usage: train-ai=n\nCrawl-delay: 2\nDisallow: /\nSitemap: /s";
    let robot = Robot::new(TOKEN, file).unwrap();
    assert!(!robot.allowed("/x"));
    let training = robot.policy(PolicyToken::AiTraining).unwrap();
    assert!(training.policy(PolicyToken::AiTraining).is_none());
    assert_eq!(training.rules().count(), 1);
    assert_eq!(training.group_lines().collect::<Vec<u32>>(), [1]);
    let others = (
        training.records().count(),
        training.sitemaps().count(),
        training.crawl_delay(),
    );
    assert_eq!(others, (0, 0, None));
}

#[test]
fn a_limit_cuts_the_rules_of_a_token_too() {
    let file = b"User-agent: __usage_ai-training\nDisallow: /private";
    for (bytes, expected) in [(9, None), (40, Some((true, 0))), (51, Some((false, 2)))] {
        for robot in robots("a", file, &Options::rfc9309().with_max_bytes(bytes)) {
            assert_eq!(policy(&robot, "/private"), expected, "{bytes}");
        }
    }
}

#[test]
fn an_answer_without_a_file_states_nothing() {
    for robot in [
        Robot::allow_all(Cause::Status(404)),
        Robot::disallow_all(Cause::Unreachable),
    ] {
        assert!(robot.policy(PolicyToken::AiTraining).is_none());
    }
}

/// Robots that differ in these rules alone are not the same.
#[test]
fn equality_includes_the_rules_of_a_token() {
    let robot = |path| {
        let file = format!(
            "User-agent: *\nDisallow: /x\nUser-agent: __usage_ai-training\nDisallow: {path}"
        );
        Robot::new("a", file.as_bytes()).unwrap()
    };
    assert_eq!(robot("/a"), robot("/a"));
    assert_ne!(robot("/a"), robot("/b"));
}
