//! Servers that try to hold, to mislead or to overload the client, byte for byte.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use polite_robots_client::error::RedirectProblem;
use polite_robots_client::network::StaticResolver;
use polite_robots_client::{Egress, Error, PoliteClient, PoliteClientBuilder};
use polite_robots_policy::Profile;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

/// The paths that a server was asked for, and when each request began and ended.
type Seen = Arc<Mutex<Vec<(String, Instant, Option<Instant>)>>>;

/// Starts a server whose robots.txt is `robots` and whose pages are written by `page`.
async fn server<F>(robots: &'static str, page: fn(String, TcpStream) -> F) -> (SocketAddr, Seen)
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let seen = Seen::default();
    let log = Arc::clone(&seen);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let log = Arc::clone(&log);
            tokio::spawn(async move {
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    if !matches!(stream.read_buf(&mut head).await, Ok(1..)) {
                        return;
                    }
                }
                let head = String::from_utf8_lossy(&head).into_owned();
                let path = head.split(' ').nth(1).unwrap().to_owned();
                let number = {
                    let mut log = log.lock().unwrap();
                    log.push((path.clone(), Instant::now(), None));
                    log.len() - 1
                };
                if path == "/robots.txt" {
                    let answer = format!(
                        "HTTP/1.1 200 OK\r\nCache-Control: max-age=0\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{robots}",
                        robots.len()
                    );
                    stream.write_all(answer.as_bytes()).await.unwrap();
                    drop(stream);
                } else {
                    page(path, stream).await;
                }
                log.lock().unwrap()[number].2 = Some(Instant::now());
            });
        }
    });
    (address, seen)
}

fn profile() -> Profile {
    let mut profile = Profile::rfc9309();
    profile.pace.min_delay = Duration::from_millis(300);
    profile
}

fn client(address: SocketAddr) -> PoliteClientBuilder {
    PoliteClient::builder("ExampleBot")
        .egress(Egress::any())
        .resolver(StaticResolver::new().host("a.test", [address.ip()]))
        .profile(profile())
        .max_wait(Duration::from_secs(60))
}

async fn drip_head(_: String, stream: TcpStream) {
    drip(stream, b"HTTP/1.1 200 OK\r\nX: ", b"x").await;
}

async fn drip_body(_: String, stream: TcpStream) {
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n";
    drip(stream, head, b"x").await;
}

async fn interim(_: String, stream: TcpStream) {
    let hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
    drip(stream, b"", hints).await;
}

/// Sends `start`, and then repeats `drop` until the client hangs up, which the server sees at once.
async fn drip(mut stream: TcpStream, start: &[u8], drop: &[u8]) {
    let (mut read, mut write) = stream.split();
    let drips = async {
        let _ = write.write_all(start).await;
        while write.write_all(drop).await.is_ok() {
            sleep(Duration::from_millis(5)).await;
        }
    };
    let mut nothing = [0];
    tokio::select! {
        _ = read.read(&mut nothing) => {}
        () = drips => {}
    }
}

async fn redirects(path: String, mut stream: TcpStream) {
    let location = match path.as_str() {
        "/fragment" => "/fragment#x",
        "/credentials" => "//u:p@a.test:PORT/credentials",
        "/to-secret" => "/secret#x",
        _ => "",
    };
    let port = stream.local_addr().unwrap().port().to_string();
    let location = location.replace("PORT", &port);
    let answer = if location.is_empty() {
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx".to_owned()
    } else {
        format!(
            "HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
    };
    stream.write_all(answer.as_bytes()).await.unwrap();
}

/// Makes two calls for a page that never ends. Each call ends at its time limit, and the server
/// never has two requests at once.
async fn assert_held_by_nobody<F>(page: fn(String, TcpStream) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let (address, seen) = server("", page).await;
    let mut profile = profile();
    // A request for robots.txt has no more time either.
    profile.pace.request_lease = Duration::from_secs(4);
    let client = client(address).profile(profile).build().unwrap();
    let url = format!("http://a.test:{}/a", address.port());
    let read = || async { client.get(&url).await?.bytes().await };
    let both = async { tokio::join!(read(), read()) };
    let (first, second) = timeout(Duration::from_secs(60), both).await.unwrap();
    for result in [first, second] {
        assert!(matches!(result, Err(Error::Overdue { .. })), "{result:?}");
    }
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 3, "{seen:?}");
    for two in seen.windows(2) {
        assert!(two[0].2.unwrap() < two[1].1, "{seen:?}");
    }
    assert_eq!(client.metrics().in_flight, 0);
}

#[tokio::test]
async fn a_head_that_never_ends_holds_nobody() {
    assert_held_by_nobody(drip_head).await;
}

#[tokio::test]
async fn a_body_that_never_ends_holds_nobody() {
    assert_held_by_nobody(drip_body).await;
}

#[tokio::test]
async fn interim_responses_without_end_hold_nobody() {
    assert_held_by_nobody(interim).await;
}

