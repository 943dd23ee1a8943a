//! Questions that need no robots.txt.

use std::ffi::c_char;

use polite_robots_policy::Origin;
use robots::ProductToken;

use crate::error::{fail, polite_result};
use crate::text::{polite_str, write_text};

/// Writes the URL of the robots.txt that governs a page, with a host outside of ASCII in punycode,
/// as `snprintf` would: at most `capacity` bytes with the NUL at the end. Returns the length of the
/// whole URL without the NUL.
///
/// Returns 0 and writes nothing if `url` has no robots.txt: not http or https, or no valid host.
/// `polite_last_error` has the reason. `buffer` may be NULL if only the length is wanted.
/// Thread-safe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_robots_url(
    url: polite_str,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    guard!(0, {
        // SAFETY: the caller gives readable bytes.
        match Origin::of(&unsafe { url.text() }) {
            // SAFETY: the caller gives `capacity` writable bytes, or NULL.
            Ok(origin) => unsafe { write_text(&origin.robots_url(), buffer, capacity) },
            Err(error) => {
                fail(polite_result::POLITE_INVALID_URL, error);
                0
            }
        }
    })
}

/// Writes the product token that a whole `User-Agent` header probably stands for, as `snprintf`
/// would: at most `capacity` bytes with the NUL at the end. Returns the length of the whole token
/// without the NUL.
///
/// Returns 0 and writes nothing if there is none. It is a guess: a crawler knows its token and
/// should give that. `buffer` may be NULL if only the length is wanted. Thread-safe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_product_token(
    user_agent: polite_str,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    guard!(0, {
        // SAFETY: the caller gives readable bytes.
        match ProductToken::from_user_agent(&unsafe { user_agent.text() }) {
            // SAFETY: the caller gives `capacity` writable bytes, or NULL.
            Some(token) => unsafe { write_text(token.as_str(), buffer, capacity) },
            None => {
                fail(
                    polite_result::POLITE_INVALID_TOKEN,
                    "no product token is in this header",
                );
                0
            }
        }
    })
}
