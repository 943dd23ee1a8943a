//! A place in the module's memory where JavaScript writes a file: encoding a text right into it
//! takes an eighth of the time of encoding it into an array of its own that is copied.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

/// The bytes of the place; a larger file has a place of its own.
const BYTES: usize = 192 << 10;

thread_local! {
    // Never grown or replaced, so the address that JavaScript keeps stays right.
    static BUFFER: RefCell<Box<[u8]>> = RefCell::new(vec![0; BYTES].into_boxed_slice());
    static LARGE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The address of the place in the module's memory.
#[wasm_bindgen(js_name = fileBuffer)]
pub fn file_buffer() -> usize {
    BUFFER.with_borrow_mut(|buffer| buffer.as_mut_ptr() as usize)
}

/// The number of bytes at [`file_buffer`].
#[wasm_bindgen(js_name = fileBufferBytes)]
pub fn file_buffer_bytes() -> usize {
    BYTES
}

/// The address of a place for a file with more bytes than [`file_buffer_bytes`], until it is read;
/// 0 where memory for it is not to be had.
#[wasm_bindgen(js_name = largeFile)]
pub fn large_file(bytes: usize) -> usize {
    LARGE.with_borrow_mut(|large| {
        *large = Vec::new();
        if large.try_reserve_exact(bytes).is_err() {
            return 0;
        }
        large.resize(bytes, 0);
        large.as_mut_ptr() as usize
    })
}

/// Reads the first `length` bytes that JavaScript has written, and frees the place of a large file.
pub(crate) fn with_file<T>(length: usize, read: impl FnOnce(&[u8]) -> T) -> T {
    if length > BYTES {
        return read(&LARGE.take());
    }
    BUFFER.with_borrow(|buffer| read(buffer.get(..length).unwrap_or_default()))
}
