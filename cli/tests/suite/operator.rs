//! The answers of `robots check` about known crawlers, whose operators read a file in another way
//! than RFC 9309.

use serde_json::Value;

use crate::suite::robots::robots_reading;

const GOOGLEBOT: &str = "User-agent: Googlebot\nDisallow: /x\n\nUser-agent: *\nDisallow: /y\n";

/// The crawler's own reading decides, and the note says what its name alone would give.
#[test]
fn the_operators_statement_decides_and_is_a_note() {
    let run = robots_reading(GOOGLEBOT, ["check", "-", "--agent=Googlebot-Image", "/x"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert_eq!(
        run.stdout,
        "\
disallowed  /x  line 2: Disallow: /x  (named group)

note: Google says that Googlebot-Image obeys the rules for Googlebot where no group names it; by its own name alone it \
would be allowed: no rule matches in the wildcard group on line 4
"
    );
    let run = robots_reading(GOOGLEBOT, ["check", "-", "--agent=AdsBot-Google", "/y"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stdout.contains(
            "note: Google says that AdsBot-Google obeys only groups that name it, not `*`; by its own name alone it would be disallowed"
        ),
        "{run:?}"
    );
}

/// With a dialect the name alone decides, and the note says what the operator says.
#[test]
fn a_dialect_is_asked_by_the_name_alone() {
    for dialect in ["rfc9309", "google"] {
        let arguments = [
            "check",
            "-",
            "--agent=Googlebot-Image",
            "/x",
            "--dialect",
            dialect,
        ];
        let run = robots_reading(GOOGLEBOT, arguments);
        assert_eq!(run.code, 0);
        assert!(
            run.stdout.contains(
                "note: Google says that Googlebot-Image obeys the rules for Googlebot where no group names it: then disallowed \
                 by line 2: Disallow: /x"
            ),
            "{run:?}"
        );
    }
}

#[test]
fn several_answers_are_named_with_their_urls() {
    let arguments = ["check", "-", "--agent=Googlebot-Image", "/x", "/y", "/z"];
    let run = robots_reading(GOOGLEBOT, arguments);
    assert!(
        run.stdout.contains("note: /x: Google says")
            && run.stdout.contains("note: /y: Google says"),
        "{run:?}"
    );
    assert!(!run.stdout.contains("note: /z"), "{run:?}");
    let run = robots_reading(GOOGLEBOT, ["check", "-", "--agent=Applebot", "/z", "/zz"]);
    assert!(
        run.stdout.ends_with(": then every answer is the same\n"),
        "{run:?}"
    );
    let several = [
        "check",
        "-",
        "--agent=Googlebot-Image",
        "--agent=bingbot",
        "/x",
    ];
    let run = robots_reading(GOOGLEBOT, several);
    assert!(
        run.stdout
            .contains("note: Google says that Googlebot-Image"),
        "{run:?}"
    );
}

/// Google's crawlers read as Google's matcher does, about the request that they make.
#[test]
fn googles_crawlers_read_as_googles_matcher_does() {
    let file = "User-agent: *\nDisallow: /caf\u{e9}/\nDisallow: /b/\nDisallow: /d/\nAllow: /d/index.html\n";
    let urls = ["/caf\u{e9}/x", "/caf%C3%A9/x", "/x/../b/y", "/d/"];
    let run = robots_reading(
        file,
        ["check", "-", "--agent=Googlebot"].into_iter().chain(urls),
    );
    let answers: Vec<&str> = run
        .stdout
        .lines()
        .map(|line| line.get(..10).unwrap_or(line))
        .collect();
    assert_eq!(
        answers[..4],
        ["disallowed", "disallowed", "disallowed", "allowed   "],
        "{run:?}"
    );
    assert!(
        run.stdout
            .contains("note: /d/: RFC 9309 differs: disallowed"),
        "{run:?}"
    );
    let run = robots_reading(file, ["check", "-", "--agent=bingbot", "/d/", "--ndjson"]);
    let line: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        (&line["allowed"], &line["dialect"]),
        (&false.into(), &"rfc9309".into())
    );
}

#[test]
fn programs_and_explanations_have_the_note_too() {
    let arguments = ["check", "-", "--agent=Googlebot-Image", "/x"];
    let run = robots_reading(GOOGLEBOT, arguments.into_iter().chain(["--explain"]));
    assert!(
        run.stdout
            .contains("= operator: Google says that Googlebot-Image obeys the rules for Googlebot"),
        "{run:?}"
    );
    let run = robots_reading(GOOGLEBOT, arguments.into_iter().chain(["--json"]));
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["dialect"], "google");
    assert_eq!(document["results"][0]["allowed"], false);
    let note = document["results"][0]["note"].as_str().unwrap();
    assert!(
        note.starts_with("Google says that Googlebot-Image"),
        "{note}"
    );
}

#[test]
fn nothing_is_noted_where_the_readings_agree() {
    for agent in ["Googlebot", "bingbot", "ExampleBot"] {
        let run = robots_reading(GOOGLEBOT, ["check", "-", "--agent", agent, "/x"]);
        assert!(!run.stdout.contains("note:"), "{run:?}");
    }
}

#[test]
fn a_name_that_is_no_longer_used_is_said() {
    let run = robots_reading("", ["check", "-", "--agent=anthropic-ai", "/"]);
    assert!(
        run.stdout
            .ends_with("note: anthropic-ai is known: no longer used; the name is now ClaudeBot\n"),
        "{run:?}"
    );
}

/// One finding of lint, and a warning where the answers would look sound.
#[test]
fn what_is_no_robots_txt_is_said_by_all() {
    for (body, word) in [
        (&b"Not Found\n"[..], "error page"),
        (b"{\"status\":404}", "JSON"),
        (b"\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\x03\xCB\x48", "gzip"),
        (b"\x7FELF\x02\x01\x00\x00", "no text"),
        (b"<!DOCTYPE html><p>Not Found", "HTML"),
    ] {
        for arguments in [
            &["check", "-", "--agent=a", "/"][..],
            &["agents", "-"],
            &["diff", "-", "/dev/null"],
        ] {
            let run = robots_reading(body, arguments);
            assert!(
                run.stderr
                    .starts_with("warning: standard input seems to be no robots.txt: ")
                    && run.stderr.contains(word),
                "{arguments:?} {run:?}"
            );
        }
        let run = robots_reading(body, ["lint", "-", "--format=json"]);
        let document: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(
            (run.code, document["summary"]["errors"].as_u64()),
            (1, Some(1)),
            "{run:?}"
        );
        let findings = document["files"][0]["findings"].as_array().unwrap();
        assert_eq!(findings.len(), 1, "{findings:?}");
    }
    let run = robots_reading("# nothing\n", ["check", "-", "--agent=a", "/"]);
    assert_eq!(run.stderr, "");
}
