//! The machines together: a crawl of virtual sites in virtual time, and a judge that sees only the requests.

mod cache_laws;
pub(crate) mod crawl;
mod crawl_laws;
pub(crate) mod evidence;
pub(crate) mod judge;
mod judge_tests;
pub(crate) mod scale;
mod scenarios;
pub(crate) mod world;
