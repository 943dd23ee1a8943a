//! Bytes to physical lines. No input is an error.

use memchr::memchr2;

use crate::options::Dialect;
use crate::parse::part::Part;
use crate::text::bytes::{each, first_word};

/// Returns the part of a file that is read and, if the file was cut, the length of that part.
///
/// The cut goes back to the end of the last whole line, because half of `Disallow: /private` may be
/// `Disallow: /`. A line whose end begins right after the limit is whole; half of a CRLF is
/// dropped.
pub(crate) fn within_limit(file: &[u8], max_bytes: Option<usize>) -> (&[u8], Option<usize>) {
    let max = max_bytes.map_or(MAX_BYTES, |max| max.min(MAX_BYTES));
    let whole_lines = match file.split_at_checked(max) {
        None | Some((_, [])) => return (file, None),
        Some(([lines @ .., b'\r'], [b'\n', ..])) => lines,
        Some((head, [b'\n' | b'\r', ..])) => head,
        Some((head, _)) => {
            let last_end = memchr::memrchr2(b'\n', b'\r', head);
            last_end
                .and_then(|end| head.get(..=end))
                .unwrap_or_default()
        }
    };
    (whole_lines, Some(whole_lines.len()))
}

/// A physical line: the text between two line ends (LF, CR or CRLF; RFC 9309 §2.2 `NL`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PhysicalLine<'a> {
    /// Counted from 1. Less than 2^30, as [`MAX_BYTES`] are read.
    pub(crate) number: u32,
    /// The line without its end.
    pub(crate) part: Part<'a>,
}

impl<'a> PhysicalLine<'a> {
    /// The part of the line that the dialect reads; Google's matcher stops after 16,663 bytes.
    #[inline]
    pub(crate) fn text(&self, dialect: Dialect) -> Part<'a> {
        match dialect {
            Dialect::Rfc9309 => self.part,
            Dialect::Google => self.part.head(GOOGLE_LINE_BYTES),
        }
    }

    /// Whether the line has bytes that Google's matcher does not read.
    pub(crate) fn is_too_long(&self) -> bool {
        self.part.bytes.len() > GOOGLE_LINE_BYTES
    }
}

/// Iterates over the lines of a file, without its byte order mark.
///
/// The text after the last line end is a line too, even if it is empty. Google counts lines in the
/// same way.
#[derive(Debug, Clone)]
pub(crate) struct PhysicalLines<'a> {
    file_len: usize,
    rest: Option<&'a [u8]>,
    number: u32,
}

impl<'a> PhysicalLines<'a> {
    pub(crate) fn new(file: &'a [u8]) -> PhysicalLines<'a> {
        PhysicalLines {
            file_len: file.len(),
            rest: file.get(byte_order_mark_len(file)..),
            number: 0,
        }
    }
}

impl<'a> Iterator for PhysicalLines<'a> {
    type Item = PhysicalLine<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<PhysicalLine<'a>> {
        let rest = self.rest?;
        self.number = self.number.wrapping_add(1);
        // A look at the first byte reads files of nothing but blank lines in a third of the time.
        let end = match rest {
            [b'\n', ..] => Some(0),
            _ => line_end(rest),
        };
        let (line, after) = match end.and_then(|end| rest.split_at_checked(end)) {
            Some((line, [b'\r', b'\n', after @ ..] | [_, after @ ..])) => (line, Some(after)),
            _ => (rest, None),
        };
        self.rest = after;
        Some(PhysicalLine {
            number: self.number,
            // `rest` is the end of the file, so the difference of the lengths is its offset.
            part: Part::new(self.file_len - rest.len(), line),
        })
    }
}

/// The place of the first line end.
///
/// Lines are short: to search each with `memchr` takes more instructions, and branches on the
/// length of the line, which the processor mispredicts. In long ones `memchr` is five times as
/// fast.
#[inline]
fn line_end(text: &[u8]) -> Option<usize> {
    // The chunks are not counted: that would take an instruction for each.
    let start = text.get(..SHORT_LINE).unwrap_or(text);
    let mut rest = start;
    while let Some((chunk, after)) = rest.split_first_chunk() {
        let place = first_unusual(chunk);
        match chunk.get(place) {
            Some(b'\n' | b'\r') => return Some(start.len() - rest.len() + place),
            Some(_) => break,
            None => rest = after,
        }
    }
    let searched = start.len() - rest.len();
    Some(searched + memchr2(b'\n', b'\r', text.get(searched..)?)?)
}

/// The bytes of a line that are searched without `memchr`.
const SHORT_LINE: usize = 256;

/// The place of the first byte of a chunk that may be a line end; 32 or more if there is none. In
/// printable ASCII no other byte is found.
#[inline]
fn first_unusual(chunk: &[u8; 32]) -> usize {
    let (mut in_word, mut start) = (0, 32);
    for (at, word) in chunk.chunks_exact(8).enumerate().rev() {
        // The high bit of a byte stays or becomes 1 if it is less than 14 or more than 141.
        let unusual = first_word(word).wrapping_sub(each(b'\r' + 1)) & each(0x80);
        if unusual != 0 {
            (in_word, start) = (unusual, 8 * at);
        }
    }
    start + in_word.trailing_zeros() as usize / 8
}

