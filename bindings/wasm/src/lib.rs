//! The WebAssembly module inside the npm package `polite-robots`: converts, calls, converts.
//!
//! The classes of the package stand on these and are written in JavaScript; nothing else should use
//! this module.

#![allow(
    unreachable_pub,
    unnameable_types,
    reason = "JavaScript reaches what Rust cannot"
)]

mod answer_buffer;
mod document;
mod fault;
mod file_buffer;
mod options;
mod robot;
mod shapes;
mod url_buffer;
mod urls;
