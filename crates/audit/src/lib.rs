//! The meaning of a robots.txt for people: who may fetch how much, what an edit changes, why a rule
//! decides, where the dialects differ.
//!
//! | module | question |
//! |---|---|
//! | [`answer`] | what will this crawler do with this URL, and where does another reading give another answer? |
//! | [`coverage`] | how much of a site may an agent fetch: nothing, a part or everything? |
//! | [`agent`] | what does the file ask of each agent that it names, and of each known crawler? |
//! | [`forgotten`] | whom else might the owner have meant to keep out? |
//! | [`known`] | who runs a crawler, and what does it fetch for? |
//! | [`policy`] | which use does a `User-agent` line name in place of a crawler? |
//! | [`difference`] | which answers does an edit of the file change, shown by which URLs? |
//! | [`comparison`] | which URLs do RFC 9309 and Google's matcher answer differently, and why? |
//! | [`doubt`] | is the file a robots.txt at all? |
//! | [`explanation`] | why does this rule decide about this URL? |
//! | [`example_path`](mod@example_path) | which path does a pattern match? |
//! | [`edit`] | which lines close or open a site to an agent, or state a preference, and change nothing else? |
//! | [`sentence`](mod@sentence) | who may fetch how much, in one sentence? |
//! | [`printable`] | how is text from a file shown safely? |
//!
//! The answers are values and sentences; printing them is left to the caller. Nothing here reads a
//! file, a clock or the network, starts a thread or panics, so it runs in a browser too.
//!
//! ```
//! use polite_robots::RobotsTxt;
//! use polite_robots_audit::answer::{Reading, Readings};
//!
//! let readings = Readings::new(&RobotsTxt::parse(b"User-agent: Googlebot\nDisallow: /shop/"));
//! let images = readings.answers("Googlebot-Image", Reading::Crawler)?;
//! let answer = images.about("https://example.com/shop/1.png");
//! assert!(!answer.verdict().is_allowed());
//! let note = answer.note().ok_or("no note")?;
//! assert!(note.starts_with("Google says that Googlebot-Image obeys the rules for Googlebot"));
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

pub mod agent;
pub mod answer;
mod budget;
mod classes;
pub mod comparison;
pub mod coverage;
pub mod difference;
pub mod doubt;
pub mod edit;
pub mod example_path;
pub mod explanation;
pub mod forgotten;
pub mod known;
pub mod policy;
pub mod printable;
mod readings;
pub mod sentence;
mod witness;

/// The example of the README, which is a test too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
