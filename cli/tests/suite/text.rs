//! The line per URL, and the exit codes of an answer.

use crate::suite::robots::{ROBOTS_TXT, file, robots, robots_reading};

#[test]
fn all_allowed_is_exit_code_0() {
    let run = robots_reading(ROBOTS_TXT, ["check", "-", "--agent", "ExampleBot", "/a"]);
    assert_eq!(run.code, 0);
    assert_eq!(
        run.stdout,
        "allowed     /a  no rule matches  (wildcard group)\n"
    );
    assert_eq!(run.stderr, "");
}

#[test]
fn one_disallowed_is_exit_code_1() {
    let run = robots_reading(
        ROBOTS_TXT,
        [
            "check",
            "-",
            "--agent",
            "ExampleBot",
            "https://example.com/private/x",
            "https://example.com/private/open/day",
            "https://example.com/robots.txt",
        ],
    );
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stdout,
        "\
disallowed  https://example.com/private/x         line 2: Disallow: /private/  (wildcard group)
allowed     https://example.com/private/open/day  line 3: Allow: /private/open  (wildcard group)
allowed     https://example.com/robots.txt        /robots.txt itself is always allowed
"
    );
    assert_eq!(run.stderr, "");
}

#[test]
fn the_line_says_which_group_was_asked() {
    let named = robots_reading(
        ROBOTS_TXT,
        ["check", "-", "--agent", "namedbot", "/named", "/private/"],
    );
    assert_eq!(
        named.stdout,
        "\
disallowed  /named     line 6: Disallow: /named  (named group)
allowed     /private/  no rule matches  (named group)
"
    );
    let nobody = robots_reading(
        "User-agent: OtherBot\nDisallow: /",
        ["check", "-", "--agent", "ExampleBot", "/x"],
    );
    assert_eq!(nobody.code, 0);
    assert_eq!(
        nobody.stdout,
        "allowed     /x  no group is for this agent\n"
    );
    let wildcard = robots_reading(ROBOTS_TXT, ["check", "-", "--agent", "*", "/named"]);
    assert_eq!(
        wildcard.stdout,
        "allowed     /named  no rule matches  (wildcard group)\n"
    );
}

#[test]
fn the_dialect_decides() {
    let robots_txt = "User-agent: *\nDisallow: /\nAllow: /shop/index.html\n";
    let arguments = ["check", "-", "--agent", "ExampleBot", "/shop/"];
    let rfc = robots_reading(robots_txt, arguments);
    assert_eq!(
        rfc.stdout,
        "disallowed  /shop/  line 2: Disallow: /  (wildcard group)\n\n\
         note: Google's matcher differs: allowed by line 3, the directory of an index page: Allow: /shop/$ in the wildcard \
         group on line 1, over line 2: Disallow: /. Google also applies an `Allow` of an index page to its directory\n"
    );
    let google = robots_reading(
        robots_txt,
        arguments.into_iter().chain(["--dialect", "google"]),
    );
    assert_eq!(
        google.stdout,
        "allowed     /shop/  line 3, the directory of an index page: Allow: /shop/$  (wildcard group)\n\n\
         note: RFC 9309 differs: disallowed by line 2: Disallow: / in the wildcard group on line 1. Google also applies an \
         `Allow` of an index page to its directory\n"
    );
}

#[test]
fn urls_come_from_the_command_line_and_then_from_a_file() {
    let robots_txt = file("listed.robots.txt", ROBOTS_TXT);
    let urls = file(
        "listed.urls",
        "\u{feff}# of the shop\r\n/from-file\r\n\r\n  /private/x\t\r\n#/skipped\r\n/no-line-end",
    );
    let run = robots([
        "check".as_ref(),
        robots_txt.as_os_str(),
        "--agent".as_ref(),
        "ExampleBot".as_ref(),
        "--urls".as_ref(),
        urls.as_os_str(),
        "/from-arguments".as_ref(),
    ]);
    assert_eq!(run.stderr, "");
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stdout,
        "\
allowed     /from-arguments  no rule matches  (wildcard group)
allowed     /from-file       no rule matches  (wildcard group)
disallowed  /private/x       line 2: Disallow: /private/  (wildcard group)
allowed     /no-line-end     no rule matches  (wildcard group)
"
    );
}

#[test]
fn urls_come_from_standard_input() {
    let robots_txt = file("piped.robots.txt", ROBOTS_TXT);
    let run = robots_reading(
        "/a\n/private/\n",
        [
            "check".as_ref(),
            robots_txt.as_os_str(),
            "--agent=ExampleBot".as_ref(),
            "--urls=-".as_ref(),
        ],
    );
    assert_eq!(run.code, 1);
    assert_eq!(run.stdout.lines().count(), 2);
}

#[test]
fn a_very_long_url_does_not_widen_the_column() {
    let long = format!("/{}", "x".repeat(500));
    let run = robots_reading(
        ROBOTS_TXT,
        ["check", "-", "--agent", "ExampleBot", "/a", &long],
    );
    assert_eq!(
        run.stdout,
        format!(
            "allowed     /a  no rule matches  (wildcard group)\n\
             allowed     {long}  no rule matches  (wildcard group)\n"
        )
    );
}

#[test]
fn a_cut_file_is_announced_and_its_half_line_does_not_count() {
    let run = robots_reading(
        "User-agent: *\nDisallow: /private/\n",
        [
            "check",
            "-",
            "--agent",
            "ExampleBot",
            "--max-bytes",
            "25",
            "/x",
        ],
    );
    assert_eq!(run.code, 0);
    assert_eq!(
        run.stdout,
        "allowed     /x  no rule matches  (wildcard group)\n"
    );
    assert_eq!(
        run.stderr,
        "warning: standard input is longer than the limit; only its first 14 bytes were read\n"
    );
}

#[test]
fn a_file_need_not_be_text() {
    let run = robots_reading(
        b"\xEF\xBB\xBFUser-agent: *\nDisallow: /caf\xE9\n\0\xFF\n",
        ["check", "-", "--agent", "ExampleBot", "/caf%E9"],
    );
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stdout,
        "disallowed  /caf%E9  line 2: Disallow: /caf%E9  (wildcard group)\n"
    );
}
