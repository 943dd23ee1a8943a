//! Time as float seconds since the epoch, and the other values that all machines share.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use polite_robots_policy::Timestamp;
use polite_robots_policy::cache::NextFetch;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A float out of range, or no number, becomes the nearest time.
pub(crate) fn timestamp(seconds: f64) -> Timestamp {
    Timestamp::from_millis((seconds * 1000.0).round() as u64)
}

pub(crate) fn float(time: Timestamp) -> f64 {
    time.as_millis() as f64 / 1000.0
}

/// A duration from a number of seconds; one that is too long for the library is its longest.
pub(crate) fn duration(seconds: f64) -> PyResult<Duration> {
    if seconds.is_nan() || seconds < 0.0 {
        return Err(PyValueError::new_err(
            "a duration is a number of seconds from 0",
        ));
    }
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// A time, or a name in its place, for the next fetch or the turn of a host.
#[derive(Debug, Clone, Copy, IntoPyObject)]
pub(crate) enum Next {
    At(f64),
    Name(&'static str),
}

impl From<NextFetch> for Next {
    fn from(next: NextFetch) -> Next {
        match next {
            NextFetch::Now => Next::Name("now"),
            NextFetch::At(time) => Next::At(float(time)),
            _ => Next::Name("never"),
        }
    }
}

/// The lock of a machine. No Python code runs while it is held, so it is never held for long.
pub(crate) fn lock<T>(machine: &Mutex<T>) -> MutexGuard<'_, T> {
    machine.lock().unwrap_or_else(PoisonError::into_inner)
}
