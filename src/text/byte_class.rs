//! The one table of byte classes: what a byte of a path or a pattern means for its canonical form.

/// The classes of one byte, or those of all bytes of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Classes(u8);

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

    /// Whether a byte has one of these classes.
    #[inline(always)]
    pub(crate) fn has(self, classes: Classes) -> bool {
        self.0 & classes.0 != 0
    }

    #[inline(always)]
    pub(crate) const fn or(self, classes: Classes) -> Classes {
        Classes(self.0 | classes.0)
    }
}

#[inline(always)]
fn of_chunk(chunk: &[u8; 8]) -> u8 {
    chunk.iter().fold(0, |all, byte| all | class(*byte))
}

#[inline(always)]
fn class(byte: u8) -> u8 {
    CLASSES.get(usize::from(byte)).copied().unwrap_or_default()
}

/// The classes of each byte; none for one that is its own canonical form wherever it stands. A
/// table, as comparisons with each range mispredict where the kinds of bytes in a path change.
#[expect(clippy::indexing_slicing, reason = "computed at compile time")]
static CLASSES: [u8; 256] = {
    let mut classes = [Classes::OTHER.0; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = match byte as u8 {
            b'.' => Classes::DOT.0,
            b'?' => Classes::QUESTION.0,
            b'*' => Classes::STAR.0,
            // In the order of ASCII: two of the ranges hold the digits and the upper-case letters.
            b'!'
            | b'&'..=b')'
            | b'+'..=b';'
            | b'='
            | b'@'..=b'['
            | b']'
            | b'_'
            | b'a'..=b'z'
            | b'~' => 0,
            _ => Classes::OTHER.0,
        };
        byte += 1;
    }
    classes
};

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
            let all = one_by_one.fold(Classes(0), Classes::or);
            prop_assert_eq!(Classes::of(&text), all);
        }
    }
}
