//! When a polite crawler may ask, and what the answer to its request for robots.txt means: state
//! machines without I/O.
//!
//! [`polite_robots`] reads a robots.txt and says what it permits. A crawler that reads it well can
//! still be rude: it may take an error of the server for permission, ask for robots.txt at every
//! page, ignore `Retry-After`, or send ten workers to one host. These machines decide all of that.
//! They have no clock, no randomness, no threads and no sockets: `now` is an argument of every
//! call, inputs are `handle*`, outputs are `poll*` and getters, and a [`Profile`] holds every
//! choice that the sources leave open.
//!
//! # Bring your own fetch
//!
//! A crawler with an HTTP client needs none of this page: it gives [`RobotsCache`] a function that
//! fetches one URL, and asks.
//!
//! ```
//! use polite_robots_policy::{NetError, RobotsCache, RobotsResponse, block_on};
//!
//! /// Stands for an HTTP client.
//! async fn fetch(url: String) -> Result<RobotsResponse, NetError> {
//!     assert_eq!(url, "https://example.com/robots.txt");
//!     Ok(RobotsResponse::new(503, [("Retry-After", "3600")], "We are sorry"))
//! }
//!
//! let robots = RobotsCache::new("ExampleBot", fetch)?;
//! let check = block_on(robots.check("https://example.com/page"))?;
//! // An outage is no permission. Later the page may be one.
//! assert!(!check.allowed && check.closed && check.retry_at.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [robots.txt in my
//! crawler](https://github.com/polite-robots/polite-robots/blob/main/docs/robots-in-my-crawler.md)
//! has fetchers for reqwest and ureq. The machines below are for crawlers that decide about each
//! request by themselves.
//!
//! # The machines
//!
//! | machine | scope | decides |
//! |---|---|---|
//! | [`Fetch`] | one round for one robots.txt | redirects, addresses, the meaning of a status and a body |
//! | [`Entry`] | one origin's robots.txt | which rules are in force, also in an outage, and when to ask again |
//! | [`Cache`] | the robots.txt of many origins | one fetch at a time, compiled once, bounded memory |
//! | [`Pacer`] | one host | when the next request may start |
//! | [`Scheduler`] | the paces of many hosts | which host is next; the limits that hosts of one address share |
//!
//! [`Evidence`] is a verdict that outlives its robot: allowed or not, by which line of which
//! robots.txt.
//!
//! The rules in force for an origin follow from facts and the time. An answer is kept for its
//! lifetime and refreshed before its end; an outage begins with the first failed round. These are
//! the phases of [`Profile::rfc9309`], with those of [`Profile::google`] in brackets:
//!
//! ```text
//!                     200                    ┌──────────────────────────────── 200, 404 ─┐
//!  ┌─────────────┐ ─────────▶ ┌───────┐  lifetime  ┌─────────┐                           │
//!  │ not fetched │    404     │ fresh │ ─────────▶ │ expired │   fails                   │
//!  │  closed     │ ─────────▶ │ rules │            │ closed  │ ─────────┐                │
//!  └─────────────┘            │ or    │            └─────────┘          ▼                │
//!         │                   │ allow │  fails   ┌────────────────────────────────┐      │
//!         │                   │       │ ───────▶ │ outage, while the answer lasts │ ─────┤
//!         │                   └───────┘          │ rules or allow                 │      │
//!         │                       ▲              └────────────────────────────────┘      │
//!         │                       │                     │ lifetime                       │
//!         │ 5xx, 429,             │                     ▼                                │
//!         │ no connection         │              ┌────────────────────────────────┐      │
//!         └───────────────────────┼────────────▶ │ outage, first 12 hours         │ ─────┤
//!                                 │              │ closed                         │      │
//!                                 │              └────────────────────────────────┘      │
//!                                 │                     │ 12 hours of failed rounds      │
//!                                 │                     ▼                                │
//!                                 │              ┌────────────────────────────────┐      │
//!                                 │              │ outage, up to 30 days          │ ─────┤
//!                                 │              │ closed  [copy, else allow]     │      │
//!                                 │              └────────────────────────────────┘      │
//!                                 │                     │ 30 days of failed rounds       │
//!                                 │                     ▼  [12 hours more]               │
//!                                 │              ┌────────────────────────────────┐      │
//!                                 │              │ long outage                    │ ─────┤
//!                                 │              │ copy, else allow               │      │
//!                                 │              │ [allow if the site answers]    │      │
//!                                 │              └────────────────────────────────┘      │
//!                                 └──────────────────────────────────────────────────────┘
//! ```
//!
//! Access opens by evidence, never by time alone. An outage has an age only after three failed
//! rounds; a pause of more than two days between two of them starts its age anew; and while a retry
//! is due the site is closed, so each page of a long outage comes after a round that failed. Rounds
//! that the crawler gave up, and failures of its own network ([`NetError::Local`]), are no
//! evidence.
//!
//! # The driving loop
//!
//! One worker, one loop, for every profile. An asynchronous crawler runs each request as a task and
//! sends its end back to the loop; the steps are the same.
//!
//! 1. Ask the [`Scheduler`] for a host that is ready; if there is none, sleep until its next
//!    wake-up.
//! 2. If a robots.txt waits for this host's turn, send its next request. Each hop of a redirect is
//!    a request to the host that it leads to ([`Request::host`]) and belongs into that host's turn.
//! 3. Otherwise ask the [`Cache`] about the origin of the next URL, and act by the [`Lookup`]:
//!    begin a round, keep the URL and [defer](Scheduler::defer) the host, or go on with the rules.
//! 4. Set the `Crawl-delay` of the origin, ask the [`Robot`](polite_robots::Robot) about the URL,
//!    and ask for the turn again: the delay may be news.
//! 5. Report the start and the end of each request to the scheduler.
//! 6. Do the steps of a [`Fetch`] that are no requests, until it needs a turn, has to wait, or is
//!    done.
//!
//! ```
//! use std::collections::{HashMap, VecDeque};
//! use std::net::IpAddr;
//! use std::time::Duration;
//!
//! use polite_robots_policy::{
//!     BodyEnd, Cache, Event, Fetch, Headers, HostId, Lookup, NextFetch, Origin, Profile, Reply, Response, Scheduler, Step,
//!     Ticket, Timestamp, Turn,
//! };
//!
//! /// Stands for an HTTP client: status, `Location`, body.
//! fn get(url: &str) -> (u16, Option<&'static str>, &'static [u8]) {
//!     match url {
//!         "https://a.example/robots.txt" => (302, Some("https://b.example/robots.txt"), b""),
//!         "https://b.example/robots.txt" => (200, None, b"User-agent: *\nDisallow: /private"),
//!         _ => (200, None, b"<html>"),
//!     }
//! }
//!
//! struct Crawler {
//!     profile: Profile,
//!     cache: Cache,
//!     scheduler: Scheduler,
//!     /// The jobs of each host.
//!     jobs: HashMap<HostId, VecDeque<Job>>,
//!     /// Stands for a clock: `SystemTime::now().into()`.
//!     now: Timestamp,
//!     fetched: Vec<String>,
//! }
//!
//! enum Job {
//!     Page(String),
//!     Robots(Ticket, Fetch),
//! }
//!
//! impl Crawler {
//!     fn run(&mut self) -> Result<(), polite_robots::InvalidUrl> {
//!         loop {
//!             // 1. The next host.
//!             let Some(host) = self.scheduler.next_ready(self.now) else {
//!                 match self.scheduler.next_wakeup() {
//!                     Some(wakeup) => self.now = wakeup,
//!                     None => return Ok(()),
//!                 }
//!                 continue;
//!             };
//!             match self.jobs.entry(host).or_default().pop_front() {
//!                 None => {
//!                     self.jobs.remove(&host);
//!                     self.scheduler.remove(host);
//!                 }
//!                 Some(Job::Robots(ticket, fetch)) => self.robots(host, ticket, fetch),
//!                 Some(Job::Page(url)) => self.page(host, url)?,
//!             }
//!         }
//!     }
//!
//!     /// 2. The next request of a robots.txt.
//!     fn robots(&mut self, host: HostId, ticket: Ticket, mut fetch: Fetch) {
//!         match fetch.poll(self.now) {
//!             Step::Get(request) if request.host == self.scheduler.host(host) => {
//!                 let (status, location, body) = self.send(host, request.url);
//!                 let mut headers = Headers::default();
//!                 headers.location = location;
//!                 let response = Response { status, headers, body, end: BodyEnd::Complete };
//!                 fetch.handle(Event::Response(response), self.now);
//!             }
//!             // The clock was set back: the round waits again.
//!             _ => {}
//!         }
//!         self.advance(ticket, fetch);
//!     }
//!
//!     fn page(&mut self, host: HostId, url: String) -> Result<(), polite_robots::InvalidUrl> {
//!         let origin = Origin::of(&url)?;
//!         // 3. The robots.txt of its origin.
//!         match self.cache.poll(&origin, self.now) {
//!             Lookup::Fetch(ticket) => {
//!                 self.cache.hold(&origin);
//!                 self.put_first(host, Job::Page(url));
//!                 let validators = ticket.validators().clone();
//!                 let fetch = Fetch::new(ticket.origin(), validators, &self.profile, self.now);
//!                 self.advance(ticket, fetch);
//!             }
//!             // An outage, not a rule: the URL is kept, and others can use the room in the cache.
//!             Lookup::Closed(closed) => {
//!                 self.cache.release(&origin);
//!                 if let NextFetch::At(time) = closed.retry {
//!                     self.put_first(host, Job::Page(url));
//!                     self.scheduler.defer(host, time);
//!                 }
//!             }
//!             Lookup::Ready(robot) => {
//!                 self.cache.hold(&origin);
//!                 // 4. The rules of its origin.
//!                 self.scheduler.set_crawl_delay(host, &origin, robot.crawl_delay());
//!                 if !robot.allowed(&*url) {
//!                     // A rule: the URL is dropped.
//!                 } else if self.scheduler.turn(host, self.now) != Turn::Ready {
//!                     self.put_first(host, Job::Page(url));
//!                 } else {
//!                     self.send(host, &url);
//!                     self.fetched.push(url);
//!                 }
//!                 if self.jobs.get(&host).is_none_or(VecDeque::is_empty) {
//!                     self.cache.release(&origin);
//!                 }
//!             }
//!             // `Pending`: its robots.txt waits for another host. `Full`: hosts that are known come first.
//!             _ => {
//!                 self.put_first(host, Job::Page(url));
//!                 self.scheduler.defer(host, self.now.saturating_add(Duration::from_secs(1)));
//!             }
//!         }
//!         Ok(())
//!     }
//!
//!     /// 5. A request, from its start to its end. It takes 200 ms.
//!     fn send(&mut self, host: HostId, url: &str) -> (u16, Option<&'static str>, &'static [u8]) {
//!         let started = self.now;
//!         self.scheduler.handle_start(host, started);
//!         let answer = get(url);
//!         self.now = started.saturating_add(Duration::from_millis(200));
//!         self.scheduler.handle_reply(host, Reply::new(Ok(answer.0), started), self.now);
//!         answer
//!     }
//!
//!     /// 6. The steps of a round that are no requests.
//!     fn advance(&mut self, ticket: Ticket, mut fetch: Fetch) {
//!         loop {
//!             let (name, turn) = match fetch.poll(self.now) {
//!                 Step::Get(request) => (request.host, self.now),
//!                 Step::Wait(until) => (ticket.origin().host(), until),
//!                 Step::Resolve(_) => {
//!                     let addresses = [IpAddr::from([192, 0, 2, 1])];
//!                     fetch.handle(Event::Resolved(&addresses), self.now);
//!                     continue;
//!                 }
//!                 _ => return self.cache.handle(ticket, fetch.into_outcome(), self.now),
//!             };
//!             // A host that is known keeps its pace; one that was deferred gets a turn for this request.
//!             let host = self.scheduler.insert(name, None);
//!             self.scheduler.defer(host, turn);
//!             return self.put_first(host, Job::Robots(ticket, fetch));
//!         }
//!     }
//!
//!     fn put_first(&mut self, host: HostId, job: Job) {
//!         self.jobs.entry(host).or_default().push_front(job);
//!     }
//! }
//!
//! for (profile, expected) in [
//!     (Profile::rfc9309(), ["https://a.example/", "https://b.example/"].as_slice()),
//!     (Profile::google(), &["https://a.example/", "https://b.example/"]),
//!     // For IBM a redirect is no answer: a.example is given up after ten rounds.
//!     (Profile::ibm(), &["https://b.example/"]),
//! ] {
//!     let mut crawler = Crawler {
//!         profile,
//!         cache: Cache::new(profile, &["ExampleBot"], 64 << 20)?,
//!         scheduler: Scheduler::new(profile),
//!         jobs: HashMap::new(),
//!         now: Timestamp::from_millis(1_767_225_600_000),
//!         fetched: Vec::new(),
//!     };
//!     for url in ["https://a.example/", "https://a.example/private", "https://b.example/"] {
//!         let host = crawler.scheduler.insert(Origin::of(url)?.host(), None);
//!         crawler.jobs.entry(host).or_default().push_back(Job::Page(url.into()));
//!     }
//!     crawler.run()?;
//!     crawler.fetched.sort();
//!     assert_eq!(crawler.fetched, expected);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A real client adds three calls. The end of a page goes to [`Cache::set_site`]: a page that
//! answers in an outage makes robots.txt due. A task that may be dropped has a guard that calls
//! [`Scheduler::handle_cancelled`] and [`Cache::give_back`]; without it the leases of ten minutes
//! end the request and the ticket. And a failure of the crawler's own network is reported as
//! [`NetError::Local`], to the fetch and to the scheduler, so that it counts for no site.
//!
//! # Left to the caller
//!
//! - The client and its time limits, name resolution and a cache of it, a limit over all hosts.
//! - The URLs and their order. Several origins of a host, such as http and https, have a robots.txt
//!   each and share a pace.
//! - The redirects of *pages*: each target is a URL of its own, with a robots.txt and a turn of its
//!   own. The redirects of a robots.txt are [`Fetch`]'s.
//! - The guard of the crawler's own network: a client that connects where a redirect points reports
//!   [`Event::Refused`] for an address that it must not ask.
//! - A line for [`Lookup::Full`]: new hosts wait in it until known ones are finished, first come,
//!   first served.
//!
//! # Memory and restarts
//!
//! The memory is bounded: [`Cache`](Cache#capacity) has the arithmetic of its capacity, a host of a
//! [`Scheduler`] takes less than 250 bytes. An origin that the cache forgets leaves a tombstone, so
//! that to forget it neither opens the site nor forgives it.
//!
//! With the feature `serde`, [`Entry`], [`Tombstones`], [`Pacer`] and [`Scheduler`] can be saved at
//! any time and go on elsewhere. Requests under way end where they are read, at the newest time
//! that the saved scheduler knows, and their gap is kept; so call [`Scheduler::next_ready`] right
//! before it is saved. Tickets are not saved: their robots.txt is due again. Lost state starts
//! closed: an origin disallows until its robots.txt is fetched, and [`Pacer::after_gap`] waits for
//! one gap.
//!
//! A fleet must give each host to one worker, or its pace is kept by each of them and by none
//! together; [`Origin::partition_key`] is the rule for it. The page [Polite at
//! scale](https://github.com/polite-robots/polite-robots/blob/main/crates/policy/docs/polite_at_scale.md)
//! is about fleets, hand-over and frontiers that exist.
//!
//! The machines work without `std`; [`RobotsCache`], `Timestamp: From<SystemTime>` and the feature
//! `http` need it.

