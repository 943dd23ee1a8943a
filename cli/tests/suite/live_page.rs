//! `robots page URL`, against servers on loopback.

use serde_json::Value;

use crate::suite::robots::{Run, robots};
use crate::suite::server::{Served, Server, answer, gzip, redirect, robots_txt_answer, status};

const PRIVATE: &[u8] = b"User-agent: Googlebot\nDisallow: /private/\n";
const NOINDEX: &[u8] = b"<!doctype html><title>x</title><meta name=robots content=noindex>";

/// Asks for a page of the server.
fn page(server: &Server, path: &str, options: &[&str]) -> Run {
    let url = server.url(path);
    robots(["page", &url].iter().chain(options))
}

fn document(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).expect(&run.stdout)
}

fn html(fields: &[&str], body: &[u8]) -> Served {
    let fields = [&["Content-Type: text/html"], fields].concat();
    Served::Bytes(answer("200 OK", &fields, body))
}

/// The paths that the server was asked for.
fn paths(server: &Server) -> Vec<String> {
    let requests = server.requests().into_iter();
    let path = |head: String| head.split(' ').nth(1).unwrap_or_default().to_owned();
    requests.map(path).collect()
}

#[test]
fn a_page_is_asked_for_after_its_robots_txt() {
    let fields = ["X-Robots-Tag: nofollow", "X-Robots-Tag: otherbot: none"];
    let server = Server::start(&[
        ("/robots.txt", robots_txt_answer(PRIVATE)),
        ("/a?b", html(&fields, NOINDEX)),
    ]);
    let run = page(&server, "/a?b#c", &["--agent", "Googlebot"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let expected = format!(
        "\
200  {robots}
200  {page}

Googlebot
  index           no   noindex (meta, for everyone)
  follow links    no   nofollow (X-Robots-Tag, for everyone)
  show a snippet  yes
  show a copy     yes
  robots.txt: Googlebot may fetch the page, so its noindex is seen
",
        robots = server.url("/robots.txt"),
        page = server.url("/a?b#c"),
    );
    assert_eq!(run.stdout, expected);
    assert_eq!(paths(&server), ["/robots.txt", "/a?b"]);
    let requests = server.requests();
    for request in requests {
        let request = request.to_ascii_lowercase();
        assert!(
            request.contains("\r\nuser-agent: polite-robots/"),
            "{request}"
        );
    }

    // Without agents, those that the head names are asked about.
    let document = document(&page(&server, "/a?b", &["--json"]));
    let agents = document["agents"].as_array().unwrap();
    let names: Vec<&Value> = agents.iter().map(|agent| &agent["agent"]).collect();
    assert_eq!(names, ["*", "otherbot"]);
    assert_eq!(document["status"], 200);
    assert_eq!(document["requests"][1]["url"], server.url("/a?b"));
    assert_eq!(document["unread"], Value::Null);
}

/// The question that is asked most: blocked and noindex.
#[test]
fn a_noindex_behind_a_robots_txt_is_found_at_once() {
    let server = Server::start(&[
        ("/robots.txt", robots_txt_answer(PRIVATE)),
        ("/private/x", html(&[], NOINDEX)),
    ]);
    let run = page(
        &server,
        "/private/x",
        &["--agent=Googlebot", "--agent=bingbot"],
    );
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert!(
        run.stdout.contains(
            "  robots.txt: Googlebot may not fetch the page (line 2: Disallow: /private/), so its noindex is never seen, "
        ),
        "{run:?}"
    );
    assert!(
        run.stdout
            .ends_with("  robots.txt: bingbot may fetch the page, so its noindex is seen\n"),
        "{run:?}"
    );
}

#[test]
fn a_page_that_is_closed_to_the_command_is_not_read() {
    let robots_txt = b"User-agent: *\nDisallow: /private/\n\nUser-agent: OpenBot\nAllow: /\n";
    let server = Server::start(&[
        ("/robots.txt", robots_txt_answer(robots_txt)),
        ("/private/x", html(&[], NOINDEX)),
    ]);
    let run = page(
        &server,
        "/private/x",
        &["--agent=Googlebot", "--agent=OpenBot"],
    );
    assert_eq!(run.code, 2);
    let url = server.url("/private/x");
    assert_eq!(
        run.stderr,
        format!(
            "error: `{url}` was not read: its robots.txt keeps `polite-robots` out (line 2: Disallow: /private/)\n"
        )
    );
    let robots = server.url("/robots.txt");
    assert_eq!(
        run.stdout,
        format!(
            "\
200  {robots}

Googlebot
  robots.txt: Googlebot may not fetch the page (line 2: Disallow: /private/), so a noindex of it is never seen, and the \
bare URL may be indexed where others link to it

OpenBot
  robots.txt: OpenBot may fetch the page, so its rules are seen, which were not read here
"
        )
    );
    assert_eq!(paths(&server), ["/robots.txt"]);

    let run = page(&server, "/private/x", &["--json"]);
    assert_eq!(run.code, 2);
    let document = document(&run);
    let agent = &document["agents"][0];
    assert_eq!(
        (&agent["effects"], &agent["robots_txt"]["hides_a_rule"]),
        (&serde_json::json!([]), &Value::Null)
    );
    assert_eq!(agent["robots_txt"]["allowed"], false);
    assert!(
        document["unread"]
            .as_str()
            .unwrap()
            .contains("keeps `polite-robots` out")
    );
    assert_eq!(paths(&server), ["/robots.txt"; 2]);

    // The robots.txt is read for the agent that the User-Agent header names.
    let run = page(
        &server,
        "/private/x",
        &["--user-agent", "OpenBot/1 (me@example.com)", "-q"],
    );
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert_eq!(paths(&server)[2..], ["/robots.txt", "/private/x"]);
}

#[test]
fn the_answer_for_the_robots_txt_counts_as_for_crawlers() {
    let with = |robots_txt: Served| {
        Server::start(&[("/robots.txt", robots_txt), ("/a", html(&[], b"<p>"))])
    };
    let server = with(status("404 Not Found"));
    let run = page(&server, "/a", &[]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(
        run.stdout
            .ends_with("  robots.txt: Crawlers may fetch and index the page\n")
    );

    let server = with(status("503 Service Unavailable"));
    let run = page(&server, "/a", &[]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("status 503"), "{run:?}");
    assert!(
        run.stdout
            .contains("  robots.txt: Crawlers may not fetch the page ("),
        "{run:?}"
    );
    assert_eq!(paths(&server), ["/robots.txt"]);
}

#[test]
fn each_url_on_the_way_has_its_own_robots_txt() {
    let target = Server::start(&[
        (
            "/robots.txt",
            robots_txt_answer(b"User-agent: bingbot\nDisallow: /b\n"),
        ),
        ("/b", html(&["X-Robots-Tag: noindex"], b"<p>")),
    ]);
    let server = Server::start(&[
        (
            "/robots.txt",
            robots_txt_answer(b"\nUser-agent: Googlebot\nDisallow: /a\n"),
        ),
        ("/a", redirect("/moved")),
        ("/moved", redirect(&target.url("/b"))),
    ]);
    let agents = ["--agent=Googlebot", "--agent=bingbot", "--agent=OtherBot"];
    let run = page(&server, "/a", &[&agents[..], &["--json"]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (1, ""), "{run:?}");
    let document = document(&run);
    assert_eq!(document["url"], target.url("/b"));
    let line = |agent: usize| &document["agents"][agent]["robots_txt"]["line"];
    assert_eq!(
        [line(0), line(1), line(2)],
        [&Value::from(3), &Value::from(2), &Value::Null]
    );
    assert_eq!(paths(&server), ["/robots.txt", "/a", "/moved"]);
    assert_eq!(paths(&target), ["/robots.txt", "/b"]);
    let run = page(&server, "/a", &[]);
    assert!(
        run.stdout
            .contains(&format!("302  {} → /moved\n", server.url("/a"))),
        "{run:?}"
    );
}

#[test]
fn a_redirect_that_leads_nowhere_is_not_followed() {
    for (location, sentence) in [
        ("/a", "its redirects lead in a circle"),
        (
            "mailto:a@example.com",
            "it redirects to `mailto:a@example.com`, which no crawler fetches",
        ),
        (
            "http://10.0.0.1/b",
            "the redirect is not followed, as 10.0.0.1 is ",
        ),
    ] {
        let server = Server::start(&[("/a", redirect(location))]);
        let run = page(&server, "/a", &[]);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.stderr.contains(sentence), "{run:?}");
        assert_eq!(paths(&server), ["/robots.txt", "/a"]);
    }
}

#[test]
fn a_page_comes_as_gzip_or_cut_short_or_not_at_all() {
    let whole = gzip(NOINDEX);
    let length = format!("Content-Length: {}", NOINDEX.len() + 5);
    let cut = [
        format!("HTTP/1.1 200 OK\r\n{length}\r\n\r\n").as_bytes(),
        NOINDEX,
    ]
    .concat();
    let server = Server::start(&[
        ("/gzip", html(&["Content-Encoding: gzip"], &whole)),
        ("/cut", Served::Bytes(cut)),
        ("/gone", status("410 Gone")),
        ("/nothing", Served::Bytes(Vec::new())),
    ]);
    for (path, index, code, sentence) in [
        ("/gzip", "no", 0, ""),
        ("/cut", "no", 0, "before it was whole"),
        (
            "/gone",
            "no, as the status is 410",
            1,
            "the head has status 410",
        ),
        ("/nothing", "", 2, "was not read: "),
    ] {
        let run = page(&server, path, &[]);
        assert_eq!(run.code, code, "{run:?}");
        assert!(run.stderr.contains(sentence), "{run:?}");
        assert_eq!(run.stderr.is_empty(), sentence.is_empty(), "{run:?}");
        let has_index = run.stdout.contains(&format!("  index           {index}"));
        assert_eq!(has_index, !index.is_empty(), "{run:?}");
    }
}

#[test]
fn what_cannot_go_with_a_url_is_said_before_anybody_is_asked() {
    let server = Server::with(b"");
    for (options, sentence) in [
        (
            &["--headers", "/dev/null"][..],
            "leave out --headers, --robots and --url",
        ),
        (
            &["--robots", "/dev/null", "--url", "/"],
            "leave out --headers, --robots and --url",
        ),
        (&["--agent", "Bot/2"], "write `--agent Bot`"),
        (&["--header", "noindex"], "`noindex` is no header field"),
    ] {
        let run = page(&server, "/a", options);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
        assert!(run.stderr.contains(sentence), "{run:?}");
    }
    assert_eq!(paths(&server), [""; 0]);
    let run = robots(["page", "http://"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
}
