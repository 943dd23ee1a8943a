//! The number of threads of a survey.

use std::thread::available_parallelism;

use crate::reading::at_least_one;

/// Parses the number. The machine would be busy with starting more than [`MOST_THREADS`].
pub(crate) fn parse(argument: &str) -> Result<usize, String> {
    match at_least_one(argument)? {
        threads if threads <= MOST_THREADS => Ok(threads),
        _ => Err(format!(
            "give 1 to {MOST_THREADS}; more than there are cores gain nothing"
        )),
    }
}

/// The number that was given, or that of the cores.
pub(crate) fn or_cores(threads: Option<usize>) -> usize {
    threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from))
}

const MOST_THREADS: usize = 1024;
