//! Retries, each in a turn of its host, as the judge sees them.

use std::collections::HashMap;
use std::time::Duration;

use polite_robots_client::{Egress, Error, PoliteClient, Profile, Request, Response};
use polite_robots_policy::settings::{Backoff, Levels};

use super::answer::Answer;
use super::judge::Judge;
use super::kinds::RULES;
use super::server::{Ground, Site, Zoo};

fn profile() -> Profile {
    let mut profile = Profile::rfc9309();
    profile.pace.min_delay = Duration::from_millis(100);
    profile.pace.backoff = Backoff::Levels(Levels::with_base(Duration::from_millis(50)));
    profile
}

fn client(zoo: &Zoo, retries: u32) -> PoliteClient {
    PoliteClient::builder("ExampleBot")
        .contact("https://example.com/bot", "bot@example.com")
        .profile(profile())
        .egress(Egress::any())
        .resolver(zoo.resolver())
        .max_wait(Duration::from_secs(30))
        .retries(retries)
        .build()
        .unwrap()
}

/// A zoo in which the page `/a` of each host gives these answers, one after the other.
fn zoo(pages: &[&[Answer]]) -> (Vec<String>, Zoo) {
    let ground = Ground::new(pages.len(), 0);
    let names = ground.names();
    let sites: HashMap<String, Site> = names
        .iter()
        .zip(pages)
        .map(|(name, answers)| {
            let site = Site::default().on("/robots.txt", [Answer::ok(RULES)]);
            (name.clone(), site.on("/a", answers.to_vec()))
        })
        .collect();
    let urls = names.iter().map(|name| ground.url(name, "/a")).collect();
    (urls, ground.open(sites))
}

/// The number of requests for the page of each host. Asserts that the judge finds no violation.
fn asked(zoo: &Zoo, hosts: usize) -> Vec<usize> {
    let hits = zoo.hits();
    let violations = Judge::of_crawl(profile(), "ExampleBot").violations(&hits);
    let violations: Vec<String> = violations.iter().map(ToString::to_string).collect();
    assert!(violations.is_empty(), "{violations:#?}");
    let asked = |host: usize| {
        let name = format!("h{:04}.test", host + 1);
        let hits = hits.iter();
        hits.filter(|hit| hit.host == name && hit.path == "/a")
            .count()
    };
    (0..hosts).map(asked).collect()
}

fn outline(result: Result<Response, Error>) -> Option<(u16, u32)> {
    let response = result.ok()?;
    Some((response.status().as_u16(), response.retries()))
}

#[tokio::test]
async fn each_retry_has_a_turn_of_its_own() {
    let ok = Answer::ok("a");
    let busy = Answer::status(503);
    let wait = Answer::status(429).retry_after(2);
    let (urls, zoo) = zoo(&[
        &[wait.clone(), busy.clone(), ok.clone()],
        &[Answer::reset(), Answer::empty(), ok.clone()],
        std::slice::from_ref(&busy),
        // The server asks for far more than the longest wait, so the caller has the answer at once.
        &[Answer::status(429).retry_after(3_600), ok.clone()],
        // A retry would give these statuses again.
        &[Answer::status(404), ok.clone()],
        &[Answer::status(500), ok],
    ]);
    let client = client(&zoo, 3);
    let outlines = urls
        .iter()
        .map(|url| async { outline(client.get(url).await) });
    let outlines = futures_util::future::join_all(outlines).await;
    let expected = [
        Some((200, 2)),
        Some((200, 2)),
        Some((503, 3)),
        Some((429, 0)),
        Some((404, 0)),
        Some((500, 0)),
    ];
    assert_eq!(outlines, expected);
    assert_eq!(asked(&zoo, urls.len()), [3, 3, 4, 1, 1, 1]);
    assert_eq!(client.metrics().retries, 7);
}

#[tokio::test]
async fn a_body_that_the_caller_has_is_not_asked_for_again() {
    let (urls, zoo) = zoo(&[&[Answer::ok("a page").cut_to(3), Answer::ok("a page")]]);
    let client = client(&zoo, 3);
    let page = client.get(&urls[0]).await.unwrap();
    assert!(matches!(page.bytes().await, Err(Error::Http(_))));
    assert_eq!(asked(&zoo, 1), [1]);
}

#[tokio::test]
async fn only_what_may_be_repeated_is() {
    let answers = || [Answer::status(503), Answer::ok("a")];
    let (urls, zoo) = zoo(&[&answers(), &answers(), &answers()]);
    let patient = client(&zoo, 3);
    let post = Request::new(http::Method::POST, &urls[0]).unwrap();
    assert_eq!(outline(patient.request(post).await), Some((503, 0)));
    let head = Request::new(http::Method::HEAD, &urls[1]).unwrap();
    assert_eq!(outline(patient.request(head).await), Some((200, 1)));
    // Without retries, as by default, there is one request.
    assert_eq!(outline(client(&zoo, 0).get(&urls[2]).await), Some((503, 0)));
    assert_eq!(asked(&zoo, 3), [1, 2, 1]);
}
