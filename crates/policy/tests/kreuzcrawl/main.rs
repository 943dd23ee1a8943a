//! The pages that kreuzcrawl 0.3.0 fetches from sites in trouble, today and with a `RobotsCache`.
//!
//! Each site has a page `/` that links to `/public` and `/private/a`. It would disallow `/private/`
//! if its robots.txt could be read. The sites listen on port 80 of 127.1.0.x, because kreuzcrawl
//! asks port 80 for robots.txt whatever the port of the page. The test needs the right to listen
//! there.

use std::collections::HashSet;
use std::error::Error;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use kreuzcrawl::{CrawlConfig, SsrfPolicy, create_engine};
use polite_robots_policy::{NetError, RobotsCache, RobotsResponse};

const RULES: &str = "User-agent: *\nDisallow: /private/\n";

/// The answers for robots.txt, by the last number of the address.
const KINDS: [(&str, &str, &str); 6] = [
    ("200", "200 OK", RULES),
    ("503", "503 Busy", ""),
    ("time-out", "", ""),
    (
        "HTML 500",
        "500 Error\r\nContent-Type: text/html",
        "<html>We are sorry</html>",
    ),
    ("429", "429 Slow\r\nRetry-After: 120", ""),
    (
        "redirect",
        "302 Found\r\nLocation: http://127.1.0.1/robots.txt",
        "",
    ),
];

type Log = Arc<Mutex<Vec<String>>>;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let log = Log::default();
    for number in 1..=KINDS.len() {
        let listener = TcpListener::bind(format!("127.1.0.{number}:80"))?;
        let log = Arc::clone(&log);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let log = Arc::clone(&log);
                thread::spawn(move || serve(stream, number, &log));
            }
        });
    }
    println!("| robots.txt | pages today | pages with `RobotsCache` |\n|---|---|---|");
    for (number, (name, ..)) in (1..).zip(KINDS) {
        let seed = format!("http://127.1.0.{number}/");
        today(&seed).await?;
        let before = pages(&log);
        with_robots_cache(&seed).await?;
        let after = pages(&log);
        println!("| {name} | {before} | {after} |");
        let is_readable = ["200", "redirect"].contains(&name);
        assert_eq!(after, if is_readable { "`/` `/public`" } else { "none" });
    }
    Ok(())
}

fn config() -> CrawlConfig {
    CrawlConfig {
        user_agent: Some("ExampleBot".into()),
        respect_robots_txt: true,
        request_timeout: Duration::from_secs(2),
        retry_count: 0,
        max_depth: Some(2),
        ssrf: SsrfPolicy {
            deny_private: false,
            ..SsrfPolicy::default()
        },
        ..CrawlConfig::default()
    }
}

async fn today(seed: &str) -> Result<(), Box<dyn Error>> {
    kreuzcrawl::crawl(&create_engine(Some(config()))?, seed).await?;
    Ok(())
}

async fn with_robots_cache(seed: &str) -> Result<(), Box<dyn Error>> {
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    let client = client.timeout(Duration::from_secs(2)).build()?;
    let robots = RobotsCache::new("ExampleBot", |url| async { fetch(&client, url).await })?;
    let config = CrawlConfig {
        respect_robots_txt: false,
        max_redirects: 0,
        ..config()
    };
    let engine = create_engine(Some(config))?;
    let (mut queue, mut seen) = (vec![seed.to_owned()], HashSet::new());
    while let Some(url) = queue.pop() {
        if seen.insert(url.clone()) && robots.allowed(&url).await? {
            let page = kreuzcrawl::scrape(&engine, &url).await?;
            queue.extend(page.links.into_iter().map(|link| link.url));
        }
    }
    Ok(())
}

async fn fetch(client: &reqwest::Client, url: String) -> Result<RobotsResponse, NetError> {
    let mut response = client.get(url).send().await?;
    let mut body = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await?
        .filter(|_| body.len() < RobotsResponse::READ_LIMIT)
    {
        body.extend_from_slice(&chunk);
    }
    Ok(RobotsResponse::new(
        response.status().as_u16(),
        response.headers(),
        body,
    ))
}

/// Takes the pages that were requested since the last call.
fn pages(log: &Log) -> String {
    let mut pages: Vec<String> = log
        .lock()
        .unwrap()
        .drain(..)
        .filter(|path| path != "/robots.txt")
        .collect();
    pages.sort();
    pages.dedup();
    if pages.is_empty() {
        "none".into()
    } else {
        format!("`{}`", pages.join("` `"))
    }
}

fn serve(mut stream: TcpStream, number: usize, log: &Log) {
    let mut head = [0; 4096];
    let len = stream.read(&mut head).unwrap_or(0);
    let head = String::from_utf8_lossy(&head[..len]).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    log.lock().unwrap().push(path.clone());
    let (_, status, body) = match &*path {
        "/robots.txt" => KINDS[number - 1],
        _ => (
            "",
            "200 OK\r\nContent-Type: text/html",
            "<html><a href='/public'>a</a> <a href='/private/a'>b</a></html>",
        ),
    };
    if status.is_empty() {
        thread::sleep(Duration::from_secs(5));
        return;
    }
    let len = body.len();
    let answer =
        format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {len}\r\n\r\n{body}");
    let _ = stream.write_all(answer.as_bytes());
}
