//! The machines together: a crawl of virtual sites in virtual time, and a judge that sees only the requests.
//!
//! The bench `simulation` uses the same files for crawls that are too long for a test.

pub(crate) mod crawl;
pub(crate) mod evidence;
pub(crate) mod judge;
pub(crate) mod world;
