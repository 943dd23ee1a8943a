#![doc = include_str!("../README.md")]
//!
//! # The pipeline
//!
//! Data flows one way, and the modules are its stages:
//!
//! ```text
//! bytes → lines → directives → groups → compiled rules → verdict
//! └──────────── parse ───────────────┘   └── rules ──┘
//! ```
//!
//! [`Robot::new`] runs it in one pass for one agent. [`RobotsTxt::parse`] stops after the groups and keeps them, so
//! that [`RobotsTxt::robot`] can compile the rules of any agent; both give the same [`Robot`]. A [`Robot`] compares
//! the path of a [`Target`] with each [`Rule`] that may match it, by the rule's [`Tier`], and answers with a [`Verdict`].
//!
//! # Records beside the rules
//!
//! Records outside of RFC 9309 never change a verdict. [`RobotsTxt::extensions`] has all that this crate knows, each with
//! its raw value, its line, whom it is for ([`Scope`]) and what it says ([`Record`]). A [`Robot`] has what concerns its
//! agent: what the site asks about the use of a URL's content ([`Robot::usage`]), licences, rates, times and delays.
//!
//! ```
//! use polite_robots::Robot;
//! use polite_robots::record::Preference;
//!
//! let robot = Robot::new("ExampleBot", b"
//! User-agent: *
//! Allow: /
//! Content-Signal: search=yes, ai-train=no
//! ")?;
//! let page = "https://example.com/story";
//! assert!(robot.allowed(page));
//! assert_eq!(robot.usage(page).ai_training(), Preference::Disallowed);
//! # Ok::<(), polite_robots::InvalidToken>(())
//! ```
//!
//! What a fetched page says of itself, in `X-Robots-Tag` fields and robots `meta` elements, is the module [`page`].
//!
//! Against the stream, [`RobotsTxtBuilder`] writes a file, and [`RobotsTxt::to_canonical`] one that was read.
//!
//! # Serialised forms
//!
//! With the feature `serde`, [`RobotsTxt`], [`Robot`], [`Diagnostic`], [`Options`], [`ProductToken`] and the enums that
//! they hold can be stored and read back in any format, from readers and values too, as nothing borrows.
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! use polite_robots::Robot;
//!
//! let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /search")?;
//! let stored = serde_json::to_string(&robot)?;
//! assert!(stored.starts_with(r#"{"version":1,"dialect":"rfc9309","agent_match":"wildcard","#));
//! assert_eq!(serde_json::from_str::<Robot>(&stored)?, robot);
//! # }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! - A [`RobotsTxt`] is its bytes, its dialect and where it was cut, and is parsed again. In a format for people the
//!   bytes are text, or a list of numbers if they are not UTF-8.
//! - A [`Robot`] is its rules in compared form with their lines, and what else its methods hand out. The rules are
//!   checked and compiled again, so that a hostile form is an error or a robot that a file could have made.
//! - Both begin with a version number; another one than this release writes is an error that says so.
//! - Choices are written by their name, such as `google` or `missing-colon`.
//! - [`Verdict`], [`Reason`] and [`Rule`] borrow from their robot: they can be written, not read.
//!
//! For people who write a robots.txt there is [`guide::site_owners`], and a page for each [`DiagnosticCode`] of a finding in
//! [`codes`].

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
mod agent;
pub mod build;
pub mod document;
#[cfg(doc)]
pub mod guide;
mod header_guess;
pub mod lint;
mod options;
pub mod page;
mod parse;
#[cfg(feature = "policy")]
pub mod policy;
pub mod record;
mod robots;
mod robots_url;
mod rules;
#[cfg(feature = "serde")]
mod serde;
mod target;
mod text;
mod token;
mod verdict;

pub use crate::access::Access;
pub use crate::agent::{AgentMatch, InvalidToken, ProductToken};
pub use crate::options::{Dialect, Options};
pub use crate::robots::robot::Robot;
pub use crate::robots::robots_txt::RobotsTxt;
pub use crate::robots_url::{InvalidUrl, robots_url};
pub use crate::rules::Rule;
pub use crate::rules::pattern::Tier;
#[doc(hidden)]
pub use crate::rules::pattern::matches_in_tier;
pub use crate::target::Target;
pub use crate::verdict::{Cause, Reason, Verdict};
