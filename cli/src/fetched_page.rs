//! A page of a live site, with the robots.txt of each URL on the way to it.

use polite_robots_audit::answer::Readings;
use serde::Serialize;

/// A page that was asked for.
#[derive(Debug)]
pub(crate) struct FetchedPage {
    /// All requests with their answers, those for a robots.txt too.
    pub(crate) requests: Vec<PageRequest>,
    /// The URL of the page and those that redirect to it, in the order in which a crawler meets
    /// them; at least one.
    pub(crate) hops: Vec<Hop>,
    /// The answer at the end of the redirects, or the reason why the page was not read.
    pub(crate) answer: Result<PageAnswer, String>,
}

/// A request with its answer. The names of its fields are part of the command's contract.
#[derive(Debug, Serialize)]
pub(crate) struct PageRequest {
    pub(crate) url: String,
    pub(crate) status: Option<u16>,
    pub(crate) location: Option<String>,
    /// The reason why there is no answer.
    pub(crate) problem: Option<String>,
}

/// A URL that a crawler must be allowed to fetch, with the robots.txt of its site.
#[derive(Debug)]
pub(crate) struct Hop {
    pub(crate) url: String,
    pub(crate) readings: Readings,
}

/// The page as it came.
#[derive(Debug)]
pub(crate) struct PageAnswer {
    pub(crate) status: u16,
    /// Names and values of the header fields.
    pub(crate) fields: Vec<(Vec<u8>, Vec<u8>)>,
    /// The body. If it is longer than the limit, it has one byte beyond the limit.
    pub(crate) body: Vec<u8>,
    pub(crate) end: PageEnd,
}

/// How the body ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "fetch"),
    expect(dead_code, reason = "nothing fetches in this build")
)]
pub(crate) enum PageEnd {
    Complete,
    /// The body ended before it was whole.
    CutShort,
}
