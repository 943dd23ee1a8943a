//! The third WebAssembly module inside the npm package `polite-robots`, for crawlers that keep the
//! robots.txt of many origins: the machines of the policy.
//!
//! It shares no memory with the first module, and has the rules of its robots in its own.

#![allow(
    unreachable_pub,
    unnameable_types,
    reason = "JavaScript reaches what Rust cannot"
)]

mod cache;
mod crawl;
mod entry;
mod fetch;
mod names;
mod origin;
mod pacer;
mod profile;
mod reply;
mod robot;
mod saved;
mod scheduler;
mod shapes;
#[path = "../../src/shapes.rs"]
#[allow(dead_code, reason = "the first module needs the rest of it")]
mod shared;
mod time;
#[path = "../../src/url_buffer.rs"]
mod url_buffer;
