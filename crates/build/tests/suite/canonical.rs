//! Laws and examples of the canonical form, which answers every question like the original file.

use polite_robots::{Cause, Dialect, Robot, RobotsTxt};
use polite_robots_build::{CommentPolicy, canonical};
use polite_robots_records::{CleanParams, Host, Usage};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::suite::verdict::answers::answers;
use crate::suite::verdict::entry_points::options;
use crate::suite::verdict::strategies::{AGENTS, any_files, urls};

/// Files of few agents and few kinds of lines, so that groups often share an agent.
fn crowded_files() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        6 => select(&["a", "b", "A", "*", "MJ", "MJ12bot", "a/1", "7"][..]).prop_map(|name| format!("User-agent: {name}")),
        3 => (0..9).prop_map(|path| format!("Disallow: /{path}")),
        1 => (0..9).prop_map(|delay| format!("Crawl-delay: {delay}")),
        1 => Just("# c".to_string()),
        1 => Just("Sitemap: /s".to_string()),
    ];
    vec(line, 0..16).prop_map(|lines| lines.join("\n").into_bytes())
}

proptest! {
    // The fuzz target `builder` and the thousands of real files of the test `oracle` check the
    // same.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2048) })]

    #[test]
    fn the_canonical_form_answers_like_the_file(
        file in prop_oneof![any_files(), crowded_files()],
        urls in vec(urls(), 3),
        comments in select(vec![CommentPolicy::Keep, CommentPolicy::Drop]),
    ) {
        for dialect in [Dialect::Rfc9309, Dialect::Google] {
            let robots_txt = RobotsTxt::parse_with(&file, &options(dialect));
            let rewritten = canonical(&robots_txt, comments);
            let again = RobotsTxt::parse_with(&rewritten, &options(dialect));
            let text = || format!("{dialect:?}\n{}\n----\n{}", robots_txt, again);
            for agent in AGENTS.iter().chain(&["b"]) {
                let [before, after] = [&robots_txt, &again].map(|file| {
                    let robot = file.robot(agent).unwrap();
                    let preferences = |url| {
                        let usage = Usage::of(&robot, url);
                        [usage.search(), usage.ai_input(), usage.ai_training()]
                    };
                    let preferences: Vec<_> = urls.iter().map(preferences).collect();
                    (answers(&robot, &urls), preferences)
                });
                prop_assert_eq!(before, after, "{} {}", agent, text());
            }
            let records = |robots_txt: &RobotsTxt| {
                let mut records: Vec<String> = robots_txt.extensions().map(|record| format!("{record}")).collect();
                records.sort_unstable();
                records
            };
            prop_assert_eq!(records(&robots_txt), records(&again), "{}", text());
            prop_assert_eq!(Host::of(&robots_txt), Host::of(&again));
            for url in &urls {
                prop_assert_eq!(CleanParams::of(&robots_txt).clean(url), CleanParams::of(&again).clean(url), "{}", text());
            }
            prop_assert!(canonical(&again, comments) == rewritten, "a second pass changes the canonical form: {}", text());
        }
    }

    /// `Keep` loses no comment, and `Drop` leaves none.
    #[test]
    fn comments_are_kept_or_dropped(file in any_files()) {
        let robots_txt = RobotsTxt::parse(&file);
        let comments = |bytes: &[u8]| {
            let lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r'));
            let comments = lines.filter_map(|line| {
                let at = line.iter().position(|byte| matches!(byte, b'#' | 0))?;
                (line[at] == b'#').then(|| line[at..].trim_ascii_end().to_vec())
            });
            let mut comments: Vec<Vec<u8>> = comments.collect();
            comments.sort_unstable();
            comments
        };
        prop_assert_eq!(comments(&canonical(&robots_txt, CommentPolicy::Keep)), comments(&file));
        let dropped = canonical(&robots_txt, CommentPolicy::Drop);
        prop_assume!(dropped.split(|byte| *byte == b'\n').all(|line| line.len() < 16_640));
        prop_assert_eq!(comments(&dropped).len(), 0);
    }
}

fn written(file: &str) -> String {
    String::from_utf8(canonical(
        &RobotsTxt::parse(file.as_bytes()),
        CommentPolicy::Keep,
    ))
    .unwrap()
}

#[test]
fn canonical_layout() {
    assert_eq!(
        written(
            "\u{feff}# About.\n\n# A.\nuser-agent : a # us\ncrawldelay: 1\r\nUser-agent:b\nCrawl-delay: 2\n\
             sitemap:/s # map\nDisallow /x\nNoindex: /n\n\n# B.\nuseragent: c/1\nfoo: bar\nDISALLOW:\n\
             # Again.\nUser-agent: c\nallow: / # all\n# The end.",
        ),
        "# About.\n\n\
         # A.\nUser-agent: a # us\nCrawl-delay: 1\nUser-agent: b\nCrawl-delay: 2\nNoindex: /n\nDisallow: /x\n\n\
         # B.\nUser-agent: c/1\nfoo: bar\nDisallow:\n# Again.\nAllow: / # all\n\n\
         Sitemap: /s # map\n\n\
         # The end.\n",
    );
    assert_eq!(written(""), "");
    assert_eq!(written("\n\n"), "");
}

