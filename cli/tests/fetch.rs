//! Runs the real `robots` with the feature `fetch`, against servers on loopback.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::std_instead_of_core
)]

mod suite {
    mod fetch;
    mod live_page;
    mod many_sites;
    // This suite uses only a part of the file, and the other suite uses more.
    #[allow(dead_code)]
    mod robots;
    mod server;
}
