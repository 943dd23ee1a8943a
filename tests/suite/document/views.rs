//! The accessors of documents, lines and groups, their equality, and their text for people.

use polite_robots::document::{LineKind, Scope, Separator, Spelling};
use polite_robots::record::ExtensionField;
use polite_robots::{Cause, Options, Robot, RobotsTxt};

use crate::suite::promises::hostile::SHAPES;

#[test]
fn a_line_has_its_parts() {
    let long = format!("Disallow: /{}", "a".repeat(16_663 - "Disallow: /".len()));
    let file = format!("# head\nUser-agent *\nDisalow: /x # typo\nColour = red\n{long}\n{long}a\n");
    let robots_txt = RobotsTxt::parse(file.as_bytes());
    let lines: Vec<_> = robots_txt.lines().collect();
    let parts = |at: usize| {
        let (line, text) = (&lines[at], |bytes: Option<&[u8]>| {
            bytes.map(|bytes| String::from_utf8(bytes.to_vec()).unwrap())
        });
        let parts = [line.key(), line.value(), line.comment()].map(text);
        (parts, line.spelling(), line.separator())
    };
    let some = |text: &str| Some(text.to_string());
    assert_eq!(parts(0), ([None, None, some("# head")], None, None));
    assert_eq!(
        parts(1),
        (
            [some("User-agent"), some("*"), None],
            Some(Spelling::Standard),
            Some(Separator::Blank)
        )
    );
    assert_eq!(
        parts(2),
        (
            [some("Disalow"), some("/x"), some("# typo")],
            Some(Spelling::Misspelled),
            Some(Separator::Colon)
        )
    );
    assert_eq!(lines[2].to_string(), "Disalow: /x # typo");
    let over: Vec<bool> = lines.iter().map(|line| line.is_too_long()).collect();
    assert_eq!(over, [false, false, false, false, false, true, false]);
}

#[test]
fn a_line_without_a_record_is_unread() {
    let unread = |file: &[u8], options: &Options| -> Vec<u32> {
        let robots_txt = RobotsTxt::parse_with(file, options);
        robots_txt
            .unread_lines()
            .map(|line| line.number())
            .collect()
    };
    let google = Options::google();
    for (file, expected) in [
        (&b""[..], &[][..]),
        // A byte order mark, comments, white space, unknown fields and forgiven spellings are read.
        (
            b"\xEF\xBB\xBF# head\r\n \t\r\nUser-agent: *\rDisalow /x\nColour: red\n",
            &[],
        ),
        // Two words are a record without its colon. Here the field is unknown.
        (
            b"<!DOCTYPE html>\n<html>\n<p class=\"x\">not found here</p>\n",
            &[2, 3],
        ),
        // A NUL ends the text of its line.
        (b"Disallow: /x\0y\nDis\0allow: /x\n\0Disallow: /x\n", &[2]),
        // The second mark is text.
        (b"\xEF\xBB\xBF\xEF\xBB\xBF\nUser-agent: *", &[1]),
        (b"keep out\nkeep out please\n: /x\nkeep", &[2, 3, 4]),
    ] {
        assert_eq!(unread(file, &Options::rfc9309()), expected, "{file:?}");
        assert_eq!(unread(file, &google), expected, "{file:?}");
    }
    // Google's matcher does not read the colon.
    let late = format!("{}: /x", "a".repeat(16_663));
    assert!(unread(late.as_bytes(), &Options::rfc9309()).is_empty());
    assert_eq!(unread(late.as_bytes(), &google), [1]);
    assert_eq!(
        RobotsTxt::disallow_all(Cause::Unreachable)
            .unread_lines()
            .count(),
        0
    );

    for (name, shape) in SHAPES {
        let robots_txt = RobotsTxt::parse(&shape(64).file);
        let by_kind = robots_txt
            .lines()
            .filter(|line| line.kind() == LineKind::NotARecord);
        assert!(robots_txt.unread_lines().eq(by_kind), "{name}");
    }
}

