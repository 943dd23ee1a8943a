//! `robots check --explain`.

use crate::suite::robots::{ROBOTS_TXT, command, file, robots_reading, run};

fn explained(robots_txt: &str, agent: &str, url: &str) -> String {
    let run = robots_reading(
        robots_txt,
        ["check", "-", "--agent", agent, "--explain", url],
    );
    assert!(run.code < 2, "{run:?}");
    assert_eq!(run.stderr, "");
    run.stdout
}

#[test]
fn the_deciding_line_stands_in_its_place() {
    assert_eq!(
        explained(ROBOTS_TXT, "ExampleBot", "/private/open/day"),
        "\
allowed: /private/open/day for ExampleBot
 --> standard input:3:1
  |
1 | User-agent: *
  | ------------- for every agent that is not named
2 | Disallow: /private/
  | ------------------- overruled: matches with 9 characters
3 | Allow: /private/open
  | ^^^^^^^^^^^^^^^^^^^^ decides: matches with 13 characters
4 |
5 | User-agent: NamedBot
  |
  = path: `/private/open/day` is compared
  = why: the longest match decides: 13 characters over 9 (RFC 9309 §2.2.2)
  = group: no `User-agent` line names ExampleBot, so that of `*` applies
"
    );
}

#[test]
fn what_is_far_away_is_folded() {
    let robots_txt = format!(
        "User-agent: *\n{}Disallow: /x\n",
        "Disallow: /a\n".repeat(2_000)
    );
    let text = explained(&robots_txt, "ExampleBot", "/x");
    assert!(text.contains("   1 | User-agent: *"), "{text}");
    assert!(text.contains("2002 | Disallow: /x"), "{text}");
    assert!(text.lines().count() < 15, "{text}");
}

#[test]
fn a_tie_is_explained() {
    let text = explained("User-agent: *\nDisallow: /a\nAllow: /a", "ExampleBot", "/a");
    assert!(
        text.contains(
            "= why: both match with 2 characters, and `Allow` wins a tie (RFC 9309 §2.2.2)"
        ),
        "{text}"
    );
}

#[test]
fn other_rules_that_match_are_listed() {
    let rules: String = (1..9)
        .map(|length| format!("Disallow: /{}\n", "a".repeat(length)))
        .collect();
    let text = explained(
        &format!("User-agent: *\n{rules}"),
        "ExampleBot",
        "/aaaaaaaaaaaa",
    );
    assert!(
        text.contains("= also: line 8 `Disallow: /aaaaaaa` (8 characters), line 7"),
        "{text}"
    );
    assert!(text.contains("match too and 2 more"), "{text}");
}

#[test]
fn a_named_agent_hears_what_the_wildcard_would_have_said() {
    let text = explained(ROBOTS_TXT, "NamedBot", "/private/");
    assert!(
        text.contains(
            "= group: the group for everyone on line 1, which would disallow this, does not count for NamedBot, \
             as a group names it"
        ),
        "{text}"
    );
    assert!(
        text.contains("names the agent; no rule below it matches"),
        "{text}"
    );
}

#[test]
fn groups_that_count_as_one_are_named() {
    let robots_txt =
        "User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /\n\nUser-agent: a\nDisallow: /y";
    let text = explained(robots_txt, "a", "/y");
    assert!(
        text.contains("= group: the groups of lines 1 and 7 count as one (RFC 9309 §2.2.1)"),
        "{text}"
    );
}

#[test]
fn without_a_group_the_file_says_whom_it_names() {
    let text = explained("User-agent: OtherBot\nDisallow: /", "ExampleBot", "/x");
    assert_eq!(
        text,
        "\
allowed: /x for ExampleBot
  |
  = path: `/x` is compared
  = why: what no group speaks of is allowed (RFC 9309 §2.2.1)
  = group: none names ExampleBot or `*`; the file names OtherBot
"
    );
    let empty = explained("", "ExampleBot", "/x");
    assert!(
        empty.contains("= group: the file has no group at all"),
        "{empty}"
    );
}

#[test]
fn the_file_itself_needs_no_rule() {
    let text = explained("User-agent: *\nDisallow: /", "ExampleBot", "/robots.txt");
    assert!(
        text.contains("= why: /robots.txt itself is always allowed, whatever the rules say"),
        "{text}"
    );
    assert!(
        text.contains("= dialect: Google's matcher differs: disallowed by line 2: Disallow: /"),
        "{text}"
    );
}

#[test]
fn where_the_dialects_differ_both_say_so() {
    let robots_txt = "User-agent: *\nDisallow: /two words/";
    let url = "/two%20words/1";
    let rfc = explained(robots_txt, "ExampleBot", url);
    assert!(
        rfc.contains("= dialect: Google's matcher differs: allowed: no rule matches in the wildcard group on line 1"),
        "{rfc}"
    );
    let google = robots_reading(
        robots_txt,
        [
            "check",
            "-",
            "--agent=ExampleBot",
            "--explain",
            "--dialect=google",
            url,
        ],
    );
    assert!(
        google
            .stdout
            .contains("= dialect: RFC 9309 differs: disallowed by line 2: Disallow: /two%20words/"),
        "{google:?}"
    );
}

#[test]
fn several_agents_and_urls_come_one_after_the_other() {
    let run = robots_reading(
        ROBOTS_TXT,
        [
            "check",
            "-",
            "--agent=ExampleBot",
            "--agent=NamedBot",
            "--explain",
            "/named",
            "/x",
        ],
    );
    assert_eq!(run.code, 1);
    let titles: Vec<&str> = run
        .stdout
        .lines()
        .filter(|line| line.starts_with("allowed: ") || line.starts_with("disallowed: "))
        .collect();
    assert_eq!(
        titles,
        [
            "allowed: /named for ExampleBot",
            "allowed: /x for ExampleBot",
            "disallowed: /named for NamedBot",
            "allowed: /x for NamedBot",
        ]
    );
}

#[test]
fn it_is_for_people() {
    let run = robots_reading(
        ROBOTS_TXT,
        [
            "check",
            "-",
            "--agent=ExampleBot",
            "--explain",
            "--json",
            "/x",
        ],
    );
    assert_eq!(run.code, 2);
    assert!(
        run.stderr
            .contains("'--explain' cannot be used with '--json'"),
        "{run:?}"
    );
}

#[test]
fn nothing_of_the_file_reaches_the_terminal_as_it_is() {
    let robots_txt =
        "User-agent: *\u{1b}[31m\nDisallow: /\u{7}\u{202e}\u{9b}31m # \u{1b}]0;title\u{7}\n";
    for colour in ["0", "1"] {
        let run = run(
            command().env("CLICOLOR_FORCE", colour).args([
                "check",
                "-",
                "--agent=ExampleBot",
                "--explain",
                "/",
            ]),
            robots_txt.as_bytes(),
        );
        assert!(
            !run.stdout.contains(['\u{7}', '\u{202e}', '\u{9b}']),
            "{run:?}"
        );
        assert!(!run.stdout.contains("\u{1b}]"), "{run:?}");
    }
}

#[test]
fn a_line_of_a_megabyte_is_cut() {
    let path = file(
        "explain.long.robots.txt",
        format!("User-agent: *\nDisallow: /{}\n", "a".repeat(1 << 20)),
    );
    let url = format!("/{}", "a".repeat(1_000));
    let run = run(
        command().args([
            "check",
            path.to_str().unwrap(),
            "--agent=ExampleBot",
            "--explain",
            &url,
        ]),
        b"",
    );
    assert!(run.stdout.len() < 2_000, "{}", run.stdout.len());
    assert!(run.stdout.contains('…'));
}
