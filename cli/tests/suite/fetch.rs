//! `robots fetch`, against servers on loopback.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

use serde_json::{Value, json};

use crate::suite::robots::{Run, command, file, robots, run, scratch};
use crate::suite::server::{Served, Server, answer, gzip, redirect, robots_txt_answer, status};

const ROBOTS_TXT: &str = "\
User-agent: *
Disallow: /private/

User-agent: GPTBot
Disallow: /
";

impl Server {
    /// Fetches the robots.txt with these options.
    fn fetch(&self, options: &[&str]) -> Run {
        let url = self.url("");
        robots(["fetch", &url].iter().chain(options))
    }

    /// Fetches the robots.txt with these options, and returns the JSON document too.
    fn fetched(&self, options: &[&str]) -> (Run, Value) {
        let run = self.fetch(&[&["--json"], options].concat());
        let document = serde_json::from_str(&run.stdout).expect(&run.stdout);
        (run, document)
    }
}

/// The reading of each profile, in the order RFC 9309, Google, IBM; Bing has a test of its own.
fn access(document: &Value) -> Vec<&str> {
    let profiles = document["sites"][0]["profiles"].as_array().unwrap();
    let access = profiles.iter().take(3).map(|profile| &profile["access"]);
    access.map(|access| access.as_str().unwrap()).collect()
}

#[test]
fn a_file_is_shown_with_its_meaning() {
    let server = Server::with(ROBOTS_TXT.as_bytes());
    let run = server.fetch(&[]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let url = server.url("/robots.txt");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], url);
    assert_eq!(lines[1], format!("  200  {url}"));
    let size = ROBOTS_TXT.len();
    assert_eq!(
        lines[2],
        format!("       text/plain; {size} of at most 512,000 bytes")
    );
    for (line, title) in lines[3..].iter().zip(["RFC 9309", "Google  ", "IBM     "]) {
        let start = format!("  {title}  its rules decide; kept until 2");
        assert!(line.starts_with(&start), "{line}");
    }
    assert!(lines[3].ends_with("Z (24 hours, as the server names no time)"));
    assert!(lines[5].ends_with("Z (24 hours, whatever the server says)"));
    assert_eq!(lines.len(), 7);
}

#[test]
fn the_request_names_the_command_and_is_the_only_one() {
    let server = Server::with(ROBOTS_TXT.as_bytes());
    let pages = [
        server.url("/a?b"),
        server.url("/robots.txt"),
        server.url(""),
    ];
    let run = robots(
        ["fetch"]
            .into_iter()
            .chain(pages.iter().map(String::as_str)),
    );
    assert_eq!(run.code, 0, "{run:?}");
    let requests = server.requests();
    assert_eq!(requests.len(), 1, "{requests:?}");
    let head = requests[0].to_ascii_lowercase();
    assert!(head.starts_with("get /robots.txt http/1.1\r\n"), "{head}");
    assert!(head.contains("\r\nuser-agent: polite-robots/"), "{head}");
    assert!(head.contains("\r\naccept-encoding: gzip\r\n"), "{head}");

    let run = server.fetch(&["--user-agent", "StagingCheck/1 (ops@example.com)"]);
    assert_eq!(run.code, 0);
    let head = &server.requests()[1];
    assert!(
        head.contains("StagingCheck/1 (ops@example.com)\r\n"),
        "{head}"
    );
}

#[test]
fn a_redirect_is_followed_except_by_ibm() {
    let server = Server::start(&[
        ("/robots.txt", redirect("/moved/robots.txt")),
        (
            "/moved/robots.txt",
            robots_txt_answer(ROBOTS_TXT.as_bytes()),
        ),
    ]);
    let (run, document) = server.fetched(&[]);
    assert_eq!(run.code, 0);
    assert_eq!(access(&document), ["rules", "rules", "nothing"]);
    let requests = &document["sites"][0]["requests"];
    assert_eq!(requests[0]["status"], 302);
    assert_eq!(requests[0]["location"], "/moved/robots.txt");
    assert_eq!(requests[1]["url"], server.url("/moved/robots.txt"));
    let ibm = &document["sites"][0]["profiles"][2];
    assert_eq!(ibm["cause"], "robots.txt answered with status 302");
    assert!(ibm["next_fetch"].is_string() && ibm["kept_until"].is_null());
    assert_eq!(server.requests().len(), 2);

    let run = server.fetch(&[]);
    let hop = format!("  302  {} → /moved/robots.txt\n", server.url("/robots.txt"));
    assert!(run.stdout.contains(&hop), "{}", run.stdout);
}

