//! The first operation of a new robot takes no more steps than SECURITY.md states.

use alloc::string::String;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::options::{Dialect, Options};
use crate::pattern::PatternSet;
use crate::record::agent_record::AgentRecord;
use crate::robots::robot::Robot;
use crate::rules::rule_set::WALKS;
use crate::rules::steps::{bound, of};
use crate::target::Target;

/// Rules that consist of the same pieces in other orders, ended by one that the path has only
/// at its start.
struct Shape<'a> {
    pieces: &'a [&'a str],
    per_rule: usize,
    start: &'a str,
    end: &'a str,
    /// How many of four records are preferences and not rules.
    preferences: usize,
    file_len: usize,
}

impl Shape<'_> {
    fn file(&self) -> String {
        let mut file = String::from("User-agent: *\n");
        for number in 0_usize.. {
            if file.len() >= self.file_len {
                break;
            }
            let is_preference = number % 4 < self.preferences;
            file += if is_preference {
                "Content-Usage:"
            } else {
                "Allow:"
            };
            file += self.start;
            for at in 0..self.per_rule {
                // The order of the pieces is the number of the rule, so that no two are equal.
                let flipped = if at < 18 { number >> at & 1 } else { 0 };
                file.push('*');
                file += self.pieces[(at + flipped) % self.pieces.len()];
            }
            file += self.end;
            file += if is_preference { " train-ai=n\n" } else { "\n" };
        }
        file
    }
}

type Operation = fn(&Robot, &str);

/// Asks as the crate for preferences does: for the access, for the path that decides if it is
/// disallowed, and for the records whose own path matches.
fn ask_for_preferences(robot: &Robot, url: &str) {
    let target = Target::new(url);
    let _ = robot.allowed(&target);
    let path = robot.deciding_path(&target);
    let first_word = |record: &AgentRecord| {
        let value = record.value();
        let end = value.iter().position(|byte| *byte == b' ');
        value[..end.unwrap_or(value.len())].to_vec()
    };
    let paths = PatternSet::new(robot.dialect(), robot.records().map(first_word));
    let _ = paths.matching(Target::sent(&path));
}

/// Fails if the first operation of some kind on a new robot takes more steps than its bound.
fn assert_bound(shape: &Shape<'_>, url: &str) {
    let file = shape.file();
    for dialect in [Dialect::Rfc9309, Dialect::Google] {
        let options = match dialect {
            Dialect::Google => Options::google(),
            Dialect::Rfc9309 => Options::rfc9309(),
        };
        let target = Target::new(url);
        let (first, second) = target.readings(dialect);
        // Google's dialect reads a URL in one way, but the rule for an index page as two.
        let is_twice = second.is_some() || dialect == Dialect::Google;
        let readings = 1 + usize::from(is_twice);
        let path = second.map_or(0, |path| path.len()).max(first.len());
        let operations: [(&str, Operation); 4] = [
            ("allowed", |robot, url| _ = robot.allowed(url)),
            ("check", |robot, url| _ = robot.check(url)),
            ("check with an index", |robot, url| _ = robot.check(url)),
            ("preferences", ask_for_preferences),
        ];
        for (name, operation) in operations {
            let robot = Robot::with_options("ExampleBot", file.as_bytes(), &options).unwrap();
            if name == "check with an index" {
                (0..WALKS).for_each(|_| _ = robot.allowed("/"));
            }
            let steps = of(|| operation(&robot, url));
            // Preferences are compared after the rules, with an index of the path of their own.
            let times = 1 + usize::from(name == "preferences");
            let bound = bound(file.len(), path, times * readings, times);
            assert!(steps <= bound, "{name} {dialect:?}: {steps} of {bound}");
        }
    }
}

fn url(unit: &str, len: usize) -> String {
    alloc::format!(
        "/z/index.html/z/indes.html{}",
        unit.repeat(len / unit.len())
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn a_first_check_takes_no_more_steps_than_its_bound(
        pieces in vec(select(&["a", "b", "ab", "aaaaaaaa", "é", "$", "$$$", "$$$$$$$$$", "%2F", "%26", "="][..]), 1..4),
        per_rule in 1_usize..80,
        start in select(&["/", "/", "", "/a", "/zab"][..]),
        end in select(&["", "*z", "*z$", "$", "*z/index.html", "/index.htm*z"][..]),
        preferences in 0_usize..=4,
        units in vec(select(&["a", "b", "ab", "é", "$", "?", "%2F", "=", "\\"][..]), 1..4),
        url_len in select(&[10_usize, 300, 2_000, 8_000][..]),
        file_len in select(&[500_usize, 5_000, 20_000, 60_000][..]),
    ) {
        let shape = Shape { pieces: &pieces, per_rule, start, end, preferences, file_len };
        assert_bound(&shape, &url(&units.concat(), url_len));
    }
}

/// The files that broke earlier bounds, and the most expensive ones found since.
#[test]
fn the_shapes_of_attackers_take_no_more_steps_than_their_bound() {
    for (pieces, unit) in [
        (&["1", "R"][..], "1R"),
        (&["\u{9f}", "\u{ec}"], "\u{9f}\u{ec}"),
        (&["$$$$$$$$$$b", "a", "b"], "$"),
        (&["$$$$$$$$$", "$$$$$$$$$$"], "$"),
        (&["$$$$$$", "$$$$$$$"], "$"),
        (&["$$$", "$$$$"], "$"),
        (&["a", "aa"], "a"),
        // Without an index of the path, each of 3,000 rules walks over it.
        (&["$", "a"], "$$$$$$$$a"),
        (&["%26", "%3D"], "&=?&="),
        (&["%5C", "/"], "\\/"),
        (&["a", "aa"], "aaaaaaaaaaaaaaaa\\"),
    ] {
        for (per_rule, preferences, end) in [
            (2, 0, "*z"),
            (12, 0, "*z"),
            (12, 1, "*z/index.html"),
            (30, 4, "*z"),
            (400, 2, "*z"),
        ] {
            for (url_len, file_len) in [(2_000, 20_000), (8_000, 100_000)] {
                let start = "/";
                let shape = Shape {
                    pieces,
                    per_rule,
                    start,
                    end,
                    preferences,
                    file_len,
                };
                assert_bound(&shape, &url(unit, url_len));
            }
        }
    }
}
