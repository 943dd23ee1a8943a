//! From replies to the next request: the pace of one host, and a scheduler of many hosts.

pub(crate) mod backoff;
pub(crate) mod host_pace;
pub(crate) mod pacer;
pub(crate) mod reply;
pub(crate) mod scheduler;
