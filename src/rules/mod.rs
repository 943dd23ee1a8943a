//! Stage 2: rules to the one that decides.
//!
//! ```text
//! value → canonical form → Patterns (tier, comparison) → RuleList (access, line) → RuleSet (index) → Rule
//! ```
//!
//! Each pattern has a [`Form`](pattern::Form): how it is compared, and the byte classes that a path
//! must have. A walk over all rules answers the first questions to a set; it compares only rules
//! whose bytes the path has. A set that is asked more often gets an [`Index`](index::Index): one
//! search finds all rules with a literal prefix of the path. Of the rules that match, the one with
//! the greatest [`Precedence`](rule_list::Precedence) decides. An index of the path
//! ([`path_index`]) finds many patterns with wildcards in a long path.
//!
//! The way in is [`RuleList::push`](rule_list::RuleList::push), the way out
//! [`RuleSet::effect`](rule_set::RuleSet::effect).

pub(crate) mod index;
pub(crate) mod lazy;
pub(crate) mod path_index;
pub(crate) mod pattern;
pub(crate) mod patterns;
#[cfg(feature = "regex")]
pub(crate) mod regex;
pub(crate) mod rule;
pub(crate) mod rule_list;
pub(crate) mod rule_set;
pub(crate) mod span;
pub(crate) mod steps;
