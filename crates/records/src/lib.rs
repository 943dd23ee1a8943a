//! The meaning of the records of a robots.txt outside of RFC 9309: preferences about AI, licenses,
//! rates, visit times, query parameters and the preferred host.
//!
//! The crate [`polite-robots`](https://docs.rs/polite-robots) reads a file and keeps these records as
//! they are written. This crate reads their values. No record changes a verdict.
//!
//! | record | for a crawler | for a tool |
//! |---|---|---|
//! | `Content-Signal`, `Content-Usage` | [`Usage::of`] a [`Robot`](polite_robots::Robot) and a URL | [`ContentSignal`], [`ContentUsage`] |
//! | the rules of `User-agent: __usage_ai-training` | in [`Usage::of`] | [`Robot::policy`](polite_robots::Robot::policy) |
//! | `License` | [`License::of`] a robot | [`License`] |
//! | `Request-rate` | [`RequestRate::of`] a robot | [`RequestRate`] |
//! | `Visit-time` | [`DayWindow::visit_times`] of a robot | [`DayWindow`] |
//! | `Clean-param` | [`CleanParams::of`] a [`RobotsTxt`](polite_robots::RobotsTxt) | [`CleanParam`] |
//! | `Host` | | [`Host::of`] a file |
//! | a field that is only proposed | | [`ProposedField::of`] a file |
//!
//! [`ExtensionValue::of`] reads the value of any record.
//!
//! ```
//! use polite_robots::Robot;
//! use polite_robots_records::{Preference, Usage};
//!
//! let robot = Robot::new("ExampleBot", b"
//! User-agent: *
//! Allow: /
//! Content-Signal: search=yes, ai-train=no
//! ")?;
//! let page = "https://example.com/story";
//! assert!(robot.allowed(page));
//! assert_eq!(Usage::of(&robot, page).ai_training(), Preference::Disallowed);
//! # Ok::<(), polite_robots::InvalidToken>(())
//! ```

#![no_std]
// Name the smallest crate that has the item, so that the library stays `no_std`.
#![warn(
    clippy::alloc_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core
)]
extern crate alloc;

pub mod calendar;
mod clean_param;
mod clean_params;
mod host;
mod license;
mod number;
mod preferences;
mod proposed_field;
mod rate;
mod value;

pub use crate::clean_param::CleanParam;
pub use crate::clean_params::CleanParams;
pub use crate::host::Host;
pub use crate::license::License;
pub use crate::preferences::content_signal::ContentSignal;
pub use crate::preferences::content_usage::ContentUsage;
pub use crate::preferences::content_use::ContentUse;
pub use crate::preferences::of_robot::Usages;
pub use crate::preferences::preference::{KeyValue, Preference, UsageCategory};
pub use crate::preferences::usage::{Usage, UsageRecord, UsageSource};
pub use crate::proposed_field::ProposedField;
pub use crate::rate::day_window::DayWindow;
pub use crate::rate::request_rate::RequestRate;
pub use crate::value::ExtensionValue;

/// The examples of the README, which are tests too.
#[cfg(doctest)]
mod examples {
    #[doc = include_str!("../README.md")]
    mod readme {}
}
