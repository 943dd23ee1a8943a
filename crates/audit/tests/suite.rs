//! Layering.
