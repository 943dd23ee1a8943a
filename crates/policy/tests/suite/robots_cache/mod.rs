//! The cache for crawlers with their own fetch function. Servers that see only the requests judge
//! it.

mod callers;
#[cfg(feature = "ureq")]
mod server;
mod simulation;
mod times;
#[cfg(feature = "ureq")]
mod troubles;
mod waits;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use polite_robots_policy::{NetError, RobotsResponse, Timestamp};

use super::laws::{START, at};

/// The answer of a fetch function.
type Answer = Result<RobotsResponse, NetError>;

fn file(body: &str) -> Answer {
    Ok(RobotsResponse::new(
        200,
        [("Content-Type", "text/plain")],
        body,
    ))
}

fn status(status: u16) -> Answer {
    Ok(RobotsResponse::new(status, [("Server", "suite")], "sorry"))
}

/// A clock that stands still until a test sets it, in milliseconds.
#[derive(Debug, Clone)]
struct Clock(Arc<AtomicU64>);

impl Clock {
    fn new() -> Clock {
        Clock(Arc::new(AtomicU64::new(START)))
    }

    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn advance(&self, milliseconds: u64) {
        self.0.fetch_add(milliseconds, Ordering::Relaxed);
    }

    fn read(&self) -> impl Fn() -> Timestamp + Send + Sync + use<> {
        let clock = self.clone();
        move || at(clock.now())
    }
}
