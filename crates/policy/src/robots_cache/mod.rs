//! The cache for a crawler that brings its own fetch: the machines driven by the futures of its
//! callers.

pub(crate) mod block_on;
pub(crate) mod boxed_fetch;
#[cfg(feature = "reqwest")]
pub(crate) mod by_reqwest;
#[cfg(feature = "ureq")]
pub(crate) mod by_ureq;
pub(crate) mod response;

use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;
use core::future::poll_fn;
use core::task::{Poll, Waker};
use core::time::Duration;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use polite_robots::{InvalidToken, InvalidUrl, Robot};

use self::response::RobotsResponse;
use crate::access::cache::{Cache, Closed, Lookup, RobotsCheck, Ticket};
use crate::access::fetch::{Event, Fetch, Step};
use crate::net_error::NetError;
use crate::origin::Origin;
use crate::profile::Profile;
use crate::time::Timestamp;

/// Whether a URL may be fetched, for a crawler with an HTTP client of its own: give it a function
/// that fetches one URL.
///
/// ```
/// use polite_robots_policy::{NetError, RobotsCache, RobotsResponse, block_on};
///
/// // Stands for an HTTP client. One that blocks works as well as one with futures.
/// async fn get(url: String) -> Result<RobotsResponse, NetError> {
///     match url.as_str() {
///         "https://example.com/robots.txt" => {
///             let body = "User-agent: *\nDisallow: /private/";
///             Ok(RobotsResponse::new(200, [("Content-Type", "text/plain")], body))
///         }
///         _ => Ok(RobotsResponse::new(503, [("Retry-After", "120")], "")),
///     }
/// }
///
/// let robots = RobotsCache::new("ExampleBot", get)?;
/// assert!(block_on(robots.allowed("https://example.com/page"))?);
/// let check = block_on(robots.check("https://example.com/private/a"))?;
/// assert_eq!(
///     check.to_string(),
///     "disallowed by line 2: Disallow: /private/ in the wildcard group on line 1",
/// );
/// // An outage is no permission, and no rule either: come back later.
/// let check = block_on(robots.check("https://down.example/"))?;
/// assert!(!check.allowed && check.closed && check.retry_at.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The fetch function gets the URL of a robots.txt, or that where one redirects, and returns the
/// response whatever its status, or [`NetError`], into which `?` turns every error. It must
///
/// - follow no redirects: the machine does, and checks each target;
/// - end in time. The cache has no timer, and callers wait for the fetch that is under way. A
///   time-out around a call instead would count for nothing, and the next call would ask again;
/// - read no more than [`RobotsResponse::READ_LIMIT`] bytes.
///
/// All the rest is decided by the machines [`Fetch`](crate::fetch::Fetch) and
/// [`Cache`](crate::Cache), by a profile. An origin has one fetch at a time, for all who ask; a
/// caller that is dropped meanwhile gives it back, and another one takes over. Callers of other
/// origins never wait for it. Nothing sleeps in here: where the machine has to wait, the site is
/// closed until then. A profile that goes through the addresses of a host asks the name, as the
/// client resolves it.
///
/// It needs no runtime. The cache is `Send` and `Sync` if the fetch function is, and its futures
/// are `Send` if those of the function are. An answer at hand takes one lock for a moment; none is
/// held across an await. Conditional requests are not sent, as the function gets a URL.
///
/// When the [memory](Cache#capacity) is full, the site that was asked about longest ago is
/// forgotten. Its robots.txt is fetched again no sooner than five minutes after the last time, and
/// until then the site is closed. While more promises of this kind are open than there is room for,
/// new sites are closed too, with [`Cause::Full`](polite_robots::Cause::Full). A round that has to
/// wait is kept in that memory. Rounds under way are not counted: there are as many as callers.
///
/// A struct that owns a cache names its type with a [`BoxedFetch`](crate::fetch::BoxedFetch). With
/// the features `reqwest` and `ureq` the cache has fetchers of its own: `RobotsCache::with_reqwest`
/// and `with_ureq`.
pub struct RobotsCache<F> {
    fetch: F,
    clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    state: Mutex<State>,
}

