//! The cache for a crawler that brings its own fetch: the machines driven by the futures of its
//! callers.

pub(crate) mod block_on;
pub(crate) mod boxed_fetch;
#[cfg(feature = "reqwest")]
pub(crate) mod by_reqwest;
#[cfg(feature = "ureq")]
pub(crate) mod by_ureq;
mod clock;
pub(crate) mod permit;
pub(crate) mod response;
mod shared;

use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::future::poll_fn;
use core::time::Duration;

use polite_robots::{InvalidToken, InvalidUrl, Robot};

use crate::access::cache::{Cache, Closed, Lookup, RobotsCheck, Ticket};
use crate::access::fetch::{Event, Fetch, Step};
use crate::crawl::{Crawl, Limits};
use crate::net_error::NetError;
use crate::origin::Origin;
use crate::profile::Profile;
use crate::robots_cache::clock::Clock;
use crate::robots_cache::permit::Permit;
use crate::robots_cache::response::RobotsResponse;
use crate::robots_cache::shared::{Answer, Shared, Task};
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
/// - end in time. The cache sets no limit, and callers wait for the fetch that is under way. A
///   time-out around a call instead would count for nothing, and the next call would ask again;
/// - read no more than [`RobotsResponse::READ_LIMIT`] bytes.
///
/// All the rest is decided by the machines [`Fetch`](crate::fetch::Fetch) and
/// [`Cache`](crate::Cache), by a profile. An origin has one fetch at a time, for all who ask; a
/// caller that is dropped meanwhile gives it back, and another one takes over. Callers of other
/// origins never wait for it. Nothing sleeps in here: where the machine has to wait, the site is
/// closed until then; only [`RobotsCache::wait`] waits. With a profile that goes through the
/// addresses of a host, requests go to the name, because the client resolves it.
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
    shared: Arc<Shared>,
}

/// The round that a caller without turns runs. Its drop wakes all callers that wait for the round.
struct Round<'r> {
    shared: &'r Arc<Shared>,
    of: Option<(Ticket, Fetch)>,
}

