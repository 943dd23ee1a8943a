//! `robots page`.

use serde_json::Value;

use crate::suite::robots::{Run, file, robots, robots_reading};

const PAGE: &str = "\
<!doctype html>
<title>Shop</title>
<meta name=\"viewport\" content=\"width=device-width\">
<meta name=\"robots\" content=\"max-snippet:50\">
<meta name=\"Googlebot\" content=\"noindex\">
<!-- <meta name=\"robots\" content=\"nofollow\"> -->
<script>'<meta name=robots content=noarchive>'</script>
";

fn page(options: &[&str]) -> Run {
    robots_reading(PAGE, ["page", "-"].iter().chain(options))
}

fn effect<'v>(document: &'v Value, agent: usize, name: &str) -> &'v Value {
    let effects = document["agents"][agent]["effects"].as_array().unwrap();
    effects
        .iter()
        .find(|effect| effect["name"] == name)
        .unwrap()
}

#[test]
fn each_agent_has_its_uses_with_the_rule_that_decides() {
    let run = page(&[]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert_eq!(
        run.stdout,
        "\
* (any other agent)
  index           yes
  follow links    yes
  show a snippet  up to 50 characters  max-snippet:50 (meta, for everyone)
  show a copy     yes

Googlebot
  index           no                   noindex (meta, for Googlebot)
  follow links    yes
  show a snippet  up to 50 characters  max-snippet:50 (meta, for everyone)
  show a copy     yes
"
    );
    let run = page(&["--agent", "bingbot"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stdout.starts_with("bingbot\n  index           yes\n"),
        "{run:?}"
    );
}

#[test]
fn headers_come_from_the_command_line_a_file_or_before_the_page() {
    let run = robots(["page", "--header", "x-robots-tag: NoIndex, nofollow"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stdout
            .contains("  index           no   NoIndex (X-Robots-Tag, for everyone)\n"),
        "{run:?}"
    );

    let head = "HTTP/1.1 301 Moved\r\nLocation: /b\r\nX-Robots-Tag: nofollow\r\n\r\nHTTP/2 200 \r\ncontent-type: text/html\r\nx-robots-tag: otherbot: noindex\r\n\r\n";
    let run = robots_reading(head, ["page", "--headers", "-"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.stdout
            .contains("* (any other agent)\n  index           yes\n  follow links    yes\n"),
        "{run:?}"
    );
    assert!(
        run.stdout
            .contains("\notherbot\n  index           no   noindex (X-Robots-Tag, for otherbot)\n"),
        "{run:?}"
    );

    let whole = format!("{head}{PAGE}");
    let run = robots_reading(whole, ["page", "-", "--agent", "OtherBot"]);
    assert!(
        run.stdout.contains("noindex (X-Robots-Tag, for otherbot)"),
        "{run:?}"
    );
    assert!(
        run.stdout.contains("max-snippet:50 (meta, for everyone)"),
        "{run:?}"
    );
}

#[test]
fn other_uses_are_listed_where_a_rule_is_about_them() {
    let run = robots([
        "page",
        "--header=X-Robots-Tag: nosnippet, noimageindex, notranslate, noai, max-image-preview:none, noarchive",
        "--header=X-Robots-Tag: unavailable_after: 25 Jun 2010 15:00:00 PST",
        "--header=Content-Signal: ai-train=no, search=yes",
        "--header=Link: </terms>; rel=license",
    ]);
    assert_eq!(run.code, 0);
    let everyone = "X-Robots-Tag, for everyone";
    for line in [
        format!(
            "show a snippet         no                                     nosnippet ({everyone})"
        ),
        format!(
            "show a copy            no                                     noarchive ({everyone})"
        ),
        format!(
            "show an image preview  no                                     max-image-preview:none ({everyone})"
        ),
        format!(
            "index its images       no                                     noimageindex ({everyone})"
        ),
        format!(
            "offer a translation    no                                     notranslate ({everyone})"
        ),
        format!("train models           no                                     noai ({everyone})"),
        format!(
            "show it                no longer, since 2010-06-25T23:00:00Z  unavailable_after: 25 Jun 2010 15:00:00 PST ({everyone})"
        ),
        String::from(
            "use for AI training    asks not to                            Content-Signal: ai-train=no, search=yes",
        ),
        String::from("license                                                       /terms"),
    ] {
        assert!(
            run.stdout.contains(&format!("  {line}\n")),
            "{line}\n{}",
            run.stdout
        );
    }
}

#[test]
fn json_has_each_use_and_each_statement() {
    let run = page(&[
        "--json",
        "--agent=Googlebot",
        "--header=X-Robots-Tag: otherbot: none",
    ]);
    assert_eq!(run.code, 1);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["file"], "-");
    let index = effect(&document, 0, "index");
    assert_eq!(index["value"], "disallowed");
    assert_eq!(index["decided_by"]["rule"], "noindex");
    assert_eq!(index["decided_by"]["source"], "meta");
    assert_eq!(effect(&document, 0, "snippet")["value"], "50");
    assert_eq!(effect(&document, 0, "archive")["decided_by"], Value::Null);
    let statements = document["agents"][0]["statements"].as_array().unwrap();
    let rules: Vec<&str> = statements
        .iter()
        .map(|rule| rule["rule"].as_str().unwrap())
        .collect();
    assert_eq!(rules, ["max-snippet:50", "noindex"]);
    assert_eq!(statements[0]["for"], "everyone");
    assert_eq!(document["agents"][0]["robots_txt"], Value::Null);
}

/// The question that is asked most: blocked and noindex.
#[test]
fn a_noindex_on_a_closed_page_is_never_seen() {
    let robots_txt = file(
        "page.robots.txt",
        "User-agent: *\nDisallow: /closed\n\nUser-agent: OpenBot\nAllow: /\n",
    );
    let robots_txt = robots_txt.to_str().unwrap();
    let ask = |header: &str, agent: &str, url: &str| {
        let gate = ["--robots", robots_txt, "--url", url];
        robots(
            ["page", "--agent", agent, "--header", header]
                .into_iter()
                .chain(gate),
        )
    };
    let noindex = "X-Robots-Tag: noindex";
    let run = ask(noindex, "ExampleBot", "https://example.com/closed/x");
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert!(
        run.stdout.ends_with(
            "\n  robots.txt: ExampleBot may not fetch the page (line 2: Disallow: /closed), so its noindex is never seen, \
             and the bare URL may stay in the index; allow the page in robots.txt to keep it out of the index\n"
        ),
        "{run:?}"
    );
    for (header, agent, url, code, sentence) in [
        (
            noindex,
            "ExampleBot",
            "/open",
            0,
            "ExampleBot may fetch the page, so its noindex is seen\n",
        ),
        (
            noindex,
            "OpenBot",
            "/closed",
            0,
            "OpenBot may fetch the page, so its noindex is seen\n",
        ),
        (
            "X-Robots-Tag: nofollow",
            "*",
            "/closed",
            1,
            "so its rules, such as nofollow (X-Robots-Tag, for everyone), are never seen\n",
        ),
        (
            "X-Robots-Tag: all",
            "*",
            "/closed",
            0,
            "noindex works on pages that may be fetched\n",
        ),
        (
            "X-Robots-Tag: all",
            "*",
            "/open",
            0,
            "Crawlers may fetch and index the page\n",
        ),
        (
            "X-Robots-Tag: otherbot: noindex",
            "ExampleBot",
            "/closed",
            0,
            "where others link to it; noindex works on pages that may be fetched\n",
        ),
    ] {
        let run = ask(header, agent, url);
        assert_eq!(run.code, code, "{run:?}");
        assert!(run.stdout.ends_with(sentence), "{run:?}");
    }
    let run = page(&["--json", "--robots", robots_txt, "--url", "/closed"]);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let gate = &document["agents"][1]["robots_txt"];
    assert_eq!(
        (&gate["hides_a_rule"], &gate["line"]),
        (&Value::from(true), &Value::from(2))
    );
    assert_eq!(
        page(&["-q", "--robots", robots_txt, "--url", "/closed"]).stdout,
        ""
    );
}

#[test]
fn what_cannot_be_read_has_a_sentence() {
    for (arguments, stdin, sentence) in [
        (
            &["--header", "noindex"][..],
            "",
            "`noindex` is no header field; write name, colon and value",
        ),
        (
            &["--headers", "-"],
            "HTTP/1.1 200 OK\r\n<html>\r\n",
            "standard input, line 2: `<html>` is no header field; ",
        ),
        (
            &["--headers", "-"],
            "",
            "standard input holds no header field; ",
        ),
        (
            &["-", "--headers", "-"],
            "",
            "the page and --headers cannot both be `-`",
        ),
        (&["-", "--url", "/"], "", "--robots <FILE>"),
        (&["-", "--agent", "Bot/2"], "", "write `--agent Bot`"),
        (&["/nowhere"], "", "cannot read `/nowhere`"),
        (&[], "", "<FILE|URL>"),
    ] {
        let run = robots_reading(stdin, ["page"].iter().chain(arguments));
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
        assert!(run.stderr.contains(sentence), "{run:?}");
    }
    let run = robots_reading("User-agent: *\nDisallow: /\n", ["page", "-"]);
    assert_eq!(
        run.stderr,
        "warning: standard input holds no element of HTML, so it states no rule\n"
    );
    let run = robots_reading(
        "HTTP/1.1 404 Not Found\r\nX-Robots-Tag: noindex\r\n\r\n",
        ["page", "-"],
    );
    assert!(
        run.stderr.starts_with("warning: the head has status 404: "),
        "{run:?}"
    );
}

#[test]
fn hostile_pages_do_no_harm() {
    let many = "<meta name=robots content=noindex,\u{1b}[31m>".repeat(5_000);
    let binary: Vec<u8> = (0..=255).cycle().take(50_000).collect();
    let deep = "<noscript><noscript>".repeat(5_000);
    let agents: String = (0..1_000)
        .map(|n| format!("X-Robots-Tag: bot{n}x: noindex\r\n"))
        .collect();
    let heads = "HTTP/1.1 200\r\n\r\n".repeat(1_000);
    for input in [
        many.as_bytes(),
        &binary,
        deep.as_bytes(),
        format!("HTTP/1.1 200 OK\r\n{agents}\r\n").as_bytes(),
        heads.as_bytes(),
        b"<meta name=robots content=\"",
        b"\xFF\xFE<\0m\0e\0t\0a\0",
        "<meta name='\u{1b}[31m' content='\u{9b}'><link rel=license href='\u{1b}[2J'>".as_bytes(),
    ] {
        for options in [&[][..], &["--json"]] {
            let run = robots_reading(input, ["page", "-"].iter().chain(options));
            assert!((0..=2).contains(&run.code), "{}", run.stderr);
            assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
            assert!(!run.stdout.contains(['\u{1b}', '\u{9b}']) && !run.stderr.contains('\u{1b}'));
        }
    }
}

#[test]
fn agents_and_rules_that_are_not_shown_are_counted() {
    let agents: String = (0..100)
        .map(|n| format!("X-Robots-Tag: bot{n}x: noindex, none{n}\r\n"))
        .collect();
    let head = format!("HTTP/1.1 200 OK\r\n{agents}\r\n");
    let run = robots_reading(&head, ["page", "-"]);
    for expected in [
        "not shown: 69 more agents with rules of their own; --agent shows one of them\n",
        "not shown: 23 more rules without an effect\n",
    ] {
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}

#[test]
fn rules_without_an_effect_are_named_with_the_right_ones() {
    for (value, expected) in [
        (
            "no-index",
            "`no-index` has no effect: it is no rule; write `noindex` if you mean it",
        ),
        ("noindx", "write `noindex` if you mean it"),
        (
            "noindex nofollow",
            "write `noindex, nofollow` if you mean it",
        ),
        (
            "max-snippet:many",
            "`max-snippet:many` has no effect: it has a value",
        ),
        ("sidebar", "is no rule that a crawler is known to follow"),
    ] {
        let run = robots(["page", "--header", &format!("X-Robots-Tag: {value}")]);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.stderr.contains(expected), "{run:?}");
    }
    let right = robots(["page", "--header", "X-Robots-Tag: noindex, nofollow"]);
    assert_eq!((right.code, right.stderr.as_str()), (1, ""), "{right:?}");
}

#[test]
fn a_page_with_the_status_of_an_error_is_not_indexed() {
    let page = "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>gone</p>";
    let run = robots_reading(page, ["page", "-"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.contains("no, as the status is 404"), "{run:?}");
    let robots_txt = file("page-404.robots.txt", "User-agent: *\nDisallow: /x\n");
    let robots_txt = robots_txt.to_str().unwrap();
    let gate = ["page", "-", "--robots", robots_txt, "--url", "/a"];
    let run = robots_reading(page, gate);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.stdout.contains("do not index it, as its status is 404"),
        "{run:?}"
    );
}
