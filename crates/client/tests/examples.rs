//! The polite examples, run as programs against real servers on loopback. The tests check the
//! requests that the servers saw.
//!
//! Times are only ever bounded from below: a machine that is busy makes everything later, and
//! nothing earlier.

// Only Linux has every address of 127/8 at hand, and thus many hosts without name resolution.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod examples {
    pub(crate) mod answer;
    mod crawler;
    mod fetch;
    pub(crate) mod program;
    pub(crate) mod server;
    pub(crate) mod zoo;
}