#[test]
fn scopes_are_equal_by_their_agents() {
    let robots_txt = RobotsTxt::parse(
        b"User-agent: A\nCrawl-delay: 1\nCrawl-delay: 2\nUser-agent: B\nCrawl-delay: 1",
    );
    let scopes: Vec<Scope<'_>> = robots_txt
        .extensions()
        .map(|record| record.scope())
        .collect();
    assert_eq!(scopes.len(), 3);
    assert_eq!(scopes[0], scopes[1]);
    assert_ne!(scopes[0], scopes[2]);
}

#[test]
fn a_name_with_digits_is_one_merged_group() {
    let robots_txt = RobotsTxt::parse(b"User-agent: MJ12bot\nDisallow: /");
    let tokens: Vec<String> = robots_txt
        .merged_groups()
        .map(|group| String::from_utf8_lossy(group.user_agent().value()).into_owned())
        .collect();
    assert_eq!(tokens, ["MJ12bot"]);
    let robots_txt = RobotsTxt::parse(b"User-agent: MJ12bot\nUser-agent: MJ\nDisallow: /");
    assert_eq!(robots_txt.merged_groups().count(), 2);
}

#[test]
fn merged_groups_show_their_product_token() {
    let robots_txt = RobotsTxt::parse(b"User-agent: A\nDisallow: /\n\nUser-agent: a\nAllow: /b");
    let shown: Vec<String> = robots_txt
        .merged_groups()
        .map(|group| format!("{group:?}"))
        .collect();
    assert_eq!(shown.len(), 1);
    assert!(shown[0].starts_with("MergedGroup {") && shown[0].contains("product_token"));
}

#[test]
fn documents_are_equal_by_bytes_and_options() {
    let read = |file: &str, options: Options| RobotsTxt::parse_with(file.as_bytes(), &options);
    let (file, google) = ("User-agent: *\nDisallow: /", Options::google());
    let documents = [
        read(file, Options::rfc9309()),
        read(file, google),
        read("User-agent: *\nDisallow: /a", google),
        read("User-agent: *\nDisallow: /a", google.with_max_bytes(20)),
        RobotsTxt::allow_all(Cause::GaveUp),
        RobotsTxt::disallow_all(Cause::GaveUp),
        RobotsTxt::parse(b""),
    ];
    let hasher = std::hash::RandomState::new();
    let hash = |document: &RobotsTxt| std::hash::BuildHasher::hash_one(&hasher, document);
    for (at, one) in documents.iter().enumerate() {
        for (other_at, other) in documents.iter().enumerate() {
            assert_eq!(one == other, at == other_at);
            assert_eq!(hash(one) == hash(other), at == other_at);
        }
    }
    assert_eq!(documents[0], read(file, Options::rfc9309()));
    assert_eq!(hash(&documents[0]), hash(&read(file, Options::rfc9309())));
}

