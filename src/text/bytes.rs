//! Fast scans of the bytes of a text: the run of one kind at its start, and searches many bytes at
//! a time.

/// Splits the run of bytes that are `wanted` off the start of a text; it may be empty.
#[inline]
pub(crate) fn split_run(text: &[u8], wanted: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !wanted(*byte));
    text.split_at(end.unwrap_or(text.len()))
}

/// The first eight bytes, little-endian; missing ones are NUL, which no pattern holds.
///
/// Without a loop, as the processor would mispredict the end of it for every other text.
#[inline]
pub(crate) fn first_word(text: &[u8]) -> u64 {
    if let Some(word) = text.first_chunk() {
        return u64::from_le_bytes(*word);
    }
    // The parts may overlap, where they have the same bytes.
    let shifted = |part: u64, at: usize| part << (8 * at);
    if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let last = u64::from(u32::from_le_bytes(*last));
        return u64::from(u32::from_le_bytes(*first)) | shifted(last, text.len() - 4);
    }
    let middle = text.len() / 2;
    match (text.first(), text.get(middle), text.last()) {
        (Some(first), Some(in_middle), Some(last)) => {
            u64::from(*first)
                | shifted(u64::from(*in_middle), middle)
                | shifted(u64::from(*last), text.len() - 1)
        }
        _ => 0,
    }
}

/// The place of the first such byte, which must not be NUL. For texts that are too short to repay a
/// call of `memchr`.
#[inline]
pub(crate) fn place_of(byte: u8, text: &[u8]) -> Option<usize> {
    let in_word = |start: usize, word: u64| {
        let found = zero_bytes(word ^ each(byte));
        (found != 0).then(|| start + found.trailing_zeros() as usize / 8)
    };
    let Some(last) = text.last_chunk() else {
        return in_word(0, first_word(text));
    };
    let mut rest = text;
    while let Some((word, after)) = rest.split_first_chunk() {
        let place = in_word(text.len() - rest.len(), u64::from_le_bytes(*word));
        if place.is_some() {
            return place;
        }
        rest = after;
    }
    // The last word overlaps the one before it, which has no such byte.
    in_word(text.len() - 8, u64::from_le_bytes(*last))
}

/// Whether a text starts with another one: word by word, as a call of a library's function takes
/// longer than a comparison of few bytes.
#[inline]
pub(crate) fn starts_with(text: &[u8], head: &[u8]) -> bool {
    let Some(start) = text.get(..head.len()) else {
        return false;
    };
    // The last words overlap those before them.
    match (start.last_chunk::<8>(), head.last_chunk::<8>()) {
        (Some(one), Some(other)) => {
            let mut words = start.chunks_exact(8).zip(head.chunks_exact(8));
            one == other && words.all(|(one, other)| one == other)
        }
        _ => {
            let differing = first_word(text) ^ first_word(head);
            // The bits of the head, at most 56 of them.
            differing & !(u64::MAX << (8 * head.len())) == 0
        }
    }
}

/// The high bit of each byte of a word that is 0. The bits above the lowest one may be set for
/// other bytes too.
#[inline(always)]
pub(crate) fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(each(1)) & !word & each(0x80)
}

/// A word with the same byte at all its places.
#[inline(always)]
pub(crate) const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_first_place_of_a_byte_is_found(text in "[ab]{0,30}[cd]?[b-d]{0,3}") {
            prop_assert_eq!(place_of(b'c', text.as_bytes()), text.find('c'));
        }

        #[test]
        fn a_text_starts_with_its_heads_alone(text in "[ab]{0,30}", head in "[ab]{0,30}", len in 0..40_usize) {
            let (text, head) = (text.as_bytes(), head.as_bytes());
            prop_assert_eq!(starts_with(text, head), text.starts_with(head));
            let own = &text[..len.min(text.len())];
            prop_assert!(starts_with(text, own));
            let other = own.split_last().map(|(last, before)| [before, &[last ^ 1]].concat());
            prop_assert!(!other.is_some_and(|other| starts_with(text, &other)));
        }
    }

    #[test]
    fn a_word_has_the_first_eight_bytes() {
        for len in 0..10 {
            let text = &b"abcdefghij"[..len];
            let bytes = text.iter().take(8).rev();
            let expected = bytes.fold(0, |word, byte| word << 8 | u64::from(*byte));
            assert_eq!(first_word(text), expected, "{len}");
        }
    }
}