/// The number of bytes to skip at the start of a file. Google skips the longest start of a UTF-8
/// byte order mark, be it only `EF` or `EF BB`.
fn byte_order_mark_len(file: &[u8]) -> usize {
    file.iter()
        .zip([0xEF, 0xBB, 0xBF])
        .take_while(|(byte, mark)| *byte == mark)
        .count()
}

/// The bytes of a line that Google's matcher reads: eight times the longest URL of an old browser,
/// less one for NUL.
pub const GOOGLE_LINE_BYTES: usize = 2083 * 8 - 1;

/// The most bytes of a file that are ever read: 512 MiB.
///
/// Offsets into the compiled patterns are `u32`, and one byte of the file becomes at most six
/// there: three by percent-encoding, and those twice for the directory of an `index.htm` rule.
pub(crate) const MAX_BYTES: usize = 1 << 29;

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// The lines and the ends between them are the file, byte for byte.
        #[test]
        fn lines_cover_the_file(file in vec(select(b"\r\na:#\xEF\xBB\xBF \0".to_vec()), 0..40)) {
            let mut at = byte_order_mark_len(&file);
            for (expected, line) in (1..).zip(PhysicalLines::new(&file)) {
                prop_assert_eq!(line.number, expected);
                prop_assert!(file[at..].starts_with(line.part.bytes));
                prop_assert_eq!(line.part.start, at);
                prop_assert!(!line.part.bytes.contains(&b'\n') && !line.part.bytes.contains(&b'\r'));
                at += line.part.bytes.len();
                at += match &file[at..] {
                    [b'\r', b'\n', ..] => 2,
                    [b'\n' | b'\r', ..] => 1,
                    rest => {
                        prop_assert!(rest.is_empty());
                        0
                    }
                };
            }
            prop_assert_eq!(at, file.len());
        }

        /// Some line ends come after several chunks, and some after bytes that are looked at one by
        /// one.
        #[test]
        fn the_first_line_end_is_found(
            before in vec(select(b" /a~\x7F\x80\x8D\x8E\xFF".to_vec()), 0..80),
            controls in vec(select(b"a\0\t\x0B\x0C\x0E".to_vec()), 0..3),
            after in vec(select(b"aaaa\t\r\n\xFF".to_vec()), 0..80),
        ) {
            let text = [before, controls, after].concat();
            let expected = text.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            prop_assert_eq!(line_end(&text), expected);
        }
    }

    fn lines(file: &[u8]) -> Vec<(u32, &[u8])> {
        PhysicalLines::new(file)
            .map(|line| (line.number, line.part.bytes))
            .collect()
    }

    #[test]
    fn every_line_end_counts_once() {
        assert_eq!(lines(b""), [(1, &b""[..])]);
        assert_eq!(lines(b"a\n"), [(1, &b"a"[..]), (2, b"")]);
        assert_eq!(lines(b"\n\r"), [(1, &b""[..]), (2, b""), (3, b"")]);
        assert_eq!(lines(b"\r\r\n"), [(1, &b""[..]), (2, b""), (3, b"")]);
    }

    #[test]
    fn google_part_of_a_byte_order_mark_is_skipped() {
        assert_eq!(lines(b"\xEF\xBB\xBFa"), [(1, &b"a"[..])]);
        assert_eq!(lines(b"\xEF\xBBxa"), [(1, &b"xa"[..])]);
        assert_eq!(lines(b"\xEF\xEF\xBBa"), [(1, &b"\xEF\xBBa"[..])]);
    }

    #[test]
    fn a_cut_keeps_whole_lines() {
        let cut = |file, max| within_limit(file, Some(max));
        assert_eq!(cut(b"a\nbc\n", 5), (&b"a\nbc\n"[..], None));
        assert_eq!(cut(b"a\nbc\n", 4), (&b"a\nbc"[..], Some(4)));
        assert_eq!(cut(b"a\nbc\n", 3), (&b"a\n"[..], Some(2)));
        assert_eq!(cut(b"abc", 2), (&b""[..], Some(0)));
        assert_eq!(cut(b"abc\n", 0), (&b""[..], Some(0)));
        assert_eq!(cut(b"ab\r\ncd", 3), (&b"ab"[..], Some(2)));
        assert_eq!(cut(b"ab\r\ncd", 4), (&b"ab\r\n"[..], Some(4)));
        assert_eq!(cut(b"ab\r\ncd", 2), (&b"ab"[..], Some(2)));
    }

    #[test]
    fn more_than_512_mib_is_cut_whatever_the_limit() {
        // Zeros that nobody writes take no memory.
        let mut file = alloc::vec![0; (512 << 20) + 1];
        let last_line_end = MAX_BYTES - 10;
        file[last_line_end] = b'\n';
        for limit in [None, Some(usize::MAX)] {
            let (kept, cut_at) = within_limit(&file, limit);
            assert_eq!(
                (kept.len(), cut_at),
                (last_line_end + 1, Some(last_line_end + 1))
            );
        }
        assert_eq!(within_limit(&file[1..], None).1, None);
    }
}