struct State {
    cache: Cache,
    /// The callers that wait for the round of an origin. Its end wakes them, and they ask again.
    waiting: HashMap<Origin, Vec<Waker>>,
}

/// The round that a caller runs. Its drop wakes all callers that wait for the round.
struct Round<'r, F> {
    robots: &'r RobotsCache<F>,
    of: Option<(Ticket, Fetch)>,
}

impl<F, R> RobotsCache<F>
where
    F: Fn(String) -> R,
    R: Future<Output = Result<RobotsResponse, NetError>>,
{
    /// A cache for one agent, with [`Profile::rfc9309`] and 64 MiB of memory.
    ///
    /// # Errors
    ///
    /// [`InvalidToken`] if `agent` is no product token.
    pub fn new(agent: &str, fetch: F) -> Result<RobotsCache<F>, InvalidToken> {
        let cache = Cache::new(Profile::rfc9309(), &[agent], 64 << 20)?;
        Ok(RobotsCache::over(cache, fetch))
    }

    /// A cache over a machine with another profile, more agents or another limit of memory.
    ///
    /// ```
    /// use polite_robots_policy::{Cache, NetError, Profile, RobotsCache, RobotsResponse};
    ///
    /// # async fn get(_: String) -> Result<RobotsResponse, NetError> { Err(NetError::Other) }
    /// let cache = Cache::new(Profile::google(), &["ExampleBot-News", "ExampleBot"], 8 << 20)?;
    /// let robots = RobotsCache::over(cache, get);
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn over(cache: Cache, fetch: F) -> RobotsCache<F> {
        RobotsCache {
            fetch,
            clock: Box::new(|| SystemTime::now().into()),
            state: Mutex::new(State {
                // The fetch function gets a URL alone, so it sends no conditions.
                cache: cache.without_conditions(),
                waiting: HashMap::new(),
            }),
        }
    }

    /// Takes another clock than that of the system, for tests.
    #[must_use]
    pub fn with_clock(
        mut self,
        clock: impl Fn() -> Timestamp + Send + Sync + 'static,
    ) -> RobotsCache<F> {
        self.clock = Box::new(clock);
        self
    }

    /// Gives the machine to a function, while all callers wait: to save its memory or load it, to
    /// make an exception for a host, or to note that a site answers again. The function must not
    /// ask this cache.
    ///
    /// ```
    /// use polite_robots_policy::{NetError, RobotsCache, RobotsResponse, block_on};
    /// use polite_robots_policy::settings::Obedience;
    ///
    /// # async fn get(_: String) -> Result<RobotsResponse, NetError> { Err(NetError::Other) }
    /// let robots = RobotsCache::new("ExampleBot", get)?;
    /// robots.with_cache(|cache| cache.set_obedience("own.example", Obedience::Ignore));
    /// assert!(block_on(robots.allowed("https://own.example/page"))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_cache<T>(&self, function: impl FnOnce(&mut Cache) -> T) -> T {
        function(&mut self.state().cache)
    }

    /// Whether the URL may be fetched now; `false` while the site is closed.
    ///
    /// # Errors
    ///
    /// [`InvalidUrl`], as for [`Origin::of`].
    pub async fn allowed(&self, url: &str) -> Result<bool, InvalidUrl> {
        let robot = self.robot(&Origin::of(url)?).await;
        Ok(robot.is_ok_and(|robot| robot.allowed(url)))
    }

    /// Whether the URL may be fetched now, why, and when to ask again.
    ///
    /// # Errors
    ///
    /// [`InvalidUrl`], as for [`Origin::of`].
    pub async fn check(&self, url: &str) -> Result<RobotsCheck, InvalidUrl> {
        Ok(RobotsCheck::new(url, self.robot(&Origin::of(url)?).await))
    }

    /// The `Crawl-delay` of the URL's site for the agent; `None` if it has none or is closed.
    ///
    /// # Errors
    ///
    /// [`InvalidUrl`], as for [`Origin::of`].
    pub async fn crawl_delay(&self, url: &str) -> Result<Option<Duration>, InvalidUrl> {
        Ok(self.check(url).await?.robot().crawl_delay())
    }

    /// The sitemaps that the robots.txt of the URL's site names; none while it is closed.
    ///
    /// # Errors
    ///
    /// [`InvalidUrl`], as for [`Origin::of`].
    pub async fn sitemaps(&self, url: &str) -> Result<Vec<String>, InvalidUrl> {
        let check = self.check(url).await?;
        Ok(check.robot().sitemaps().map(String::from).collect())
    }

    /// The state of the URL's site as a sentence: since when, until when, and when its robots.txt
    /// is fetched next.
    ///
    /// # Errors
    ///
    /// [`InvalidUrl`], as for [`Origin::of`].
    pub async fn explain(&self, url: &str) -> Result<String, InvalidUrl> {
        let check = self.check(url).await?;
        let (origin, now) = (Origin::of(url)?, (self.clock)());
        let known = self.with_cache(|cache| cache.explain(&origin, now));
        Ok(known.map_or_else(|| check.to_string(), |known| known.to_string()))
    }

    /// The rules in force. The caller fetches them or waits for them, if it has to.
    async fn robot(&self, origin: &Origin) -> Result<Robot, Closed> {
        loop {
            match poll_fn(|context| self.poll(origin, context.waker())).await {
                Lookup::Ready(robot) => return Ok(robot),
                Lookup::Closed(closed) => return Err(closed),
                // In a box, so that the futures of answers at hand are small.
                Lookup::Fetch(ticket) => Box::pin(self.run(ticket)).await,
                // `Full` is closed for callers without a queue.
                Lookup::Pending | Lookup::Full => {}
            }
        }
    }

    async fn run(&self, mut ticket: Ticket) {
        let fetch = self.state().cache.begin(&mut ticket, (self.clock)());
        let mut round = Round {
            robots: self,
            of: Some((ticket, fetch)),
        };
        while let Some((_, fetch)) = &mut round.of {
            let now = (self.clock)();
            let answer = match fetch.poll(now) {
                Step::Get(request) => (self.fetch)(request.url.into()).await,
                Step::Resolve(_) => {
                    // The client looks names up by itself.
                    fetch.handle(Event::ByName, now);
                    continue;
                }
                Step::Wait(_) | Step::Done(_) => return,
            };
            let event = match &answer {
                Ok(response) => Event::Response(response.as_response()),
                Err(error) => Event::Failed(*error),
            };
            fetch.handle(event, (self.clock)());
        }
    }
}

impl<F> RobotsCache<F> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer of the machine. While another caller fetches, its end wakes this one.
    fn poll(&self, origin: &Origin, waker: &Waker) -> Poll<Lookup> {
        let now = (self.clock)();
        let mut state = self.state();
        let lookup = state.cache.poll_and_release(origin, now);
        if !matches!(lookup, Lookup::Pending) {
            return Poll::Ready(lookup);
        }
        let waiting = state.waiting.entry(origin.clone()).or_default();
        if !waiting.iter().any(|known| known.will_wake(waker)) {
            waiting.push(waker.clone());
        }
        Poll::Pending
    }
}

impl<F> Drop for Round<'_, F> {
    fn drop(&mut self) {
        let now = (self.robots.clock)();
        let Some((ticket, fetch)) = self.of.take() else {
            return;
        };
        let mut state = self.robots.state();
        let waiting = state.waiting.remove(ticket.origin());
        state.cache.end(ticket, fetch, now);
        // The tasks that are woken may want the lock at once.
        drop(state);
        waiting.into_iter().flatten().for_each(Waker::wake);
    }
}

impl<F> fmt::Debug for RobotsCache<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RobotsCache").finish_non_exhaustive()
    }
}
