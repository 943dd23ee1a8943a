//! Steps of a check: look-ups, bytes compared, moves of a sort. They are counted in tests only,
//! which hold the bound that SECURITY.md states to them.

/// Counts steps.
#[inline(always)]
#[cfg_attr(not(all(test, feature = "std")), expect(unused_variables))]
pub(crate) fn add(steps: usize) {
    #[cfg(all(test, feature = "std"))]
    COUNT.set(COUNT.get() + steps);
}

/// Counts the steps of a sort of so many items.
#[inline(always)]
pub(crate) fn add_sort(items: usize) {
    add(items * (1 + items.max(1).ilog2() as usize));
}

/// Counts the steps of a binary search among so many items.
#[inline(always)]
pub(crate) fn add_search(items: usize) {
    add(1 + items.max(1).ilog2() as usize);
}

#[cfg(all(test, feature = "std"))]
std::thread_local! {
    static COUNT: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// The steps that some work takes in this thread.
#[cfg(all(test, feature = "std"))]
pub(crate) fn of(work: impl FnOnce()) -> usize {
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

/// The most steps of the first check of a new robot, for a file of so many bytes and a canonical
/// path of so many, which gets so many indexes.
///
/// A byte of the file is at most three of a pattern, when it is escaped. With `T` bytes of
/// patterns:
///
/// - Making the index reads each head twice and, for two lengths of grams, 16 bytes of each tail or
///   a quarter of a million of all of them, six times: `16 T`. Sorting rules and finding twins
///   among them compares each byte once for each level of the sort: `T log F`.
/// - A path is looked up for 512 heads and twice for each of its places, in 32 slots each: `64 U`
///   and a constant. Every rule is a candidate at most once, and put into order: `T log F`.
/// - Without an index of the path, patterns walk over a quarter of a million bytes and one pattern
///   more, in three readings of their escapes; a set of few patterns walks 64 times for each side
///   of a verdict.
/// - The index of a path is sorted in one round for each doubling of the length in which suffixes
///   agree and once more for each of 12 lengths of pieces, and has a level for each bit of a place:
///   `U log U (log U + 16)`.
/// - A piece is found by two binary searches for each 16 of its bytes, and by one more or, if it
///   has over 12 bytes, by two walks down the levels, of two steps each. With two readings a piece
///   of one byte takes four of the file, else two: `F / 2 · 3 log U`. One of over 12 bytes takes
///   six, as `$` and raw bytes have three in compared form: `2 · F / 6 · 6 log U`, and `2 · T / 16
///   · 2 log U` for its other words. Both are less than `4 F log U`.
#[cfg(all(test, feature = "std"))]
pub(crate) fn bound(file: usize, path: usize, indexes: usize) -> usize {
    let log = |number: usize| 1 + number.max(1).ilog2() as usize;
    let text = 3 * file;
    text * (24 + 2 * log(file))
        + 4 * file * log(path)
        + indexes * path * log(path) * (log(path) + 16)
        + 400 * path
        + (1 << 20)
}
