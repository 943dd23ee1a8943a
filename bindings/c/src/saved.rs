//! The bytes in which a cache and a pace are saved.

use std::ffi::c_char;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{fail, null, polite_result};
use crate::text::polite_str;

/// Frees the bytes that `polite_cache_save` or `polite_pace_save` gave, with their length. Nothing
/// happens for NULL. Thread-safe, once for each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polite_saved_free(data: *mut c_char, length: usize) {
    guard!((), {
        if !data.is_null() {
            let bytes = std::ptr::slice_from_raw_parts_mut(data.cast::<u8>(), length);
            // SAFETY: the caller gives what `save` gave away, for the first and last time.
            drop(unsafe { Box::from_raw(bytes) });
        }
    });
}

/// Gives the bytes of a value away; `polite_saved_free` takes them back.
///
/// # Safety
///
/// Each place is writable, or NULL.
pub(crate) unsafe fn save(
    value: &impl Serialize,
    data: *mut *mut c_char,
    length: *mut usize,
) -> polite_result {
    if data.is_null() || length.is_null() {
        return null("the place for the bytes");
    }
    match postcard::to_allocvec(&(FORMAT, value)) {
        Ok(bytes) => {
            let bytes = Box::into_raw(bytes.into_boxed_slice());
            // SAFETY: the caller gives a writable place, which is not NULL.
            unsafe { length.write(bytes.len()) };
            // SAFETY: as above.
            unsafe { data.write(bytes.cast()) };
            polite_result::POLITE_OK
        }
        Err(error) => fail(polite_result::POLITE_INVALID_SAVED, error),
    }
}

/// Reads a value from bytes of [`save`].
///
/// # Safety
///
/// The caller gives readable bytes.
pub(crate) unsafe fn load<T: DeserializeOwned>(saved: polite_str) -> Result<T, polite_result> {
    // SAFETY: the caller promises it.
    let problem = match unsafe { saved.bytes() }.split_first() {
        Some((&FORMAT, bytes)) => match postcard::take_from_bytes(bytes) {
            Ok((value, [])) => return Ok(value),
            Ok(_) => String::from("bytes are left"),
            Err(_) => String::from("they are cut short or damaged"),
        },
        Some((format, _)) => format!("format {format} instead of {FORMAT}"),
        None => String::from("there are none"),
    };
    let sentence = format_args!("these are no saved bytes of this release: {problem}");
    Err(fail(polite_result::POLITE_INVALID_SAVED, sentence))
}

/// The first byte. Raise it with every change of the bytes after it: the format does not name its
/// fields, so bytes of another release could be read as another value.
const FORMAT: u8 = 1;
