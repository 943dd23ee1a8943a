//! The border from the side of Rust, small enough for Miri; `tests/c` has it from the side of C.
