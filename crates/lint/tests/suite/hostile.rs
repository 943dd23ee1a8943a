//! No function recurses on its input: hostile files of many elements pass through a thread with a
//! very small stack.

use std::thread;

use polite_robots::{Options, RobotsTxt};
use polite_robots_audit::comparison::Comparison;
use polite_robots_lint::Linter;
use polite_robots_lint::fix::Fixes;

#[path = "../../../../tests/suite/promises/hostile.rs"]
mod shapes;

use shapes::{Hostile, SHAPES};

/// 64 bytes of stack for each element. This crate is not optimized in tests, so the frame of a
/// function that calls itself takes more. The table of known crawlers is read before.
const STACK: usize = 128 << 10;
const ELEMENTS: usize = 1 << 11;

#[test]
fn hostile_files_need_no_stack() {
    let linter = Linter::new().with_opinions();
    drop(linter.lint(&RobotsTxt::parse(b"User-agent: GTPBot\n")));
    for (name, shape) in SHAPES {
        let Hostile { file, url } = shape(ELEMENTS);
        let linter = linter.clone();
        let small_thread = thread::Builder::new().name(name.to_owned());
        let running = small_thread.stack_size(STACK).spawn(move || {
            for options in [Options::rfc9309(), Options::google()] {
                let robots_txt = RobotsTxt::parse_with(&file, &options);
                drop(linter.lint(&robots_txt));
                let comparison = Comparison::of("a", &robots_txt).unwrap();
                comparison.disagreement(&url);
                comparison.urls_of_rules().count();
            }
        });
        // An overflow ends the whole process, and its message names the thread.
        running.unwrap().join().unwrap();
    }
}

/// SECURITY.md states the memory of findings and fixes as a multiple of the file, for the worst of
/// these lines.
#[test]
fn findings_and_fixes_take_the_stated_memory() {
    let (mut of_findings, mut of_fixes) = (0, 0);
    for line in [
        "\r",
        "\n",
        "#\r",
        " \r",
        "x\r",
        "x\n",
        "-\r",
        ":\n",
        "a:\n",
        "A:/\r",
        "x \r",
        "é\r",
        "\u{feff}\r",
        "allow\r",
        "allow /\r",
        "Allow:a\n",
        "Allow:/\r",
        "disalow:\r",
        "Noindex:\r",
        "Sitemap:\r",
    ] {
        let file = line.repeat((1 << 16) / line.len());
        let times =
            |memory: allocation_counter::AllocationInfo| memory.bytes_max / file.len() as u64;
        let findings = allocation_counter::measure(|| {
            drop(Linter::new().lint(&RobotsTxt::parse(file.as_bytes())));
        });
        let fixes = allocation_counter::measure(|| drop(Fixes::new(file.as_bytes(), |_| true)));
        of_findings = of_findings.max(times(findings));
        of_fixes = of_fixes.max(times(fixes));
    }
    assert!((220..=252).contains(&of_findings), "{of_findings}");
    assert!((350..=405).contains(&of_fixes), "{of_fixes}");
}
