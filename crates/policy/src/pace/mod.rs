//! From replies to the next request: the pace of one host, and a scheduler of many hosts.

mod backoff;
mod crawl_delay;
mod host_delay;
mod host_pace;
mod join;
pub(crate) mod pacer;
mod permission;
mod rare;
pub(crate) mod reply;
mod reward;
pub(crate) mod scheduler;
