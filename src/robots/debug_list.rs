use core::fmt;

/// An iterator as a list in a `Debug` form.
pub(crate) struct DebugList<F>(pub(crate) F);

impl<F: Fn() -> I, I: Iterator<Item: fmt::Debug>> fmt::Debug for DebugList<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((self.0)()).finish()
    }
}
