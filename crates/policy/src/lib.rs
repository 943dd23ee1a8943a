//! When a polite crawler may ask, and what the answer to its request for robots.txt means: state machines without I/O.
//!
//! [`polite_robots`] reads a robots.txt and says what it permits. A crawler that reads it well can still be rude: it may take an error of the server for permission, ask for
//! robots.txt at every page, ignore `Retry-After`, or send ten workers to one host. These machines decide all of that.
//! They have no clock, no randomness, no threads and no sockets: `now` is an argument of every call, inputs are
//! `handle*`, outputs are `poll*` and getters, and a [`Profile`] holds every choice that the sources leave open.
//!
//! # The machines
//!
//! | machine | of what | decides |
//! |---|---|---|
//! | [`Fetch`] | one round for one robots.txt | redirects, addresses, what a status or a body means |
//! | [`Entry`] | one origin's robots.txt | which rules are in force, in an outage too, and when to ask again |
//! | [`Cache`] | the entries of many origins | one fetch at a time, compiled once, bounded memory |
//! | [`Pacer`] | one host | when the next request may start |
//! | [`Scheduler`] | the paces of many hosts | which host is next; what hosts of one address share |
//!
//! What is in force for an origin is worked out from facts and the time. An answer is kept for its lifetime and
//! refreshed before its end; an outage begins with the first failed round (the phases of [`Profile::rfc9309`], with
//! those of [`Profile::google`] in brackets):
//!
//! ```text
//!                     200                    ┌──────────────────────────────── 200, 404 ─┐
//!  ┌─────────────┐ ─────────▶ ┌───────┐  lifetime  ┌─────────┐                           │
//!  │ not fetched │    404     │ fresh │ ─────────▶ │ expired │   fails                   │
//!  │  disallow   │ ─────────▶ │ rules │            │disallow │ ─────────┐                │
//!  └─────────────┘            │ or    │            └─────────┘          ▼                │
//!         │                   │ allow │  fails   ┌────────────────────────────────┐      │
//!         │                   │       │ ───────▶ │ outage, while the answer lasts │ ─────┤
//!         │                   └───────┘          │ rules or allow                 │      │
//!         │                       ▲              └────────────────────────────────┘      │
//!         │                       │                     │ lifetime                       │
//!         │ 5xx, 429,             │                     ▼                                │
//!         │ no connection         │              ┌────────────────────────────────┐      │
//!         └───────────────────────┼────────────▶ │ outage, first 12 hours         │ ─────┤
//!                                 │              │ disallow                       │      │
//!                                 │              └────────────────────────────────┘      │
//!                                 │                     │ 12 hours                       │
//!                                 │                     ▼                                │
//!                                 │              ┌────────────────────────────────┐      │
//!                                 │              │ outage, up to 30 days          │ ─────┤
//!                                 │              │ disallow  [copy, else allow]   │      │
//!                                 │              └────────────────────────────────┘      │
//!                                 │                     │ 30 days  [12 hours more]       │
//!                                 │                     ▼                                │
//!                                 │              ┌────────────────────────────────┐      │
//!                                 │              │ long outage                    │ ─────┤
//!                                 │              │ copy, else allow               │      │
//!                                 │              │ [allow if the site answers]    │      │
//!                                 │              └────────────────────────────────┘      │
//!                                 └──────────────────────────────────────────────────────┘
//! ```
//!
//! # The driving loop
//!
//! One worker, one loop. A client that is asynchronous runs step 5 as a task and sends its end back to the loop. The
//! example `polite_crawler` of the crate `polite-robots-client` is such a loop for a real client, with the same numbers;
//! its example `polite_fetch` needs none, as it asks one site.
//!
//! 1. Ask the [`Scheduler`] for a host that is ready; if there is none, sleep until its next wakeup.
//! 2. Ask the [`Cache`] for the robots.txt of the next URL's origin.
//! 3. If it is due, run a round of [`Fetch`] in the host's turn and hand the outcome to the cache.
//! 4. Ask the [`Robot`](polite_robots::Robot) about the URL, and tell the scheduler its `Crawl-delay`.
//! 5. Tell the scheduler of the start and of the end of the request.
//!
//! ```
//! use std::collections::VecDeque;
//! use std::time::Duration;
//!
//! use polite_robots_policy::{
//!     BodyEnd, Cache, Event, Fetch, Headers, Lookup, Origin, Profile, Reply, Response, Scheduler, Step, Timestamp,
//!     Turn,
//! };
//!
//! // Stands for an HTTP client.
//! fn get(url: &str) -> (u16, &'static [u8]) {
//!     match url {
//!         "https://example.com/robots.txt" => (200, b"User-agent: *\nDisallow: /private\nCrawl-delay: 3"),
//!         _ => (200, b"<html>"),
//!     }
//! }
//! // Stands for a clock: SystemTime::now().into(). A request takes 200 ms.
//! let mut now = Timestamp::from_millis(1_767_225_600_000);
//! let took = Duration::from_millis(200);
//!
//! let profile = Profile::rfc9309();
//! let mut cache = Cache::new(profile, &["ExampleBot"], 64 << 20)?;
//! let mut scheduler = Scheduler::new(profile);
//! let host = scheduler.insert("example.com", None);
//! let mut urls = VecDeque::from(["https://example.com/", "https://example.com/private", "https://example.com/a"]);
//! let mut fetched = Vec::new();
//!
//! while let Some(url) = urls.front() {
//!     // 1. Who is next?
//!     let Some(ready) = scheduler.next_ready(now) else {
//!         now = scheduler.next_wakeup().ok_or("nobody waits")?;
//!         continue;
//!     };
//!     assert_eq!(ready, host);
//!
//!     // 2. What does its robots.txt say?
//!     match cache.poll(&Origin::of(url)?, now) {
//!         // 3. It is due: fetch it. That is a request to the host like any other.
//!         Lookup::Fetch(ticket) => {
//!             let mut fetch = Fetch::new(ticket.origin(), ticket.validators().clone(), &profile, now);
//!             while let Step::Get(request) = fetch.poll(now) {
//!                 scheduler.handle_start(host, now);
//!                 let started = now;
//!                 let (status, body) = get(request.url);
//!                 now = now.saturating_add(took);
//!                 scheduler.handle_reply(host, Reply::new(Ok(status), started), now);
//!                 let headers = Headers::default();
//!                 fetch.handle(Event::Response(Response { status, headers, body, end: BodyEnd::Complete }), now);
//!             }
//!             cache.handle(ticket, fetch.into_outcome(), now);
//!         }
//!         Lookup::Ready(robot) => {
//!             // 4. May the URL be fetched?
//!             scheduler.set_crawl_delay(host, &Origin::of(url)?, robot.crawl_delay());
//!             if !robot.allowed(*url) {
//!                 urls.pop_front();
//!             } else if scheduler.turn(host, now) == Turn::Ready {
//!                 // 5. Fetch it. Unless the delay was news, as the request for robots.txt was one too.
//!                 scheduler.handle_start(host, now);
//!                 let started = now;
//!                 let (status, _page) = get(url);
//!                 fetched.push((*url, started));
//!                 now = now.saturating_add(took);
//!                 scheduler.handle_reply(host, Reply::new(Ok(status), started), now);
//!                 urls.pop_front();
//!             }
//!         }
//!         // Another task has the ticket.
//!         _ => break,
//!     }
//! }
//!
//! let [(first, at), (second, later)] = fetched[..] else { panic!() };
//! assert_eq!(at.as_millis(), 1_767_225_603_200);
//! assert_eq!((first, second), ("https://example.com/", "https://example.com/a"));
//! assert_eq!(later.saturating_since(at), Duration::from_millis(3200));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is left to the caller
//!
//! The client and its time limits, name resolution and a cache of it, the URLs and their order, a limit over all hosts,
//! and the check of redirect targets of *pages*, which are URLs of their own with a robots.txt of their own. A client
//! that connects where a redirect points should refuse its own network, with [`Event::Refused`].
//!
//! # Memory and restarts
//!
//! With the feature `serde`, [`Entry`], [`Pacer`] and [`Scheduler`] can be saved and go on as if nothing had been, also
//! elsewhere. If they are lost they start closed: an entry disallows until robots.txt is fetched, and
//! [`Pacer::after_gap`] waits for one gap. A fleet must give each host to one worker, or its pace is kept by each of
//! them and by none together; [`Origin::partition_key`] says to whom. The page
//! [Polite at scale](https://github.com/polite-robots/polite-robots/blob/main/crates/policy/docs/polite_at_scale.md) is about fleets, hand-over and frontiers that exist.
//!
//! Everything here works without `std`; only `Timestamp: From<SystemTime>` needs it.

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
mod evidence;
mod host_rule;
mod http_date;
mod jitter;
mod net_error;
mod origin;
mod pace;
mod profile;
mod rate_limit;
mod retry_after;
mod settings;
mod time;

/// The examples of the guide, tried as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../docs/polite_at_scale.md")]
struct PoliteAtScale;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use crate::access::cache::{Cache, Closed, Lookup, Ticket};
pub use crate::access::entry::Entry;
pub use crate::access::explain::NextFetch;
pub use crate::access::fetch::{Event, Fetch, Request, Step};
pub use crate::access::freshness::Freshness;
pub use crate::access::headers::Headers;
pub use crate::access::outage::Site;
pub use crate::access::outcome::{BodyEnd, Outcome, Response, Validators};
pub use crate::evidence::Evidence;
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
