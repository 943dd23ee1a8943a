//! The rounds by which the rules of an origin are learned.

pub(crate) mod round;
