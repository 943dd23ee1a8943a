//! The WebAssembly module inside the web tester: converts, calls, converts.
//!
//! Every answer is one of `polite-robots` or `polite-robots-audit`; the page gets them as JSON.

#![allow(
    unreachable_pub,
    unnameable_types,
    reason = "JavaScript reaches what Rust cannot"
)]

mod changes;
mod crawlers;
mod dialects;
mod explained;
mod file;
mod findings;
mod json;
mod outages;
mod places;
mod reading;
mod table;
