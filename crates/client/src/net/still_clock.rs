//! The paused clock of tokio stands still while a request is on the wire.

/// Keeps a paused clock where it is, as long as it lives.
///
/// A paused clock jumps to the next timer when its runtime is idle, and a runtime that waits for a
/// socket is idle: time limits would end every request. The clock stands still while a blocking
/// task runs, so one waits for the end of the request. Without the feature `test-util` this type
/// does nothing.
#[derive(Debug)]
pub(crate) struct StillClock {
    #[cfg(feature = "test-util")]
    _release: Option<std::sync::mpsc::Sender<()>>,
}

impl StillClock {
    #[cfg(not(feature = "test-util"))]
    pub(crate) fn hold() -> StillClock {
        StillClock {}
    }

    #[cfg(feature = "test-util")]
    pub(crate) fn hold() -> StillClock {
        use tokio::runtime::{Handle, RuntimeFlavor};

        // Only the clock of a runtime with one thread can be paused.
        let runtime = Handle::try_current().ok();
        let runtime =
            runtime.filter(|runtime| runtime.runtime_flavor() == RuntimeFlavor::CurrentThread);
        let release = runtime.map(|runtime| {
            let (release, released) = std::sync::mpsc::channel();
            // Ends with an error, as nothing is sent but the channel closed.
            runtime.spawn_blocking(move || {
                let _ = released.recv();
            });
            release
        });
        StillClock { _release: release }
    }
}
