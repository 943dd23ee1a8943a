//! Any bytes as a file: a robot equals the one of the document, lines cover the file, spans lie
//! inside it, and a size limit keeps whole lines, which read the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use polite_robots::{Robot, RobotsTxt, Target};
use polite_robots_fuzz::Question;
use polite_robots_lint::Linter;
use polite_robots_records::Usage;

fuzz_target!(|question: Question<'_>| {
    let options = question.options();
    let (agent, url, file) = (question.agent(), question.url, question.file);

    let document = RobotsTxt::parse_with(file, &options);
    let found = Linter::new().with_opinions().lint(&document);
    assert!(
        found
            .windows(2)
            .all(|pair| pair[0].line() <= pair[1].line())
    );
    let kept = document.as_bytes();
    assert!(file.starts_with(kept));
    assert_eq!(document.truncated_at().unwrap_or(file.len()), kept.len());
    assert!(
        found
            .iter()
            .all(|odd| odd.span().start <= odd.span().end && odd.span().end <= kept.len())
    );

    let (mut end, mut number) = (0, 0);
    for line in document.lines() {
        // Two lines are separated by one line end; before the first line there is at most a byte
        // order mark.
        let between = &kept[end..line.span().start];
        match number {
            0 => assert!(b"\xEF\xBB\xBF".starts_with(between)),
            _ => assert!(matches!(between, b"\n" | b"\r" | b"\r\n")),
        }
        number += 1;
        assert!(line.number() == number && kept[line.span()] == *line.as_bytes());
        end = line.span().end;
    }
    assert_eq!(end, kept.len());

    // The kept part is a file of its own, with the same content.
    let again = RobotsTxt::parse_with(kept, &options.with_max_bytes(usize::MAX));
    assert_eq!(again.robot(agent), document.robot(agent));

    let robot = Robot::with_options(agent, file, &options).unwrap();
    let other = document.robot(agent).unwrap();
    assert_eq!(format!("{robot:?}"), format!("{other:?}"));
    let target = Target::new(url);
    assert_eq!(Usage::of(&robot, &target), Usage::of(&other, &target));
    assert_eq!(robot.check(url), robot.check(&target));
    assert_eq!(robot.check(url).is_allowed(), robot.allowed(&target));
    assert_eq!(robot.allowed(&target), other.allowed(&target));
    if let Some(rule) = robot.check(&target).rule() {
        assert!(rule.matches(&target));
    }
});