/// Both begin like a byte order mark, so their first bytes are not read.
#[test]
fn a_character_at_the_start_stays_whole() {
    for start in ["＃ 全站", "ﻀ"] {
        let file = format!("{start}\nUser-agent: *\nDisallow: /a\n");
        assert_eq!(written(&file), file);
    }
    // Half of a mark is no character.
    let file = RobotsTxt::parse(b"\xEF\xBBUser-agent: *\nDisallow:");
    assert_eq!(
        canonical(&file, CommentPolicy::Keep),
        b"User-agent: *\nDisallow:\n"
    );
}

#[test]
fn groups_stay_separate_if_a_merge_is_observable() {
    // For `a` all three groups are one; a merge would change the order of its rules.
    let file = "User-agent: a\nUser-agent: b\nDisallow: /1\n\nUser-agent: a\nDisallow: /2\n\nUser-agent: b\nUser-agent: a\nDisallow: /3\n";
    assert_eq!(written(file), file);
    // In the Google dialect `MJ12bot` also names `MJ`.
    let file = "User-agent: MJ\nDisallow: /1\n\nUser-agent: MJ12bot\nDisallow: /2\n\nUser-agent: MJ\nDisallow: /3\n";
    assert_eq!(written(file), file);
    // Each delay applies to one agent.
    let one_each = "User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /1\n";
    let both = "User-agent: a\nUser-agent: b\nCrawl-delay: 2\nDisallow: /2\n";
    for file in [format!("{one_each}\n{both}"), format!("{both}\n{one_each}")] {
        assert_eq!(written(&file), file);
    }
}

/// Google's matcher reads 16,663 bytes of a line.
#[test]
fn google_lines_at_the_limit_are_unchanged() {
    let blanks = |bytes: usize| " ".repeat(bytes);
    for line in [
        // With one more byte, Google would cut the last one.
        format!("Disallow:/{}", "a".repeat(16_653)),
        format!("Disallow: /{}b", "a".repeat(16_653)),
        // Google reads only the blanks; without them it would read a record.
        format!("{}Disallow /x{}y", blanks(16_663), blanks(16_663)),
        format!("{}Disallow: /x", blanks(16_663)),
        format!("Disallow /x{}y", blanks(16_663)),
        // Google alone reads a sitemap. With blanks after the colon and before the comment the line
        // would be too long.
        format!("Sitemap http://h/s{}", "#".repeat(16_645)),
    ] {
        let file = format!("user-agent: a\n{line}\nAllow: /y\n");
        assert_eq!(written(&file), file.replace("user", "User"));
    }
    let line = format!("Disallow:{}/x # why", blanks(16_000));
    let file = format!("User-agent: a\n{line}\n");
    assert_eq!(written(&file), "User-agent: a\nDisallow: /x # why\n");
}

#[test]
fn groups_with_unchanged_lines_are_separated_by_a_blank_line() {
    let long = format!("Disallow: /{}", "a".repeat(16_653));
    let file = format!(
        "user-agent: a\nuser-agent: b\n{long}\nAllow: /z\nuser-agent: c\nCrawl-delay: 1\nuser-agent: d\nAllow: /y\n"
    );
    assert_eq!(
        written(&file),
        format!(
            "User-agent: a\nUser-agent: b\n{long}\nAllow: /z\n\nUser-agent: c\nCrawl-delay: 1\nUser-agent: d\nAllow: /y\n"
        )
    );
}

/// `Sitemap_index` is a sitemap to Google and nothing to others, so it moves to the end like every
/// sitemap.
#[test]
fn google_only_sitemaps_go_to_the_end() {
    assert_eq!(
        written("Sitemap_index: /t # Google's\nuser-agent: a\nDisallow:/x"),
        "User-agent: a\nDisallow: /x\n\nSitemap_index: /t # Google's\n"
    );
}

#[test]
fn lines_within_the_google_limit_are_rewritten() {
    for line in [
        format!("Disallow: /{}", "a".repeat(16_652)),
        format!("Allow: /{}", "a".repeat(16_655)),
    ] {
        assert_eq!(line.len(), 16_663);
        assert_eq!(
            written(&format!("Sitemap: /s\nuser-agent: a\n{line}\n")),
            format!("User-agent: a\n{line}\n\nSitemap: /s\n")
        );
    }
    for blanks in [2, 16_660] {
        let remark = format!("{}# c", " ".repeat(blanks));
        assert_eq!(written(&remark), "# c\n");
    }
}

#[test]
fn rules_without_a_group_stay_without_one() {
    let file = "# No group.\nDisallow: /\nSitemap: /s\nUser-agent: a\nAllow: /\n";
    assert_eq!(
        written(file),
        "# No group.\nDisallow: /\n\nUser-agent: a\nAllow: /\n\nSitemap: /s\n"
    );
}

#[test]
fn rfc_blanket_answers_have_a_canonical_form() {
    let allow = RobotsTxt::allow_all(Cause::Status(404));
    assert_eq!(canonical(&allow, CommentPolicy::Keep), b"");
    let disallow = canonical(
        &RobotsTxt::disallow_all(Cause::Unreachable),
        CommentPolicy::Keep,
    );
    let robot = Robot::new("ExampleBot", &disallow).unwrap();
    assert!(!robot.allowed("/") && robot.allowed("/robots.txt"));
}