/// The request of a round that a caller with a turn sends. Its drop breaks it off.
struct Sending<'r> {
    shared: &'r Arc<Shared>,
    round: Option<u32>,
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
        let limits = Limits {
            wait: MAX_WAIT,
            in_flight: usize::MAX,
            line: usize::MAX,
        };
        // The fetch function gets a URL alone, so it sends no conditions.
        let crawl = Crawl::over(cache.without_conditions(), limits);
        RobotsCache {
            fetch,
            shared: Shared::new(crawl),
        }
    }

    /// Takes another clock than that of the system, for tests. A [wait](RobotsCache::wait) looks at
    /// it when it is polled, and when as much time of the system has passed.
    #[must_use]
    pub fn with_clock(
        self,
        clock: impl Fn() -> Timestamp + Send + Sync + 'static,
    ) -> RobotsCache<F> {
        self.shared.lock().clock = Clock::of(clock);
        self
    }

    /// Sets the longest time that [`RobotsCache::wait`] waits for the turn of a host or the end of
    /// an outage; 300 seconds by default.
    #[must_use]
    pub fn with_max_wait(self, max_wait: Duration) -> RobotsCache<F> {
        self.shared.lock().crawl.limits.wait = max_wait;
        self
    }

    /// Gives the cache to a function, while all callers wait: to save its memory or load it, to
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
        self.shared
            .with(|state, _| function(state.crawl.cache_mut()))
    }

    /// Like [`RobotsCache::with_cache`], with the machine of [`RobotsCache::wait`], which has the
    /// paces of the hosts too. A crawl that goes on after a restart saves both, or a `Retry-After`
    /// of a page would be lost.
    ///
    /// ```
    /// use std::time::SystemTime;
    ///
    /// use polite_robots_policy::{NetError, RobotsCache, RobotsResponse};
    ///
    /// # async fn get(_: String) -> Result<RobotsResponse, NetError> { Err(NetError::Other) }
    /// let robots = RobotsCache::new("ExampleBot", get)?;
    /// // Both are written and read by `serde`, with the feature of that name.
    /// let (cache, paces) =
    ///     robots.with_crawl(|crawl| (crawl.cache().save(), crawl.scheduler().clone()));
    ///
    /// // In the next process.
    /// let robots = RobotsCache::new("ExampleBot", get)?;
    /// robots.with_crawl(|crawl| crawl.load(cache, &paces, SystemTime::now().into()));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn with_crawl<T>(&self, function: impl FnOnce(&mut Crawl) -> T) -> T {
        self.shared.with(|state, _| function(&mut state.crawl))
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

    /// Waits until robots.txt is known and the host has its turn, and then gives the permission for
    /// one request, or the reason why there is none.
    ///
    /// ```
    /// use polite_robots_policy::{NetError, RobotsCache, RobotsResponse, block_on};
    ///
    /// # async fn get(url: String) -> Result<RobotsResponse, NetError> {
    /// #     let body = "User-agent: *\nDisallow: /private/";
    /// #     Ok(RobotsResponse::new(200, [("Server", "example")], body))
    /// # }
    /// # async fn get_page(url: &str) -> Result<RobotsResponse, NetError> { get(url.into()).await }
    /// let robots = RobotsCache::new("ExampleBot", get)?;
    /// let crawl = async {
    ///     for url in ["https://example.com/page", "https://example.com/private/a"] {
    ///         let permit = robots.wait(url).await?;
    ///         if permit.closed {
    ///             println!("keep {url} until {:?}: {permit}", permit.retry_at);
    ///         } else if !permit.allowed {
    ///             println!("leave {url} out: {permit}");
    ///         } else {
    ///             // Send the request, read the body, and only then end the turn.
    ///             match get_page(url).await {
    ///                 Ok(_) => permit.finish(200, [("Content-Type", "text/html")]),
    ///                 Err(error) => permit.fail(error),
    ///             }
    ///         }
    ///     }
    ///     Ok::<(), polite_robots::InvalidUrl>(())
    /// };
    /// block_on(crawl)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// - A page that a rule disallows is answered at once, and takes no turn.
    /// - A closed site is asked again when it may be, if that comes within the
    ///   [longest wait](RobotsCache::with_max_wait); otherwise the answer is
    ///   [closed](RobotsCheck::closed).
    /// - A host without a turn within the longest wait is [busy](RobotsCheck::busy).
    /// - A permit holds the turn of the host until it [ends](Permit): a host has one request at a
    ///   time, with the gap of the profile, its `Crawl-delay`, its `Retry-After` and the back-off
    ///   of a [`Scheduler`](crate::Scheduler). The requests for robots.txt that this call sends
    ///   wait for turns too; those of [`RobotsCache::check`] and its like do not.
    ///
    /// A redirect of a page leads to another page: ask for its target before it is followed.
    ///
    /// ```
    /// # use polite_robots_policy::{NetError, RobotsCache, RobotsResponse, block_on};
    /// # async fn get(_: String) -> Result<RobotsResponse, NetError> {
    /// #     Ok(RobotsResponse::new(404, [("Server", "example")], ""))
    /// # }
    /// # struct Page { status: u16, location: Option<String> }
    /// # async fn get_page(url: &str) -> Result<Page, NetError> {
    /// #     let location = url.ends_with("/old").then(|| "https://www.example/new".to_owned());
    /// #     Ok(Page { status: if location.is_some() { 301 } else { 200 }, location })
    /// # }
    /// # let robots = RobotsCache::new("ExampleBot", get)?;
    /// # block_on(async {
    /// let mut url = String::from("https://example.com/old");
    /// for _hop in 0..5 {
    ///     let permit = robots.wait(&url).await?;
    ///     if !permit.allowed {
    ///         break;
    ///     }
    ///     // The client follows no redirects itself, and has resolved the `Location`.
    ///     let page = get_page(&url).await;
    ///     let next = page.as_ref().ok().and_then(|page| page.location.clone());
    ///     match page {
    ///         Ok(page) => permit.finish(page.status, [("Server", "example")]),
    ///         Err(error) => permit.fail(error),
    ///     }
    ///     let Some(next) = next else { break };
    ///     url = next;
    /// }
    /// # Ok::<(), polite_robots::InvalidUrl>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A future that is dropped loses nothing: its place in the line goes to the next caller, and
    /// its request for robots.txt to another one that waits for it. A thread wakes the callers at
    /// their turns, on any executor; it lives while one waits.
    ///
    /// # Errors
    ///
    /// [`InvalidUrl`], as for [`Origin::of`].
    pub async fn wait(&self, url: &str) -> Result<Permit, InvalidUrl> {
        let place = self.shared.enter(url)?;
        loop {
            match poll_fn(|context| place.poll(context.waker())).await {
                Task::Answer(Answer::Turn(robot)) => {
                    let check = RobotsCheck::new(url, Ok(robot));
                    return Ok(Permit::new(check, Some(place)));
                }
                Task::Answer(Answer::NoTurn(access)) => {
                    return Ok(Permit::new(RobotsCheck::new(url, access), None));
                }
                Task::Answer(Answer::Busy(check)) => return Ok(Permit::new(check, None)),
                Task::Send(round, url) => Box::pin(self.send(round, url)).await,
            }
        }
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
        let (origin, now) = (Origin::of(url)?, self.shared.now());
        let known = self.with_cache(|cache| cache.explain(&origin, now));
        Ok(known.map_or_else(|| check.to_string(), |known| known.to_string()))
    }

    /// The rules in force. The caller fetches them or waits for them, if it has to.
    async fn robot(&self, origin: &Origin) -> Result<Robot, Closed> {
        loop {
            match poll_fn(|context| self.shared.ask(origin, context.waker())).await {
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
        let now = self.shared.now();
        let fetch = self.shared.lock().crawl.cache().begin(&mut ticket, now);
        let mut round = Round {
            shared: &self.shared,
            of: Some((ticket, fetch)),
        };
        while let Some((_, fetch)) = &mut round.of {
            let now = self.shared.now();
            let answer = match fetch.poll(now) {
                Step::Get(request) => (self.fetch)(request.url.into()).await,
                Step::Resolve(_) => {
                    // The client looks names up by itself.
                    fetch.handle(Event::ByName, now);
                    continue;
                }
                Step::Wait(_) | Step::Done(_) => return,
            };
            fetch.handle(event(&answer), self.shared.now());
        }
    }

    /// Sends one request of a round, in the turn of its host.
    async fn send(&self, round: u32, url: String) {
        let mut sending = Sending {
            shared: &self.shared,
            round: Some(round),
        };
        let answer = (self.fetch)(url).await;
        sending.round = None;
        self.shared.handle(round, event(&answer));
    }
}

fn event(answer: &Result<RobotsResponse, NetError>) -> Event<'_> {
    match answer {
        Ok(response) => Event::Response(response.as_response()),
        Err(error) => Event::Failed(*error),
    }
}

impl Drop for Round<'_> {
    fn drop(&mut self) {
        if let Some((ticket, fetch)) = self.of.take() {
            self.shared.end_round(ticket, fetch);
        }
    }
}

impl Drop for Sending<'_> {
    fn drop(&mut self) {
        if let Some(round) = self.round {
            self.shared.break_off(round);
        }
    }
}

impl<F> fmt::Debug for RobotsCache<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RobotsCache").finish_non_exhaustive()
    }
}

/// The longest wait of a caller: that of the client, and of the packages for other languages.
const MAX_WAIT: Duration = Duration::from_secs(300);
