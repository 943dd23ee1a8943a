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

/// Counts what the making of an index costs for so many rules, however short they are.
#[inline(always)]
pub(crate) fn add_rules(rules: usize) {
    add(OF_A_RULE * rules);
}

/// A rule is read three times, sorted and linked: some 600 instructions.
const OF_A_RULE: usize = 40;

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

/// The most steps of a check, for a file of `F` bytes and canonical paths of `U`, one for each
/// reading of the URL, each of which gets so many indexes.
///
/// A rule has at least eight bytes, `Allow:/` and the end of the line. Seven of them are not in its
/// pattern, and each of the others has at most three there, when it is escaped. So with `R`
/// patterns and `T` bytes of them `7 R + T / 3` is at most `F`: `R` is at most `F / 7`, `T` at most
/// `3 F`, and `a R + b T` at most the greater one of `a F / 7` and `3 b F`. In Google's dialect an
/// `Allow` of `…/index.htm` makes two patterns. Such a page has 17 bytes that are not escaped, so
/// that its `a R + b T` is at most twice as much.
///
/// | what | steps | at most |
/// |---|---|---|
/// | each rule gets its place in the index | `41 R + T / 8` | `6 F` |
/// | rules are sorted by heads, 16 bytes at once | `(R + T / 16) log F` | `1/4 F log F` |
/// | each rule is linked, and passed over once | `2 R` | `1/3 F` |
/// | each rule is looked at, and each candidate compared | `3 R + T` | `3 F` |
/// | each piece is read, in both readings | `2 T` | `6 F` |
/// | four regexes of 128 bytes compare 256 of a path | `4 · 2¹⁵` | `2¹⁷` |
/// | patterns walk over the path, and one more does | `3 · 2¹⁸ + 3 U` | |
/// | the suffixes of the path are sorted | `U log U (log U + 12)` | |
/// | each piece is found by its suffixes | | `12/7 F log U` |
///
/// A walk over a path looks at both sides of the `?` for the two readings of a piece, and for the
/// `?` itself. Suffixes are sorted by their first 16 bytes, in one round for each doubling of the
/// length in which they agree, and once for each of 12 lengths of pieces, with a level for each bit
/// of a place. A piece of up to 12 bytes is found by one binary search, which looks at two lists. A
/// longer one is found by two for each 16 of its bytes, and by two walks of four steps down the
/// levels.
///
/// The last row is the most that pieces take: one of one byte takes two of the file, and so `F / 2`
/// of them take `F log U`. One of 13 to 16 bytes takes six, as `$` and raw bytes have three in
/// compared form, and one of up to 32 takes seven. Only one piece of a pattern has two readings: a
/// later one is in the query. A page is two patterns with the same pieces, and Google's dialect
/// reads no URL in two ways: there the readings are two for that.
#[cfg(all(test, feature = "std"))]
pub(crate) fn bound(file: usize, path: usize, readings: usize, indexes: usize) -> usize {
    let log = |number: usize| 1 + number.max(1).ilog2() as usize;
    let of_path = file * log(path) * 7 / 4
        + indexes * path * log(path) * (log(path) + 12)
        + 3 * path
        + (1 << 20);
    20 * file + file * log(file) / 2 + readings * of_path
}
