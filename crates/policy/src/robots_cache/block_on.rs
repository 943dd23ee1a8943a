//! An executor of one future, for crawlers whose HTTP client blocks.

use alloc::sync::Arc;
use alloc::task::Wake;
use core::pin::pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Poll, Waker};
use std::thread::{self, Thread};

/// Runs a future to its end on this thread, which sleeps while another thread fetches.
///
/// It drives no timers and no sockets: for the futures of a [`RobotsCache`](crate::RobotsCache)
/// whose fetch function blocks, as with ureq. In an asynchronous program await them.
///
/// ```
/// use polite_robots_policy::{RobotsCache, RobotsResponse, block_on};
///
/// let robots = RobotsCache::new("ExampleBot", |_url| async {
///     Ok(RobotsResponse::new(404, [("Server", "example")], ""))
/// })?;
/// assert!(block_on(robots.allowed("https://example.com/page"))?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn block_on<F: Future>(future: F) -> F::Output {
    let signal = Arc::new(Signal {
        thread: thread::current(),
        is_woken: AtomicBool::new(false),
    });
    let waker = Waker::from(Arc::clone(&signal));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        // Others may unpark this thread too, and a call within this one takes their sign.
        while !signal.is_woken.swap(false, Ordering::AcqRel) {
            thread::park();
        }
    }
}

#[derive(Debug)]
struct Signal {
    thread: Thread,
    is_woken: AtomicBool,
}

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        self.is_woken.store(true, Ordering::Release);
        self.thread.unpark();
    }
}
