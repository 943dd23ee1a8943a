//! Finds mistakes in a robots.txt, and URLs about which the dialects disagree.
//!
//! A finding is a [`Diagnostic`]: a stable [`DiagnosticCode`] with a page of explanation, a line, a
//! span and one sentence. [`RobotsTxt::parse_with`](crate::RobotsTxt::parse_with) reports mistakes
//! in single lines while it parses; [`RobotsTxt::lint`](crate::RobotsTxt::lint) reports mistakes
//! that only several rules together show. Both hand their findings to a [`Sink`]. A [`Comparison`]
//! names the URLs that RFC 9309 and Google's matcher answer differently, and [`example_path`] makes
//! a path that a pattern matches.
//!
//! ```
//! use polite_robots::lint::{Diagnostic, Severity};
//! use polite_robots::{Options, RobotsTxt};
//!
//! /// The lines that most likely do not do what their author meant.
//! fn errors(file: &[u8]) -> Vec<String> {
//!     let mut found: Vec<Diagnostic> = Vec::new();
//!     let robots_txt = RobotsTxt::parse_with(file, &Options::rfc9309(), &mut found);
//!     robots_txt.lint(&mut found);
//!     let errors = found.iter().filter(|finding| finding.severity() == Severity::Error);
//!     errors.map(|finding| format!("{finding} [{}]", finding.code())).collect()
//! }
//!
//! let found = errors(b"Disallow: /cart\nUser-agent: *\nDisalow: /search\n");
//! assert_eq!(found.len(), 1);
//! assert!(found[0].starts_with("line 1: ") && found[0].ends_with(" [rule-before-group]"));
//! ```

mod closed_files;
pub(crate) mod code;
pub(crate) mod comparison;
pub(crate) mod diagnostic;
mod dropped_rules;
pub(crate) mod example_path;
mod idle_groups;
mod letter_case;
mod merged_rules;
mod no_record;
mod overruled_rules;
mod pattern_table;
mod prefix_index;
mod rule_lint;
mod sentence;
mod several_delays;
mod several_groups;
mod site_closed;
mod sitemap_schemes;
mod use_conflicts;
mod use_lint;
mod use_reach;
mod use_statements;
mod wildcard_index;
mod work_budget;

pub use crate::lint::code::{DiagnosticCode, Severity};
pub use crate::lint::comparison::{Comparison, Difference, Disagreement};
pub use crate::lint::diagnostic::{Diagnostic, Sink};
pub use crate::lint::example_path::example_path;
