//! `robots page`.

use crate::suite::robots::robots_reading;

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
