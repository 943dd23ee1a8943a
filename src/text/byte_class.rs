//! The one table of byte classes: what a byte of a path or a pattern means for its canonical form.

/// The classes of one byte, or those of all bytes of a text.
///
/// Four kinds of bytes, below, have a class each. The other classes show that a path lacks a byte
/// that a pattern needs: letters have one each in the lower half, [`Classes::lower`]. Digits,
/// upper-case letters and marks share the classes of rare letters there, and have finer ones in the
/// upper half. `/` has none, as every path has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Classes(u64);

impl Classes {
    /// `.`, which is plain, but may begin a dot segment.
    pub(crate) const DOT: Classes = Classes(1);
    /// `?`, which is its own canonical form, but what follows it changes meaning.
    pub(crate) const QUESTION: Classes = Classes(1 << 1);
    /// `*`, a wildcard in a pattern.
    pub(crate) const STAR: Classes = Classes(1 << 2);
    /// Any byte that is not plain and has no class above: it is escaped, it begins an escape, or
    /// its meaning depends on its place, as that of `$` and `#`.
    pub(crate) const OTHER: Classes = Classes(1 << 3);
    /// The class of no byte.
    pub(crate) const UNUSED: Classes = Classes(1 << 31);

    pub(crate) const NONE: Classes = Classes(0);
    /// The classes of the bytes that mean themselves in a path and in a pattern.
    pub(crate) const LITERAL: Classes =
        Classes(u64::MAX).without(Classes::STAR.or(Classes::OTHER).or(Classes::UNUSED));

    /// Returns the classes of all bytes.
    ///
    /// Eight bytes at a time, as a loop over single bytes takes twice the instructions.
    #[inline(always)]
    pub(crate) fn of(text: &[u8]) -> Classes {
        let Some(last) = text.last_chunk::<8>() else {
            return Classes(text.iter().fold(0, |all, byte| all | class(*byte)));
        };
        // The last chunk overlaps the one before it.
        let mut all = of_chunk(last);
        let mut rest = text;
        while let Some((chunk, after)) = rest.split_first_chunk() {
            all |= of_chunk(chunk);
            rest = after;
        }
        Classes(all)
    }

    #[inline(always)]
    pub(crate) fn of_byte(byte: u8) -> Classes {
        Classes(class(byte))
    }

    /// Whether one of these classes is here.
    #[inline(always)]
    pub(crate) fn has(self, classes: Classes) -> bool {
        self.0 & classes.0 != 0
    }

    /// Whether each of these classes is here.
    #[inline(always)]
    pub(crate) fn has_all(self, classes: Classes) -> bool {
        classes.0 & !self.0 == 0
    }

    /// The lower half, which is enough for most patterns.
    #[inline(always)]
    pub(crate) const fn lower(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    pub(crate) const fn or(self, classes: Classes) -> Classes {
        Classes(self.0 | classes.0)
    }

    pub(crate) const fn without(self, classes: Classes) -> Classes {
        Classes(self.0 & !classes.0)
    }
}

#[inline(always)]
fn of_chunk(chunk: &[u8; 8]) -> u64 {
    chunk.iter().fold(0, |all, byte| all | class(*byte))
}

#[inline(always)]
fn class(byte: u8) -> u64 {
    CLASSES.get(usize::from(byte)).copied().unwrap_or_default()
}

/// The class of each byte. A table, as comparisons with each range mispredict where the kinds of
/// bytes in a path change.
#[expect(clippy::indexing_slicing, reason = "computed at compile time")]
static CLASSES: [u64; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < classes.len() {
        let class = match byte as u8 {
            b'.' => Classes::DOT,
            b'?' => Classes::QUESTION,
            b'*' => Classes::STAR,
            b'/' => Classes::NONE,
            b'a'..=b'z' | b'-' => of_letter(byte as u8),
            b'!' | b'&'..=b',' | b'0'..=b';' | b'=' | b'@'..=b'[' | b']' | b'_' | b'~' => {
                of_letter(RARE[byte % RARE.len()]).or(Classes(1 << (32 + byte % 32)))
            }
            _ => Classes::OTHER,
        };
        classes[byte] = class.0;
        byte += 1;
    }
    classes
};

/// The class of a lower-case letter, or of `-`.
const fn of_letter(letter: u8) -> Classes {
    Classes(1 << (4 + if letter == b'-' { 26 } else { letter - b'a' }))
}

/// The letters whose classes other bytes share, the least frequent ones in paths.
const RARE: &[u8] = b"jkqvxz";

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_byte_counts(text in vec(select(b"aaaaaaaa.?*#".to_vec()), 0..40)) {
            let one_by_one = text.iter().map(|byte| Classes::of_byte(*byte));
            let all = one_by_one.fold(Classes::NONE, Classes::or);
            prop_assert_eq!(Classes::of(&text), all);
        }
    }
}
