//! Structs that begin with their size, so that an older program works with a newer library.

use std::mem::MaybeUninit;
use std::ptr;

/// Reads as much of a struct as its caller has; the rest, and all of it for NULL, is zeros.
///
/// # Safety
///
/// `from` is NULL, or points at as many readable bytes as its first field, an `u32`, says. Zeros
/// are a valid `T`.
pub(crate) unsafe fn read_sized<T: Copy>(from: *const T) -> T {
    let mut read = MaybeUninit::<T>::zeroed();
    if !from.is_null() {
        // SAFETY: every version of the struct begins with its size.
        let size = unsafe { from.cast::<u32>().read() } as usize;
        // SAFETY: both have as many bytes, and one of them is a local.
        unsafe {
            ptr::copy_nonoverlapping(
                from.cast::<u8>(),
                read.as_mut_ptr().cast(),
                size.min(size_of::<T>()),
            );
        }
    }
    // SAFETY: the caller promises that zeros are valid, and numbers may be any.
    unsafe { read.assume_init() }
}

/// Writes as much of a struct as the caller has room for, but for its size.
///
/// # Safety
///
/// `out` is NULL, or points at as many writable bytes as its first field, an `u32`, says.
pub(crate) unsafe fn write_sized<T: Copy>(mut value: T, out: *mut T) {
    if out.is_null() {
        return;
    }
    // SAFETY: every version of the struct begins with its size.
    let size = unsafe { out.cast::<u32>().read() };
    // SAFETY: so does the local.
    unsafe { (&raw mut value).cast::<u32>().write(size) };
    let bytes = (size as usize).min(size_of::<T>());
    // SAFETY: both have as many bytes, and one of them is a local.
    unsafe { ptr::copy_nonoverlapping((&raw const value).cast::<u8>(), out.cast(), bytes) };
}
