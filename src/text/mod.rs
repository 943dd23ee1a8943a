//! Bytes and text: questions about bytes, and how they are shown to people.

pub(crate) mod bytes;
pub(crate) mod quote;
