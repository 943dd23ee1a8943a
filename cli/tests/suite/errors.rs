//! Exit code 2, with a message that says where, what, and the way out.

use crate::suite::robots::{Run, command, finished, robots};

fn assert_error(run: &Run, message: &str) {
    assert_eq!(run.code, 2, "{run:?}");
    assert_eq!(run.stdout, "");
    assert!(run.stderr.starts_with("error: "), "{run:?}");
    assert!(run.stderr.ends_with('\n'), "{run:?}");
    assert!(run.stderr.contains(message), "{run:?}");
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
