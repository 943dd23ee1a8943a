//! Sites in all kinds of trouble, on loopback, fetched with the fetcher for ureq.

use std::cell::RefCell;
use std::future::ready;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use polite_robots::Cause;
use polite_robots_policy::fetch::{BodyEnd, Fetched, by_ureq};
use polite_robots_policy::{Cache, NetError, RobotsCache, RobotsResponse, block_on};

use super::super::words::paced;
use super::server::{Reply, Server, response};
use super::{Clock, at, file};

/// The first label of the host says what is wrong with it.
fn reply(host: &str, path: &str) -> Reply {
    const RULES: &str =
        "User-agent: *\nDisallow: /private\nCrawl-delay: 3\nSitemap: http://s.test/s.xml\n";
    if path != "/robots.txt" {
        return response(200, "", "a page");
    }
    match host.split('.').next().unwrap() {
        "good" => response(200, "", RULES),
        "gone" => response(404, "", "<html>not here"),
        "error" => response(500, "Content-Type: text/html\r\n", "<html>We are sorry"),
        "busy" => response(503, "Retry-After: 7200\r\n", ""),
        "limited" => response(429, "Retry-After: 120\r\n", ""),
        "linkedin" => response(999, "", ""),
        "reset" => Reply::Reset,
        "silent" => Reply::Silence,
        "mail" => Reply::Bytes(b"220 mail ESMTP\r\n".to_vec()),
        "cut" => {
            Reply::Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nUser-agent: *\n".to_vec())
        }
        "endless" => {
            Reply::Endless(b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /\n\n".to_vec())
        }
        "gzip" => response(200, "Content-Encoding: gzip\r\n", gzip(RULES)),
        "gzip-unsaid" => response(200, "", gzip(RULES)),
        "gzip-untrue" => response(200, "Content-Encoding: gzip\r\n", RULES),
        "brotli" => response(200, "Content-Encoding: br\r\n", b"\x8B\x0C\x80User\x03"),
        "moved" => response(301, "Location: http://good.test/robots.txt\r\n", ""),
        "moved-down" => response(302, "Location: http://busy.test/robots.txt\r\n", ""),
        "moved-away" => response(302, "Location: ftp://good.test/robots.txt\r\n", ""),
        "moved-around" => response(302, "Location: /robots.txt\r\n", ""),
        "moved-nowhere" => response(302, "", ""),
        "moved-empty" => response(302, "Location: \r\n", ""),
        "moved-twice" => response(
            302,
            "Location: /robots.txt?1\r\nLocation: /robots.txt?2\r\n",
            "",
        ),
        "moved-joined" => response(302, "Location: /robots.txt?1, /robots.txt?2\r\n", ""),
        "part" => response(206, "Content-Range: bytes 0-9/90\r\n", "User-agent"),
        other => panic!("{other}"),
    }
}

/// The bytes of a gzip file with one block that is not compressed (RFC 1951 §3.2.4, RFC 1952).
fn gzip(text: &str) -> Vec<u8> {
    let len = u16::try_from(text.len()).unwrap();
    let mut crc = !0_u32;
    for byte in text.bytes() {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = crc >> 1 ^ [0, 0xEDB8_8320][crc as usize & 1];
        }
    }
    let mut file = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1];
    file.extend(len.to_le_bytes());
    file.extend((!len).to_le_bytes());
    file.extend(text.bytes());
    file.extend((!crc).to_le_bytes());
    file.extend(u32::from(len).to_le_bytes());
    file
}

