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
//! # Where to begin
//!
//! | you | begin with |
//! |---|---|
//! | got a 503, a time-out or a login page for robots.txt, and ask what that permits | [`RobotsCache`], which fetches by a function of yours; for one answer that is at hand, [`RawResponse`](fetch::RawResponse) and [`Fetch`](fetch::Fetch) |
//! | fetch pages of ten sites | [`RobotsCache::wait`]; or the crate [polite-robots-client](https://docs.rs/polite-robots-client), which has an HTTP client too |
//! | fetch pages of ten million sites | [the driving loop](#the-driving-loop) over [`Cache`] and [`Scheduler`], then [Polite at scale](https://github.com/polite-robots/polite-robots/blob/main/crates/policy/docs/polite_at_scale.md) |
//!
//! # Bring your own fetch
//!
//! A crawler with an HTTP client gives [`RobotsCache`] a function that fetches one URL, and asks.
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
//! The features `reqwest` and `ureq` have such functions for these clients. [robots.txt in my
//! crawler](https://github.com/polite-robots/polite-robots/blob/main/docs/robots-in-my-crawler.md)
//! has the rules for one of your own.
//!
//! [`RobotsCache::wait`] waits for the turn of the host as well, and gives a permit for one
//! request.
//!
//! A [`Pacer`] says when the next request to a host may start. One for each host is enough for a
//! few sites; a [`Scheduler`] has those of many, and says which host is next.
//!
//! ```
//! use core::time::Duration;
//! use polite_robots_policy::{Pacer, Profile, Reply, RetryAfter, Timestamp, Turn};
//!
//! let profile = Profile::rfc9309();
//! let mut pacer = Pacer::new();
//! let start = Timestamp::from_millis(1_767_225_600_000);
//! assert_eq!(pacer.poll(&profile, start), Turn::Ready);
//!
//! // The first page, which took 200 ms: 503, and a wait.
//! pacer.handle_start(start);
//! let end = start.saturating_add(Duration::from_millis(200));
//! let reply = Reply::new(Ok(503), start).with_retry_after(RetryAfter::parse("120"));
//! pacer.handle_reply(reply, &profile, end);
//! let next = end.saturating_add(Duration::from_secs(120));
//! assert_eq!(pacer.poll(&profile, end), Turn::NotBefore(next));
//! ```
//!
//! # The machines
//!
//! | machine | scope | decides |
//! |---|---|---|
//! | [`Fetch`](fetch::Fetch) | one round for one robots.txt | redirects, addresses, the meaning of a status and a body |
//! | [`Entry`] | one origin's robots.txt | which rules are in force, also in an outage, and when to ask again |
//! | [`Cache`] | the robots.txt of many origins | one fetch at a time, compiled once, bounded memory |
//! | [`Pacer`] | one host | when the next request may start |
//! | [`Scheduler`] | the paces of many hosts | which host is next; the limits that hosts of one address share |
//! | [`Crawl`](crawl::Crawl) | a [`Cache`] and a [`Scheduler`] | which page or robots.txt is next, for clients with one caller for each page |
//!
//! [`cache::Evidence`] is a verdict that outlives its robot: allowed or not, by which line of which
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
//! One worker runs one loop, whatever its profile. An asynchronous crawler runs each request as a
//! task and sends its end back to the loop; the steps are the same.
//!
//! 1. Ask the [`Scheduler`] for a host that is ready; if there is none, sleep until its next
//!    wake-up.
//! 2. If a robots.txt waits for this host's turn, send its next request. Each hop of a redirect is
//!    a request to the host that it leads to ([`RobotsRequest::host`](fetch::RobotsRequest::host))
//!    and needs a turn of that host.
//! 3. Otherwise ask the [`Cache`] about the origin of the next URL, and act by the [`Lookup`]:
//!    begin a round, keep the URL and [defer](Scheduler::defer) the host, or go on with the rules.
//! 4. Set the `Crawl-delay` of the origin, ask the [`Robot`](polite_robots::Robot) about the URL,
//!    and ask for the turn again: the delay may be new.
//! 5. Fetch the page, and report its end to [`Cache::set_site`]: a page that answers in an outage
//!    makes robots.txt due. A failure of the crawler's own network is reported for no site.
//! 6. Report the start and the end of each request to the scheduler, with the waits that the
//!    response asks for. A failure of the crawler's own network is [`NetError::Local`], here and
//!    for the fetch.
//! 7. Do the steps of a [`Fetch`](fetch::Fetch) that are not requests, until it needs a turn, has
//!    to wait, or is done.
//!
//! This file is [`docs/driving_loop.rs`](https://github.com/polite-robots/polite-robots/blob/main/crates/policy/docs/driving_loop.rs);
//! the tests drive it over virtual sites in trouble, before a judge that sees only the requests.
//!
//! ```no_run
#![doc = include_str!("../docs/driving_loop.rs")]
//! ```
//!
//! A task that may be dropped also needs a guard that calls [`Scheduler::handle_cancelled`] and
//! [`Cache::give_back`]. Without the guard, the leases of ten minutes end the request and the
//! ticket. A round that waits for its turn for longer than
//! [`AccessSettings::ticket_lease`](settings::AccessSettings::ticket_lease) needs a
//! [`Cache::renew`] now and then, for example where a robots.txt redirects to a host with a
//! `Retry-After` of a day; otherwise another round begins beside it.
//!
//! # Left to the caller
//!
//! - The client and its time limits, name resolution and a cache of it, a limit over all hosts.
//! - The URLs and their order. Several origins of a host, such as http and https, have a robots.txt
//!   each and share a pace.
//! - The redirects of *pages*: each target is a URL of its own, with a robots.txt and a turn of its
//!   own. The redirects of a robots.txt are [`Fetch`](fetch::Fetch)'s.
//! - The guard of the crawler's own network: a client that connects where a redirect points reports
//!   [`Event::Refused`](fetch::Event::Refused) for an address that it must not ask.
//! - A line for [`Lookup::Full`]: new hosts wait in it until known ones are finished, first come,
//!   first served.
//!
//! # Memory and restarts
//!
//! The memory is bounded: [`Cache`](Cache#capacity) has the arithmetic of its capacity, a host of a
//! [`Scheduler`] takes less than 250 bytes. An origin that the cache forgets leaves a tombstone, so
//! that forgetting it neither opens the site nor forgives it.
//!
//! With the feature `serde`, [`Entry`], [`Tombstones`](cache::Tombstones), [`Pacer`] and
//! [`Scheduler`] can be saved at any time and go on elsewhere. Requests under way end where they
//! are read, at the newest time that the saved scheduler knows, and their gap is kept; so call
//! [`Scheduler::next_ready`] right before it is saved. Tickets are not saved: their robots.txt is
//! due again. Lost state starts closed: an origin disallows until its robots.txt is fetched, and
//! [`Pacer::after_gap`] waits for one gap.
//!
//! A fleet must give each host to one worker; otherwise each worker keeps the pace of the host, but
//! together they do not. [`Origin::partition_key`] is the rule for it. The page [Polite at
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
pub mod crawl;
mod evidence;
mod headers;
mod host_rule;
mod http_date;
mod jitter;
mod keyed_table;
mod net_error;
mod origin;
mod pace;
mod parts;
mod profile;
mod rate_limit;
mod retry_after;
#[cfg(feature = "std")]
mod robots_cache;
pub mod settings;
mod time;

