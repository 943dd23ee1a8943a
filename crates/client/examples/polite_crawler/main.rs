//! Fetches pages of many sites, politely: a crawler without the part that finds links.
//!
//! `cargo run -p polite-robots-client --features examples --example polite_crawler -- https://example.com/ https://example.org/`
//!
//! | file | what it is |
//! |---|---|
//! | `crawl.rs` | the driving loop, with the five steps of `polite_robots_policy` |
//! | `frontier.rs` | what waits for the turn of a host |
//! | `client.rs` | HTTP: one request, bounded in time and size |
//! | `report.rs` | what is said of each page, and the progress bar |

use std::collections::HashSet;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser};
use polite_robots_policy::{Backoff, Levels, Origin, Profile};
use url::Url;

use crate::client::Client;
use crate::common::{duration, page_url};
use crate::crawl::Crawl;
use crate::report::Report;

mod client;
#[path = "../common/mod.rs"]
mod common;
mod crawl;
mod frontier;
mod report;

/// Fetch pages of many sites, politely.
#[derive(Debug, Parser)]
#[command(name = "polite_crawler")]
struct Options {
    /// Pages, of any sites
    #[arg(required_unless_present = "list", value_parser = page_url)]
    urls: Vec<Url>,
    /// A file with a URL on each line, or - for standard input; empty lines and those that begin with # are passed over
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// The least time between two requests to a host; a site may ask for more
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    min_delay: Duration,
    /// Requests at the same time, over all hosts; never more than one to a host
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..))]
    connections: u16,
    /// The longest time to connect
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    connect_timeout: Duration,
    /// The longest time that a request may take in all
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    timeout: Duration,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let options = Options::parse();
    let mut urls = options.urls;
    if let Some(path) = &options.list {
        let wrong = |problem| {
            Options::command()
                .error(ErrorKind::ValueValidation, problem)
                .exit()
        };
        urls.extend(read_list(path).unwrap_or_else(wrong));
    }
    let mut named = HashSet::new();
    for url in &urls {
        named.insert(Origin::of(url.as_str())?.host().to_string());
    }

    // The back-off doubles from the same delay.
    let mut profile = Profile::rfc9309();
    profile.pace.min_delay = options.min_delay;
    profile.pace.backoff = Backoff::Levels(Levels::with_base(options.min_delay));
    let client = Client::new(named, options.connect_timeout, options.timeout)?;
    let mut crawl = Crawl::new(
        profile,
        client,
        usize::from(options.connections),
        Report::new(),
    )?;
    for url in urls {
        crawl.add(url)?;
    }
    let is_complete = crawl.run().await;
    Ok(if is_complete {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn read_list(path: &Path) -> Result<Vec<Url>, String> {
    let in_file = |error: io::Error| format!("{}: {error}", path.display());
    let mut text = String::new();
    if path == Path::new("-") {
        io::stdin().read_to_string(&mut text).map_err(in_file)?;
    } else {
        text = fs::read_to_string(path).map_err(in_file)?;
    }
    let lines = text.lines().map(str::trim).zip(1..);
    let urls = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    urls.map(|(line, number)| {
        page_url(line).map_err(|error| {
            format!(
                "{}:{number}: {line:?} is no URL of a page: {error}",
                path.display()
            )
        })
    })
    .collect()
}
