//! Sorting: std's sorts, or in WebAssembly, which is downloaded, sorts of a tenth of their size.
//!
//! std's has 4 to 15 KB of code for each type: together 37 KB, beside 274 KB of the WebAssembly
//! module for crawlers.

use core::cmp::Ordering;

/// Sorts as [`slice::sort_unstable`] does.
#[inline]
pub(crate) fn unstable<T: Ord>(items: &mut [T]) {
    #[cfg(not(target_family = "wasm"))]
    items.sort_unstable();
    #[cfg(target_family = "wasm")]
    small::sort(items, T::lt);
}

/// Sorts as [`slice::sort_unstable_by_key`] does.
#[inline]
pub(crate) fn unstable_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    unstable_by(items, |one, other| key(one).cmp(&key(other)));
}

/// Sorts as [`slice::sort_unstable_by`] does.
#[inline]
pub(crate) fn unstable_by<T>(items: &mut [T], compare: impl FnMut(&T, &T) -> Ordering) {
    #[cfg(not(target_family = "wasm"))]
    items.sort_unstable_by(compare);
    #[cfg(target_family = "wasm")]
    {
        let mut compare = compare;
        small::sort(items, |one, other| compare(one, other).is_lt());
    }
}

#[cfg(any(target_family = "wasm", test))]
mod small {
    use core::mem;

    /// The longest list that is sorted by insertion.
    const SHORT: usize = 16;

    /// Insertion for short lists, a heap for the others: `n log n` comparisons whatever the order
    /// was, and no memory.
    pub(super) fn sort<T>(items: &mut [T], mut is_less: impl FnMut(&T, &T) -> bool) {
        if items.len() <= SHORT {
            for end in 1..items.len() {
                insert(items, end, &mut is_less);
            }
            return;
        }
        for root in (0..items.len() / 2).rev() {
            sift(items, root, &mut is_less);
        }
        // The greatest item is the root of the heap.
        for end in (1..items.len()).rev() {
            items.swap(0, end);
            sift(items.get_mut(..end).unwrap_or_default(), 0, &mut is_less);
        }
    }

    /// Moves an item to its place among those before it, which are in order.
    fn insert<T>(items: &mut [T], mut at: usize, is_less: &mut impl FnMut(&T, &T) -> bool) {
        while let Some([before, item]) = at.checked_sub(1).and_then(|from| items.get_mut(from..=at))
        {
            if !is_less(item, before) {
                return;
            }
            mem::swap(before, item);
            at -= 1;
        }
    }

    /// Moves an item below the greater ones of its heap.
    fn sift<T>(heap: &mut [T], mut at: usize, is_less: &mut impl FnMut(&T, &T) -> bool) {
        loop {
            let left = 2 * at + 1;
            let greater = match heap.get(left..) {
                Some([one, other, ..]) if is_less(one, other) => left + 1,
                Some([_, ..]) => left,
                _ => return,
            };
            match (heap.get(at), heap.get(greater)) {
                (Some(item), Some(child)) if is_less(item, child) => heap.swap(at, greater),
                _ => return,
            }
            at = greater;
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// Lists of every short length and some long ones, of few and of many values, in the order of a
    /// poor generator.
    fn lists() -> impl Iterator<Item = Vec<u32>> {
        let mut state = 1_u32;
        let mut next = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        (0..70).chain([1_000]).flat_map(move |len| {
            [3, 50, u32::MAX].map(|values| (0..len).map(|_| next() % values).collect())
        })
    }

    #[test]
    fn the_small_sort_is_a_sort() {
        for list in lists() {
            let mut expected = list.clone();
            expected.sort_unstable();
            let descending = expected.iter().rev().copied().collect();
            for mut items in [list, descending, expected.clone()] {
                small::sort(&mut items, u32::lt);
                assert_eq!(items, expected);
            }
        }
    }

    #[test]
    fn the_small_sort_compares_no_more_than_its_bound() {
        for list in lists().filter(|list| list.len() > 1) {
            let mut compared = 0;
            let (mut items, len) = (list.clone(), list.len());
            small::sort(&mut items, |one, other| {
                compared += 1;
                one < other
            });
            assert!(
                compared <= len * (2 * len.ilog2() as usize + 4),
                "{len}: {compared}"
            );
        }
    }

    #[test]
    fn sorts_by_the_key() {
        let mut pairs = [(2, 'b'), (1, 'z'), (2, 'a')];
        unstable_by(&mut pairs, |one, other| one.1.cmp(&other.1));
        assert_eq!(pairs, [(2, 'a'), (2, 'b'), (1, 'z')]);
        let mut items = [(1, 'c'), (3, 'a'), (2, 'b')];
        unstable_by_key(&mut items, |item| item.1);
        assert_eq!(items.map(|item| item.0), [3, 2, 1]);
        unstable(&mut items);
        assert_eq!(items.map(|item| item.0), [1, 2, 3]);
    }
}
