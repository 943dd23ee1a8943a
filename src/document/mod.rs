//! The parsed file as it is written: its lines, its groups, and its groups merged by agent.
//!
//! A crawler needs none of this, because its [`Robot`](crate::Robot) answers. The module is for
//! programs that show, check or rewrite a file: each [`Line`] has its number and its span, each
//! [`Group`] its agents and rules as written, and a [`MergedGroup`] the groups that apply to one
//! agent.
//!
//! ```
//! use polite_robots::RobotsTxt;
//! use polite_robots::document::LineKind;
//!
//! let robots_txt = RobotsTxt::parse(b"User-agent: ExampleBot\nDisallow: /search\nColour: red");
//! let unknown = robots_txt.lines().find(|line| line.kind() == LineKind::UnknownField).unwrap();
//! assert_eq!((unknown.number(), unknown.key()), (3, Some(&b"Colour"[..])));
//!
//! let group = robots_txt.groups().next().unwrap();
//! assert_eq!(group.user_agents().next().unwrap().product_token(), "ExampleBot");
//! assert_eq!(group.rules().next().unwrap().value(), b"/search");
//! ```

pub(crate) mod groups;
pub(crate) mod lines;
pub(crate) mod merged_groups;
pub(crate) mod scope;

pub use crate::document::groups::{Group, RuleRecord, UserAgent};
pub use crate::document::lines::{Line, LineKind, Unread};
pub use crate::document::merged_groups::MergedGroup;
pub use crate::document::scope::{AgentRun, Scope};
pub use crate::parse::field::Spelling;
pub use crate::parse::grammar::Separator;
pub use crate::parse::line::GOOGLE_LINE_BYTES;
pub use crate::parse::trim::{trim, trim_start};
pub use crate::token::{is_wildcard, leading_name, leading_token};
