//! The longest stall of this process: when a machine is busy, ticks come late, and so does
//! everything else.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::time::sleep;

/// Ticks in the runtime of the caller until the runtime ends, and notes the delay of each tick.
pub(crate) fn watch() {
    tokio::spawn(async {
        loop {
            let begun = Instant::now();
            sleep(TICK).await;
            note(begun.elapsed().saturating_sub(TICK));
        }
    });
}

/// The longest delay of a tick in any runtime so far.
pub(crate) fn longest() -> Duration {
    Duration::from_millis(LONGEST.load(Ordering::Relaxed))
}

fn note(stall: Duration) {
    let millis = u64::try_from(stall.as_millis()).unwrap();
    LONGEST.fetch_max(millis, Ordering::Relaxed);
}

static LONGEST: AtomicU64 = AtomicU64::new(0);
const TICK: Duration = Duration::from_millis(20);

#[test]
fn a_runtime_that_is_blocked_is_noted() {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().unwrap().block_on(async {
        watch();
        sleep(TICK).await;
        std::thread::sleep(Duration::from_millis(100));
        sleep(TICK).await;
    });
    assert!(longest() >= Duration::from_millis(50), "{:?}", longest());
}

// Types of ours: none.
