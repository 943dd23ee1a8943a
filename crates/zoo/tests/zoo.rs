//! A zoo of hosts on loopback, right and wrong in many ways, and the judge of the requests that
//! they see.
//!
//! Times are only ever bounded from below: a machine that is busy makes everything later, and
//! nothing earlier.

// Only Linux has every address of 127/8 at hand, so that each host has its own.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    missing_docs
)]

mod zoo {
    mod adapter;
    pub(crate) mod answer;
    mod broad;
    mod choices;
    mod codings;
    mod crawl;
    mod crowd;
    mod engine;
    mod fleet;
    mod groups;
    pub(crate) mod hit;
    mod hostile;
    pub(crate) mod judge;
    mod judge_tests;
    pub(crate) mod kinds;
    mod life;
    mod long_waits;
    mod many_machines;
    mod open_files;
    mod own_fetch;
    #[path = "../../../policy/tests/suite/together/judge/own_types.rs"]
    mod own_types;
    mod paused;
    mod progress;
    // The judge of the policy's crawls uses the same reader.
    #[path = "../../../policy/tests/suite/together/judge/reader.rs"]
    pub(crate) mod reader;
    pub(crate) mod readings;
    #[path = "../../../client/src/store/redis_server.rs"]
    mod redis_server;
    mod retries;
    mod sent_urls;
    pub(crate) mod server;
    mod server_tests;
    mod signed;
    mod spans;
    pub(crate) mod stall;
    mod together;
    mod wire;
    pub(crate) mod wire_server;
    pub(crate) mod wire_table;
}
