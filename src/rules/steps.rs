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

/// Counts the steps of a sort of so many rules: what is compared is elsewhere, and is looked up.
#[inline(always)]
pub(crate) fn add_sort_of_rules(rules: usize) {
    (0..2).for_each(|_| add_sort(rules));
}

/// Counts what the making of an index costs for so many rules, however short they are.
#[inline(always)]
pub(crate) fn add_rules(rules: usize) {
    add(OF_A_RULE * rules);
}

/// A rule is read seven times and makes a filter or a key: some 2,000 instructions. With none for
/// that, a step of a file of short rules takes 89 in the mean.
const OF_A_RULE: usize = 140;

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

/// The most steps of the first check of a new robot, for a file of `F` bytes and canonical paths of
/// `U`, one for each reading of the URL, each of which gets so many indexes.
///
/// A rule has at least eight bytes, `Allow:/` and the end of the line. Seven of them are not in its
/// pattern, and each of the others has at most three there, when it is escaped. So with `R`
/// patterns and `T` bytes of them `7 R + T / 3` is at most `F`. In Google's dialect an `Allow` of
/// `…/index.htm` makes two patterns. Such a page has 17 bytes, ten of which are never escaped: with
/// `R` pages and `T = 10 R + 3 X` bytes `17 R + X` is at most `F`.
///
/// - An index takes 140 steps for each rule. It hashes each head twice, eight bytes at a time, and
///   scans each tail once: `R + T`. Each key is looked for in 32 slots and linked to a chain of 32,
///   in which patterns are compared 16 bytes at a time: `64 R + 2 T`. A candidate is compared from
///   its head on, or for both sides of a verdict where few patterns have a `*`: `2 (R + T)`.
///   Together `207 R + 5 T`, at most `30 F`. For pages it is twice as much, at most `31 F`.
/// - Grams are taken from 2¹⁸ bytes of tails or from 12 bytes of each, for which a rule has 12 of
///   the file, in three rounds of two readings, of two steps each: at most 2²² or `12 F` more. A
///   page with such tails has 23 bytes, so its two patterns stay within `13 F`.
/// - Candidates are sorted by their numbers, filters by their rules, and twins are found by a sort
///   in which patterns are compared 16 bytes at a time: `(5 R + T / 8) log F`, for pages twice as
///   much, at most `3/4 F log F`.
/// - A path has 512 heads and for each place two grams, each of them in 32 slots: `64 U` and 2¹⁴.
/// - A pattern walks over the path once, as its two readings of a piece look at both sides of the
///   `?`, and once for the `?` itself. Without an index of the path, patterns walk over 2¹⁸ bytes
///   and one pattern more. A set of few patterns, whose path gets no index, walks 128 times for
///   each side of a verdict: `512 U`, at most 2²¹ more than the index of a path. Together `3 ·
///   2²⁰`.
/// - The index of a path is sorted by the first 16 bytes of each suffix, then in one round for each
///   doubling of the length in which suffixes agree, up to `U`, and once more for each of 12
///   lengths of pieces: `log U + 9` sorts. It has a level for each bit of a place, and is read once
///   for each sort: `U log U (log U + 12)`.
/// - A piece of up to 12 bytes is found by one binary search, which looks at two lists. A longer
///   one is found by two for each 16 of its bytes, and by two walks down the levels, of four steps
///   each. A piece of one byte takes two of the file: `F / 2 · 2 log U`. One of 13 to 16 bytes
///   takes six, as `$` and raw bytes have three in compared form, and one of up to 32 takes seven:
///   `F / 7 · 12 log U`, which is the most. Only one piece of a pattern has two readings: a later
///   one is in the query. The pieces that a page and its directory have in common are found once,
///   so its bytes count once.
#[cfg(all(test, feature = "std"))]
pub(crate) fn bound(file: usize, path: usize, readings: usize, indexes: usize) -> usize {
    let log = |number: usize| 1 + number.max(1).ilog2() as usize;
    let of_path = file * log(path) * 7 / 4
        + indexes * path * log(path) * (log(path) + 12)
        + 64 * path
        + 3 * (1 << 20);
    31 * file + file * log(file) * 3 / 4 + (1 << 22).max(13 * file) + readings * of_path
}
