//! Findings, their suggestions, the lint of rules, and the comparison of the dialects.

mod comparison;
mod findings;
pub(crate) mod fixed;
mod rules;
mod views;
