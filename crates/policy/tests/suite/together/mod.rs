//! The machines together: a crawl of virtual sites in virtual time, and a judge that sees only the
//! requests.
//!
//! The bench `simulation` crawls with the same files, without the laws.

#[cfg(test)]
pub(crate) mod cache_laws;
pub(crate) mod crawl;
#[cfg(test)]
pub(crate) mod crawl_laws;
#[cfg(test)]
mod documented_loop;
pub(crate) mod evidence;
pub(crate) mod judge;
#[cfg(test)]
mod judge_tests;
#[cfg(test)]
pub(crate) mod law_cases;
pub(crate) mod scale;
#[cfg(test)]
mod scenarios;
pub(crate) mod world;
