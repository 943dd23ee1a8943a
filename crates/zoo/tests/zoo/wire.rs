//! Gives each answer of `testdata/wire.toml` to the client and to the ready fetchers.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use futures_util::StreamExt as _;
use polite_robots::Cause;
use polite_robots_client::{Egress, Error, PoliteClient};
use polite_robots_policy::fetch::{BoxedFetch, by_reqwest, by_ureq};
use polite_robots_policy::{
    NetError, RobotsCache, RobotsCheck, RobotsResponse, Timestamp, block_on,
};

use tokio::runtime::Runtime;

use super::wire_server::WireServer;
use super::wire_table::{Heard, shapes};

/// The time limit of each request. The seconds of the table are for this limit.
const LIMIT: Duration = Duration::from_secs(2);
#[test]
fn the_client_reads_what_is_on_the_wire() {
    let runtime = runtime();
    let _inside = runtime.enter();
    let client = PoliteClient::builder("ExampleBot")
        .egress(Egress::any())
        .robots_timeout(LIMIT)
        .build()
        .unwrap();
    judge("client", 1, &runtime, |origin| {
        let client = client.clone();
        async move {
            let answers = [
                client.get(&format!("{origin}/x")).await.map(drop),
                client.get(&format!("{origin}/private/x")).await.map(drop),
            ];
            let is_open = |answer: &Result<(), Error>| answer.is_ok();
            let (cause, retry) = match &answers[0] {
                Err(Error::Closed {
                    cause, retry_at, ..
                }) => (name(*cause), *retry_at),
                Err(error) => (error.to_string(), None),
                // The client gives no cause for pages that it may fetch.
                Ok(()) => (String::new(), None),
            };
            heard(answers.each_ref().map(is_open), cause, retry)
        }
    });
}

#[test]
fn a_cache_over_reqwest_reads_what_is_on_the_wire() {
    // The client's crate lets the program choose a TLS provider. For plain HTTP any will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let none = reqwest::redirect::Policy::none();
    let client = reqwest::Client::builder().redirect(none).build().unwrap();
    let robots = RobotsCache::new("ExampleBot", by_reqwest(client, LIMIT)).unwrap();
    let robots = Arc::new(robots);
    judge("reqwest", 2, &runtime(), |origin| {
        by_cache(Arc::clone(&robots), origin)
    });
}

#[test]
fn a_cache_over_ureq_reads_what_is_on_the_wire() {
    let fetch: Arc<BoxedFetch> = Arc::new(by_ureq(ureq::Agent::new_with_defaults(), LIMIT));
    // Each fetch has a thread, as it blocks.
    let robots = RobotsCache::new("ExampleBot", move |url| {
        let fetch = Arc::clone(&fetch);
        async move {
            let fetched = tokio::task::spawn_blocking(move || block_on(fetch(url)));
            fetched.await.unwrap()
        }
    });
    let robots = Arc::new(robots.unwrap());
    judge("ureq", 3, &runtime(), |origin| {
        by_cache(Arc::clone(&robots), origin)
    });
}

fn runtime() -> Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().unwrap()
}

async fn by_cache<F, R>(robots: Arc<RobotsCache<F>>, origin: String) -> Heard
where
    F: Fn(String) -> R,
    R: Future<Output = Result<RobotsResponse, NetError>>,
{
    let [open, private] = ["/x", "/private/x"].map(|path| format!("{origin}{path}"));
    let checks = [
        robots.check(&open).await.unwrap(),
        robots.check(&private).await.unwrap(),
    ];
    of_checks(&checks)
}

fn of_checks(checks: &[RobotsCheck; 2]) -> Heard {
    let [open, _] = checks;
    let cause = match open.cause {
        Some(cause) => name(cause),
        None if open.robot().rules().next().is_none() => String::from("no_rules"),
        None => String::new(),
    };
    heard(
        checks.each_ref().map(|check| check.allowed),
        cause,
        open.retry_at,
    )
}

fn heard(are_open: [bool; 2], cause: String, retry_at: Option<Timestamp>) -> Heard {
    Heard {
        access: match are_open {
            [true, true] => "open",
            [true, false] => "rules",
            [false, _] => "closed",
        }
        .into(),
        cause,
        retry: retry_at.map(|at| at.saturating_since(SystemTime::now().into()).as_secs_f64()),
        no_times: false,
        after: 0.0,
    }
}

fn name(cause: Cause) -> String {
    match cause {
        Cause::Status(status) => status.to_string(),
        Cause::Unreachable => "unreachable".into(),
        Cause::Truncated => "truncated".into(),
        Cause::Encoded => "encoded".into(),
        Cause::TooManyRedirects => "too_many_redirects".into(),
        other => other.to_string(),
    }
}

/// Asks about each shape, many at a time, and compares the results with the table.
fn judge<H, F>(client: &str, number: u8, runtime: &Runtime, hear: impl Fn(String) -> F)
where
    F: Future<Output = H> + Send + 'static,
    H: Into<Heard> + Send,
{
    let shapes = Arc::new(shapes());
    assert!(shapes.len() >= 250, "{}", shapes.len());
    let server = WireServer::start(Arc::clone(&shapes));
    let asked = (0..shapes.len()).map(|shape| {
        let hearing = hear(server.origin(number, shape));
        async move {
            let begun = Instant::now();
            let heard = hearing.await.into();
            Heard {
                after: begun.elapsed().as_secs_f64(),
                ..heard
            }
        }
    });
    let heard: Vec<Heard> =
        runtime.block_on(futures_util::stream::iter(asked).buffered(64).collect());
    let wrong = shapes
        .iter()
        .zip(&heard)
        .filter_map(|(shape, heard)| shape.fault(client, heard));
    let wrong: Vec<String> = wrong.collect();
    println!(
        "wire: {} answers by {client}, {} wrong",
        shapes.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}
