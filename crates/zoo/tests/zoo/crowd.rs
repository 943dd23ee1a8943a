//! Many hostile hosts beside good ones, over sockets, in paused time.
//!
//! The client holds a paused clock while a request is on the wire, so that loopback takes no time;
//! but then an answer that drips for ten minutes would never end. Here the test advances the clock
//! in steps, and gives the sockets time between them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use polite_robots_client::network::StaticResolver;
use polite_robots_client::{Egress, PoliteClient};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

const GOOD: usize = 40;

/// The time that an answer of a good host takes.
const TIME: Duration = Duration::from_millis(100);

/// The ways in which a host is hostile.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// Its robots.txt comes a byte a second.
    Drips,
    /// Its pages come a byte a second.
    DripsPages,
    /// It sends nothing.
    Silent,
    /// It closes the connection without an answer.
    Closes,
    /// Each answer redirects to another name, without end.
    Redirects,
    /// Its robots.txt has 500 kB and asks for a gap of five minutes.
    Big,
    /// It asks for a day between two requests.
    Waits,
    /// Its robots.txt is an error that lasts a day.
    Fails,
    /// Its robots.txt announces a content coding but is plain text.
    Undecodable,
    /// Its answers are shorter than their announced length, and the connection stays open.
    Lies,
    /// Its pages take 12 seconds, as large files do.
    Large,
}

const WAYS: &[Way] = &[
    Way::Drips,
    Way::DripsPages,
    Way::Silent,
    Way::Closes,
    Way::Redirects,
    Way::Big,
    Way::Waits,
    Way::Fails,
    Way::Undecodable,
    Way::Lies,
    Way::Large,
];

/// The pages of each good host, and when they were asked for.
type Pages = Arc<Mutex<HashMap<String, Vec<Instant>>>>;

async fn serve(listener: TcpListener, pages: Pages) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(connection(stream, Arc::clone(&pages)));
    }
}

async fn connection(mut stream: TcpStream, pages: Pages) {
    let mut head = Vec::new();
    while matches!(stream.read_buf(&mut head).await, Ok(1..)) {
        if !head.ends_with(b"\r\n\r\n") {
            continue;
        }
        let text = String::from_utf8_lossy(&head).into_owned();
        head.clear();
        let path = text.split(' ').nth(1).unwrap();
        let host = text.lines().find_map(|line| line.strip_prefix("host: "));
        let host = host.unwrap().split('.').next().unwrap();
        let is_robots = path == "/robots.txt";
        let is_open = match host
            .strip_prefix("way")
            .map(|way| way.split('x').next().unwrap())
        {
            Some(way) => {
                let way = WAYS[way.parse::<usize>().unwrap() % WAYS.len()];
                misbehave(&mut stream, way, is_robots).await
            }
            None => {
                if !is_robots {
                    let mut pages = pages.lock().unwrap();
                    pages
                        .entry(host.to_owned())
                        .or_default()
                        .push(Instant::now());
                }
                sleep(TIME).await;
                send(&mut stream, "200 OK", "", "a page").await
            }
        };
        if !is_open {
            return;
        }
    }
}

/// Sends an answer, and returns whether the connection is still open.
async fn send(stream: &mut TcpStream, status: &str, fields: &str, body: &str) -> bool {
    let length = body.len();
    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{fields}\r\n{body}");
    stream.write_all(answer.as_bytes()).await.is_ok()
}

/// Sends a byte a second until the client hangs up.
async fn drip(stream: &mut TcpStream) -> bool {
    let (mut read, mut write) = stream.split();
    let drips = async {
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n";
        let _ = write.write_all(head).await;
        while write.write_all(b"#").await.is_ok() {
            sleep(Duration::from_secs(1)).await;
        }
    };
    let mut nothing = [0];
    tokio::select! {
        _ = read.read(&mut nothing) => {}
        () = drips => {}
    }
    false
}

async fn misbehave(stream: &mut TcpStream, way: Way, is_robots: bool) -> bool {
    match (way, is_robots) {
        (Way::Drips, true) | (Way::DripsPages, false) => drip(stream).await,
        (Way::Silent, _) => {
            let _ = stream.read(&mut [0]).await;
            false
        }
        (Way::Closes, _) => false,
        (Way::Redirects, _) => {
            let number = NAMES.fetch_add(1, Ordering::Relaxed);
            let port = stream.local_addr().unwrap().port();
            let way = WAYS.len() * (number % ENDLESS) + 4;
            let place = format!("Location: http://way{way}x.crowd.test:{port}/{number}\r\n");
            send(stream, "302 Found", &place, "").await
        }
        (Way::Big, true) => {
            let file = format!(
                "User-agent: *\nCrawl-delay: 301\n{}",
                "Disallow: /private\n".repeat(26_000)
            );
            send(stream, "200 OK", "", &file).await
        }
        (Way::Waits, true) => {
            let file = "User-agent: *\nCrawl-delay: 86400\n";
            send(stream, "200 OK", "", file).await
        }
        (Way::Fails, true) => send(stream, "503 Unavailable", "Retry-After: 86400\r\n", "").await,
        (Way::Undecodable, true) => {
            let coding = "Content-Encoding: br\r\n";
            send(stream, "200 OK", coding, "User-agent: *\nAllow: /\n").await
        }
        (Way::Lies, _) => {
            let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nUser-agent: *\n";
            let _ = stream.write_all(answer).await;
            let _ = stream.read(&mut [0]).await;
            false
        }
        (Way::Large, false) => {
            sleep(Duration::from_secs(12)).await;
            send(stream, "200 OK", "", "a large page").await
        }
        _ => {
            sleep(TIME).await;
            send(stream, "200 OK", "", "").await
        }
    }
}

