//! From fetch results to the rules in force: one round, one origin's memory, a cache of many
//! origins.

pub(crate) mod cache;
pub(crate) mod entry;
pub(crate) mod explain;
pub(crate) mod facts;
pub(crate) mod fetch;
pub(crate) mod freshness;
pub(crate) mod outage;
pub(crate) mod outcome;
pub(crate) mod remains;
pub(crate) mod response;
pub(crate) mod ruling;
