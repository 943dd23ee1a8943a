//! Records outside of RFC 9309.

mod cases;
mod laws;
mod views;
