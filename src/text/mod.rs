//! Functions of bytes and text that know nothing of robots.txt, for programs that show or write a
//! file.
//!
//! A robots.txt may hold characters that steer a terminal or reorder what a reader sees. The
//! functions here make such text safe to show.
//!
//! ```
//! use polite_robots::RobotsTxt;
//! use polite_robots::text::quote;
//!
//! let robots_txt = RobotsTxt::parse(b"User-agent: *\nDisallow: /\x1b[2J");
//! let rule = robots_txt.groups().next().unwrap().rules().next().unwrap();
//! assert_eq!(quote(rule.value()).to_string(), r"`/\u{1b}[2J`");
//! ```

pub(crate) mod byte_class;
pub(crate) mod bytes;
pub(crate) mod percent;
pub(crate) mod quote;
pub(crate) mod scheme;
pub(crate) mod web_url;

pub use crate::text::quote::{as_typed, escaped, quote};
pub use crate::text::scheme::{WebScheme, split_before_authority, split_scheme};
