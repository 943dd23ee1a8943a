//! The turns of a client for clients that are built of layers.

#[cfg(feature = "middleware")]
mod by_reqwest;
pub(crate) mod permitted_body;
pub(crate) mod polite;
#[cfg(feature = "tower")]
pub(crate) mod tower;