/// More pages drip than there are places, and a site that has not been asked yet still gets its
/// page.
#[tokio::test]
async fn pages_that_drip_hold_no_places() {
    const DRIPPING: usize = 6;

    let (good, _) = server("", redirects).await;
    let (bad, _) = server("", drip_body).await;
    let resolver = (0..DRIPPING).fold(StaticResolver::new(), |resolver, number| {
        resolver.host(&format!("bad{number}.test"), [bad.ip()])
    });
    let client = client(good)
        .resolver(resolver.host("a.test", [good.ip()]))
        .max_in_flight(4)
        .build()
        .unwrap();
    let drips: Vec<_> = (0..DRIPPING)
        .map(|number| {
            let (client, port) = (client.clone(), bad.port());
            tokio::spawn(async move {
                let url = format!("http://bad{number}.test:{port}/a");
                client.get(&url).await?.bytes().await
            })
        })
        .collect();
    // The dripping pages have the places by then.
    sleep(Duration::from_secs(2)).await;
    let url = format!("http://a.test:{}/a", good.port());
    let page = timeout(Duration::from_secs(40), client.get(&url)).await;
    assert_eq!(page.unwrap().unwrap().status(), 200);
    assert!(client.metrics().gave_way > 0);
    let mut crowded = 0;
    for drip in drips {
        if drip.is_finished() {
            let result = drip.await.unwrap();
            assert!(matches!(result, Err(Error::Crowded { .. })), "{result:?}");
            crowded += 1;
        } else {
            drip.abort();
        }
    }
    assert!(crowded > 0);
}

#[tokio::test]
async fn a_redirect_to_the_same_page_in_disguise_is_a_loop() {
    let (address, seen) = server("User-agent: *\nDisallow: /secret$", redirects).await;
    let client = client(address).build().unwrap();
    for path in ["/fragment", "/credentials"] {
        let url = format!("http://a.test:{}{path}", address.port());
        let error = client.get(&url).await.unwrap_err();
        assert!(
            matches!(
                error,
                Error::Redirect {
                    why: RedirectProblem::Loop,
                    ..
                }
            ),
            "{error}"
        );
    }
    let url = format!("http://a.test:{}/to-secret", address.port());
    let error = client.get(&url).await.unwrap_err();
    assert!(matches!(error, Error::Disallowed(_)), "{error}");
    let seen = seen.lock().unwrap();
    let paths: Vec<&str> = seen.iter().map(|(path, ..)| path.as_str()).collect();
    assert_eq!(
        paths,
        ["/robots.txt", "/fragment", "/credentials", "/to-secret"]
    );
}

#[tokio::test]
async fn the_longest_waits_are_no_panic() {
    let (address, _) = server("", redirects).await;
    let client = client(address)
        .max_wait(Duration::MAX)
        .robots_timeout(Duration::MAX)
        .build()
        .unwrap();
    let url = format!("http://a.test:{}/a", address.port());
    assert_eq!(client.get(&url).await.unwrap().status(), 200);
    assert!(client.check(&url).await.unwrap().is_allowed());
    client.permit(&url).await.unwrap().finish(200, None);
    assert!(client.capacity("a.test", Duration::MAX).await.unwrap() > 0);
}

/// The gap is longer than the lifetime of robots.txt, so that the rules are out of date in each
/// turn.
///
/// Time is paused: a caller that comes back late would find robots.txt out of date and ask for it
/// again.
#[tokio::test(start_paused = true)]
async fn a_gap_beyond_the_lifetime_of_robots_txt_leaves_turns_for_pages() {
    let (address, seen) = server("User-agent: *\nCrawl-delay: 1", redirects).await;
    let mut profile = Profile::rfc9309();
    profile.pace.min_delay = Duration::from_millis(10);
    profile.access.min_ttl = Duration::from_millis(100);
    for (number, wait) in [20_000, 500].into_iter().enumerate() {
        let client = client_with_wait(address, profile, Duration::from_millis(wait));
        for page in 0..2 {
            let url = format!("http://a.test:{}/{number}/{page}", address.port());
            let begun = tokio::time::Instant::now();
            // A caller that should come back later also tries in between.
            while let Err(error) = client.get(&url).await {
                assert!(matches!(error, Error::Busy { .. }), "{error}");
                assert!(
                    begun.elapsed() < Duration::from_secs(6),
                    "{:?}",
                    seen.lock()
                );
                sleep(Duration::from_millis(250)).await;
            }
        }
    }
    let seen = seen.lock().unwrap();
    let rounds = seen.iter().filter(|(path, ..)| path == "/robots.txt");
    // There is at most one round for each page.
    assert!(rounds.count() <= 4, "{seen:?}");
}

fn client_with_wait(address: SocketAddr, profile: Profile, wait: Duration) -> PoliteClient {
    let client = client(address).profile(profile).max_wait(wait);
    client.build().unwrap()
}
