//! No function recurses on its input: hostile files of many elements pass through a thread with a
//! very small stack.

use std::thread;

use polite_robots::{Options, RobotsTxt};
use polite_robots_audit::comparison::Comparison;
use polite_robots_lint::Linter;

#[path = "../../../../tests/suite/promises/hostile.rs"]
mod shapes;

use shapes::{Hostile, SHAPES};

/// 64 bytes of stack for each element: this crate is not optimized in tests, so that the frame of a
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
