//! The second WebAssembly module inside the npm package `polite-robots`, for authors of files:
//! findings, canonical form, builders.
//!
//! Crawlers need none of it, and it is larger than all that they need, so it is compiled on first
//! use. It shares no memory with the first module: a file goes in as bytes.

#![allow(
    unreachable_pub,
    unnameable_types,
    reason = "JavaScript reaches what Rust cannot"
)]

mod builder;
mod file;
mod shapes;
