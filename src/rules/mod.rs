//! Stage 2: rules to the one that decides.
//!
//! ```text
//! value → canonical form → Patterns (tier, comparison) → RuleList (access, line) → RuleSet (index) → Rule
//! ```
//!
//! Each pattern has a [`Form`](pattern::Form): how it is compared, and the kinds of bytes that a
//! path must have. The first questions to a set are answered by a walk over all rules, which
//! compares those whose bytes the path has. A set that is asked more often gets an
//! [`Index`](index::Index): one search finds all rules that begin as the path does. Of those that
//! match, the one with the greatest [`Precedence`](rule_list::Precedence) decides. Many patterns
//! with wildcards are found in a long path by an index of the path ([`path_index`]).
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
