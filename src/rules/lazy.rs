//! A value computed once: on first use with `std`, in a `OnceLock`; without `std` when its owner is
//! made.

/// A value that follows from a source of type `S` and from nothing else.
pub(crate) trait FromSource<S: ?Sized> {
    /// Computes the value. The same source gives the same value.
    fn from_source(source: &S) -> Self;
}

/// A cache of one [`FromSource`] value. The owner holds the source and hands it in at each call.
///
/// Computed at most once and never visible half-made, whatever number of threads ask first.
#[derive(Debug)]
pub(crate) struct Lazy<T> {
    #[cfg(feature = "std")]
    cell: std::sync::OnceLock<T>,
    #[cfg(not(feature = "std"))]
    value: T,
}

impl<T> Lazy<T> {
    /// Reads `source` only without `std`; with it [`Lazy::get`] does.
    #[cfg_attr(feature = "std", expect(unused_variables))]
    pub(crate) fn new<S: ?Sized>(source: &S) -> Lazy<T>
    where
        T: FromSource<S>,
    {
        Lazy {
            #[cfg(feature = "std")]
            cell: std::sync::OnceLock::new(),
            #[cfg(not(feature = "std"))]
            value: T::from_source(source),
        }
    }

    /// The value that follows from `source`, which must be the one given to [`Lazy::new`].
    #[cfg_attr(not(feature = "std"), expect(unused_variables))]
    #[inline]
    pub(crate) fn get<S: ?Sized>(&self, source: &S) -> &T
    where
        T: FromSource<S>,
    {
        #[cfg(feature = "std")]
        return self.cell.get_or_init(|| T::from_source(source));
        #[cfg(not(feature = "std"))]
        return &self.value;
    }
}
