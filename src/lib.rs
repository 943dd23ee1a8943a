#![doc = include_str!("../README.md")]
//!
//! # The pipeline
//!
//! Data flows one way, and the modules are its stages:
//!
//! ```text
//! octets → lines → directives → groups → compiled rules → verdict
//! └──────────── parse ───────────────┘   └── rules ──┘
//! ```
//!
//! [`Robot::new`] runs it in one pass for one agent. [`RobotsTxt::parse`] stops after the groups and keeps them, so
//! that [`RobotsTxt::robot`] can compile the rules of any agent; both give the same [`Robot`]. A [`Robot`] compares
//! the path of a [`Target`] with each [`Rule`] by its [`Tier`] and answers with a [`Verdict`].

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

mod agent;
mod diagnostic;
mod extension;
mod options;
mod parse;
#[cfg(feature = "policy")]
pub mod policy;
mod robots;
mod rules;
mod verdict;

pub use crate::agent::{AgentMatch, InvalidToken, ProductToken};
pub use crate::diagnostic::{Code, Diagnostic, Severity, Sink};
pub use crate::extension::Extension;
pub use crate::options::{Dialect, Options};
pub use crate::parse::directive::{Access, ExtensionField, ExtensionLevel};
pub use crate::parse::document::{Group, UserAgent, WrittenRule};
pub use crate::robots::{Robot, RobotsTxt};
pub use crate::rules::Rule;
pub use crate::rules::path::{InvalidUrl, Target, robots_url};
pub use crate::rules::pattern::Tier;
#[doc(hidden)]
pub use crate::rules::pattern::matches_in_tier;
pub use crate::verdict::{Cause, Reason, Verdict};
