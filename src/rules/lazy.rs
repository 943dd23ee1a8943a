//! A value made on first use: once, in a `OnceLock`, with `std`; at once without.

/// Never recomputed and never visible half-made, whatever number of threads ask first.
#[derive(Debug)]
pub(crate) struct Lazy<T> {
    #[cfg(feature = "std")]
    cell: std::sync::OnceLock<T>,
    #[cfg(not(feature = "std"))]
    value: T,
}

impl<T> Lazy<T> {
    /// `make` is called here without `std`, and not at all with it: then [`Lazy::get`] calls its own.
    #[cfg_attr(feature = "std", allow(unused_variables))]
    pub(crate) fn new(make: impl FnOnce() -> T) -> Lazy<T> {
        Lazy {
            #[cfg(feature = "std")]
            cell: std::sync::OnceLock::new(),
            #[cfg(not(feature = "std"))]
            value: make(),
        }
    }

    /// `make` must make what it would have made for [`Lazy::new`].
    #[cfg_attr(not(feature = "std"), allow(unused_variables))]
    #[inline]
    pub(crate) fn get(&self, make: impl FnOnce() -> T) -> &T {
        #[cfg(feature = "std")]
        return self.cell.get_or_init(make);
        #[cfg(not(feature = "std"))]
        return &self.value;
    }
}
