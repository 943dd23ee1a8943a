//! Inputs, peers and clocks that the benchmarks share.

pub mod harness;
pub mod inputs;
pub mod peers;
pub mod timing;
