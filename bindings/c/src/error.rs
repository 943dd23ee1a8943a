//! Results, and the last error of each thread as a sentence.

use std::cell::RefCell;
use std::fmt::Display;

use crate::text::write_text;

/// The result of a function that can fail. Its outputs are written only if it is `POLITE_OK`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum polite_result {
    /// The outputs are written.
    POLITE_OK = 0,
    /// An agent is neither a product token nor `*`. `polite_last_error` names the token that was
    /// probably meant.
    POLITE_INVALID_TOKEN = 1,
    /// A URL has no robots.txt.
    POLITE_INVALID_URL = 2,
    /// A pointer that the function needs is NULL.
    POLITE_NULL = 3,
    /// A fault of this library, which was caught at its border.
    POLITE_PANIC = 4,
    /// The bytes were not saved by a cache or a pace of this release.
    POLITE_INVALID_SAVED = 5,
}

/// Writes the sentence of the last failure of this thread, as `snprintf` would: at most `capacity`
/// bytes with the NUL at the end. Returns the length of the whole sentence without the NUL; 0 if
/// nothing failed in this thread yet.
///
/// A success does not erase the sentence. `buffer` may be NULL if only the length is wanted.
/// Thread-safe: each thread has a sentence of its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_last_error(
    buffer: *mut std::ffi::c_char,
    capacity: usize,
) -> usize {
    guard!(0, {
        let sentence = LAST_ERROR.try_with(|last| last.borrow().clone());
        // SAFETY: the caller gives `capacity` writable bytes, or NULL.
        unsafe { write_text(&sentence.unwrap_or_default(), buffer, capacity) }
    })
}

/// Keeps the sentence of a failure for `polite_last_error`, and returns its result.
pub(crate) fn fail(result: polite_result, sentence: impl Display) -> polite_result {
    let sentence = sentence.to_string();
    // A thread that is about to end has no place for it any more; nobody can ask for it then.
    let _ = LAST_ERROR.try_with(|last| *last.borrow_mut() = sentence);
    result
}

/// The failure of a function that was given NULL for a pointer that it needs.
pub(crate) fn null(what: &str) -> polite_result {
    fail(polite_result::POLITE_NULL, format_args!("{what} is NULL"))
}

thread_local! {
    static LAST_ERROR: RefCell<String> = const { RefCell::new(String::new()) };
}