/// The examples of the guide, tried as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../docs/polite_at_scale.md")]
struct PoliteAtScale;

#[cfg(all(doctest, feature = "reqwest"))]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(all(doctest, feature = "reqwest", feature = "serde", feature = "ureq"))]
#[doc = include_str!("../../../docs/robots-in-my-crawler.md")]
struct RobotsInMyCrawler;

pub use crate::access::cache::{Cache, Lookup, RobotsCheck};
pub use crate::access::entry::Entry;
pub use crate::access::outcome::Outcome;
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
pub use crate::robots_cache::{RobotsCache, block_on::block_on, response::RobotsResponse};
pub use crate::time::Timestamp;

/// One round for one robots.txt: the machine, its steps, and the events that it takes.
pub mod fetch {
    pub use crate::access::fetch::{Event, Fetch, RobotsRequest, Step};
    pub use crate::access::freshness::Freshness;
    pub use crate::access::outcome::Validators;
    pub use crate::access::response::body_end::BodyEnd;
    pub use crate::access::response::{File, RawResponse};
    pub use crate::headers::Headers;
    #[cfg(feature = "std")]
    pub use crate::robots_cache::boxed_fetch::{BoxedFetch, Fetched};
    #[cfg(feature = "reqwest")]
    pub use crate::robots_cache::by_reqwest::by_reqwest;
    #[cfg(feature = "ureq")]
    pub use crate::robots_cache::by_ureq::by_ureq;
}

/// The types beside a [`Cache`]: its tickets, its tombstones, its saved form, its answers about one
/// origin, the evidence of a verdict, and the permits of a [`RobotsCache`].
pub mod cache {
    pub use crate::access::cache::saving::SavedCache;
    pub use crate::access::cache::{Closed, Ticket, Tombstones};
    pub use crate::access::explain::NextFetch;
    pub use crate::access::outage::Site;
    pub use crate::evidence::Evidence;
    #[cfg(feature = "std")]
    pub use crate::robots_cache::permit::Permit;
}
