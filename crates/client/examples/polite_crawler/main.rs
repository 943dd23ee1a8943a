//! Crawls sites, politely: their pages, the links between these, and their sitemaps.
//!
//! `cargo run -p polite-robots-client --features examples --example polite_crawler -- --state crawl
//! https://example.com/`
//!
//! Ctrl-C stops the crawl, and the same command continues it: `crawl/urls` has the URLs, and
//! `crawl/hosts.redb` has the state of their hosts. The client does all of the politeness, and
//! these files are the rest of a crawler.
//!
//! | file | idea |
//! |---|---|
//! | `crawl.rs` | the loop: one page of a host at a time, many hosts at once |
//! | `frontier.rs` | the URLs, in memory and in a journal |
//! | `links.rs` | the links of a page, the locations in a sitemap |
#![allow(clippy::print_stderr)]

mod crawl;
mod frontier;
mod links;

use std::{error::Error, path::PathBuf, process::ExitCode, time::Duration};

use clap::Parser;
use polite_robots_client::{Egress, HostRule, PoliteClient, Request, store::RedbStore};

/// Crawl sites, politely.
#[derive(Parser)]
#[command(name = "polite_crawler")]
struct Options {
    /// Pages to begin with; their hosts are crawled, and no others
    #[arg(required_unless_present = "state", value_parser = Request::get)]
    urls: Vec<Request>,
    /// The folder in which the crawl is remembered; without one it begins anew each time
    #[arg(long)]
    state: Option<PathBuf>,
    /// The least time between two requests to a host, in seconds; a site may ask for more
    #[arg(long, default_value_t = 1.0)]
    min_delay: f64,
    /// The longest wait for a host, in seconds; its URLs are left to the next run then
    #[arg(long, default_value_t = 300.0)]
    max_wait: f64,
    /// A network that may be asked besides the public internet, such as 10.0.0.0/8
    #[arg(long)]
    network: Option<ipnet::IpNet>,
}

#[tokio::main]
async fn main() -> ExitCode {
    crawl(Options::parse()).await.unwrap_or_else(|why| {
        eprintln!("error: {why}");
        ExitCode::from(2)
    })
}

async fn crawl(options: Options) -> Result<ExitCode, Box<dyn Error>> {
    let egress = Egress::public_only();
    let max_wait = Duration::try_from_secs_f64(options.max_wait)?;
    let min_delay = Duration::try_from_secs_f64(options.min_delay)?;
    let mut client = PoliteClient::builder(AGENT)
        .version("1.0")
        .contact("https://example.com/bot", "bot@example.com")
        .egress(options.network.into_iter().fold(egress, Egress::also))
        .host("*", HostRule::new().min_delay(min_delay))
        .max_wait(max_wait)
        .retries(2)
        .robots_timeout(max_wait)
        .page_limit(links::MOST_BYTES);
    let mut frontier = frontier::Frontier::default();
    if let Some(folder) = options.state {
        std::fs::create_dir_all(&folder)?;
        client = client.store(RedbStore::open(folder.join("hosts.redb"))?);
        frontier = frontier::Frontier::open(&folder)?;
    }
    for request in options.urls {
        frontier.begin_with(request.url().clone())?;
    }
    let client = client.build()?;
    let (ends, waits) = crawl::run(&client, &mut frontier).await?;
    client.save().await?;
    let sum = client.metrics();
    let (rounds, outages) = (sum.rounds_answered, sum.rounds_failed);
    eprintln!("{ends:?}, {rounds} robots.txt, {outages} outages, {waits:.1?} of waits");
    Ok(u8::from(ends.contains_key("failed") || ends.contains_key("left")).into())
}

/// The name of the crawler in a robots.txt. Choose your own, with a page and an address of your
/// own.
const AGENT: &str = "ExampleBot";
