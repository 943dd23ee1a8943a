//! The crates that are measured beside ours, with one trait: a robots.txt for one agent, and
//! questions about it.

use polite_robots::{Robot, Target};
use robotstxt::DefaultMatcher;
use url::Url;

use crate::inputs::{AGENT, Expected, Input};

pub trait Peer {
    const NAME: &'static str;
    type Robot;

    /// Parses a file; `None` if the crate refuses it.
    fn parse(robots_txt: &[u8]) -> Option<Self::Robot>;

    /// Answers for the text of a full URL. A crate that needs a parsed URL pays for parsing it.
    fn allows_url(robot: &Self::Robot, url: &str) -> bool;

    /// Answers for the path with the query, the cheapest form that all crates accept.
    fn allows_path(robot: &Self::Robot, path: &str) -> bool;
}

pub enum PoliteRobots {}

impl Peer for PoliteRobots {
    const NAME: &'static str = "polite-robots";
    type Robot = Robot;

    fn parse(robots_txt: &[u8]) -> Option<Robot> {
        Robot::new(AGENT, robots_txt).ok()
    }

    fn allows_url(robot: &Robot, url: &str) -> bool {
        robot.allowed(url)
    }

    fn allows_path(robot: &Robot, path: &str) -> bool {
        robot.allowed(path)
    }
}

pub enum TextingRobots {}

impl Peer for TextingRobots {
    const NAME: &'static str = "texting_robots";
    type Robot = texting_robots::Robot;

    fn parse(robots_txt: &[u8]) -> Option<texting_robots::Robot> {
        texting_robots::Robot::new(AGENT, robots_txt).ok()
    }

    fn allows_url(robot: &texting_robots::Robot, url: &str) -> bool {
        robot.allowed(url)
    }

    fn allows_path(robot: &texting_robots::Robot, path: &str) -> bool {
        robot.allowed(path)
    }
}

/// Reads the first 500 KiB of a file and no more.
pub enum Robotxt {}

impl Peer for Robotxt {
    const NAME: &'static str = "robotxt";
    type Robot = robotxt::Robots;

    fn parse(robots_txt: &[u8]) -> Option<robotxt::Robots> {
        Some(robotxt::Robots::parse(robots_txt, AGENT))
    }

    fn allows_url(robot: &robotxt::Robots, url: &str) -> bool {
        Url::parse(url).is_ok_and(|url| robot.is_url_allowed(&url))
    }

    fn allows_path(robot: &robotxt::Robots, path: &str) -> bool {
        robot.is_allowed(path)
    }
}

/// `robotstxt` keeps no object: each question reads the file again.
pub const ROBOTSTXT: &str = "robotstxt";

pub fn robotstxt_allows(robots_txt: &str, url: &str) -> bool {
    DefaultMatcher::default().one_agent_allowed_by_robots(robots_txt, AGENT, url)
}

/// Panics unless all our entry points give the recorded answers and the peers agree where they
/// should.
pub fn assert_answers(input: &Input) {
    let robot = PoliteRobots::parse(&input.bytes).unwrap();
    let by_path = disallowed::<PoliteRobots>(&robot, input);
    let by_url = input.urls.iter().filter(|url| !robot.allowed(*url)).count();
    let by_target = input
        .urls
        .iter()
        .filter(|url| !robot.allowed(Target::new(url)))
        .count();
    assert_eq!((by_path, by_path), (by_url, by_target), "{}", input.name);
    match input.expected {
        Expected::Disallowed(count) => {
            assert_eq!(by_path, count, "{}", input.name);
            assert_peer_agrees::<TextingRobots>(input, count);
            assert_peer_agrees::<Robotxt>(input, count);
        }
        Expected::DisallowedHere(count) => assert_eq!(by_path, count, "{}", input.name),
        Expected::Unrecorded => {}
    }
}

fn assert_peer_agrees<P: Peer>(input: &Input, count: usize) {
    let robot = P::parse(&input.bytes).unwrap();
    assert_eq!(
        disallowed::<P>(&robot, input),
        count,
        "{}: {}",
        input.name,
        P::NAME
    );
}

pub fn disallowed<P: Peer>(robot: &P::Robot, input: &Input) -> usize {
    input
        .paths
        .iter()
        .filter(|path| !P::allows_path(robot, path))
        .count()
}

/// The number of the input's paths that our robot disallows.
pub fn disallowed_here(input: &Input) -> usize {
    disallowed::<PoliteRobots>(&PoliteRobots::parse(&input.bytes).unwrap(), input)
}

/// Panics unless `robotstxt` gives our answer to at least nine of ten questions. It misses matches
/// of `*` (a `Vec::insert` where the original overwrites) and so may allow more, but its times can
/// still be compared.
pub fn assert_robotstxt_answers(input: &Input) {
    let robots_txt = core::str::from_utf8(&input.bytes).unwrap();
    let theirs = input
        .urls
        .iter()
        .filter(|url| !robotstxt_allows(robots_txt, url))
        .count();
    let ours = disallowed_here(input);
    assert!(
        theirs <= ours && theirs * 10 >= ours * 9,
        "{}: {theirs}, {ours}",
        input.name
    );
}
