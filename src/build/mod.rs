//! Writes a robots.txt: from typed parts, or a parsed file in canonical form.
//!
//! [`RobotsTxtBuilder`] and [`GroupBuilder`] write a file that reads back as what was given. Each
//! method takes the builder by value and hands it back; a method that can refuse a value returns a
//! `Result`, so calls are chained with `?`.
//! [`RobotsTxt::to_canonical`](crate::RobotsTxt::to_canonical) rewrites a file that was parsed.
//!
//! ```
//! use polite_robots::Robot;
//! use polite_robots::build::{GroupBuilder, InvalidRecord, RobotsTxtBuilder};
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

pub(crate) mod canonical;
pub(crate) mod error;
pub(crate) mod group_builder;
pub(crate) mod path_pattern;
pub(crate) mod robots_txt_builder;
pub(crate) mod value;

pub use crate::build::canonical::CommentPolicy;
pub use crate::build::error::InvalidRecord;
pub use crate::build::group_builder::GroupBuilder;
pub use crate::build::path_pattern::PathPattern;
pub use crate::build::robots_txt_builder::RobotsTxtBuilder;
