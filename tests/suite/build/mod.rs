//! Written files, and the canonical form of a file.

pub(crate) mod canonical;
mod examples;
mod laws;
