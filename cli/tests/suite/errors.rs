//! Exit code 2, with a message that says where, what, and the way out.

use crate::suite::robots::{ROBOTS_TXT, Run, command, file, finished, robots, robots_reading};

fn assert_error(run: &Run, message: &str) {
    assert_eq!(run.code, 2, "{run:?}");
    assert_eq!(run.stdout, "");
    assert!(run.stderr.starts_with("error: "), "{run:?}");
    assert!(run.stderr.ends_with('\n'), "{run:?}");
    assert!(run.stderr.contains(message), "{run:?}");
}

fn assert_usage_error(run: &Run, message: &str) {
    assert_error(run, message);
    assert!(run.stderr.contains("Usage: robots check "), "{run:?}");
}

#[test]
fn no_url() {
    let run = robots_reading(ROBOTS_TXT, ["check", "-", "--agent", "ExampleBot"]);
    assert_usage_error(&run, "<URL>...");
}

#[test]
fn an_empty_url() {
    let run = robots_reading(
        ROBOTS_TXT,
        ["check", "-", "--agent", "ExampleBot", "/x", ""],
    );
    assert_usage_error(&run, "a URL is empty");
}

#[test]
fn no_agent() {
    let run = robots_reading(ROBOTS_TXT, ["check", "-", "/x"]);
    assert_usage_error(&run, "--agent <TOKEN>");
}

#[test]
fn an_unknown_dialect() {
    let run = robots(["check", "-", "--agent=ExampleBot", "--dialect=bing", "/x"]);
    assert_error(&run, "[possible values: rfc9309, google]");
}

#[test]
fn standard_input_for_both() {
    let run = robots(["check", "-", "--agent", "ExampleBot", "--urls", "-"]);
    assert_usage_error(
        &run,
        "the robots.txt and --urls cannot both be `-`: standard input is one of them; name a file for the other",
    );
}

#[test]
fn a_user_agent_header_for_a_token() {
    let run = robots(["check", "-", "--agent", "ExampleBot/2.1", "/x"]);
    assert_usage_error(
        &run,
        "`ExampleBot/2.1` is not a product token, as it holds `/`",
    );
    assert_usage_error(&run, "write `--agent ExampleBot`");
}

#[test]
fn an_agent_that_is_nothing_at_all() {
    let run = robots(["check", "-", "--agent", "\u{1b}[31m", "/x"]);
    assert_usage_error(&run, "; write one, as in `--agent ExampleBot`");
    assert!(!run.stderr.contains('\u{1b}'));
}

#[test]
fn a_robots_txt_that_is_not_there() {
    let run = robots([
        "check",
        "/nowhere/robots.txt",
        "--agent",
        "ExampleBot",
        "/x",
    ]);
    assert_error(&run, "cannot read `/nowhere/robots.txt`: ");
}

#[test]
fn a_url_for_the_robots_txt() {
    let url = "https://example.com/robots.txt";
    let run = robots(["check", url, "--agent", "ExampleBot", "/x"]);
    assert_error(
        &run,
        "; nothing is fetched here: `robots fetch https://example.com/robots.txt` asks the site, \
         with --lint, --check or --agents; or give `-` as the file and pipe it in, as in `curl -sL https://example.com/robots.txt | robots …`",
    );
}

#[test]
fn a_list_that_is_not_there() {
    let run = robots_reading(
        ROBOTS_TXT,
        [
            "check",
            "-",
            "--agent",
            "ExampleBot",
            "--urls",
            "/nowhere/\u{1b}[31m",
        ],
    );
    assert_error(&run, r"cannot read `/nowhere/\u{1b}[31m`: ");
}

#[test]
fn a_list_that_is_not_utf8() {
    let list = file("latin1.urls", b"/a\n\n/caf\xE9\n");
    let run = robots_reading(
        ROBOTS_TXT,
        [
            "check".as_ref(),
            "-".as_ref(),
            "--agent=ExampleBot".as_ref(),
            "--urls".as_ref(),
            list.as_os_str(),
        ],
    );
    let place = format!(
        "`{}`, line 3: 0xE9 at byte 4 is not UTF-8; ",
        list.display()
    );
    assert_error(&run, &place);
}

#[test]
fn a_list_without_urls() {
    let robots_txt = file("no-urls.robots.txt", ROBOTS_TXT);
    let run = robots_reading(
        "# none yet\n\n",
        [
            "check".as_ref(),
            robots_txt.as_os_str(),
            "--agent=ExampleBot".as_ref(),
            "--urls=-".as_ref(),
        ],
    );
    assert_error(
        &run,
        "standard input holds no URL; write one per line (blank lines and lines that start with `#` are skipped)",
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let check = ["check", "/dev/null", "--agent=ExampleBot", "/x"];
    for arguments in [&check[..], &["check", "--help"]] {
        let full = std::fs::File::create("/dev/full").unwrap();
        let output = command().args(arguments).stdout(full).output().unwrap();
        let run = finished(output);
        assert_error(&run, "cannot write to standard output: ");
    }
}

#[cfg(not(feature = "fetch"))]
#[test]
fn a_build_without_fetch_says_how_to_get_it() {
    let run = robots(["fetch", "https://example.com", "--lint"]);
    assert_error(
        &run,
        "this `robots` was built without `fetch`; build it with the default features, \
         as in `cargo install polite-robots-cli`\n",
    );
    let help = robots(["--help"]).stdout;
    assert!(!help.contains("fetch "), "{help}");
    let page = robots(["page", "https://example.com/a"]);
    assert_error(
        &page,
        "this `robots` was built without `fetch`; build it with the default features, \
         as in `cargo install polite-robots-cli`; \
         or pipe the page in, as in `curl -si https://example.com/a | robots page -`\n",
    );
}

#[test]
fn no_subcommand_shows_the_help() {
    let run = robots([""; 0]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("Usage: robots <COMMAND>"), "{run:?}");
}

#[test]
fn help_is_no_error() {
    let run = robots(["check", "--help"]);
    assert_eq!(run.code, 0);
    assert_eq!(run.stderr, "");
    assert!(run.stdout.contains("Examples:\n  robots check robots.txt"));
    assert!(
        run.stdout
            .contains("Exit codes:\n  0  every URL is allowed")
    );
}
