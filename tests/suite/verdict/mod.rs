//! Verdicts: the cases, the laws, the naive reference that both are compared with, and the contract
//! of robots.

mod cases;
mod contract;
pub(crate) mod entry_points;
pub(crate) mod laws;
pub(crate) mod naive;
pub(crate) mod naive_file;
mod policy;
mod sent_urls;
pub(crate) mod strategies;
mod views;