#![no_std]
// Name the smallest crate that has the item, so that the library stays `no_std`.
#![warn(
    clippy::alloc_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core
)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod access;
mod calendar;
mod evidence;
mod headers;
mod host_rule;
mod http_date;
mod jitter;
mod keyed_table;
mod net_error;
mod origin;
mod pace;
mod profile;
mod rate_limit;
mod retry_after;
#[cfg(feature = "std")]
mod robots_cache;
mod settings;
mod time;

/// The examples of the guide, tried as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../docs/polite_at_scale.md")]
struct PoliteAtScale;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use crate::access::cache::saving::SavedCache;
pub use crate::access::cache::{Cache, Closed, Lookup, Ticket, Tombstones};
pub use crate::access::entry::Entry;
pub use crate::access::explain::NextFetch;
pub use crate::access::fetch::{Event, Fetch, Request, Step};
pub use crate::access::freshness::Freshness;
pub use crate::access::outage::Site;
pub use crate::access::outcome::{BodyEnd, Outcome, Response, Validators};
pub use crate::evidence::Evidence;
pub use crate::headers::Headers;
pub use crate::host_rule::HostRule;
pub use crate::net_error::NetError;
pub use crate::origin::Origin;
pub use crate::pace::pacer::Pacer;
pub use crate::pace::reply::{PageSignal, Reply, Turn};
pub use crate::pace::scheduler::Scheduler;
pub use crate::pace::scheduler::host_id::HostId;
pub use crate::pace::scheduler::ip_group::IpGroup;
pub use crate::profile::Profile;
pub use crate::retry_after::RetryAfter;
#[cfg(feature = "std")]
pub use crate::robots_cache::{
    RobotsCache, block_on::block_on, check::RobotsCheck, response::RobotsResponse,
};
pub use crate::settings::access::{
    AccessPolicy, AccessSettings, AttemptPlan, ConditionalRequests, FreshnessPolicy,
    LongOutagePolicy, NoCopyPolicy, Obedience, OverLimitPolicy, ParseErrorPolicy, RedirectPolicy,
    StaleCopyPolicy,
};
pub use crate::settings::pace::{
    Backoff, CrawlDelayPolicy, GapAnchor, GroupPace, LatencyPolicy, Levels, LongDelayPolicy,
    PaceSettings, Reward,
};
pub use crate::time::Timestamp;
