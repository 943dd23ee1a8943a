//! Writes a robots.txt: from typed parts, or a parsed file in canonical form.
//!
//! [`RobotsTxtBuilder`] and [`GroupBuilder`] write a file that reads back as what was given. Each
//! method takes the builder by value and hands it back; a method that can refuse a value returns a
//! `Result`, so calls are chained with `?`.
//! [`canonical`](canonical()) rewrites a file that was parsed.
//!
//! ```
//! use polite_robots::Robot;
//! use polite_robots_build::{GroupBuilder, InvalidRecord, RobotsTxtBuilder};
//!
//! /// The robots.txt of a shop that is closed for the night.
//! fn closed(sitemap: &str) -> Result<String, InvalidRecord> {
//!     let everyone = GroupBuilder::new("*")?.disallow("/")?.allow("/$")?;
//!     Ok(RobotsTxtBuilder::new().group(everyone).sitemap(sitemap)?.build())
//! }
//!
//! let file = closed("https://example.com/sitemap.xml")?;
//! let robot = Robot::new("ExampleBot", file.as_bytes()).unwrap();
//! assert!(robot.allowed("https://example.com/") && !robot.allowed("https://example.com/cart"));
//! // No line of the file can be broken from within a value.
//! assert!(closed("https://example.com/\nAllow: /").is_err());
//! # Ok::<(), InvalidRecord>(())
//! ```

#![no_std]
// Name the smallest crate that has the item, so that the library stays `no_std`.
#![warn(
    clippy::alloc_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core
)]

extern crate alloc;

mod canonical;
mod error;
mod group_builder;
mod path_pattern;
mod robots_txt_builder;
mod value;

pub use crate::canonical::{CommentPolicy, canonical};
pub use crate::error::InvalidRecord;
pub use crate::group_builder::GroupBuilder;
pub use crate::path_pattern::PathPattern;
pub use crate::robots_txt_builder::RobotsTxtBuilder;

/// The examples of the README, which are tests too.
#[cfg(doctest)]
mod examples {
    #[doc = include_str!("../README.md")]
    mod readme {}
}
