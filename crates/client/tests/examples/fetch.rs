//! Tests of the example `polite_fetch`, which fetches some pages.

use std::net::Ipv4Addr;
use std::process::Output;
use std::time::Duration;

use super::answer::Answer;
use super::program::{example, run};
use super::server::{Log, Site};
use super::zoo;

fn fetch(urls: &[String]) -> Output {
    run(example("polite_fetch")
        .args(["--network", "127.0.0.0/8"])
        .args(urls))
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn site(last: u8, log: &Log, robots_txt: Answer) -> Site {
    Site::start(Ipv4Addr::new(127, 0, 3, last), log).on("/robots.txt", [robots_txt])
}

const MIN_DELAY: Duration = Duration::from_secs(1);

#[test]
fn it_obeys_whatever_comes_for_robots_txt() {
    let log = Log::default();
    let exhibits = zoo::exhibits(&log);
    let urls: Vec<String> = exhibits.iter().flat_map(|exhibit| exhibit.urls()).collect();
    fetch(&urls);
    for exhibit in &exhibits {
        exhibit.assert_obeyed_in_any_order();
    }
    log.assert_polite(MIN_DELAY, &[]);
}

#[test]
fn it_says_for_each_url_what_decided_and_what_came() {
    let log = Log::default();
    let site = site(1, &log, Answer::ok("User-agent: *\nDisallow: /private"))
        .on("/a", [Answer::ok("12345")])
        .on("/b", [Answer::redirect(301, "/there")])
        .on("/c", [Answer::redirect(301, "/private")]);
    let urls = ["/a", "/private", "/b", "/c", "/gone"].map(|path| site.url(path));
    let output = fetch(&urls);
    let [a, private, b, c, gone] = urls;
    let robots_url = site.url("/robots.txt");
    let allowed = "allowed: no rule matches in the wildcard group on line 1";
    let disallowed =
        format!("{private} is disallowed by line 2 of {robots_url}: Disallow: /private");
    assert_eq!(
        text(&output),
        format!(
            "{a}\n    200 OK, 5 bytes, {allowed}\n\
             {private}\n    {disallowed}\n\
             {b}\n    404 Not Found, 0 bytes, {allowed}\n\
             {c}\n    {disallowed} (redirected from {c})\n\
             {gone}\n    404 Not Found, 0 bytes, {allowed}\n"
        )
    );
    // Two pages were not fetched.
    assert_eq!(output.status.code(), Some(1));
    let mut paths = site.paths();
    assert_eq!(paths.remove(0), "/robots.txt");
    paths.sort_unstable();
    assert_eq!(paths, ["/a", "/b", "/c", "/gone", "/there"]);
    log.assert_polite(MIN_DELAY, &[]);
}

#[test]
fn it_leaves_the_site_alone_for_as_long_as_it_asks() {
    let log = Log::default();
    let date = Answer::status(503).retry_after_date(Duration::from_secs(10));
    let busy = [Answer::status(429).retry_after(10), date];
    let sites = [1, 2].map(|last| site(last, &log, Answer::status(404)));
    let urls = sites
        .clone()
        .into_iter()
        .zip(busy)
        .map(|(site, busy)| site.on("/busy", [busy, Answer::ok("")]).url("/busy"));
    let output = fetch(&urls.collect::<Vec<_>>());
    assert!(output.status.success(), "{output:?}");
    for site in sites {
        assert_eq!(site.paths(), ["/robots.txt", "/busy", "/busy"]);
    }
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

/// Each site asks for an hour, which the test would not wait for.
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
        assert_eq!(output.matches(why).count(), 2, "{output}");
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
    let site = site(65, &log, Answer::redirect(301, inner.url("/rules.txt")));
    let network = ["--network", "127.0.3.64/26"];
    run(example("polite_fetch")
        .args(network)
        .args([site.url("/"), inner.url("/")]));
    assert_eq!(inner.paths(), Vec::<String>::new());
    assert_eq!(site.paths(), ["/robots.txt"]);
}
