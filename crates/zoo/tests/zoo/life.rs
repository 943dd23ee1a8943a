//! The lifetimes of hosts and turns, in paused time, and mostly without a server, as a permit sends
//! nothing.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use polite_robots_client::store::MemoryStore;
use polite_robots_client::{Error, HostRule, Permit, PoliteClient, PoliteClientBuilder};
use polite_robots_policy::settings::Obedience;
use polite_robots_policy::{NetError, Profile};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

/// A client that asks no host for robots.txt.
fn client() -> PoliteClientBuilder {
    let rule = HostRule::new().obedience(Obedience::Ignore);
    PoliteClient::builder("ExampleBot")
        .host("*", rule)
        .max_wait(Duration::from_secs(30 * 3600))
}

fn url(host: usize) -> String {
    format!("https://h{host}.example/")
}

/// Polls a future once.
async fn poll_once<F: Future>(mut future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await
}

async fn visit(client: &PoliteClient, host: usize) {
    client.permit(&url(host)).await.unwrap().finish(200, None);
}

#[tokio::test(start_paused = true)]
async fn the_capacity_of_a_host_is_by_its_gap() {
    let rule = HostRule::new().min_delay(Duration::from_secs(10));
    let client = client().host("slow.example", rule).build().unwrap();
    let minute = Duration::from_secs(60);
    // One page comes at once, and one after each gap.
    for (host, pages) in [("h0.example", 60..=61), ("slow.example", 6..=7)] {
        let capacity = client.capacity(host, minute).await.unwrap();
        assert!(pages.contains(&capacity), "{host}: {capacity}");
    }
    let error = client.capacity("no host", minute).await.unwrap_err();
    assert!(matches!(error, Error::InvalidUrl(_)), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_nobody_uses_goes_to_the_next() {
    let client = client().max_in_flight(1).build().unwrap();
    let start = Instant::now();
    let mut forgotten = pin!(client.permit("https://h0.example/"));
    assert!(poll_once(forgotten.as_mut()).await.is_pending());
    // The driver grants the turn, and nobody polls the call.
    sleep(Duration::from_millis(10)).await;
    assert_eq!(client.metrics().in_flight, 1);
    // One of these calls waits for the same host.
    for host in [1, 0, 2] {
        visit(&client, host).await;
    }
    let waited = start.elapsed();
    assert!(waited >= Duration::from_secs(10), "{waited:?}");
    assert!(waited < Duration::from_secs(12), "{waited:?}");
    assert_eq!(client.metrics().expired, 1);

    // The forgotten call sends nothing with the turn that it has lost. It gets another turn at
    // once, as nobody else wants the host.
    sleep(Duration::from_secs(2)).await;
    let Poll::Ready(permit) = poll_once(forgotten.as_mut()).await else {
        panic!("the host is free")
    };
    assert_eq!(client.metrics().in_flight, 1);
    permit.unwrap().finish(200, None);
    let metrics = client.metrics();
    assert_eq!(
        (metrics.in_flight, metrics.cancelled),
        (0, 0),
        "{metrics:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_late_caller_keeps_the_gap_of_its_host() {
    let client = client().build().unwrap();
    let mut late = pin!(client.permit("https://h0.example/"));
    assert!(poll_once(late.as_mut()).await.is_pending());
    sleep(Duration::from_secs(11)).await;
    visit(&client, 0).await;
    let ended = Instant::now();
    // A turn from before that request would be too early.
    assert!(poll_once(late.as_mut()).await.is_pending());
    late.await.unwrap().finish(200, None);
    assert!(ended.elapsed() >= Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_request_that_never_ends_loses_its_place() {
    let client = client().max_in_flight(2).build().unwrap();
    // Hosts that have answered before may take all places.
    for host in [0, 1, 2] {
        visit(&client, host).await;
    }
    let start = Instant::now();
    let held: [Permit; 2] = [
        client.permit(&url(0)).await.unwrap(),
        client.permit(&url(1)).await.unwrap(),
    ];
    for host in [2, 0] {
        visit(&client, host).await;
    }
    let lease = Profile::rfc9309().pace.request_lease;
    let waited = start.elapsed();
    assert!(waited >= lease, "{waited:?}");
    assert!(waited < lease + Duration::from_secs(5), "{waited:?}");
    assert_eq!(client.metrics().in_flight, 0);
    // The late ends of these requests take no place from others, but their results count for their
    // hosts.
    for permit in held {
        permit.finish(503, None);
    }
    assert_eq!(client.metrics().in_flight, 0);
    let begun = Instant::now();
    visit(&client, 1).await;
    visit(&client, 1).await;
    assert!(begun.elapsed() >= Duration::from_secs(4), "a 503 counts");
}

/// Crawls with `workers` workers, and returns the most hosts that the client knew at once.
async fn crawl(client: &PoliteClient, hosts: usize, workers: usize) -> usize {
    let (next, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let mut set = JoinSet::new();
    for _ in 0..workers {
        let (client, next, most) = (client.clone(), Arc::clone(&next), Arc::clone(&most));
        set.spawn(async move {
            loop {
                let host = next.fetch_add(1, Ordering::Relaxed);
                if host >= hosts {
                    break;
                }
                let permit = client.permit(&url(host)).await.unwrap();
                sleep(Duration::from_secs(1)).await;
                match host % 100 {
                    0 => permit.finish(503, None),
                    1 => permit.fail(NetError::Connect),
                    _ => permit.finish(200, None),
                }
                if host.is_multiple_of(100) {
                    most.fetch_max(client.metrics().hosts, Ordering::Relaxed);
                }
            }
        });
    }
    while let Some(done) = set.join_next().await {
        done.unwrap();
    }
    most.load(Ordering::Relaxed)
}

/// At 100 hosts a second, the client knows the hosts of the last two minutes and those with
/// something to remember.
#[tokio::test(start_paused = true)]
async fn hosts_that_say_nothing_are_forgotten() {
    const HOSTS: usize = 100_000;
    let client = client().max_in_flight(100).build().unwrap();
    let most = crawl(&client, HOSTS, 100).await;
    let remembered = HOSTS / 50;
    assert!(most > 6_000, "{most} hosts");
    assert!(most < 100 * 125 + remembered, "{most} hosts");
    sleep(Duration::from_secs(300)).await;
    assert_eq!(client.metrics().hosts, remembered);
}

/// With a store, the client forgets every host, and each comes back with its pace.
#[tokio::test(start_paused = true)]
async fn a_host_comes_back_with_its_pace() {
    let store = Arc::new(MemoryStore::new());
    let client = client().store(Arc::clone(&store)).build().unwrap();
    assert!(crawl(&client, 1_000, 10).await <= 1_000);
    sleep(Duration::from_secs(300)).await;
    let metrics = client.metrics();
    assert_eq!(metrics.hosts, 0, "{metrics:?}");
    assert_eq!(store.len(), 1_000);
    let gap = async |host: usize| {
        visit(&client, host).await;
        let ended = Instant::now();
        visit(&client, host).await;
        ended.elapsed()
    };
    // After a 503 the gap is four times as long.
    assert!(gap(100).await >= Duration::from_secs(4));
    assert!(gap(102).await < Duration::from_secs(2));
}

/// A host that is known already gets the back-off level that arrives with it.
#[tokio::test(start_paused = true)]
async fn a_host_that_is_taken_over_keeps_its_level() {
    let [old, new] = [(), ()].map(|()| client().build().unwrap());
    visit(&new, 0).await;
    old.permit(&url(0)).await.unwrap().finish(429, None);
    let state = old.hand_over(&url(0)).await.unwrap();
    new.take_over(state).await.unwrap();
    visit(&new, 0).await;
    let ended = Instant::now();
    visit(&new, 0).await;
    let waited = ended.elapsed();
    assert!(waited >= Duration::from_secs(4), "{waited:?}");
}

#[tokio::test(start_paused = true)]
async fn a_visit_is_saved_within_a_second() {
    let store = Arc::new(MemoryStore::new());
    let client = client().store(Arc::clone(&store)).build().unwrap();
    for host in 0..3 {
        visit(&client, host).await;
        sleep(Duration::from_secs(1)).await;
        assert_eq!(store.len(), host + 1);
    }
}

/// A block is remembered without a store too.
#[tokio::test(start_paused = true)]
async fn a_block_outlives_silence() {
    use polite_robots_policy::RetryAfter;

    let client = client().build().unwrap();
    let hour = Duration::from_secs(3_600);
    let permit = client.permit(&url(0)).await.unwrap();
    permit.finish(429, Some(RetryAfter::Delay(hour)));
    let ended = Instant::now();
    sleep(Duration::from_secs(1_800)).await;
    assert_eq!(client.metrics().hosts, 1);
    let early = timeout(Duration::from_secs(1_000), client.permit(&url(0))).await;
    assert!(early.is_err());
    visit(&client, 0).await;
    assert!(ended.elapsed() >= hour);
}
