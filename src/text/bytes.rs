//! The bytes of a text by their kinds: the run of one kind at its start, and a test of every byte,
//! many at a time.

/// Splits the run of bytes that are `wanted` off the start of a text; it may be empty.
#[inline]
pub(crate) fn split_run(text: &[u8], wanted: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !wanted(*byte));
    text.split_at(end.unwrap_or(text.len()))
}

/// Whether every byte is `wanted`, which must accept `/` and should be a few comparisons without a
/// branch (`|` and `&`).
///
/// Tests 16 bytes at a time, which the compiler turns into SIMD: 30 instructions where a loop that
/// stops at the first other byte takes 200.
#[inline]
pub(crate) fn are_all(bytes: &[u8], wanted: impl Fn(u8) -> bool) -> bool {
    let all_of = |chunk: &[u8; 16]| {
        chunk
            .iter()
            .fold(0, |others, byte| others | u8::from(!wanted(*byte)))
            == 0
    };
    let Some(last) = bytes.last_chunk() else {
        return all_of(&doubled(bytes));
    };
    let mut rest = bytes;
    while let Some((chunk, after)) = rest.split_first_chunk() {
        if !all_of(chunk) {
            return false;
        }
        rest = after;
    }
    // The last chunk overlaps the one before it.
    rest.is_empty() || all_of(last)
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
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn are_all_tests_every_byte(text in "[/a-c]{0,40}[d]?[/a-c]{0,40}") {
            let wanted = |byte: u8| byte != b'd';
            prop_assert_eq!(are_all(text.as_bytes(), wanted), text.bytes().all(wanted));
        }
    }
}
