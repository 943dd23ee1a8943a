//! The progress of a crawl: the hosts with waiting pages, and the cause of each wait. Most tests
//! run in paused time and without a server, as a permit sends nothing.

use std::time::Duration;

use polite_robots_client::hosts::Groups;
use polite_robots_client::network::StaticResolver;
use polite_robots_client::progress::{WaitCause, WaitingHost};
use polite_robots_client::{Egress, HostRule, PoliteClient, PoliteClientBuilder};
use polite_robots_policy::RetryAfter;
use polite_robots_policy::settings::Obedience;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// A client that asks no host for robots.txt.
fn client() -> PoliteClientBuilder {
    let rule = HostRule::new().obedience(Obedience::Ignore);
    PoliteClient::builder("ExampleBot").host("*", rule)
}

/// Starts calls that wait, and that end with the set.
fn call(client: &PoliteClient, calls: &mut JoinSet<()>, urls: &[&str]) {
    for url in urls {
        let (client, url) = (client.clone(), (*url).to_owned());
        calls.spawn(async move {
            let permit = client.permit(&url).await;
            std::future::pending::<()>().await;
            drop(permit);
        });
    }
}

/// The hosts that wait after a moment, by name. Asserts that the summary adds them up.
async fn waiting(client: &PoliteClient) -> Vec<(String, usize, WaitCause)> {
    sleep(Duration::from_millis(10)).await;
    let mut hosts: Vec<WaitingHost> = client.hosts().collect();
    hosts.sort_by(|one, other| one.host.cmp(&other.host));
    let progress = client.progress();
    assert_eq!(progress.hosts, hosts.len());
    assert_eq!(
        progress.pages,
        hosts.iter().map(|host| host.pages).sum::<usize>()
    );
    let turns = hosts.iter().filter_map(|host| host.next_turn);
    assert_eq!(progress.next_turn, turns.min());
    assert_eq!(progress.in_flight, client.metrics().in_flight);
    let hosts = hosts.into_iter();
    hosts
        .map(|host| (host.host, host.pages, host.cause))
        .collect()
}

fn named(host: &str, pages: usize, cause: WaitCause) -> (String, usize, WaitCause) {
    (host.to_owned(), pages, cause)
}

#[tokio::test(start_paused = true)]
async fn pages_wait_for_a_request_a_place_a_gap_and_a_back_off() {
    let client = client().max_in_flight(1).build().unwrap();
    assert_eq!(waiting(&client).await, []);
    let held = client.permit("https://a.example/1").await.unwrap();
    let mut calls = JoinSet::new();
    let urls = [
        "https://a.example/2",
        "http://a.example/3",
        "https://b.example/1",
    ];
    call(&client, &mut calls, &urls);
    let expected = [
        named("a.example", 2, WaitCause::Request),
        named("b.example", 1, WaitCause::Place),
    ];
    assert_eq!(waiting(&client).await, expected);
    held.finish(200, None);
    // The other host has the place now.
    assert_eq!(
        waiting(&client).await,
        [named("a.example", 2, WaitCause::Gap)]
    );
    drop(calls);
    assert_eq!(waiting(&client).await, []);

    sleep(Duration::from_secs(2)).await;
    let refused = client.permit("https://a.example/4").await.unwrap();
    refused.finish(429, RetryAfter::parse("120"));
    let mut calls = JoinSet::new();
    call(&client, &mut calls, &["https://a.example/5"]);
    assert_eq!(
        waiting(&client).await,
        [named("a.example", 1, WaitCause::Backoff)]
    );
    let text = client.hosts().next().unwrap().to_string();
    assert!(
        text.starts_with("a.example: 1 pages wait for its back-off, next turn in 1"),
        "{text}"
    );
    let text = client.progress().to_string();
    assert!(
        text.starts_with("0 in flight, 1 pages wait for 1 hosts, 0 sites closed, next"),
        "{text}"
    );
}

#[tokio::test(start_paused = true)]
async fn pages_wait_for_their_address() {
    let address = "198.51.100.7".parse().unwrap();
    let names = ["a.example", "b.example"];
    let names = names
        .into_iter()
        .fold(StaticResolver::new(), |names, name| {
            names.host(name, [address])
        });
    let client = client().egress(Egress::any()).resolver(names);
    let client = client.groups(Groups::by_address(&[])).build().unwrap();
    let held = client.permit("https://a.example/").await.unwrap();
    let mut calls = JoinSet::new();
    call(&client, &mut calls, &["https://b.example/"]);
    assert_eq!(
        waiting(&client).await,
        [named("b.example", 1, WaitCause::Address)]
    );
    // The starts of a group are three to six seconds apart.
    sleep(Duration::from_millis(2_900)).await;
    assert_eq!(client.progress().pages, 1);
    sleep(Duration::from_millis(3_200)).await;
    assert_eq!(client.progress().pages, 0);
    drop(held);
}

/// The test runs by the real clock, as a paused one stands still until the answer comes.
#[tokio::test]
async fn pages_wait_for_robots_txt_and_for_memory_and_sites_are_closed() {
    // The server takes connections and answers none.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = silent.local_addr().unwrap().port();
    let closed = {
        let unused = TcpListener::bind("127.0.0.1:0").await.unwrap();
        unused.local_addr().unwrap().port()
    };
    let client = PoliteClient::builder("ExampleBot").egress(Egress::any());
    // The memory is enough for the fetch of one robots.txt.
    let client = client.robots_capacity(5_500).build().unwrap();
    let outage = client.check(&format!("http://127.0.0.3:{closed}/")).await;
    assert!(outage.is_err());
    assert_eq!(client.progress().closed, 1);
    let mut calls = JoinSet::new();
    for host in [1, 2] {
        call(
            &client,
            &mut calls,
            &[&format!("http://127.0.0.{host}:{port}/")],
        );
        tokio::task::yield_now().await;
    }
    loop {
        sleep(Duration::from_millis(10)).await;
        let mut causes: Vec<WaitCause> = client.hosts().map(|host| host.cause).collect();
        causes.sort_unstable();
        if causes == [WaitCause::Memory, WaitCause::RobotsTxt] {
            break;
        }
    }
}
