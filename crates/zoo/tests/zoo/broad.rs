//! The loop of the README in paused time: over very many sites of one page, and over very many
//! pages of one site.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use polite_robots_client::{Egress, Error, PoliteClient};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// The time that an answer takes.
const TIME: Duration = Duration::from_millis(200);

/// The step of the clock. The crawl can be late by one step.
const STEP: Duration = Duration::from_millis(20);

/// The size of a robots.txt, as on popular sites.
const FILE: usize = 3_800;

/// Gives each host an address of its own in 127/8, by its number.
struct Numbered;

impl Resolve for Numbered {
    fn resolve(&self, name: Name) -> Resolving {
        let number = name
            .as_str()
            .trim_matches(|letter: char| !letter.is_ascii_digit());
        let number: u32 = number.parse().unwrap();
        let address = Ipv4Addr::from_bits(Ipv4Addr::LOCALHOST.to_bits() + number);
        let addresses: Addrs = Box::new([SocketAddr::new(IpAddr::V4(address), 0)].into_iter());
        Box::pin(async { Ok(addresses) })
    }
}

/// Starts a server of all hosts and returns its port.
fn serve(time: Duration) -> u16 {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("0.0.0.0:0".parse().unwrap()).unwrap();
    // One connection for each place may arrive at once; the default backlog is 128.
    let listener = socket.listen(1_024).unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            tokio::spawn(connection(stream, time));
        }
    });
    port
}

async fn connection(mut stream: TcpStream, time: Duration) {
    let mut head = Vec::new();
    while matches!(stream.read_buf(&mut head).await, Ok(1..)) {
        if !head.ends_with(b"\r\n\r\n") {
            continue;
        }
        let text = String::from_utf8_lossy(&head);
        let host = text.lines().find_map(|line| line.strip_prefix("host: "));
        let body = match text.starts_with("GET /robots.txt ") {
            true => {
                // Each site has a different file.
                let line = format!("Disallow: /private/path/of/{}\n", host.unwrap());
                format!("User-agent: *\n{}", line.repeat(FILE / line.len()))
            }
            false => "a page".to_owned(),
        };
        head.clear();
        if time > Duration::ZERO {
            // A timer of tokio fires a millisecond late.
            tokio::time::sleep(time - Duration::from_millis(1)).await;
        }
        let length = body.len();
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}");
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// Advances the clock in steps until the task ends. After each step it gives the sockets the time
/// that they need.
async fn go_on<T: 'static>(mut task: JoinSet<T>) -> T {
    let runtime = Handle::current().metrics();
    loop {
        tokio::time::advance(STEP).await;
        let mut quiet = 0;
        while quiet < 2 {
            // An idle runtime parks once, until the pause ends.
            let before = runtime.worker_park_count(0);
            let pause = || std::thread::sleep(Duration::from_millis(1));
            tokio::task::spawn_blocking(pause).await.unwrap();
            quiet = match runtime.worker_park_count(0) - before {
                1 => quiet + 1,
                _ => 0,
            };
        }
        if let Some(ended) = task.try_join_next() {
            return ended.unwrap();
        }
    }
}

/// The loop of the README.
async fn fetch(client: PoliteClient, url: String) -> (String, Result<usize, Error>) {
    loop {
        let page = async { Ok(client.get(&url).await?.bytes().await?.len()) }.await;
        match &page {
            // The host has many pages, and this page gets its turn later.
            Err(error @ Error::Busy { .. }) if error.retry_in().is_some() => {
                tokio::time::sleep(error.retry_in().unwrap_or_default()).await;
            }
            _ => return (url, page),
        }
    }
}

/// The greatest memory of the process so far, in MB.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.unwrap().trim().trim_end_matches(" kB");
    peak.parse::<usize>().unwrap() / 1_000
}

/// Crawls all URLs at once, and returns the number of pages.
async fn crawl(client: PoliteClient, urls: impl Iterator<Item = String>) -> usize {
    let mut fetches = JoinSet::new();
    for url in urls {
        fetches.spawn(fetch(client.clone(), url));
    }
    let mut pages = 0;
    while let Some(page) = fetches.join_next().await {
        assert_eq!(page.unwrap().1.unwrap(), 6);
        pages += 1;
    }
    pages
}

/// Crawls new sites of one page, and returns the number of sites in a second of the clock.
fn new_sites(sites: usize) -> f64 {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .max_blocking_threads(1_000)
        .build()
        .unwrap();
    runtime.block_on(async {
        let port = serve(TIME);
        let client = PoliteClient::builder("ExampleBot")
            .broad()
            .egress(Egress::any())
            .resolver(Numbered)
            .build()
            .unwrap();
        let begun = Instant::now();
        let urls = (0..sites).map(move |site| format!("http://h{site}.test:{port}/page"));
        let mut task = JoinSet::new();
        task.spawn(crawl(client.clone(), urls));
        let watched = client.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let begun = std::time::Instant::now();
            println!("{}: in {:.1?}", watched.progress(), begun.elapsed());
        });
        assert_eq!(go_on(task).await, sites);
        let took = begun.elapsed();
        let metrics = client.metrics();
        let each = sites as u64;
        assert_eq!((metrics.robots_requests, metrics.pages), (each, each));
        println!("{sites} sites in {took:.1?}, {} MB at most", peak());
        sites as f64 / took.as_secs_f64()
    })
}

/// 448 places and 200 ms for each of two answers allow at most 1,120 sites a second.
#[test]
fn a_broad_crawl_takes_a_thousand_new_sites_a_second() {
    // The last second and a half are the gap of the last sites and their answers.
    assert!(new_sites(2_000) >= 2_000.0 / 3.5);
}

#[test]
#[ignore = "takes minutes; run it with --release"]
fn so_do_a_hundred_thousand_sites_in_two_gigabytes() {
    let each_second = new_sites(100_000);
    println!("{each_second:.0} sites a second");
    assert!(each_second >= 1_000.0);
    assert!(peak() <= 2_000, "{} MB", peak());
}

#[tokio::test(start_paused = true)]
async fn a_thousand_urls_of_one_host_are_a_thousand_pages() {
    let port = serve(Duration::ZERO);
    let client = PoliteClient::builder("ExampleBot")
        .egress(Egress::any())
        .resolver(Numbered)
        .build()
        .unwrap();
    let begun = Instant::now();
    let urls = (0..1_000).map(|page| format!("http://h1.test:{port}/{page}"));
    assert_eq!(crawl(client.clone(), urls).await, 1_000);
    let metrics = client.metrics();
    assert_eq!((metrics.robots_requests, metrics.pages), (1, 1_000));
    println!("{:.0?}", begun.elapsed());
}

#[test]
fn the_loop_is_the_one_of_the_readme() {
    let (_, from) = include_str!("../../../client/README.md")
        .split_once(NAME)
        .unwrap();
    let (body, _) = from.split_once("\n}\n").unwrap();
    assert!(include_str!("broad.rs").contains(&format!("{NAME}{body}")));
}

const NAME: &str = "async fn fetch(";
