//! The sizes of a client: how much it does, holds and waits for at a time, by the kind of crawl.

use std::time::Duration;

/// The most that a client does, holds and waits for, unless its builder sets other figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub(crate) max_in_flight: usize,
    pub(crate) max_line: usize,
    pub(crate) max_wait: Duration,
    pub(crate) page_limit: usize,
    pub(crate) robots_capacity: usize,
}

impl Sizes {
    pub(crate) const DEFAULT: Sizes = Sizes {
        max_in_flight: 32,
        max_line: 10_000,
        max_wait: Duration::from_secs(300),
        page_limit: 10 << 20,
        robots_capacity: 64 << 20,
    };

    /// 448 places take two of 1,024 files each, and leave 128 for the rest of the process.
    pub(crate) const BROAD: Sizes = Sizes {
        max_in_flight: 448,
        max_line: 1_000,
        max_wait: Duration::from_secs(600),
        page_limit: 2 << 20,
        robots_capacity: 256 << 20,
    };

    /// A line of 100,000 pages takes a day and more at a page a second.
    pub(crate) const FOCUSED: Sizes = Sizes {
        max_line: 100_000,
        max_wait: Duration::from_secs(86_400),
        ..Sizes::DEFAULT
    };
}
