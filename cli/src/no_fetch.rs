//! `robots fetch` in a build without the feature `fetch`, and `robots page URL`.

use clap::Args;

use crate::absent::{absent, not_in_this_build};
use crate::fetched_page::FetchedPage;
use crate::outcome::Failure;
use crate::terminal::printable;

absent!(Fetch, "fetch");

/// The options of requests, of which there are none.
#[derive(Debug, Args)]
pub(crate) struct RequestOptions {}

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
