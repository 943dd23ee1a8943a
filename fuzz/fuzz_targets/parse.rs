//! Any octets as a file: one agent's robot is the document's, lines cover the file, spans lie inside, a limit keeps
//! whole lines, a clean URL is clean.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use polite_robots::{Diagnostic, Options, Robot, RobotsTxt, Target};

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    google: bool,
    max_bytes: Option<u16>,
    agent: u8,
    url: &'a str,
    file: &'a [u8],
}

const AGENTS: [&str; 4] = ["*", "ExampleBot", "a", "b1"];

fuzz_target!(|input: Input<'_>| {
    let mut options = if input.google {
        Options::google()
    } else {
        Options::rfc9309()
    };
    options.max_bytes = input.max_bytes.map(usize::from);
    let agent = AGENTS[usize::from(input.agent) % AGENTS.len()];

    let mut found: Vec<Diagnostic> = Vec::new();
    let document = RobotsTxt::parse_with(input.file, &options, &mut found);
    document.lint(&mut found);
    let kept = document.as_bytes();
    assert!(input.file.starts_with(kept));
    assert!(
        found
            .iter()
            .all(|odd| odd.span().start <= odd.span().end && odd.span().end <= kept.len())
    );

    let mut end = 0;
    for line in document.lines() {
        assert!(end <= line.span().start && kept[line.span()] == *line.octets());
        end = line.span().end;
    }
    assert_eq!(end, kept.len());
    for record in document.extensions() {
        let _ = (record.typed(), record.scope());
    }
    let clean = document.clean_url(input.url);
    assert_eq!(document.clean_url(&clean), clean);

    let robot = Robot::with_options(agent, input.file, &options).unwrap();
    let other = document.robot(agent).unwrap();
    assert_eq!(format!("{robot:?}"), format!("{other:?}"));
    let target = Target::new(input.url);
    assert_eq!(robot.usage(&target), other.usage(&target));
    assert_eq!(robot.check(input.url), robot.check(&target));
    assert_eq!(robot.check(input.url).is_allowed(), robot.allowed(&target));
    assert_eq!(robot.allowed(&target), other.allowed(&target));
    if let Some(rule) = robot.check(&target).rule() {
        assert!(rule.matches(&target));
    }
});