#[test]
fn only_a_line_that_cannot_be_read_opens_a_site_to_ibm() {
    let odd = "User-agent: *\nDisallow: /private/\nCrawl-delay: 3600\nLicense: /license.xml\n";
    let server = Server::with(odd.as_bytes());
    let (_, document) = server.fetched(&[]);
    assert_eq!(access(&document), ["rules", "rules", "rules"]);

    let server = Server::with(format!("{odd}keep out of here\n").as_bytes());
    let (_, document) = server.fetched(&[]);
    assert_eq!(access(&document), ["rules", "rules", "everything"]);
    let run = server.fetch(&[]);
    let sentence = "  IBM       everything is allowed: robots.txt has a line that cannot be read (line 5); kept until 2";
    assert!(run.stdout.contains(sentence), "{}", run.stdout);
}

#[test]
fn a_loop_and_a_long_chain_count_as_no_file() {
    let server = Server::start(&[("/robots.txt", redirect("/robots.txt"))]);
    let (run, document) = server.fetched(&[]);
    assert_eq!((run.code, server.requests().len()), (0, 1));
    assert_eq!(access(&document), ["everything", "everything", "nothing"]);
    let cause = &document["sites"][0]["profiles"][0]["cause"];
    assert_eq!(cause, "robots.txt redirects too often");

    let hops = ["/robots.txt", "/1", "/2", "/3", "/4", "/5", "/6"];
    let hop = |hop: &[&'static str]| (hop[0], redirect(hop[1]));
    let server = Server::start(&hops.windows(2).map(hop).collect::<Vec<_>>());
    let (run, document) = server.fetched(&[]);
    // The sixth redirect is one too many, and its target is not asked.
    assert_eq!((run.code, server.requests().len()), (0, 6));
    assert_eq!(access(&document), ["everything", "everything", "nothing"]);
}

#[test]
fn a_status_has_its_meaning() {
    for (line, fields, code, expected) in [
        (
            "404 Not Found",
            &[][..],
            0,
            ["everything", "everything", "everything"],
        ),
        (
            "401 Unauthorized",
            &[],
            0,
            ["everything", "everything", "nothing"],
        ),
        (
            "429 Too Many Requests",
            &["Retry-After: 7200"],
            1,
            ["everything", "nothing", "nothing"],
        ),
        ("204 No Content", &[], 0, ["everything"; 3]),
        ("503 Service Unavailable", &[], 1, ["nothing"; 3]),
    ] {
        let body = Served::Bytes(answer(line, fields, b"<html>no</html>"));
        let server = Server::start(&[("/robots.txt", body)]);
        let (run, document) = server.fetched(&[]);
        assert_eq!((run.code, run.stderr.as_str()), (code, ""), "{line}");
        assert_eq!(access(&document), expected, "{line}");
    }
}

#[test]
fn a_retry_after_is_when_crawlers_ask_again() {
    let busy = answer("429 Too Many Requests", &["Retry-After: 7200"], b"");
    let server = Server::start(&[("/robots.txt", Served::Bytes(busy))]);
    let (_, document) = server.fetched(&[]);
    let site = &document["sites"][0];
    let fetched = site["fetched"].as_str().unwrap();
    let again = site["profiles"][0]["next_fetch"].as_str().unwrap();
    assert_eq!(seconds(again) - seconds(fetched), 7200);
    let run = server.fetch(&[]);
    assert!(run.stdout.contains("  429  ") && run.stdout.contains("  (Retry-After: 7200)\n"));
    assert!(
        run.stdout
            .contains("  RFC 9309  everything is allowed: robots.txt answered with status 429; a polite crawler waits; asked again at 2")
    );
}

/// The seconds since 1970, of a time within a few days.
fn seconds(time: &str) -> i64 {
    let number = |range| {
        time.get::<std::ops::Range<usize>>(range)
            .unwrap()
            .parse::<i64>()
            .unwrap()
    };
    let (year, month, day) = (number(0..4), number(5..7), number(8..10));
    let years = if month > 2 { year } else { year - 1 };
    let months = (month + 9) % 12;
    let days = 365 * years + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day;
    ((days * 24 + number(11..13)) * 60 + number(14..16)) * 60 + number(17..19)
}

#[test]
fn the_head_says_until_when_a_file_is_kept() {
    let fields = [
        "Cache-Control: max-age=3600",
        "Expires: 0",
        "Content-Type: text/plain",
    ];
    let body = answer("200 OK", &fields, ROBOTS_TXT.as_bytes());
    let server = Server::start(&[("/robots.txt", Served::Bytes(body))]);
    let (_, document) = server.fetched(&[]);
    let site = &document["sites"][0];
    let kept = &site["profiles"][0];
    assert_eq!(
        kept["kept_because"],
        "1 hour by `Cache-Control: max-age=3600`"
    );
    let until = seconds(kept["kept_until"].as_str().unwrap());
    assert_eq!(until - seconds(site["fetched"].as_str().unwrap()), 3600);
    assert_eq!(
        site["profiles"][2]["kept_because"],
        "24 hours, whatever the server says"
    );
    assert_eq!(site["requests"][0]["cache_control"], "max-age=3600");
}

#[test]
fn a_file_over_the_limit_counts_to_its_limit() {
    let rule = "Disallow: /0123456789\n";
    let mut long = String::from("User-agent: *\nDisallow: /first\n");
    while long.len() < 512_001 {
        long.push_str(rule);
    }
    long.truncate(512_001);
    let server = Server::with(long.as_bytes());
    let (run, document) = server.fetched(&["--check", "/first", "--agent", "ExampleBot"]);
    assert_eq!(run.code, 1);
    assert_eq!(
        access(&document),
        ["rules_of_first_bytes", "rules_of_first_bytes", "nothing"]
    );
    let request = &document["sites"][0]["requests"][0];
    assert_eq!(
        (request["bytes"].as_u64(), &request["end"]),
        (Some(512_000), &Value::from("limit_reached"))
    );
    let text = server.fetch(&[]).stdout;
    assert!(
        text.contains("; more than the 512,000 bytes that crawlers read\n"),
        "{text}"
    );

    // A file of exactly the limit is a whole one.
    long.truncate(512_000 - 100);
    long.truncate(long.rfind('\n').unwrap() + 1);
    let rest = 512_000 - long.len();
    long.push_str(&format!("#{}\n", "-".repeat(rest - 2)));
    let server = Server::with(long.as_bytes());
    let (run, document) = server.fetched(&[]);
    assert_eq!((run.code, access(&document)), (0, vec!["rules"; 3]));
}

#[test]
fn gzip_is_unpacked_and_reported() {
    let packed = gzip(ROBOTS_TXT.as_bytes());
    let fields = ["Content-Type: text/plain", "Content-Encoding: gzip"];
    let whole = Served::Bytes(answer("200 OK", &fields, &packed));
    let server = Server::start(&[("/robots.txt", whole)]);
    let run = server.fetch(&["--check", "/private/x", "--agent", "ExampleBot"]);
    assert_eq!(run.code, 1, "{run:?}");
    let size = format!(
        "text/plain; {} of at most 512,000 bytes, as gzip {}\n",
        ROBOTS_TXT.len(),
        packed.len()
    );
    assert!(run.stdout.contains(&size), "{}", run.stdout);

    // A coding without its end is half of an answer.
    let half = Served::Bytes(answer("200 OK", &fields, &packed[..packed.len() - 9]));
    let server = Server::start(&[("/robots.txt", half)]);
    let run = server.fetch(&[]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.contains("before it was whole\n"), "{run:?}");

    // A small body that unpacks to a gigabyte is left at the limit.
    let bomb = gzip(&vec![b'#'; 64 << 20]);
    let server = Server::start(&[(
        "/robots.txt",
        Served::Bytes(answer("200 OK", &fields, &bomb)),
    )]);
    let (_, document) = server.fetched(&[]);
    assert_eq!(document["sites"][0]["requests"][0]["end"], "limit_reached");
}

#[test]
fn a_coding_that_nobody_asked_for_is_named() {
    let fields = ["Content-Encoding: br"];
    let body = Served::Bytes(answer("200 OK", &fields, b"\x8b\x02\x80abc\x03"));
    let server = Server::start(&[("/robots.txt", body)]);
    let run = server.fetch(&[]);
    let coding = "no Content-Type; 7 bytes, in the coding `br`, which was not asked for\n";
    assert!(run.stdout.contains(coding), "{}", run.stdout);
    // Its bytes are no file, so they open nothing and are not saved.
    assert_eq!(run.code, 2, "{run:?}");
    let problem = "the answer is in the coding `br`, which was not asked for\n";
    assert!(run.stderr.contains(problem), "{run:?}");
    assert_eq!(
        run.stdout
            .matches("closed: robots.txt is in a coding")
            .count(),
        3,
        "{run:?}"
    );

    // The first body has a damaged coding. The second has no coding, although its header names one.
    let packed = gzip(b"User-agent: *\nDisallow: /\n");
    let mut damaged = packed.clone();
    damaged[12] ^= 0xFF;
    let body = answer("200 OK", &["Content-Encoding: gzip"], &damaged);
    let run = Server::start(&[("/robots.txt", Served::Bytes(body))]).fetch(&[]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(
        run.stderr.contains("in no `gzip` that can be read\n"),
        "{run:?}"
    );
    let plain = answer("200 OK", &["Content-Encoding: gzip"], ROBOTS_TXT.as_bytes());
    let run = Server::start(&[("/robots.txt", Served::Bytes(plain))]).fetch(&[]);
    assert_eq!(run.code, 0, "{run:?}");
    let label = "as plain text, although the header says `gzip`\n";
    assert!(run.stdout.contains(label), "{}", run.stdout);
}

/// RFC 9309 §2.2 and Google: text in UTF-8. The report, the questions and `robots check` agree
/// about the bytes as they came.
#[test]
fn what_is_no_text_in_utf8_has_no_rules() {
    let text = "User-agent: *\nDisallow: /private/\n";
    let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [b"\xFF\xFE".as_slice(), &units].concat();
    for (body, polite) in [
        (marked, "a polite crawler reads the UTF-16, and obeys it"),
        (units, "a polite crawler waits"),
        (gzip(text.as_bytes()), "a polite crawler waits"),
    ] {
        let served = || Served::Bytes(answer("200 OK", &[], &body));
        let server = Server::start(&[("/robots.txt", served())]);
        let (run, document) = server.fetched(&[]);
        assert_eq!(access(&document), ["everything"; 3]);
        assert_eq!(document["sites"][0]["profiles"][0]["polite"], polite);
        assert_eq!(document["sites"][0]["profiles"][3]["access"], "unknown");
        assert_eq!(run.code, 1, "{run:?}");
        assert!(run.stderr.contains("seems to be no robots.txt"), "{run:?}");
        let path = scratch().join("fetched.robots.txt");
        fs::write(&path, &body).unwrap();
        for dialect in ["rfc9309", "google"] {
            let question = ["--dialect", dialect, "--agent", "ExampleBot"];
            let run = server.fetch(&[&["--check", "/private/x"], &question[..]].concat());
            assert_eq!(run.code, 0, "{run:?}");
            let saved = path.to_str().unwrap();
            let check = robots(
                ["check", saved]
                    .iter()
                    .chain(&question)
                    .chain(&["/private/x"]),
            );
            assert_eq!(check.code, 0, "{check:?}");
        }
    }
}

#[test]
fn an_html_page_is_doubted() {
    let page = b"<!DOCTYPE html><title>Shop</title>";
    let body = Served::Bytes(answer("200 OK", &["Content-Type: text/html"], page));
    let server = Server::start(&[("/robots.txt", body)]);
    assert_eq!(server.fetch(&["--any-text"]).code, 0);
    let run = server.fetch(&[]);
    assert_eq!(run.code, 1);
    let rows = "everything is allowed: the answer has no rules";
    assert_eq!(run.stdout.matches(rows).count(), 4, "{run:?}");
    assert!(!run.stdout.contains("its rules decide"), "{run:?}");
    assert!(
        run.stderr.starts_with("warning: `http://127.0.0.1:"),
        "{run:?}"
    );
    assert!(
        run.stderr
            .contains("/robots.txt` seems to be no robots.txt: "),
        "{run:?}"
    );
}

#[test]
fn a_server_that_hangs_is_given_up() {
    let half = b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nUser-agent: *\n".to_vec();
    let server = Server::start(&[("/robots.txt", Served::Silence)]);
    let run = server.fetch(&["--timeout", "0.5"]);
    assert_eq!(run.code, 2, "{run:?}");
    let silence = format!(
        "error: `{}`: no whole answer from `127.0.0.1:{}` within 0.5s; --timeout gives it longer\n",
        server.url("/robots.txt"),
        server.port
    );
    assert_eq!(run.stderr, silence);
    assert!(
        run.stdout
            .contains("  RFC 9309  closed: robots.txt unreachable; asked again at 2")
    );

    // A connection that ends in the middle.
    let server = Server::start(&[("/robots.txt", Served::Bytes(half))]);
    let run = server.fetch(&[]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(
        run.stderr
            .ends_with("the answer ended after 14 bytes, before it was whole\n"),
        "{run:?}"
    );
    assert!(
        run.stdout.contains("closed: robots.txt was cut short"),
        "{run:?}"
    );
}

#[test]
fn an_answer_that_is_none_has_a_sentence() {
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let run = robots(["fetch".to_owned(), format!("http://{closed}")]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr
            .ends_with(&format!("`{closed}` refuses connections\n")),
        "{run:?}"
    );

    let mail = Served::Bytes(b"220 mail.example.com ESMTP\r\n".to_vec());
    let server = Server::start(&[("/robots.txt", mail), ("", Served::Silence)]);
    let run = server.fetch(&[]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains(": no HTTP answer from `127.0.0.1:"),
        "{run:?}"
    );

    let plain = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = plain.local_addr().unwrap();
    thread::spawn(move || {
        for mut stream in plain.incoming().flatten() {
            let _ = stream.read(&mut [0; 512]);
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let run = robots(["fetch".to_owned(), format!("https://{address}")]);
    assert_eq!(run.code, 2);
    let sentence = format!(": no secure connection to `{address}`: ");
    assert!(run.stderr.contains(&sentence), "{run:?}");

    let run = robots(["fetch", "http://nowhere.invalid/"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("`nowhere.invalid`"), "{run:?}");
}

/// A host without a scheme is read as browsers read it. Nobody listens at the port.
#[test]
fn a_host_alone_is_asked_by_https() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap();
    drop(listener);
    let run = robots(["fetch", &format!("{host}/a?b")]);
    let note = format!("note: `{host}/a?b` has no scheme; asking https://{host}\n");
    assert!(run.stderr.starts_with(&note), "{run:?}");
    assert!(
        run.stdout
            .starts_with(&format!("https://{host}/robots.txt\n")),
        "{run:?}"
    );
    assert_eq!(run.code, 2);
}

#[test]
fn a_file_is_no_host() {
    for file in ["-", "./f.txt", "robots.txt", "javascript:1", "::1"] {
        let run = robots(["fetch", "--", file]);
        assert!(
            run.stderr.contains("does not begin with `https://`"),
            "{run:?}"
        );
        assert_eq!(run.code, 2);
    }
}

/// Bing publishes which group it obeys and that a site without a file is open, and nothing else.
#[test]
fn bing_is_shown_with_what_it_publishes() {
    let row = |answer: Served| {
        let server = Server::start(&[("/robots.txt", answer)]);
        let (_, document) = server.fetched(&[]);
        let text = server.fetch(&[]).stdout;
        let row = text
            .lines()
            .find_map(|line| line.strip_prefix("  Bing      "));
        (
            row.unwrap().to_owned(),
            document["sites"][0]["profiles"][3].clone(),
        )
    };
    for (file, group) in [
        ("User-agent: a\nDisallow: /", "no group is for bingbot"),
        (ROBOTS_TXT, "bingbot reads the group of `*` on line 1"),
        (
            "User-agent: *\nDisallow: /\n\nUser-agent: msnbot\nDisallow: /a",
            "bingbot reads the group of `msnbot` on line 4",
        ),
    ] {
        let (text, profile) = row(robots_txt_answer(file.as_bytes()));
        assert_eq!(text, format!("its rules decide: {group}"));
        assert_eq!(
            (&profile["profile"], &profile["access"]),
            (&json!("bing"), &json!("rules"))
        );
        assert_eq!(profile["explanation"], group);
    }
    let (text, profile) = row(status("404 Not Found"));
    assert_eq!(
        text,
        "everything is allowed: robots.txt answered with status 404"
    );
    assert_eq!(profile["access"], "everything");
    let (text, profile) = row(status("503 Service Unavailable"));
    assert_eq!(
        text,
        "unknown: Bing does not say what it makes of status 503"
    );
    assert_eq!(profile["access"], "unknown");
    assert_eq!(
        profile["cause"],
        "Bing does not say what it makes of status 503"
    );
}

#[test]
fn a_url_that_cannot_be_asked_has_a_sentence() {
    for (url, sentence) in [
        (
            "mailto:a@example.com",
            "error: `mailto:a@example.com` does not begin with `https://` or `http://`; write the whole URL, as in \
             `https://mailto:a@example.com`\n",
        ),
        (
            "ftp://example.com",
            "error: `ftp://example.com` has no robots.txt: its scheme is neither http nor https\n",
        ),
        (
            "http://",
            "error: `http://` is not a valid URL: it has no host\n",
        ),
        (
            "http://1.2.3.4.5/",
            "error: `http://1.2.3.4.5/` is not a valid URL: ",
        ),
    ] {
        let run = robots(["fetch", url]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{url}");
        assert!(run.stderr.starts_with(sentence), "{run:?}");
    }
    let run = robots(["fetch", ""]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("a URL is empty"), "{run:?}");
    for (option, sentence) in [
        ("--timeout=0", "give a number of seconds above 0"),
        ("--timeout=soon", "give a number of seconds above 0"),
        ("--user-agent=a\nb", "no line breaks"),
        ("--user-agent= ", "name yourself"),
    ] {
        let run = robots(["fetch", "http://127.0.0.1:1", option]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains(sentence), "{run:?}");
    }
}

/// A bad URL does not keep the others from an answer.
#[test]
fn several_sites_are_asked_each_once() {
    let (one, other) = (
        Server::with(ROBOTS_TXT.as_bytes()),
        Server::with(b"User-agent: *\n"),
    );
    let urls = [
        one.url("/x"),
        String::from("ftp://example.com"),
        other.url("/y"),
    ];
    let run = robots(["fetch"].into_iter().chain(urls.iter().map(String::as_str)));
    assert_eq!(run.code, 2);
    let titles = run.stdout.lines().filter(|line| line.starts_with("http"));
    assert_eq!(
        titles.collect::<Vec<_>>(),
        [one.url("/robots.txt"), other.url("/robots.txt")]
    );
    assert_eq!((one.requests().len(), other.requests().len()), (1, 1));
}

/// A redirect is the choice of a stranger: it must not make this machine ask its own network.
#[test]
fn a_redirect_to_another_private_address_is_refused() {
    let own = Server::with(ROBOTS_TXT.as_bytes());
    let target = format!("http://localhost:{}/robots.txt", own.port);
    let server = Server::start(&[("/robots.txt", redirect("http://10.255.255.1/robots.txt"))]);
    let run = server.fetch(&["--timeout", "20"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(
        run.stderr.ends_with("the redirect is not followed, as 10.255.255.1 is a private address; with --any-address it is\n"),
        "{run:?}"
    );
    assert!(
        run.stdout
            .contains("  –    http://10.255.255.1/robots.txt  "),
        "{run:?}"
    );

    // The user named this address himself, so a redirect by another name may lead to it too.
    let server = Server::start(&[("/robots.txt", redirect(&target))]);
    assert_eq!(server.fetch(&[]).code, 0);
    assert_eq!(own.requests().len(), 1);

    // A stranger chose this other loopback address.
    let target = format!("http://127.0.0.2:{}/robots.txt", own.port);
    let server = Server::start(&[("/robots.txt", redirect(&target))]);
    let run = server.fetch(&[]);
    assert!(
        run.stderr.contains("127.0.0.2 is a loopback address"),
        "{run:?}"
    );
    assert_eq!(own.requests().len(), 1);
}

#[test]
fn pages_are_checked_by_the_fetched_rules() {
    let server = Server::with(ROBOTS_TXT.as_bytes());
    let url = server.url("/private/x");
    let run = robots(["fetch", "--check", &url, "--agent", "ExampleBot"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    let answer = format!("\n\ndisallowed  {url}  line 2: Disallow: /private/  (wildcard group)\n");
    assert!(run.stdout.ends_with(&answer), "{}", run.stdout);

    let run = server.fetch(&["--check", "/", "--agent", "ExampleBot"]);
    assert_eq!(run.code, 0);
    let run = server.fetch(&["--check", "/", "--agent", "ExampleBot", "--agent", "GPTBot"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stdout.contains("GPTBot      disallowed (5)\n"),
        "{}",
        run.stdout
    );

    let run = server.fetch(&["--check", "/", "--agent", "ExampleBot/2"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("write `--agent ExampleBot`"), "{run:?}");
    let run = robots(["fetch", "--check", "/", "--agent", "ExampleBot"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("no site is named"), "{run:?}");
}

/// A page of a site that is down is closed, and one of a site without a robots.txt is open.
#[test]
fn pages_are_checked_by_the_status() {
    for (line, code, reason) in [
        (
            "404 Not Found",
            0,
            "allowed     /x  robots.txt answered with status 404\n",
        ),
        (
            "500 Oh",
            1,
            "disallowed  /x  robots.txt answered with status 500\n",
        ),
    ] {
        let server = Server::start(&[("/robots.txt", status(line))]);
        let run = server.fetch(&["--check", "/x", "--agent", "ExampleBot"]);
        assert_eq!(run.code, code, "{run:?}");
        assert!(run.stdout.ends_with(reason), "{}", run.stdout);
    }
}

#[test]
fn other_subcommands_speak_of_the_file() {
    let server = Server::with(b"User-agent: *\nDisalow: /a\nDisallow /b\n");
    let (run, document) = server.fetched(&["--lint", "--agents", "--check=/a", "--agent=A"]);
    assert_eq!(run.code, 1, "{run:?}");
    let site = &document["sites"][0];
    assert_eq!(site["check"][0]["results"][0]["line"], 2);
    assert_eq!(site["agents"][0]["agent"], "*");
    let codes: Vec<&str> = site["lint"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["code"].as_str().unwrap())
        .collect();
    assert!(
        codes.contains(&"misspelled-field") && codes.contains(&"missing-colon"),
        "{codes:?}"
    );

    let run = server.fetch(&["--lint", "--agents"]);
    assert!(
        run.stdout
            .contains(&format!("\n{}: ", server.url("/robots.txt"))),
        "{run:?}"
    );
    assert!(run.stdout.contains("may fetch"), "{run:?}");
    let (_, plain) = server.fetched(&[]);
    assert!(plain["sites"][0].get("lint").is_none());
}

#[test]
fn the_file_is_saved_for_other_subcommands() {
    let server = Server::with(ROBOTS_TXT.as_bytes());
    let target = scratch().join("fetched.robots.txt");
    let _ = fs::remove_file(&target);
    let run = server.fetch(&["-o", target.to_str().unwrap()]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(fs::read_to_string(&target).unwrap(), ROBOTS_TXT);
    // A file that is there is replaced.
    fs::write(&target, "old").unwrap();
    assert_eq!(server.fetch(&["-o", target.to_str().unwrap()]).code, 0);
    assert_eq!(fs::read_to_string(&target).unwrap(), ROBOTS_TXT);

    let run = server.fetch(&["--save", "-"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ROBOTS_TXT));

    // A missing folder is made, because its name says that it is a folder.
    let folder = scratch().join("fetched/");
    let _ = fs::remove_dir_all(&folder);
    let other = Server::with(b"User-agent: *\n");
    let urls = [server.url(""), other.url("")];
    let run = robots([
        "fetch",
        &urls[0],
        &urls[1],
        "-q",
        "-o",
        folder.to_str().unwrap(),
    ]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{run:?}");
    let name = format!("http_127.0.0.1_{}.robots.txt", other.port);
    assert_eq!(fs::read(folder.join(name)).unwrap(), b"User-agent: *\n");
    let one_file = file("one.robots.txt", "");
    let run = robots([
        "fetch",
        &urls[0],
        &urls[1],
        "-o",
        one_file.to_str().unwrap(),
    ]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("several sites cannot be saved as"),
        "{run:?}"
    );
}

/// An empty file in place of the answer would allow everything.
#[test]
fn an_answer_without_a_file_is_not_saved() {
    let server = Server::start(&[("/robots.txt", status("503 Service Unavailable"))]);
    let target = scratch().join("never.robots.txt");
    let run = server.fetch(&["-o", target.to_str().unwrap()]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("error: nothing is saved, as "),
        "{run:?}"
    );
    assert!(!target.exists());
    let run = server.fetch(&["-o", "-"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
}

#[test]
fn the_help_and_the_page_have_examples() {
    for width in ["40", "80", "200"] {
        let run = run(
            command().env("COLUMNS", width).args(["fetch", "--help"]),
            b"",
        );
        assert_eq!(run.code, 0);
        for part in [
            "Examples:\n  robots fetch https://",
            "Exit codes:\n  0  each site",
        ] {
            assert!(run.stdout.contains(part), "{}", run.stdout);
        }
        let most = width.parse::<usize>().unwrap().min(100);
        let too_long = run.stdout.lines().filter(|line| {
            let can_break = line.trim().contains(' ') && !line.contains("robots ");
            line.chars().count() > most && can_break
        });
        assert_eq!(too_long.collect::<Vec<_>>(), Vec::<&str>::new());
    }
    assert!(robots(["--help"]).stdout.contains("\n  fetch "));
    assert!(
        robots(["man", "fetch"])
            .stdout
            .contains(".TH robots-fetch 1")
    );
    assert!(
        robots(["completions", "bash"])
            .stdout
            .contains("--any-address")
    );
}

#[test]
fn hostile_answers_do_no_harm() {
    let fields = [
        "Content-Type: \x1b[31mred\u{9b}",
        "Cache-Control: max-age=99999999999999999999",
    ];
    let body = Served::Bytes(answer(
        "200 \x07",
        &fields,
        b"User-agent: \x1b]0;x\x07\nDisallow: /\xFF\n",
    ));
    let location = redirect("http://[::1/\u{1b}[2J");
    for server in [
        Server::start(&[("/robots.txt", body)]),
        Server::start(&[("/robots.txt", location)]),
        Server::start(&[("/robots.txt", redirect("file:///etc/passwd"))]),
        Server::start(&[("/robots.txt", redirect(""))]),
    ] {
        for options in [&["--lint", "--agents"][..], &["--json"]] {
            let run = server.fetch(options);
            assert!((0..=2).contains(&run.code), "{run:?}");
            assert!(!run.stderr.contains("panicked"), "{run:?}");
            for output in [&run.stdout, &run.stderr] {
                assert!(!output.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{run:?}");
            }
        }
    }
}