#[test]
fn each_trouble_closes_its_site() {
    let server = Arc::new(Server::start(reply));
    let clock = Clock::new();
    let patient = by_ureq(agent(), Duration::from_secs(30));
    let hurried = by_ureq(agent(), Duration::from_millis(300));
    let served = Arc::clone(&server);
    let get = move |url: String| {
        let fetch = match url.contains("silent") {
            true => &hurried,
            false => &patient,
        };
        fetch(served.stand_in(&url))
    };
    let robots = RobotsCache::new("ExampleBot", get).unwrap();
    let robots = robots.with_clock(clock.read());
    // `None` is the early retry, after two to three seconds.
    let minutes = |minutes: u64| Some(at(clock.now() + minutes * 60_000));
    let early = at(clock.now() + 2_000)..at(clock.now() + 3_000);
    let unreachable = (Cause::Unreachable, None);
    for (host, (cause, retry_at)) in [
        ("error", (Cause::Status(500), None)),
        ("busy", (Cause::Status(503), minutes(120))),
        ("limited", (Cause::Status(429), minutes(5))),
        ("linkedin", (Cause::Status(999), minutes(5))),
        ("reset", unreachable),
        ("silent", unreachable),
        ("mail", unreachable),
        ("cut", (Cause::Truncated, None)),
        ("gzip-unsaid", (Cause::Encoded, minutes(5))),
        ("moved-empty", (Cause::Status(302), minutes(5))),
        ("moved-twice", (Cause::Status(302), minutes(5))),
        ("moved-joined", (Cause::Status(302), minutes(5))),
        ("part", (Cause::Status(206), minutes(5))),
        ("brotli", (Cause::Encoded, minutes(5))),
        ("moved-down", (Cause::Status(503), minutes(120))),
        ("moved-away", (Cause::Status(302), minutes(5))),
        ("moved-nowhere", (Cause::Status(302), minutes(5))),
    ] {
        let page = format!("http://{host}.test/page");
        let check = block_on(robots.check(&page)).unwrap();
        assert!(check.closed && !check.allowed, "{host}: {check:?}");
        assert_eq!((check.cause, check.line), (Some(cause), None), "{host}");
        let found = check.retry_at.unwrap();
        let is_then = retry_at.map_or(early.contains(&found), |retry_at| found == retry_at);
        assert!(is_then, "{host}: {found}");
        let expected = format!("disallowed: {cause}; next fetch: {found}");
        assert_eq!(check.to_string(), expected, "{host}");
        // No page is open, the second question asks nobody, and nothing else is known.
        for page in ["/", "/robots.txt", "/private"] {
            let page = format!("http://{host}.test{page}");
            assert!(!block_on(robots.allowed(&page)).unwrap(), "{page}");
        }
        assert_eq!(server.count(&format!("{host}.test")), 1, "{host}");
        assert_eq!(block_on(robots.crawl_delay(&page)).unwrap(), None);
        assert!(block_on(robots.sitemaps(&page)).unwrap().is_empty());
        let explained = block_on(robots.explain(&page)).unwrap();
        let expected = format!("disallowed: {cause}, unreachable since");
        assert!(explained.starts_with(&expected), "{explained}");
    }
}

/// The fetcher for ureq, and pages by the same client.
#[test]
fn a_client_that_blocks_crawls_a_site() {
    let server = Server::start(|_, path| match path {
        "/robots.txt" => response(200, "", "User-agent: *\nDisallow: /private\n"),
        "/old" => response(301, "Location: /private/new\r\n", ""),
        _ => response(200, "", "a page"),
    });
    let config = ureq::Agent::config_builder().max_redirects(0);
    let agent = config.build().new_agent();
    let fetch = by_ureq(agent.clone(), Duration::from_secs(30));
    let profile = paced(|pace| pace.min_delay = Duration::from_millis(20));
    let cache = Cache::new(profile, &["ExampleBot"], 1 << 20).unwrap();
    let robots = RobotsCache::over(cache, |url: String| fetch(server.stand_in(&url)));
    let fetched = RefCell::new(Vec::new());
    for path in ["/1", "/private/2", "/old", "/3"] {
        let mut url = format!("http://a.test{path}");
        // Each hop is a page of its own.
        loop {
            let permit = block_on(robots.wait(&url)).unwrap();
            if !permit.allowed {
                break;
            }
            fetched.borrow_mut().push(url.clone());
            match agent.get(&server.stand_in(&url)).call() {
                Ok(response) => {
                    let location = response.headers().get("Location").cloned();
                    permit.finish(response.status().as_u16(), response.headers());
                    let Some(location) = location else { break };
                    url = format!("http://a.test{}", location.to_str().unwrap());
                }
                Err(error) => permit.fail(error),
            }
        }
    }
    let paths: Vec<String> = server
        .requests()
        .into_iter()
        .map(|request| request.path)
        .collect();
    assert_eq!(paths, ["/robots.txt", "/1", "/old", "/3"]);
    assert_eq!(fetched.into_inner().len(), 3);
}

