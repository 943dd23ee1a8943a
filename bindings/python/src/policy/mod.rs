//! The policy without I/O: the machines of `polite-robots-policy`, with time as float seconds.

pub(crate) mod cache;
pub(crate) mod check;
pub(crate) mod crawl;
pub(crate) mod entry;
pub(crate) mod fetch;
pub(crate) mod origin;
pub(crate) mod pace;
pub(crate) mod profile;
pub(crate) mod scheduler;
mod time;
