//! The fetch function of a [`RobotsCache`](crate::RobotsCache) whose type has a name.

use alloc::boxed::Box;
use alloc::string::String;
use core::pin::Pin;
#[cfg(any(feature = "reqwest", feature = "ureq"))]
use core::time::Duration;

use crate::net_error::NetError;
use crate::robots_cache::response::RobotsResponse;

/// A fetch function whose type has a name: `RobotsCache<BoxedFetch>` is a field of a struct, and is
/// shared with tasks.
///
/// ```
/// use polite_robots_policy::fetch::BoxedFetch;
/// use polite_robots_policy::{NetError, RobotsCache, RobotsResponse};
///
/// struct Crawler {
///     robots: RobotsCache<BoxedFetch>,
/// }
///
/// # async fn get(_: String) -> Result<RobotsResponse, NetError> { Err(NetError::Other) }
/// let fetch: BoxedFetch = Box::new(|url| Box::pin(get(url)));
/// let crawler = Crawler { robots: RobotsCache::new("ExampleBot", fetch)? };
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
pub type BoxedFetch = Box<dyn Fn(String) -> Fetched + Send + Sync>;

/// The future of a [`BoxedFetch`].
pub type Fetched = Pin<Box<dyn Future<Output = Result<RobotsResponse, NetError>> + Send>>;

/// The longest time that a robots.txt may take by a ready fetcher: callers wait for it.
#[cfg(any(feature = "reqwest", feature = "ureq"))]
pub(super) const LIMIT: Duration = Duration::from_secs(30);

/// The media types that the ready fetchers ask for.
#[cfg(any(feature = "reqwest", feature = "ureq"))]
pub(super) const ACCEPT: &str = "text/plain, */*;q=0.1";
