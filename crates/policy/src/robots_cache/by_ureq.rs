//! The fetcher for ureq.

use alloc::boxed::Box;
use alloc::string::ToString as _;
use core::time::Duration;
use std::io;

use polite_robots::InvalidToken;

use crate::net_error::NetError;
use crate::robots_cache::RobotsCache;
use crate::robots_cache::boxed_fetch::{ACCEPT, BoxedFetch, LIMIT};
use crate::robots_cache::response::RobotsResponse;

impl RobotsCache<BoxedFetch> {
    /// A cache for one agent that fetches by an agent of ureq, as [`RobotsCache::new`] with
    /// [`by_ureq`](crate::fetch::by_ureq) and a limit of 30 seconds. Threads share it by an `Arc`.
    ///
    /// ```no_run
    /// use polite_robots_policy::{RobotsCache, block_on};
    ///
    /// // A page that redirects leads to another page: ask for that one too.
    /// let client: ureq::Agent = ureq::Agent::config_builder().max_redirects(0).build().into();
    /// let robots = RobotsCache::with_ureq("ExampleBot", client)?;
    /// println!("{}", block_on(robots.check("https://example.com/page"))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidToken`] if `agent` is no product token.
    pub fn with_ureq(agent: &str, client: ureq::Agent) -> Result<Self, InvalidToken> {
        RobotsCache::new(agent, by_ureq(client, LIMIT))
    }
}

/// A fetch function over an agent of ureq, which ends each request after `limit`.
///
/// ureq blocks, and so does the future: it is for threads with
/// [`block_on`](crate::block_on), and not for the tasks of a runtime. The agent says how the
/// crawler is called, by its `User-Agent`. Its redirects and its errors for a status are off for
/// these requests, as the cache reads both.
///
/// ```no_run
/// use std::time::Duration;
///
/// use polite_robots_policy::RobotsCache;
/// use polite_robots_policy::fetch::by_ureq;
///
/// let client = ureq::Agent::new_with_defaults();
/// let robots = RobotsCache::new("ExampleBot", by_ureq(client, Duration::from_secs(10)))?;
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[must_use]
pub fn by_ureq(client: ureq::Agent, limit: Duration) -> BoxedFetch {
    Box::new(move |url| {
        let client = client.clone();
        Box::pin(async move { fetch(&client, &url, limit) })
    })
}

fn fetch(client: &ureq::Agent, url: &str, limit: Duration) -> Result<RobotsResponse, NetError> {
    let request = client.get(url).header("Accept", ACCEPT).config();
    let request = request
        .timeout_global(Some(limit))
        .http_status_as_error(false)
        .max_redirects(0)
        .build();
    let (head, body) = request.call().map_err(ureq::Error::into_io)?.into_parts();
    let read = RobotsResponse::read(head.status.as_u16(), &head.headers, body.into_reader());
    read.map_err(|error| broken_off(&error))
}

/// The error of a body that does not end well.
fn broken_off(error: &io::Error) -> NetError {
    // ureq takes the name of a coding away where it has the decoder, and the error has a name of
    // its own only there. What cannot be undone never opens a site.
    match error.to_string().contains("decompression failed") {
        true => NetError::Encoded,
        false => NetError::CutShort,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coding_that_cannot_be_undone_is_no_cut() {
        let decoder = ureq::Error::Other("gzip decompression failed: corrupt".into());
        assert_eq!(broken_off(&decoder.into_io()), NetError::Encoded);
        let cut = io::ErrorKind::UnexpectedEof.into();
        assert_eq!(broken_off(&cut), NetError::CutShort);
    }
}
