//! The bytes of a text by their kinds: the run of one kind at its start, and a test of every byte,
//! many at a time.

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

/// The place of the first such byte, which must not be NUL. Faster than `memchr` in short texts, with 7
/// instructions for eight bytes after no call.
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

/// The high bit of each byte of a word that is 0. The bits above the lowest one may be set for other
/// bytes too.
#[inline(always)]
pub(crate) fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(each(1)) & !word & each(0x80)
}

/// A word with the same byte at all its places.
#[inline(always)]
pub(crate) const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Whether no byte from `start` on has a `margin` of 0, which is that of a byte after the one before
/// it. `start` must not be 0. `false` also if one of the sixteen bytes before `start` has no margin: a
/// short text at the end of a longer one takes no way of its own.
///
/// One look at up to 16 bytes, and steps of 32 over more: in shorter steps the processor would
/// mispredict the end of the loop for every other text.
#[inline]
pub(crate) fn has_margin_after(bytes: &[u8], start: usize, margin: impl Fn(u8, u8) -> u8) -> bool {
    let mut least = [u8::MAX; 16];
    let Some(last) = bytes.last_chunk() else {
        if let (Some((_, before)), Some((_, after))) = (bytes.split_last(), bytes.split_first()) {
            lower_after(&mut least, &doubled(before), &doubled(after), &margin);
        }
        return has_no_zero(&least);
    };
    // The chunk at a place and the byte before it, or the last one where that is nearer to the end.
    let last_start = bytes.len() - 17;
    let window = |at: usize| {
        let from = bytes.get(at.min(last_start)..);
        from.and_then(|from| from.first_chunk()).unwrap_or(last)
    };
    lower_in_window(&mut least, last, &margin);
    let mut at = start - 1;
    while at < last_start {
        lower_in_window(&mut least, window(at), &margin);
        lower_in_window(&mut least, window(at + 16), &margin);
        at += 32;
    }
    has_no_zero(&least)
}

/// Whether no byte has a margin of 0, by two margins in one pass. The margins of `/` must not be 0,
/// and both should have no branch: the least of some differences.
///
/// Takes 16 bytes at a time, which the compiler turns into SIMD, and looks at the least margins
/// once, after the last of them: 60 instructions for 40 bytes where a loop over the bytes takes 200.
#[inline]
pub(crate) fn have_margins(
    bytes: &[u8],
    one: impl Fn(u8) -> u8,
    other: impl Fn(u8) -> u8,
) -> (bool, bool) {
    let (mut least_of_one, mut least_of_other) = ([u8::MAX; 16], [u8::MAX; 16]);
    for_each_chunk(bytes, |chunk| {
        lower(&mut least_of_one, chunk, &one);
        lower(&mut least_of_other, chunk, &other);
    });
    (has_no_zero(&least_of_one), has_no_zero(&least_of_other))
}

/// Visits every byte, some of them twice.
#[inline(always)]
fn for_each_chunk(bytes: &[u8], mut visit: impl FnMut(&[u8; 16])) {
    visit(&last_chunk(bytes));
    let mut rest = bytes;
    while let Some((chunk, after)) = rest.split_first_chunk() {
        visit(chunk);
        rest = after;
    }
}

/// The last 16 bytes. They overlap the whole chunks before them.
#[inline(always)]
fn last_chunk(bytes: &[u8]) -> [u8; 16] {
    bytes
        .last_chunk()
        .map_or_else(|| doubled(bytes), |last| *last)
}

/// Lowers each margin to that of the byte at its place.
#[inline(always)]
fn lower(least: &mut [u8; 16], chunk: &[u8; 16], margin: &impl Fn(u8) -> u8) {
    // By value, a reference to the closure would be called for each byte, out of line unless the whole program is optimized.
    // By place, as `zip` may stay a call whose length the compiler does not know.
    for (at, least) in least.iter_mut().enumerate() {
        if let Some(byte) = chunk.get(at) {
            *least = (*least).min(margin(*byte));
        }
    }
}

/// [`lower`] by the margin of a byte after another one.
#[inline(always)]
fn lower_after(
    least: &mut [u8; 16],
    before: &[u8; 16],
    chunk: &[u8; 16],
    margin: &impl Fn(u8, u8) -> u8,
) {
    for (at, least) in least.iter_mut().enumerate() {
        if let (Some(before), Some(byte)) = (before.get(at), chunk.get(at)) {
            *least = (*least).min(margin(*before, *byte));
        }
    }
}

#[inline(always)]
fn lower_in_window(least: &mut [u8; 16], window: &[u8; 17], margin: &impl Fn(u8, u8) -> u8) {
    if let (Some(before), Some(chunk)) = (window.first_chunk(), window.last_chunk()) {
        lower_after(least, before, chunk, margin);
    }
}

#[inline(always)]
fn has_no_zero(least: &[u8; 16]) -> bool {
    let mut any = 0;
    for least in least {
        any |= u8::from(*least == 0);
    }
    any == 0
}

/// Fewer than 16 bytes as 16: some of them twice, and `/` for the rest.
#[inline]
fn doubled(bytes: &[u8]) -> [u8; 16] {
    const FILL: u64 = u64::from_ne_bytes([b'/'; 8]);

    let (first, last) = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk())
    {
        (u64::from_ne_bytes(*first), u64::from_ne_bytes(*last))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let half = |half: &[u8; 4]| u64::from(u32::from_ne_bytes(*half));
        (half(first) << 32 | half(last), FILL)
    } else {
        let few = bytes
            .iter()
            .fold(FILL, |few, byte| few << 8 | u64::from(*byte));
        (few, FILL)
    };
    (u128::from(first) << 64 | u128::from(last)).to_ne_bytes()
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_byte_needs_a_margin(text in "[/a-c]{0,40}[d]?[/a-c]{0,40}") {
            let margins = have_margins(text.as_bytes(), |byte| byte ^ b'd', |byte| byte ^ b'b');
            prop_assert_eq!(margins, (!text.contains('d'), !text.contains('b')));
        }

        #[test]
        fn bytes_before_the_start_count_only_near_it(before in "[/a-d]{1,40}", text in "[/a-d]{0,40}") {
            let whole = alloc::format!("{before}{text}");
            let found = has_margin_after(whole.as_bytes(), before.len(), |before, byte| {
                (byte ^ b'd').min((byte ^ b'c') | (before ^ b'b'))
            });
            let near: String = whole.chars().skip(before.len().saturating_sub(17)).collect();
            let with_last: String = whole.chars().skip(before.len() - 1).collect();
            prop_assert!(!found || !text.contains('d') && !with_last.contains("bc"));
            prop_assert!(found || near.contains('d') || near.contains("bc"));
        }

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
