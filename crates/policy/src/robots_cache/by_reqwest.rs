//! The fetcher for reqwest.

use alloc::boxed::Box;
use core::time::Duration;

use polite_robots::InvalidToken;

use crate::net_error::NetError;
use crate::robots_cache::RobotsCache;
use crate::robots_cache::boxed_fetch::{ACCEPT, BoxedFetch, LIMIT};
use crate::robots_cache::response::RobotsResponse;

impl RobotsCache<BoxedFetch> {
    /// A cache for one agent that fetches by a client of reqwest, as [`RobotsCache::new`] with
    /// [`by_reqwest`](crate::fetch::by_reqwest) and a limit of 30 seconds. Tasks share it by an
    /// `Arc`.
    ///
    /// ```no_run
    /// use std::sync::Arc;
    ///
    /// use polite_robots_policy::RobotsCache;
    ///
    /// # async fn crawl() -> Result<(), Box<dyn std::error::Error>> {
    /// let client = reqwest::Client::builder()
    ///     .user_agent("ExampleBot/1.0 (+https://example.com/bot)")
    ///     // A page that redirects leads to another page: ask for that one too.
    ///     .redirect(reqwest::redirect::Policy::none())
    ///     .build()?;
    /// let robots = Arc::new(RobotsCache::with_reqwest("ExampleBot", client.clone())?);
    /// # struct Task;
    /// # fn spawn<F: Future<Output = ()> + Send + 'static>(_: F) {}
    /// // `tokio::spawn`
    /// spawn(async move {
    ///     match robots.check("https://example.com/page").await {
    ///         Ok(check) => println!("{check}"),
    ///         Err(invalid) => println!("{invalid}"),
    ///     }
    /// });
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidToken`] if `agent` is no product token.
    pub fn with_reqwest(agent: &str, client: reqwest::Client) -> Result<Self, InvalidToken> {
        RobotsCache::new(agent, by_reqwest(client, LIMIT))
    }
}

/// A fetch function over a client of reqwest, which ends each request after `limit`.
///
/// The client says how the crawler is called, by its `User-Agent`. One that follows redirects by
/// itself is taken as it is: then the robots.txt at their end counts. Content codings are undone
/// here, or by the client.
///
/// ```no_run
/// use std::time::Duration;
///
/// use polite_robots_policy::fetch::by_reqwest;
/// use polite_robots_policy::{Cache, Profile, RobotsCache};
///
/// // Google's rules for outages, 8 MiB of memory.
/// let cache = Cache::new(Profile::google(), &["ExampleBot"], 8 << 20)?;
/// let fetch = by_reqwest(reqwest::Client::new(), Duration::from_secs(10));
/// let robots = RobotsCache::over(cache, fetch);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[must_use]
pub fn by_reqwest(client: reqwest::Client, limit: Duration) -> BoxedFetch {
    Box::new(move |url| {
        let request = client
            .get(url)
            .timeout(limit)
            .header("Accept", ACCEPT)
            .header("Accept-Encoding", "gzip, deflate");
        Box::pin(async move {
            let answer = request.send().await?;
            let response = RobotsResponse::new(answer.status().as_u16(), answer.headers(), "");
            response.with_chunks(answer, next_chunk).await
        })
    })
}

async fn next_chunk(
    mut answer: reqwest::Response,
) -> Result<(Option<impl AsRef<[u8]>>, reqwest::Response), NetError> {
    let chunk = answer.chunk().await?;
    Ok((chunk, answer))
}
