//! Lists in order, by one sort of places. std's sort has 4 KB of code for each type in a module for
//! the web.

use std::cmp::Ordering;

/// The items in order; equal ones stay as they were.
pub(crate) fn in_order<T>(items: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let places = places_in_order(
        items.len(),
        &|one, other| match (items.get(one), items.get(other)) {
            (Some(one), Some(other)) => compare(one, other),
            _ => Ordering::Equal,
        },
    );
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    let take = |place: usize| items.get_mut(place).and_then(Option::take);
    places.into_iter().filter_map(take).collect()
}

/// The places of `len` items, in the order of the items; equal ones stay as they were.
#[inline(never)]
pub(crate) fn places_in_order(
    len: usize,
    compare: &dyn Fn(usize, usize) -> Ordering,
) -> Vec<usize> {
    let mut places: Vec<usize> = (0..len).collect();
    places.sort_unstable_by(|one, other| compare(*one, *other).then(one.cmp(other)));
    places
}
