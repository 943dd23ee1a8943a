//! Stage 2: rules to the one that decides.
//!
//! ```text
//! value → canonical form → Patterns (tier, comparison) → RuleList (access, line) → RuleSet (index) → Rule
//! ```
//!
//! The way in is [`RuleList::push`](rule_list::RuleList::push), the way out
//! [`RuleSet::deciding`](rule_set::RuleSet::deciding).

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
