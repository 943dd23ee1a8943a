//! The promises of SECURITY.md for hostile files and many threads, and the names that programs rely
//! on.

pub(crate) mod hostile;
// Without `std` there is no lazy initialisation, so more memory is in use from the start.
#[cfg(feature = "std")]
mod memory;
mod names;
mod stack;
mod threads;