#[test]
fn documents_show_their_parts() {
    let robots_txt =
        RobotsTxt::parse(b"User-agent: A\nUser-agent: b\nCrawl-delay: 1\nDisallow: /\x1Bx");
    let shown = format!("{robots_txt:?}");
    for part in [
        "RobotsTxt {",
        "Rfc9309",
        "Group {",
        "user_agents",
        "CrawlDelay",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let scope = robots_txt.extensions().next().unwrap().scope();
    let shown = format!("{scope:?}");
    assert!(shown.starts_with("Agents([UserAgent"), "{shown}");
    let group = robots_txt.groups().next().unwrap();
    let agents: Vec<String> = group.user_agents().map(|agent| agent.to_string()).collect();
    assert_eq!(agents, ["User-agent: A", "User-agent: b"]);
    let rule = group.rules().next().unwrap();
    assert_eq!(rule.to_string(), "Disallow: /\\u{1b}x");
    let tokens: Vec<_> = robots_txt
        .merged_groups()
        .map(|group| group.product_token().to_string())
        .collect();
    assert_eq!(tokens, ["A", "b"]);
}

#[test]
fn each_line_has_its_kind() {
    use polite_robots::Access;
    use polite_robots::document::LineKind;

    let robots_txt = RobotsTxt::parse(
        b"\n# comment\n \t \nUser-agent: *\nallow:/\nDisallow: /\nSitemap: /s\nColour: red\n<html>",
    );
    let kinds: Vec<LineKind> = robots_txt.lines().map(|line| line.kind()).collect();
    assert_eq!(
        kinds,
        [
            LineKind::Blank,
            LineKind::Blank,
            LineKind::Blank,
            LineKind::UserAgent,
            LineKind::Rule(Access::Allow),
            LineKind::Rule(Access::Disallow),
            LineKind::Extension(ExtensionField::Sitemap),
            LineKind::UnknownField,
            LineKind::NotARecord,
        ]
    );
    // Text after a record is no comment without a `#`.
    assert!(
        robots_txt
            .lines()
            .skip(2)
            .all(|line| line.comment().is_none())
    );
}

#[test]
fn merged_groups_equal_the_groups_of_the_robot() {
    let file = b"User-agent: MJ12bot\nDisallow: /1\n\nUser-agent: Pear\nUser-agent: MJ\nDisallow: /2\n\n\
        User-agent: pear\nDisallow: /3\n\nUser-agent: *\nDisallow: /4\n\nUser-agent: PEAR\nUser-agent: Pear\nDisallow: /5\n\n\
        User-agent: Apples-of-the-Garden-Old\nDisallow: /6\n\nUser-agent: apples-OF-the-garden-new\nDisallow: /7\n\n\
        User-agent: apples-of-the-garden-old\nDisallow: /8\n";
    for options in [Options::rfc9309(), Options::google()] {
        let robots_txt = RobotsTxt::parse_with(file, &options);
        let mut most = 0;
        for merged in robots_txt.merged_groups() {
            let robot = robots_txt.robot(merged.product_token()).unwrap();
            let mut rules: Vec<u32> = robot.rules().map(|rule| rule.line()).collect();
            rules.sort_unstable();
            let written: Vec<u32> = merged.rules().map(|rule| rule.line()).collect();
            assert_eq!(written, rules, "{}", merged.product_token());
            assert_eq!(merged.groups().count(), robot.group_lines().count());
            most = most.max(written.len());
        }
        assert_eq!(most, 3);
    }
}

#[test]
fn printed_text_has_no_terminal_escapes() {
    let robots_txt =
        RobotsTxt::parse(b"User-agent: a\x1B[2J\nDisallow: /\x1B[2J\nSitemap: /\x1B[2J");
    let group = robots_txt.groups().next().unwrap();
    let mut printed: Vec<String> = group.user_agents().map(|agent| agent.to_string()).collect();
    printed.extend(group.rules().map(|rule| rule.to_string()));
    printed.extend(robots_txt.extensions().map(|record| record.to_string()));
    let google = Robot::with_options("a", robots_txt.as_bytes(), &Options::google()).unwrap();
    printed.extend(google.rules().map(|rule| rule.to_string()));
    assert_eq!(printed.len(), 4);
    assert!(
        printed.iter().all(|text| !text.contains('\x1B')),
        "{printed:?}"
    );
}

/// The texts grow linearly, as SECURITY.md promises for every operation, even where thousands of
/// records share thousands of agents.
#[test]
fn debug_forms_grow_linearly() {
    for (name, shape) in SHAPES {
        let bytes = |elements| {
            let robots_txt = RobotsTxt::parse(&shape(elements).file);
            let robot = robots_txt.robot("a").unwrap();
            format!("{robots_txt:?} {robot:?}").len()
        };
        let (once, twice) = (bytes(1 << 10), bytes(1 << 11));
        assert!(
            twice <= 3 * once,
            "{name}: {once} bytes, and {twice} for a file twice as long"
        );
    }
}