#[test]
fn a_site_without_trouble_has_its_rules() {
    let server = Arc::new(Server::start(reply));
    let robots = crawler(&server);
    for (host, is_open, line) in [
        ("good", true, None),
        ("gzip", true, None),
        ("gzip-untrue", true, None),
        ("moved", true, None),
        ("endless", false, Some(2)),
    ] {
        let page = |path: &str| format!("http://{host}.test{path}");
        let check = block_on(robots.check(&page("/page"))).unwrap();
        let found = (check.allowed, check.line, check.closed);
        assert_eq!(found, (is_open, line, false), "{check}");
        let private = block_on(robots.check(&page("/private"))).unwrap();
        let text = private.to_string();
        assert!(
            text.starts_with("disallowed by line 2: Disallow: /"),
            "{text}"
        );
        let found = (private.line, private.cause, private.retry_at);
        assert_eq!(found, (Some(2), None, None));
        assert_eq!(block_on(robots.allowed(&page("/page"))), Ok(is_open));
        if host != "endless" {
            let delay = block_on(robots.crawl_delay(&page("/"))).unwrap();
            assert_eq!(delay, Some(Duration::from_secs(3)), "{host}");
            let sitemaps = block_on(robots.sitemaps(&page("/"))).unwrap();
            assert_eq!(sitemaps, ["http://s.test/s.xml"]);
        }
        let explained = block_on(robots.explain(&page("/"))).unwrap();
        assert!(explained.starts_with("the rules of"), "{explained}");
    }
    // RFC 9309 §2.3.1.2: MAY assume that there is no file.
    for (host, cause) in [
        ("moved-around", Cause::TooManyRedirects),
        ("gone", Cause::Status(404)),
    ] {
        let check = block_on(robots.check(&format!("http://{host}.test/"))).unwrap();
        assert_eq!((check.allowed, check.cause), (true, Some(cause)));
    }
    assert_eq!(server.count("good.test"), 2, "its own, and that of `moved`");
    assert!(block_on(robots.check("mailto:me@good.test")).is_err());
    // A request for a robots.txt says who asks, and nothing of its user.
    for request in server.requests() {
        for field in [
            "user-agent: examplebot/1.0",
            "accept: text/plain, */*;q=0.1",
        ] {
            assert!(
                request.head.contains(&format!("\r\n{field}")),
                "{request:?}"
            );
        }
        assert!(!request.head.contains("\r\ncookie"), "{request:?}");
    }
}

fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder();
    let named = config.user_agent("ExampleBot/1.0 (+https://example.com/bot)");
    named.build().new_agent()
}

/// A crawler that fetches with the fetcher for ureq.
fn crawler(server: &Arc<Server>) -> RobotsCache<impl Fn(String) -> Fetched + use<>> {
    let fetch = by_ureq(agent(), Duration::from_secs(30));
    let server = Arc::clone(server);
    RobotsCache::new("ExampleBot", move |url: String| {
        fetch(server.stand_in(&url))
    })
    .unwrap()
}

