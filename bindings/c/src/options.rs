//! How a robots.txt is read.

use std::mem::offset_of;

use robots::{Dialect, Options};

/// The reading of a file that decides verdicts.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum polite_dialect {
    /// RFC 9309, with the tolerance of malformed lines that it permits. The default.
    POLITE_DIALECT_RFC9309 = 0,
    /// The verdict and the matching line of Google's open-source C++ matcher.
    POLITE_DIALECT_GOOGLE = 1,
}

/// How a robots.txt is read. Begin with zeros and `size`, which lets the struct grow:
/// `polite_options options = {.size = sizeof options};`. NULL stands for the defaults.
///
/// A plain value of the caller, read only during the call: threads may share one that nobody
/// changes.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct polite_options {
    /// `sizeof(polite_options)` of the caller. Fields beyond it have their defaults.
    pub size: u32,
    /// A `polite_dialect`. Other values count as `POLITE_DIALECT_RFC9309`.
    pub dialect: u8,
    /// Zeros.
    pub reserved: [u8; 3],
    /// The number of bytes after which the file is cut, back to the end of the last whole line; 0
    /// for no limit. RFC 9309 asks for at least 512000. No file is read beyond 512 MiB.
    pub max_bytes: u64,
}

/// The options that a caller points at; the defaults for NULL.
///
/// # Safety
///
/// `options` is NULL, or points at as many readable bytes as its first field says.
pub(crate) unsafe fn options(options: *const polite_options) -> Options {
    if options.is_null() {
        return Options::rfc9309();
    }
    // SAFETY: every version of the struct begins with its size.
    let size = unsafe { (&raw const (*options).size).read() } as usize;
    let has = |end: usize| size >= end;
    let mut read = Options::rfc9309();
    if has(offset_of!(polite_options, dialect) + size_of::<u8>()) {
        // SAFETY: the size covers the field.
        let dialect = unsafe { (&raw const (*options).dialect).read() };
        if dialect == polite_dialect::POLITE_DIALECT_GOOGLE as u8 {
            read.dialect = Dialect::Google;
        }
    }
    if has(offset_of!(polite_options, max_bytes) + size_of::<u64>()) {
        // SAFETY: the size covers the field.
        let max_bytes = unsafe { (&raw const (*options).max_bytes).read() };
        if max_bytes > 0 {
            read.max_bytes = Some(usize::try_from(max_bytes).unwrap_or(usize::MAX));
        }
    }
    read
}
