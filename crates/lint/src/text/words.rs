//! Tables of words that stand in files of their own, one word a line.

/// The words of a table.
pub(crate) fn words(table: &'static str) -> impl Iterator<Item = &'static [u8]> {
    table.lines().map(str::as_bytes)
}

/// Whether a word is in a table, in any case.
pub(crate) fn is_among(word: &[u8], table: &'static str) -> bool {
    words(table).any(|one| one.eq_ignore_ascii_case(word))
}

/// Whether a word is one of a few, in any case.
pub(crate) fn is_one_of(word: &[u8], words: &[&str]) -> bool {
    let mut words = words.iter();
    words.any(|one| word.eq_ignore_ascii_case(one.as_bytes()))
}
