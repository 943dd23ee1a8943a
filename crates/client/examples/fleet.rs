//! One machine of a polite crawler of many machines, which come and go.
//!
//! `cargo run -p polite-robots-client --features examples --example fleet -- --redis
//! redis://127.0.0.1/`
//!
//! The engine that carries the URLs (Kafka, URLFrontier, StormCrawler) knows the owner of each
//! partition of the hosts. Here the engine writes lines to standard input and reads lines from
//! standard output:
//!
//! | line | meaning |
//! |---|---|
//! | `own 7`, `own 7 STATE…` | partition 7 is this machine's, with the memory of hosts |
//! | `give 7` | another machine gets it; the answer is `gave 7 STATE…` |
//! | `get URL` | a page of this machine's hosts; the answer is `done URL END` |
//! | `elsewhere URL` | a redirect led to a host of another machine |
//!
//! A machine that dies answers nothing. The engine waits for a while, as the last second before the
//! end may be lost, and says `own` to another machine, which finds the state of the hosts in Redis.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::{BTreeSet, HashMap};
use std::io::stdin;
use std::sync::{Arc, RwLock};
use std::{error::Error, fmt::Write as _, thread, time::Duration};

use clap::Parser;
use polite_robots::InvalidUrl;
use polite_robots_client::hosts::HostState;
use polite_robots_client::store::RedisStore;
use polite_robots_client::{Egress, Error as Failure, HostRule, Origin, PoliteClient};
use tokio::{sync::mpsc::unbounded_channel, time::sleep};

/// Crawl the pages of a part of all hosts, politely.
#[derive(Parser)]
#[command(name = "fleet")]
struct Options {
    /// The Redis or Valkey that remembers hosts, such as redis://127.0.0.1/
    #[arg(long)]
    redis: String,
    /// The least time between two requests to a host, in seconds; a site may ask for more
    #[arg(long, default_value_t = 1.0)]
    min_delay: f64,
    /// A network that may be asked besides the public internet, such as 10.0.0.0/8
    #[arg(long)]
    network: Option<ipnet::IpNet>,
}

/// Many more partitions than machines, so that each machine can have its share.
const PARTITIONS: u64 = 64;

fn partition(url: &str) -> Result<u64, InvalidUrl> {
    Ok(Origin::of(url)?.partition_key() % PARTITIONS)
}

/// The partitions of this machine.
type Part = Arc<RwLock<BTreeSet<u64>>>;

fn has(part: &Part, url: &str) -> bool {
    let number = partition(url);
    number.is_ok_and(|number| part.read().is_ok_and(|part| part.contains(&number)))
}

/// Obeys the lines of the engine until they end.
#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let part = Part::default();
    let owned = Arc::clone(&part);
    let egress = Egress::public_only();
    let min_delay = Duration::try_from_secs_f64(options.min_delay)?;
    let client = PoliteClient::builder("ExampleBot")
        .version("1.0")
        .contact("https://example.com/bot", "bot@example.com")
        .egress(options.network.into_iter().fold(egress, Egress::also))
        .host("*", HostRule::new().min_delay(min_delay))
        .max_in_flight(1_000)
        .max_wait(Duration::from_secs(3_600))
        .retries(2)
        .part(move |origin| has(&owned, &origin.robots_url()))
        .store(RedisStore::new(&options.redis, "fleet")?)
        .build()?;
    let (send, mut lines) = unbounded_channel();
    // The thread reads each line at once, so that the engine never waits.
    thread::spawn(move || stdin().lines().try_for_each(|line| send.send(line)));
    tokio::spawn(report(client.clone()));
    // A URL of each host that was asked, by the name of the host.
    let mut hosts = HashMap::new();
    while let Some(line) = lines.recv().await {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["own", number, ref states @ ..] => {
                for state in states {
                    take_over(&client, HostState::from_bytes(&bytes(state))?).await;
                }
                part.write().map_err(|_| "a panic")?.insert(number.parse()?);
            }
            ["give", number] => {
                let number = number.parse()?;
                part.write().map_err(|_| "a panic")?.remove(&number);
                let moved = hosts.extract_if(|_, url: &mut String| partition(url) == Ok(number));
                let urls = moved.map(|(_, url)| url).collect();
                tokio::spawn(give(client.clone(), number, urls));
            }
            ["get", url] => {
                hosts.insert(Origin::of(url)?.host().to_string(), url.to_string());
                tokio::spawn(get(client.clone(), Arc::clone(&part), url.to_string()));
            }
            _ => return Err(line.into()),
        }
    }
    Ok(client.save().await?)
}

/// Reports that the store is away. The client itself retries until the store is back.
async fn report(client: PoliteClient) {
    loop {
        sleep(5 * A_MOMENT).await;
        client.save().await.unwrap_or_else(|why| eprintln!("{why}"));
    }
}

async fn take_over(client: &PoliteClient, state: HostState) {
    while client.take_over(state.clone()).await.is_err() {
        sleep(A_MOMENT).await;
    }
}

async fn give(client: PoliteClient, number: u64, urls: Vec<String>) {
    let mut line = format!("gave {number}");
    for url in urls {
        let state = loop {
            match client.hand_over(&url).await {
                Ok(state) => break state,
                Err(_) => sleep(A_MOMENT).await,
            }
        };
        line.push(' ');
        for byte in state.to_bytes().unwrap_or_default() {
            let _ = write!(line, "{byte:02x}");
        }
    }
    println!("{line}");
}

/// Fetches a page, at the time that suits its host.
async fn get(client: PoliteClient, part: Part, url: String) {
    let end = loop {
        match client.get(&url).await {
            // Here a crawler keeps the page.
            Ok(page) => match (page.status().as_u16(), page.bytes().await) {
                (200..=299, Ok(_)) => break "fetched",
                _ => break "failed",
            },
            Err(Failure::Disallowed(_)) => break "disallowed",
            // The next owner gets the URL from the engine.
            Err(Failure::NotOwned { .. }) if !has(&part, &url) => return,
            Err(Failure::NotOwned { url: target }) if !has(&part, &target) => {
                println!("elsewhere {target}");
                break "redirected";
            }
            // The host was given away, and its next owner died.
            Err(Failure::NotOwned { url }) if client.inherit(&url).await.is_ok() => {}
            Err(Failure::NotOwned { .. } | Failure::Store(_)) => sleep(A_MOMENT).await,
            Err(error) => match error.retry_in() {
                Some(wait) => sleep(wait).await,
                None => {
                    eprintln!("{url}: {error}");
                    break "failed";
                }
            },
        }
    };
    println!("done {url} {end}");
}

fn bytes(hex: &str) -> Vec<u8> {
    let pairs = hex.as_bytes().chunks(2).map(str::from_utf8);
    let bytes = pairs.map(|pair| u8::from_str_radix(pair.unwrap_or_default(), 16));
    bytes.map(Result::unwrap_or_default).collect()
}

const A_MOMENT: Duration = Duration::from_secs(1);
