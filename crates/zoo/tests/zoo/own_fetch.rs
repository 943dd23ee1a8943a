//! The policy's cache for crawlers with a client of their own: here with reqwest.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use polite_robots::Cause;
use polite_robots_policy::fetch::by_reqwest;
use polite_robots_policy::{RobotsCache, RobotsCheck};

use super::answer::Answer;
use super::crawl::runtime;
use super::server::{Ground, Site};

const RULES: &str = "User-agent: *\nDisallow: /private\n";

/// The answer of each host for its robots.txt, and the cause that closes the host; `None` if the
/// rules count. The redirect leads to the first host.
fn kinds(target: String) -> Vec<(Answer, Option<Cause>)> {
    let endless = [RULES, &"# again\n".repeat(80_000)].concat();
    vec![
        (Answer::ok(RULES), None),
        (Answer::redirect(301, target), None),
        (Answer::gzip(RULES.as_bytes()), None),
        (Answer::ok(endless), None),
        (Answer::status(500), Some(Cause::Status(500))),
        (
            Answer::status(503).retry_after(7_200),
            Some(Cause::Status(503)),
        ),
        (Answer::status(429), Some(Cause::Status(429))),
        (Answer::reset(), Some(Cause::Unreachable)),
        (Answer::ok(RULES).reset_inside(), Some(Cause::Truncated)),
        (Answer::ok(RULES).cut_to(9), Some(Cause::Truncated)),
        (Answer::not_http(), Some(Cause::Unreachable)),
        (Answer::ok(RULES).header("Content-Encoding", "gzip"), None),
        // These end by the time-out.
        (Answer::silent(), Some(Cause::Unreachable)),
        (Answer::ok(RULES).dripping(), Some(Cause::Unreachable)),
    ]
}

/// The number of hosts whose answers never end.
const ENDLESS: usize = 2;

#[test]
fn the_fetcher_for_reqwest_opens_nothing() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let ground = Ground::new(kinds(String::new()).len(), 0);
    let names = ground.names();
    let kinds = kinds(ground.url(&names[0], "/robots.txt"));
    let site = |(name, (answer, _)): (&String, &(Answer, _))| {
        (
            name.clone(),
            Site::default().on("/robots.txt", [answer.clone()]),
        )
    };
    let sites: HashMap<String, Site> = names.iter().zip(&kinds).map(site).collect();
    let zoo = ground.open(sites);
    let client = reqwest::Client::builder()
        .user_agent("ExampleBot/1.0 (+https://example.com/bot)")
        .redirect(reqwest::redirect::Policy::none())
        .dns_resolver(Arc::new(zoo.resolver()))
        .build()
        .unwrap();
    let patient = by_reqwest(client.clone(), Duration::from_secs(30));
    let hurried = by_reqwest(client, Duration::from_secs(1));
    let endless: Vec<String> = names[names.len() - ENDLESS..].to_vec();
    let robots = RobotsCache::new("ExampleBot", |url: String| {
        match endless.iter().any(|name| url.contains(name)) {
            true => hurried(url),
            false => patient(url),
        }
    });
    let robots = robots.unwrap();
    runtime().block_on(async {
        for (name, (answer, cause)) in names.iter().zip(&kinds) {
            let url = |path| zoo.url(name, path);
            // Several callers at once share the fetch.
            let pages = ["/page", "/private/a", "/"].map(url);
            let calls = pages.iter().map(|page| robots.check(page));
            let checks = futures_util::future::join_all(calls).await;
            let checks: Vec<RobotsCheck> = checks.into_iter().map(Result::unwrap).collect();
            let allowed: Vec<bool> = checks.iter().map(|check| check.allowed).collect();
            let is_open = cause.is_none();
            assert_eq!(allowed, [is_open, false, is_open], "{answer:?}: {checks:?}");
            assert!(
                checks.iter().all(|check| check.closed != is_open),
                "{answer:?}: {checks:?}"
            );
            assert_eq!(checks[0].cause, *cause, "{answer:?}: {checks:?}");
        }
    });
    let hits = zoo.hits();
    // Each host got one request, and the redirect led to one more.
    assert_eq!(hits.len(), names.len() + 1);
    for hit in hits {
        assert_eq!(hit.header("accept"), Some("text/plain, */*;q=0.1"));
        let agent = hit.header("user-agent");
        assert!(agent.is_some_and(|agent| agent.starts_with("ExampleBot/1.0 ")));
        assert_eq!(
            (hit.header("cookie"), hit.path.as_str()),
            (None, "/robots.txt")
        );
    }
}
