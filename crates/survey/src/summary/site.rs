//! One counted response, for the figures about single sites.

use crate::content::RobotsResponse;
use crate::summary::access::CrawlerAccess;
use crate::summary::file::FileFacts;
use crate::summary::outcome::Outcome;

/// A response that was counted.
#[derive(Debug)]
pub(crate) struct Site<'s> {
    pub(crate) response: &'s RobotsResponse,
    pub(crate) outcome: Outcome,
    /// The robots.txt; `None` if the status is not 2xx.
    pub(crate) file: Option<SiteFile<'s>>,
}

/// The robots.txt of a site.
#[derive(Debug)]
pub(crate) struct SiteFile<'s> {
    /// The hash of the body.
    pub(crate) hash: u64,
    pub(crate) facts: &'s FileFacts<'s>,
    /// The access of each known crawler.
    pub(crate) accesses: &'s [CrawlerAccess],
}