static NAMES: AtomicUsize = AtomicUsize::new(0);

/// The number of names to which hostile hosts redirect. There are more names than places.
const ENDLESS: usize = 300;

/// Advances the clock in steps of 50 ms, and gives the sockets a millisecond after each.
async fn go_on(time: Duration) {
    let step = Duration::from_millis(50);
    let end = Instant::now() + time;
    while Instant::now() < end {
        tokio::time::advance(step).await;
        let pause = || std::thread::sleep(Duration::from_millis(1));
        tokio::task::spawn_blocking(pause).await.unwrap();
    }
}

/// A worker of one host, which asks for the next page when it has the last one.
async fn visit(client: PoliteClient, site: String) {
    for page in 0_u64.. {
        match client.get(&format!("{site}/{page}")).await {
            Ok(page) => drop(page.bytes().await),
            Err(error) => {
                let wait = error.retry_in().unwrap_or(Duration::from_secs(5));
                sleep(wait.clamp(Duration::from_secs(1), Duration::from_secs(60))).await;
            }
        }
    }
}

/// Returns the seconds until each good host had its first page, and the number of pages of the good
/// hosts from the fifth minute on.
fn crawl(hostile: usize, places: usize, minutes: u64) -> (u64, usize) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .max_blocking_threads(4 * places.max(32))
        .build()
        .unwrap();
    let (first, count) = runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let pages = Pages::default();
        tokio::spawn(serve(listener, Arc::clone(&pages)));
        let good = (0..GOOD).map(|number| format!("good{number}.test"));
        // Half of the hostile names belong to one owner.
        let bad = (0..hostile).map(|number| match number % 2 {
            0 => format!("way{number}x.crowd.test"),
            _ => format!("way{number}x.own{number}.test"),
        });
        let endless =
            (0..ENDLESS).map(|number| format!("way{}x.crowd.test", WAYS.len() * number + 4));
        // The good hosts come last.
        let names: Vec<String> = bad.chain(good).collect();
        let resolver = names.iter().cloned().chain(endless);
        let resolver = resolver.fold(StaticResolver::new(), |resolver, name| {
            resolver.host(&name, [address.ip()])
        });
        let client = PoliteClient::builder("ExampleBot")
            .egress(Egress::any())
            .resolver(resolver)
            .max_in_flight(places)
            .build()
            .unwrap();
        let begun = Instant::now();
        let mut workers = JoinSet::new();
        for name in names {
            let site = format!("http://{name}:{}", address.port());
            workers.spawn(visit(client.clone(), site));
        }
        go_on(Duration::from_secs(60 * minutes)).await;
        workers.shutdown().await;
        let pages = pages.lock().unwrap();
        assert_eq!(pages.len(), GOOD);
        let first = pages.values().map(|pages| pages[0] - begun).max();
        let late = |page: &&Instant| **page - begun >= Duration::from_secs(300);
        let count = pages.values().flatten().filter(late).count();
        (first.unwrap().as_secs(), count)
    });
    println!(
        "{hostile} hostile hosts, {places} places: first pages within {first} s, then {count} in {} minutes",
        minutes - 5
    );
    (first, count)
}

/// With `ZOO_TIMES=10` the test counts for an hour, with more hostile hosts, and with places enough
/// for 4,000.
#[test]
fn a_crowd_of_hostile_hosts_holds_no_good_one_up() {
    let is_long = std::env::var("ZOO_TIMES").is_ok_and(|times| times != "1");
    let minutes = if is_long { 65 } else { 7 };
    let crowds: &[(usize, usize)] = match is_long {
        true => &[(40, 32), (400, 32), (4_000, 256)],
        false => &[(400, 32)],
    };
    let (_, alone) = crawl(0, 32, minutes);
    for (hostile, places) in crowds {
        let (first, count) = crawl(*hostile, *places, minutes);
        assert!(first <= 60 || *hostile > 400, "{first} s");
        assert!(count * 10 >= alone * 9, "{count} of {alone}");
    }
}
