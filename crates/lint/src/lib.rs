//! Mistakes in a robots.txt: findings for the person who writes the file.
//!
//! A finding is a [`Diagnostic`]: a stable [`DiagnosticCode`] with a page of explanation, a line, a
//! span and one sentence that says what to do. [`lint`](lint()) collects all findings of a file,
//! and a [`Linter`] those that a caller wants. [`fix`] follows the suggestions that change no
//! answer.
//!
//! ```
//! use polite_robots::RobotsTxt;
//! use polite_robots_lint::{Severity, lint};
//!
//! let robots_txt = RobotsTxt::parse(b"Disallow: /cart\nUser-agent: *\nDisalow: /search\n");
//! let found = lint(&robots_txt);
//! let errors: Vec<String> = found
//!     .iter()
//!     .filter(|finding| finding.severity() == Severity::Error)
//!     .map(|finding| format!("{}: {}", finding.line(), finding.code()))
//!     .collect();
//! assert_eq!(errors, ["1: rule-before-group"]);
//! ```
//!
//! # What is read
//!
//! The crate reads the parsed document as any other program can: its lines, groups and records. So
//! it finds nothing that the document does not say, and no finding changes an answer about a URL.
//!
//! | finding about | example |
//! |---|---|
//! | one line | a misspelled field, a path without a slash, an invisible character |
//! | several rules | a rule that another one overrules, a site closed by mistake |
//! | groups | an agent with two groups, a last group without rules |
//! | preferences | two lines that contradict each other |
//! | known crawlers | a name that no crawler has, a delay that Google ignores |
//!
//! The crate has no I/O and no clock, and does not panic. The work on one file is bounded by its
//! length.
//!
//! # Features
//!
//! With `serde`, a [`Diagnostic`] can be stored and read back. It is off by default.
//!
//! People who write a robots.txt find advice in the [guide for site
//! owners](https://github.com/polite-robots/polite-robots/blob/main/crates/lint/src/guide/site_owners.md).

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod advice;
mod code;
mod crawlers;
mod diagnostic;
pub mod fix;
mod group_index;
mod group_text;
mod groups;
mod lines;
mod linter;
mod opinions;
mod order;
mod proposal;
mod rule_text;
mod rules;
mod sentence;
#[cfg(feature = "serde")]
mod serde;
mod settled;
mod site_host;
mod text;
mod usage;
mod work_budget;

pub use crate::code::{DiagnosticCode, Severity};
pub use crate::diagnostic::{Diagnostic, Sink};
pub use crate::linter::{Linter, lint};
pub use crate::proposal::{Edit, Effect, Proposal};

/// The examples of the README and of the guide, which are tests too.
#[cfg(doctest)]
mod examples {
    #[doc = include_str!("../README.md")]
    mod readme {}

    #[doc = include_str!("guide/site_owners.md")]
    mod site_owners {}
}
