//! Texts that cross the border: borrowed ones in, and copies into the caller's buffer out.

use std::borrow::Cow;
use std::ffi::c_char;
use std::ptr;

/// Some bytes, with their length: they need not be text, and no NUL ends them.
///
/// As an argument it is read only during the call. As a result it is valid as long as its owner,
/// which the function that returns it names. One whose `data` is NULL is empty, whatever its
/// `length`. A plain value: any thread may have a copy.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct polite_str {
    /// The first byte.
    pub data: *const c_char,
    /// The number of bytes.
    pub length: usize,
}

impl polite_str {
    /// The empty text.
    pub(crate) const EMPTY: polite_str = polite_str {
        data: ptr::null(),
        length: 0,
    };

    pub(crate) fn new(bytes: &[u8]) -> polite_str {
        polite_str {
            data: bytes.as_ptr().cast(),
            length: bytes.len(),
        }
    }

    /// The bytes that the caller points at.
    ///
    /// # Safety
    ///
    /// If `data` is not NULL, it points at `length` readable bytes, which nobody changes during
    /// `'a`.
    pub(crate) unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.data.is_null() || self.length == 0 {
            return &[];
        }
        // SAFETY: the caller promises it. A length that no object has would be undefined, so it is
        // cut.
        unsafe {
            std::slice::from_raw_parts(self.data.cast(), self.length.min(isize::MAX as usize))
        }
    }

    /// The bytes as text, with U+FFFD for bytes that are not UTF-8.
    ///
    /// # Safety
    ///
    /// The same as that of [`polite_str::bytes`].
    pub(crate) unsafe fn text<'a>(self) -> Cow<'a, str> {
        // SAFETY: the caller promises it.
        String::from_utf8_lossy(unsafe { self.bytes() })
    }
}

/// Reads a list of texts; `None` if the list is NULL but not empty.
///
/// # Safety
///
/// `texts` is NULL or points at `n` values, each of which can be read as [`polite_str::bytes`]
/// asks.
pub(crate) unsafe fn texts<'a>(texts: *const polite_str, n: usize) -> Option<Vec<Cow<'a, str>>> {
    if n == 0 {
        return Some(Vec::new());
    }
    if texts.is_null() {
        return None;
    }
    // SAFETY: the caller promises `n` values.
    let texts = unsafe { std::slice::from_raw_parts(texts, n) };
    // SAFETY: the caller promises that each can be read.
    Some(texts.iter().map(|text| unsafe { text.text() }).collect())
}

/// Copies a text and a NUL into a buffer, as far as there is room, and returns the length of the
/// whole text.
///
/// # Safety
///
/// `buffer` is NULL or points at `capacity` writable bytes.
pub(crate) unsafe fn write_text(text: &str, buffer: *mut c_char, capacity: usize) -> usize {
    if !buffer.is_null() && capacity > 0 {
        let copied = text.len().min(capacity - 1);
        // SAFETY: `copied` is less than `capacity`, and a text of ours cannot lie in a buffer of
        // the caller.
        unsafe { ptr::copy_nonoverlapping(text.as_ptr().cast(), buffer, copied) };
        // SAFETY: as above.
        unsafe { buffer.add(copied).write(0) };
    }
    text.len()
}

/// Writes the values from the place `from` on, as far as there is room, and returns how many there
/// are from there on.
///
/// # Safety
///
/// `out` is NULL or points at `capacity` writable values.
pub(crate) unsafe fn write_list<'a>(
    values: impl Iterator<Item = &'a str>,
    from: usize,
    out: *mut polite_str,
    capacity: usize,
) -> usize {
    let capacity = if out.is_null() { 0 } else { capacity };
    let mut count = 0;
    for value in values.skip(from) {
        if count < capacity {
            // SAFETY: `count` is less than `capacity`.
            let place = unsafe { out.add(count) };
            // SAFETY: as above.
            unsafe { place.write(polite_str::new(value.as_bytes())) };
        }
        count += 1;
    }
    count
}
