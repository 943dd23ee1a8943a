//! A value computed once: on first use with `std`, in a `OnceLock`; without `std` when its owner is
//! made.

#[cfg(feature = "std")]
use core::sync::atomic::Ordering::Relaxed;

/// A value that follows from a source of type `S` and from nothing else.
pub(crate) trait FromSource<S: ?Sized> {
    /// Computes the value. The same source gives the same value.
    fn from_source(source: &S) -> Self;
}

/// A cache of one [`FromSource`] value. The owner holds the source and hands it in at each call.
///
/// The value is computed at most once, however many threads ask first, and never visible half-made.
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

/// A [`Lazy`] value that is made when it has been asked for some times: a crawler asks most robots
/// once.
#[derive(Debug)]
pub(crate) struct LazyForMany<T> {
    lazy: Lazy<T>,
    #[cfg(feature = "std")]
    asked: core::sync::atomic::AtomicU8,
}

impl<T> LazyForMany<T> {
    pub(crate) fn new<S: ?Sized>(source: &S) -> LazyForMany<T>
    where
        T: FromSource<S>,
    {
        LazyForMany {
            lazy: Lazy::new(source),
            #[cfg(feature = "std")]
            asked: core::sync::atomic::AtomicU8::new(0),
        }
    }

    /// `None` for the first `without` questions, or a few more if several threads ask at once;
    /// without `std` never.
    #[cfg_attr(not(feature = "std"), expect(unused_variables))]
    #[inline]
    pub(crate) fn get<S: ?Sized>(&self, source: &S, without: u8) -> Option<&T>
    where
        T: FromSource<S>,
    {
        #[cfg(feature = "std")]
        if self.lazy.cell.get().is_none() && self.counts_as_one_of(without) {
            return None;
        }
        Some(self.lazy.get(source))
    }

    /// Whether this question is one of the first. Threads that ask at once may count as one.
    #[cfg(feature = "std")]
    #[inline(never)]
    fn counts_as_one_of(&self, first: u8) -> bool {
        let asked = self.asked.load(Relaxed);
        self.asked.store(asked.saturating_add(1), Relaxed);
        asked < first
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Len(usize);

    impl FromSource<[u8]> for Len {
        fn from_source(source: &[u8]) -> Len {
            Len(source.len())
        }
    }

    #[test]
    fn a_value_for_many_questions_is_not_made_for_the_first() {
        let source: &[u8] = b"abc";
        let lazy: LazyForMany<Len> = LazyForMany::new(source);
        let found: [Option<&Len>; 4] = core::array::from_fn(|_| lazy.get(source, 2));
        assert_eq!(found, [None, None, Some(&Len(3)), Some(&Len(3))]);
    }
}
