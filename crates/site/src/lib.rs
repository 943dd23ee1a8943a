//! A robots.txt held against the rest of its site: the sitemaps that invite crawlers, and the logs
//! that show who came.
//!
//! | module | question |
//! |---|---|
//! | [`sitemap`] | which URLs does a sitemap list? |
//! | [`by_rule`] | which of them does the robots.txt close, and by which lines? |
//! | [`log`] | which requests does an access log record? |
//! | [`obedience`] | which crawlers asked for what they may not fetch, and how fast? |
//!
//! Files come as streams of bytes from anywhere, plain or as gzip. Memory is bounded, and hostile
//! bytes are errors or are counted. Nothing here opens a file or the network, and nothing is
//! printed.
//!
//! ```
//! use polite_robots::{RobotsTxt, Target};
//! use polite_robots_audit::answer::{Reading, Readings};
//! use polite_robots_site::by_rule::DisallowedByRule;
//! use polite_robots_site::sitemap;
//!
//! let file = RobotsTxt::parse(b"User-agent: *\nDisallow: /cart");
//! let readings = Readings::new(&file);
//! let answers = readings.answers("ExampleBot", Reading::Crawler)?;
//! let list = "https://example.com/\nhttps://example.com/cart/1\n";
//! let mut disallowed = DisallowedByRule::new(3);
//! sitemap::read(list.as_bytes(), |url| {
//!     disallowed.add(&answers, &Target::requested(url));
//! })?;
//! assert_eq!((disallowed.urls(), disallowed.disallowed()), (2, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod by_rule;
mod gzip;
mod host;
pub mod log;
pub mod obedience;
pub mod sitemap;

pub use crate::host::host;

/// The example of the README, which is a test too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
