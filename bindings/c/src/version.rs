//! The version of the ABI.

/// Grows when a program has to be compiled again; the soname of the shared library ends with it.
pub const POLITE_ABI_MAJOR: u16 = 0;

/// Grows when functions, values or fields are added. A program needs at least the one that it was
/// compiled with.
pub const POLITE_ABI_MINOR: u16 = 3;

/// The version of the library that is linked: `POLITE_ABI_MAJOR << 16 | POLITE_ABI_MINOR`.
/// Thread-safe.
#[unsafe(no_mangle)]
pub extern "C" fn polite_abi_version() -> u32 {
    u32::from(POLITE_ABI_MAJOR) << 16 | u32::from(POLITE_ABI_MINOR)
}
