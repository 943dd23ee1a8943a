//! Counts the steps of a check in tests: look-ups, bytes compared, moves of a sort. The tests hold
//! them to the bound that SECURITY.md states.

/// Counts steps.
#[inline(always)]
#[cfg_attr(not(all(test, feature = "std")), expect(unused_variables))]
pub(crate) fn add(steps: usize) {
    #[cfg(all(test, feature = "std"))]
    COUNT.set(COUNT.get() + steps);
}

/// Counts the steps to sort `items` items.
#[inline(always)]
pub(crate) fn add_sort(items: usize) {
    add(items * (1 + items.max(1).ilog2() as usize));
}

/// Counts the steps to index `rules` rules, however short they are.
#[inline(always)]
pub(crate) fn add_rules(rules: usize) {
    add(OF_A_RULE * rules);
}

/// The steps to index one rule, which is read three times, sorted and linked: some 600
/// instructions.
const OF_A_RULE: usize = 40;

/// Counts the steps of a binary search among `items` items.
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

/// The most steps of a check. The file has `F` bytes, and its `R` patterns have `T` bytes together;
/// each of the `readings` of the URL is a canonical path of `U` bytes, which gets `indexes`
/// indexes.
///
/// | fact | reason |
/// |---|---|
/// | `7 R + T / 3 ≤ F` | `Allow:/` and the line end are eight bytes, seven of them outside of the pattern; each other byte is at most three there, escaped |
/// | `R ≤ F / 7`, `T ≤ 3 F`, `a R + b T ≤ max(a F / 7, 3 b F)` | the row above |
/// | an index page in Google's dialect costs at most twice as much | `Allow:/index.htm` makes two patterns, but has 17 bytes that are not escaped |
///
/// | what | how often | steps each time | together at most |
/// |---|---|---|---|
/// | a rule gets its place in the index | once for each rule | 41, and 1 for 8 bytes of its pattern | `41 R + T / 8 ≤ 6 F` |
/// | two rules are compared by their heads | `log F` times for each rule | 1, and 1 for 16 bytes | `(R + T / 16) log F ≤ 1/4 F log F` |
/// | a rule is linked, or passed over | once each | 1 | `2 R ≤ 1/3 F` |
/// | a rule is looked at, and compared as a candidate | once for each rule | 3, and 1 for each byte | `3 R + T ≤ 3 F` |
/// | a piece is read | in both readings | 1 for each byte | `2 T ≤ 6 F` |
/// | a regex of 128 bytes compares 256 of a path | 4 times | `2¹⁵` | `2¹⁷` |
/// | a pattern walks over the path: on both sides of the `?`, and for the `?` itself | over `2¹⁸` bytes in all, and once more over `U` | 3 for each byte | `3 · 2¹⁸ + 3 U` |
/// | the suffixes of the path are sorted by 16 bytes | for each doubling of the length in which they agree, and for each of 12 lengths of pieces, with a level for each bit of a place | `U log U` | `U log U (log U + 12)` |
/// | a piece is found by its suffixes | see below | see below | `12/7 F log U` |
///
/// | bytes of a piece | in the file, with its `*` | found by | all pieces |
/// |---|---|---|---|
/// | 1 to 12 | 2 or more | 1 binary search in two lists | `F log U` |
/// | 13 to 16 | 6 or more, as `$` and raw bytes are escaped | 2 binary searches, 2 walks of 4 steps down the levels | `10/6 F log U` |
/// | 17 to 32 | 7 or more | 4 binary searches, 2 walks | `12/7 F log U` |
///
/// Only one piece of a pattern has two readings, as a later one is in the query. The two patterns
/// of an index page have the same pieces, and Google's dialect reads a URL in one way, so there
/// the two readings stand for the two patterns.
#[cfg(all(test, feature = "std"))]
pub(crate) fn bound(file: usize, path: usize, readings: usize, indexes: usize) -> usize {
    let log = |number: usize| 1 + number.max(1).ilog2() as usize;
    let of_path = file * log(path) * 7 / 4
        + indexes * path * log(path) * (log(path) + 12)
        + 3 * path
        + (1 << 20);
    20 * file + file * log(file) / 2 + readings * of_path
}