/// A crawl of many hosts by some threads, judged by the requests that the server saw.
fn crawl(hosts: usize) {
    let server = Arc::new(Server::start(|host, path| {
        let number: usize = host[1..].trim_end_matches(".test").parse().unwrap();
        match (number % 4, path) {
            (0, _) => response(200, "", "User-agent: *\nDisallow: /b"),
            (1, "/robots.txt") => response(503, "", "User-agent: *\nAllow: /"),
            (2, "/robots.txt") => Reply::Reset,
            (3, "/robots.txt") => response(404, "", ""),
            _ => response(200, "", ""),
        }
    }));
    let (agent, robots) = (agent(), crawler(&server));
    thread::scope(|scope| {
        for offset in 0..8 {
            let (robots, server, agent) = (&robots, &server, &agent);
            // Two threads each ask about the same hosts at the same time.
            let own = (0..hosts).filter(move |host| host % 4 == offset / 2);
            scope.spawn(move || {
                for number in own {
                    for path in ["/a", "/b"] {
                        let url = format!("http://h{number}.test{path}");
                        if block_on(robots.allowed(&url)).unwrap() {
                            agent.get(server.stand_in(&url)).call().unwrap();
                        }
                    }
                }
            });
        }
    });
    let requests = server.requests();
    let is_open = |number: usize, path: &str| match number % 4 {
        0 => path == "/a",
        3 => true,
        _ => false,
    };
    let mut rounds = vec![0; hosts];
    for request in &requests {
        let number: usize = request.host[1..].trim_end_matches(".test").parse().unwrap();
        if request.path == "/robots.txt" {
            rounds[number] += 1;
        } else {
            assert!(is_open(number, &request.path), "{request:?}");
        }
    }
    assert!(rounds.iter().all(|rounds| *rounds == 1), "{rounds:?}");
    // Both threads fetched both pages that are open.
    let pages = (0..hosts).flat_map(|number| ["/a", "/b"].map(|path| is_open(number, path)));
    let pages = 2 * pages.filter(|is_open| *is_open).count();
    assert_eq!(requests.len(), hosts + pages);
}

#[test]
fn each_of_many_hosts_is_asked_once_and_none_is_opened() {
    crawl(200);
}

#[test]
#[ignore = "takes a minute without optimization; run it with --release"]
fn each_of_ten_thousand_hosts_is_asked_once_and_none_is_opened() {
    crawl(10_000);
}

/// The kind of a fault is that of the system's error, wherever that error is in the chain.
#[test]
fn an_error_of_a_client_has_the_kind_of_its_cause() {
    use std::io::{Error, ErrorKind};

    for (kind, expected) in [
        (ErrorKind::ConnectionRefused, NetError::Connect),
        (ErrorKind::TimedOut, NetError::Read),
        (ErrorKind::ConnectionReset, NetError::Reset),
        (ErrorKind::UnexpectedEof, NetError::Reset),
        (ErrorKind::NetworkDown, NetError::Local),
        (ErrorKind::NetworkUnreachable, NetError::Local),
        (ErrorKind::InvalidData, NetError::Other),
    ] {
        assert_eq!(NetError::from(Error::from(kind)), expected, "{kind:?}");
        let wrapped = Error::other(Error::other(Error::from(kind)));
        assert_eq!(NetError::of(&wrapped), expected, "{kind:?}");
    }
    assert_eq!(NetError::from(std::fmt::Error), NetError::Other);
    let no_descriptor = Error::from_raw_os_error(24);
    assert!(!cfg!(unix) || NetError::of(&no_descriptor) == NetError::Local);
}

/// The client reads no more than the limit, and a last line that was cut does not count.
#[test]
fn a_body_is_read_up_to_the_limit() {
    let filler = "# filler\n".repeat(RobotsResponse::READ_LIMIT / 9 - 1);
    let end = "x".repeat(100);
    let cut = format!("User-agent: *\nDisallow: /b\n{filler}Allow: /b/{end}");
    for len in [RobotsResponse::READ_LIMIT, cut.len()] {
        let body = cut[..len].to_owned();
        assert!(body.len() > 512_000);
        let robots = RobotsCache::new("ExampleBot", move |_| ready(file(&body))).unwrap();
        let is_open = |path| block_on(robots.allowed(&format!("http://long.test{path}")));
        assert_eq!(["/b/x", "/a"].map(is_open), [Ok(false), Ok(true)]);
    }
}

/// A client may pass on the part that came before the connection broke.
#[test]
fn a_part_of_a_body_opens_nothing() {
    let robots = RobotsCache::new("ExampleBot", |_| async {
        let response = RobotsResponse::new(200, [("Server", "suite")], "User-agent: *\nAllow: /");
        Ok(response.with_end(BodyEnd::CutShort))
    });
    let check = block_on(robots.unwrap().check("http://cut.test/")).unwrap();
    assert_eq!((check.closed, check.cause), (true, Some(Cause::Truncated)));
}
