//! The tests of the whole crate; those of its parts stand beside them in `src/`.

mod suite {
    mod layering;
}
