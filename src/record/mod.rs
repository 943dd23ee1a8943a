//! The records outside of RFC 9309, as a file writes them. They never change a verdict.
//!
//! RFC 9309 §2.2.4 leaves room for other records, and files hold many: delays, sitemaps, licenses,
//! preferences about AI.
//!
//! - [`RobotsTxt::extensions`](crate::RobotsTxt::extensions) lists every known one of a file as an
//!   [`Extension`]: its field, its value, its line and the agents that it is for.
//! - [`Robot::records`](crate::Robot::records) lists those that are for the agent of the robot.
//! - [`Robot::crawl_delay`](crate::Robot::crawl_delay) and
//!   [`Robot::sitemaps`](crate::Robot::sitemaps) are read here, because every crawler needs them.
//! - [`Robot::policy`](crate::Robot::policy) has the rules of the groups that name a use of
//!   content, a [`PolicyToken`], in place of a crawler.
//!
//! The crate [`polite-robots-records`](https://docs.rs/polite-robots-records) says what the others
//! mean.
//!
//! ```
//! use polite_robots::RobotsTxt;
//!
//! let robots_txt = RobotsTxt::parse(b"User-agent: *\nContent-Signal: ai-train=no\nCrawl-delay: 2");
//! let records: Vec<String> = robots_txt.extensions().map(|record| record.to_string()).collect();
//! assert_eq!(records, ["Content-Signal: ai-train=no", "Crawl-delay: 2"]);
//! let robot = robots_txt.robot("ExampleBot")?;
//! assert_eq!(robot.records().next().unwrap().to_string(), records[0]);
//! # Ok::<(), polite_robots::InvalidToken>(())
//! ```

pub(crate) mod agent_record;
pub(crate) mod crawl_delay;
pub(crate) mod extension;
pub(crate) mod policy_token;
pub(crate) mod sitemap;

pub use crate::parse::field::{ExtensionField, ExtensionLevel};
pub use crate::record::agent_record::AgentRecord;
pub use crate::record::extension::Extension;
pub use crate::record::policy_token::PolicyToken;
pub use crate::record::sitemap::Sitemap;
