//! `polite_fetch`: one site.

use std::net::Ipv4Addr;
use std::process::Output;
use std::thread;
use std::time::Duration;

use super::answer::Answer;
use super::program::{TIMEOUT, example, run};
use super::server::{Log, Site};
use super::zoo;

fn fetch(urls: &[String]) -> Output {
    run(example("polite_fetch")
        .args(["--min-delay", "100ms", "--timeout", TIMEOUT])
        .args(urls))
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn site(last: u8, log: &Log, robots_txt: Answer) -> Site {
    Site::start(Ipv4Addr::new(127, 0, 3, last), log).on("/robots.txt", [robots_txt])
}

const MIN_DELAY: Duration = Duration::from_millis(100);

#[test]
fn it_obeys_whatever_comes_for_robots_txt() {
    let log = Log::default();
    let exhibits = zoo::exhibits(&log);
    // Not all at once: each is a process.
    for some in exhibits.chunks(12) {
        thread::scope(|scope| {
            for exhibit in some {
                scope.spawn(|| fetch(&exhibit.urls()));
            }
        });
    }
    for exhibit in &exhibits {
        exhibit.assert_obeyed();
    }
    log.assert_polite(MIN_DELAY, &[]);
}

#[test]
fn it_takes_silence_for_an_outage() {
    let log = Log::default();
    let site = site(9, &log, Answer::silence());
    zoo::meet_silence(&site, |urls| {
        run(example("polite_fetch")
            .args(["--min-delay", "100ms", "--timeout", "1s"])
            .args(urls))
    });
}

#[test]
fn it_says_for_each_url_what_decided_and_what_came() {
    let log = Log::default();
    let site = site(1, &log, Answer::ok("User-agent: *\nDisallow: /private"))
        .on("/a", [Answer::ok("12345")])
        .on("/b", [Answer::redirect(301, "https://example.com/")]);
    let urls = ["/a", "/private", "/b", "/gone"].map(|path| site.url(path));
    let output = fetch(&urls);
    let [a, private, b, gone] = urls;
    assert_eq!(
        text(&output),
        format!(
            "{a}\n    allowed: no rule matches in the wildcard group on line 1\n    200, 5 bytes (Complete)\n\
             {private}\n    disallowed by line 2: Disallow: /private in the wildcard group on line 1\n\
             {b}\n    allowed: no rule matches in the wildcard group on line 1\n    301, 0 bytes (Complete)\n    \
             leads to https://example.com/\n\
             {gone}\n    allowed: no rule matches in the wildcard group on line 1\n    404, 0 bytes (Complete)\n"
        )
    );
    // One page was not fetched.
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(site.paths(), ["/robots.txt", "/a", "/b", "/gone"]);
}

#[test]
fn it_leaves_the_site_alone_for_as_long_as_it_asks() {
    let log = Log::default();
    let busy = [
        Answer::status(429).retry_after(1),
        Answer::status(503).retry_after_date(Duration::from_secs(1)),
        Answer::ok(""),
    ];
    let site = site(1, &log, Answer::status(404)).on("/busy", busy);
    let output = fetch(&[site.url("/busy")]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(site.paths(), ["/robots.txt", "/busy", "/busy", "/busy"]);
    log.assert_polite(MIN_DELAY, &[]);
}

#[test]
fn it_keeps_the_crawl_delay_from_robots_txt_on() {
    let log = Log::default();
    let site = site(1, &log, Answer::ok("User-agent: *\nCrawl-delay: 1"));
    fetch(&[site.url("/a"), site.url("/b")]);
    assert_eq!(site.paths(), ["/robots.txt", "/a", "/b"]);
    log.assert_polite(
        MIN_DELAY,
        &[(Ipv4Addr::new(127, 0, 3, 1), Duration::from_secs(1))],
    );
}

/// An hour each, which the test would not wait for.
#[test]
fn it_does_not_wait_to_say_that_a_page_is_disallowed() {
    let log = Log::default();
    for (last, robots_txt, why) in [
        (
            1,
            Answer::ok("User-agent: *\nCrawl-delay: 3600\nDisallow: /"),
            "by line 3",
        ),
        (2, Answer::status(503).retry_after(3600), "status 503"),
    ] {
        let site = site(last, &log, robots_txt);
        let output = text(&fetch(&[site.url("/a"), site.url("/b")]));
        let verdicts = output.lines().filter(|line| line.contains("disallowed"));
        assert_eq!(
            verdicts.filter(|line| line.contains(why)).count(),
            2,
            "{output}"
        );
        assert_eq!(site.paths(), ["/robots.txt"]);
    }
}

/// RFC 9309 §2.3.1.2. Another port is another origin.
#[test]
fn rules_behind_a_redirect_count_for_the_site_that_was_asked() {
    let log = Log::default();
    let second = site(1, &log, Answer::ok("")).on(
        "/rules.txt",
        [Answer::ok("User-agent: *\nDisallow: /private")],
    );
    let first = site(1, &log, Answer::redirect(301, second.url("/rules.txt")));
    fetch(&[first.url("/private"), first.url("/")]);
    assert_eq!(first.paths(), ["/robots.txt", "/"]);
    assert_eq!(second.paths(), ["/rules.txt"]);
    log.assert_polite(MIN_DELAY, &[]);
}

#[test]
fn a_redirect_does_not_lead_into_the_own_network() {
    let log = Log::default();
    let inner = site(2, &log, Answer::ok("")).on("/rules.txt", [Answer::ok("")]);
    let site = site(1, &log, Answer::redirect(301, inner.url("/rules.txt")));
    fetch(&[site.url("/")]);
    assert_eq!(inner.paths(), Vec::<String>::new());
    assert_eq!(site.paths(), ["/robots.txt"]);
}

#[test]
fn a_second_site_is_refused_before_anything_is_asked() {
    let log = Log::default();
    let [first, second] = [1, 2].map(|last| site(last, &log, Answer::ok("")));
    let output = fetch(&[first.url("/"), second.url("/")]);
    assert!(!output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains(&second.url("")) && error.contains("polite_crawler"),
        "{error}"
    );
    assert!(log.all().is_empty());
}
