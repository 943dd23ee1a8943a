//! No function recurses on its input: hostile files of many elements pass through a thread with a
//! very small stack.

use std::fmt::{self, Debug, Write};
use std::hash::{DefaultHasher, Hash};
use std::thread;

use polite_robots::{Options, Robot, RobotsTxt, robots_url};
use polite_robots_build::{CommentPolicy, GroupBuilder, RobotsTxtBuilder, canonical};
use polite_robots_records::{CleanParams, ExtensionValue, Host, Usage};

use crate::suite::promises::hostile::{Hostile, SHAPES};

/// 16 bytes of stack per element: a return address and one register, the smallest frame of a
/// function that calls itself, as stacks are aligned to 16 bytes. The tests are optimized a little,
/// so that frames may be that small; recursion overflows.
const STACK: usize = 32 << 10;
const ELEMENTS: usize = 1 << 11;

#[test]
fn hostile_files_need_no_stack() {
    for (name, shape) in SHAPES {
        let hostile = shape(ELEMENTS);
        let small_thread = thread::Builder::new().name(name.to_owned());
        let running = small_thread
            .stack_size(STACK)
            .spawn(move || {
                for options in [Options::rfc9309(), Options::google()] {
                    use_everything(&hostile, &options);
                }
            })
            .unwrap();
        // An overflow ends the whole process, and its message names the thread.
        running.join().unwrap();
    }
}

fn use_everything(Hostile { file, url }: &Hostile, options: &Options) {
    let robots_txt = RobotsTxt::parse_with(file, options);
    write(&robots_txt);
    robots_txt.to_string();
    robots_txt.hash(&mut DefaultHasher::new());
    write(robots_txt.lines().collect::<Vec<_>>());
    write(Host::of(&robots_txt));
    write(CleanParams::of(&robots_txt).clean(url));
    write(robots_url(url));
    for record in robots_txt.extensions() {
        write((ExtensionValue::of(&record), record.scope()));
    }
    // A few groups are enough: each lists the rules that agents share, so all groups together take
    // agents × rules.
    for set in robots_txt.merged_groups().take(4) {
        write(set);
    }

    let robot = Robot::with_options("a", file, options).unwrap();
    assert_eq!(robots_txt.robot("a").unwrap(), robot);
    robot.check(url).to_string();
    write(Usage::of(&robot, url).ai_training());
    robot.hash(&mut DefaultHasher::new());
    write(&robot);
    robot.named_only().allowed(url);

    let written = canonical(&robots_txt, CommentPolicy::Keep);
    assert_eq!(RobotsTxt::parse(&written).as_bytes().len(), written.len());
    build(file);
    #[cfg(feature = "serde")]
    store(&robots_txt);
}

/// Formats the value with `Debug`.
fn write(value: impl Debug) {
    let mut written = Counter(0);
    write!(written, "{value:?}").unwrap();
    assert_ne!(written.0, 0);
}

/// Counts the bytes that are written. A text of megabytes for each value would take a third of the
/// time of the test.
struct Counter(usize);

impl Write for Counter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

fn build(file: &[u8]) {
    let is_accepted =
        |path: &&str| GroupBuilder::new("a").is_ok_and(|group| group.disallow(*path).is_ok());
    let text = String::from_utf8_lossy(file);
    let values = text
        .lines()
        .filter_map(|line| Some(line.split_once(':')?.1.trim()));
    let mut group = GroupBuilder::new("a").unwrap();
    for path in values.filter(is_accepted) {
        group = group.disallow(path).unwrap();
    }
    let written = RobotsTxtBuilder::new().group(group).build();
    assert_eq!(RobotsTxt::parse(written.as_bytes()).groups().count(), 1);
}

#[cfg(feature = "serde")]
fn store(robots_txt: &RobotsTxt) {
    let robot = robots_txt.robot("a").unwrap();
    let text = serde_json::to_string(&(robots_txt, &robot)).unwrap();
    let (_, read): (RobotsTxt, Robot) = serde_json::from_str(&text).unwrap();
    assert_eq!(read, robot);
    let binary = postcard::to_allocvec(robots_txt).unwrap();
    assert_eq!(
        postcard::from_bytes::<RobotsTxt>(&binary).as_ref(),
        Ok(robots_txt)
    );
}
