//! `robots test`.

use std::fs;

use crate::suite::robots::{ROBOTS_TXT, Run, command, run, scratch};

fn test(name: &str, expectations: &str, arguments: &[&str]) -> Run {
    let folder = scratch().join(format!("expect-{name}"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("robots.txt"), ROBOTS_TXT).unwrap();
    fs::write(folder.join("expectations.txt"), expectations).unwrap();
    let mut command = command();
    command
        .current_dir(&folder)
        .args(["test", "expectations.txt"]);
    run(command.args(arguments), b"")
}

#[test]
fn all_as_expected_is_exit_code_0() {
    let run = test(
        "good",
        "# before the move\nExampleBot https://example.com/private/x disallow\n\n\
         ExampleBot /private/open/day allow\n* /named Allowed\nNamedBot /named DISALLOW\n",
        &[],
    );
    assert_eq!(
        (run.code, run.stdout.as_str(), run.stderr.as_str()),
        (0, "4 answers as expected\n", "")
    );
}

#[test]
fn the_line_that_decides_is_named() {
    let expectations = "ExampleBot /private/x allow\nExampleBot /a allow\nNamedBot /a disallow\n";
    let run = test("bad", expectations, &[]);
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stdout,
        "\
expectations.txt:1: not allowed: ExampleBot /private/x  disallowed by line 2: Disallow: /private/ in the wildcard group on line 1
expectations.txt:3: not disallowed: NamedBot /a  allowed: no rule matches in the named group on line 5
2 of 3 answers not as expected
"
    );
    let quiet = test("quiet", expectations, &["-q"]);
    assert_eq!((quiet.code, quiet.stdout.as_str()), (1, ""));
}

#[test]
fn what_is_no_expectation_is_named() {
    let run = test("malformed", "GPTBot /a\n", &[]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains(
            "`expectations.txt`, line 1: `GPTBot /a` is no expectation; write an agent, a URL, and"
        ),
        "{run:?}"
    );
    let run = test("empty", "# nothing\n", &[]);
    assert!(run.stderr.contains("holds no expectation"), "{run:?}");
    let run = test("token", "GPTBot/1.0 / allow\n", &[]);
    assert!(
        run.code == 2 && run.stderr.contains("is not a product token"),
        "{run:?}"
    );
    let run = test("missing", "a / allow\n", &["--robots-txt=none.txt"]);
    assert!(
        run.code == 2 && run.stderr.contains("cannot read `none.txt`"),
        "{run:?}"
    );
    let run = test("twice", "a / allow\n", &["-", "--robots-txt=-"]);
    assert!(
        run.code == 2 && run.stderr.contains("cannot both be `-`"),
        "{run:?}"
    );
}
