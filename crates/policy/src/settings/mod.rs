//! The open choices of a profile, as enums.

pub(crate) mod access;
pub(crate) mod pace;
