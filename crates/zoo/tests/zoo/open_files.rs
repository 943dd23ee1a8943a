//! The connections that a crawl of many sites leaves open.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use polite_robots_client::error::BusyReason;
use polite_robots_client::network::{StaticResolver, net_error};
use polite_robots_client::{Egress, Error, PoliteClient, PoliteClientBuilder, Response};
use polite_robots_policy::Profile;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

const SITES: usize = 700;
const PLACES: usize = 32;
const IDLE: usize = 256;
const MANY_SITES: usize = 3_000;

/// The number of connections that are open at a server of all hosts, and the most so far.
#[derive(Clone, Default)]
struct Open {
    now: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

/// A server that keeps each connection open for as long as the client likes.
async fn serve(listener: TcpListener, open: Open) {
    while let Ok((mut stream, _)) = listener.accept().await {
        let open = open.clone();
        let now = open.now.fetch_add(1, Ordering::SeqCst) + 1;
        open.most.fetch_max(now, Ordering::SeqCst);
        tokio::spawn(async move {
            let mut head = Vec::new();
            while matches!(stream.read_buf(&mut head).await, Ok(1..)) {
                if head.ends_with(b"\r\n\r\n") {
                    let is_last = head.windows(17).any(|part| part == b"connection: close");
                    head.clear();
                    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
                    if stream.write_all(answer).await.is_err() || is_last {
                        break;
                    }
                }
            }
            open.now.fetch_sub(1, Ordering::SeqCst);
        });
    }
}

/// A client of `sites` sites at the server, with a gap of a moment for each host.
fn client(sites: usize, address: IpAddr) -> PoliteClientBuilder {
    let mut names = StaticResolver::new();
    for site in 0..sites {
        names = names.host(&format!("h{site}.test"), [address]);
    }
    let mut profile = Profile::rfc9309();
    profile.pace.min_delay = Duration::from_millis(10);
    PoliteClient::builder("ExampleBot")
        .egress(Egress::any())
        .resolver(names)
        .profile(profile)
}

/// Retries a request that gave way to others, as all requests are slow on a busy machine.
async fn fetch(client: PoliteClient, url: String) -> Result<Response, Error> {
    loop {
        match client.get(&url).await {
            Err(Error::Crowded { .. }) => {}
            Err(
                error @ Error::Busy {
                    why: BusyReason::Crowded,
                    ..
                },
            ) => tokio::time::sleep(error.retry_in().unwrap_or_default()).await,
            page => return page,
        }
    }
}

/// Without a limit, 700 connections were open in this crawl; a process may often open 1,024 files.
#[tokio::test(flavor = "multi_thread")]
async fn a_crawl_of_many_sites_keeps_few_connections() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let open = Open::default();
    tokio::spawn(serve(listener, open.clone()));
    let client = client(SITES, address.ip());
    let client = client.max_in_flight(PLACES).max_idle(IDLE).build().unwrap();
    let mut pages = JoinSet::new();
    for site in 0..SITES {
        let client = client.clone();
        let url = format!("http://h{site}.test:{}/page", address.port());
        pages.spawn(async move { fetch(client, url).await.map(|response| response.status()) });
    }
    while let Some(page) = pages.join_next().await {
        assert_eq!(page.unwrap().unwrap(), 200);
    }
    // A connection that the client has closed may be open here for a moment longer.
    let most = open.most.load(Ordering::SeqCst);
    println!("{most} connections at a time");
    assert!(most <= IDLE + 3 * PLACES, "{most} connections at a time");
}

/// Crawls in a process of its own that may open `files` files, and returns its report.
async fn crawl_with(files: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(listener, Open::default()));
    let script =
        format!("ulimit -n {files} && exec \"$0\" --exact {CRAWLER} --ignored --nocapture");
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg(script);
    shell.arg(std::env::current_exe().unwrap());
    shell.env("OPEN_FILES_SERVER", address.to_string());
    let run = move || shell.output().unwrap();
    let output = tokio::task::spawn_blocking(run).await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}");
    let ends: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("> "))
        .collect();
    ends.join("\n")
}

const CRAWLER: &str = "zoo::open_files::the_crawler_in_a_process_of_its_own";

/// Crawls the sites at once, and prints the number of each outcome.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "the other tests run it with few files"]
async fn the_crawler_in_a_process_of_its_own() {
    let Ok(server) = std::env::var("OPEN_FILES_SERVER") else {
        return;
    };
    let address: SocketAddr = server.parse().unwrap();
    let client = client(MANY_SITES, address.ip()).broad().build().unwrap();
    let mut pages = JoinSet::new();
    for site in 0..MANY_SITES {
        let client = client.clone();
        let url = format!("http://h{site}.test:{}/page", address.port());
        pages.spawn(fetch(client, url));
    }
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    while let Some(page) = pages.join_next().await {
        let end = match page.unwrap() {
            Ok(page) => page.status().to_string(),
            Err(Error::Busy { why, .. }) => why.to_string(),
            Err(Error::Http(error)) => format!("{:?}", net_error(&error)),
            Err(error) => error.to_string(),
        };
        *ends.entry(end).or_default() += 1;
    }
    println!();
    for (end, count) in ends {
        println!("> {end}: {count}");
    }
}

#[tokio::test]
async fn a_broad_crawl_needs_no_more_than_1024_files() {
    assert_eq!(crawl_with(1_024).await, format!("200 OK: {MANY_SITES}"));
}

/// A client that may open fewer files than it needs says so, and blames no site.
#[tokio::test]
async fn a_crawl_without_files_says_so() {
    let ends = crawl_with(64).await;
    println!("{ends}");
    assert!(
        ends.contains("this process may open no more files: "),
        "{ends}"
    );
    for end in ends.lines() {
        let (end, _) = end.rsplit_once(": ").unwrap();
        let is_known = ["200 OK", "this process may open no more files", "Local"].contains(&end);
        assert!(is_known, "{end}");
    }
}
