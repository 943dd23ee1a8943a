//! `robots fetch` in a build without the feature `fetch`, `robots diff URL` and `robots page URL`.

use clap::Args;
use polite_robots_audit::answer::Readings;

use crate::absent::{absent, not_in_this_build};
use crate::fetched_page::FetchedPage;
use crate::outcome::Failure;
use crate::terminal::printable;

absent!(Fetch, "fetch");

/// The options of requests, of which there are none.
#[derive(Debug, Args)]
pub(crate) struct RequestOptions {}

/// Asks no site.
pub(crate) fn fetch_readings(
    urls: &[&str],
    _options: &RequestOptions,
) -> Result<Vec<Readings>, Failure> {
    let way = "; or save the file, as with `curl -sL URL/robots.txt -o robots.txt`";
    match urls {
        [] => Ok(Vec::new()),
        _ => Err(not_in_this_build("fetch", way)),
    }
}

/// An error that says how to get a build that fetches, and the way without one.
pub(crate) fn fetch_page(
    url: &str,
    _options: &RequestOptions,
    _most_bytes: usize,
) -> Result<FetchedPage, Failure> {
    let url = printable(url);
    let way = format!("; or pipe the page in, as in `curl -si {url} | robots page -`");
    Err(not_in_this_build("fetch", &way))
}
