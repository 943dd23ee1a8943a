//! The shape of a file as text: lines, comments and encoding, without parsing.

/// Counts of one pass over the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The number of lines. Text after the last line end is a line too, as in an editor.
    pub(crate) lines: u64,
    /// The bytes of the longest line, without its end.
    pub(crate) longest_line: u64,
    /// The number of lines with a `#`.
    pub(crate) comments: u64,
    pub(crate) has_nul: bool,
    pub(crate) is_ascii: bool,
    /// Whether the file holds only white space.
    pub(crate) is_blank: bool,
}

impl Shape {
    pub(crate) fn measure(file: &[u8]) -> Shape {
        let mut shape = Shape {
            lines: 0,
            longest_line: 0,
            comments: 0,
            has_nul: memchr::memchr(0, file).is_some(),
            is_ascii: file.is_ascii(),
            is_blank: file.iter().all(u8::is_ascii_whitespace),
        };
        match memchr::memchr(b'\r', file) {
            None => shape.add_lines_with_lf(file),
            Some(_) => shape.add_lines(file),
        }
        shape
    }

    /// Adds the lines of a file that has no CR, as most files have none. Their ends are found in words: lines are short, and
    /// [`memchr`] takes about 100 instructions for each of its results.
    fn add_lines_with_lf(&mut self, file: &[u8]) {
        let mut start = 0;
        let (words, rest) = file.as_chunks::<8>();
        for (word, at) in words.iter().zip((0..).step_by(8)) {
            let mut ends = bytes_equal_to(b'\n', u64::from_le_bytes(*word));
            while ends != 0 {
                let end = at + ends.trailing_zeros() as usize / 8;
                self.add_line(end - start);
                start = end + 1;
                ends &= ends - 1;
            }
        }
        for (byte, end) in rest.iter().zip(words.len() * 8..) {
            if *byte == b'\n' {
                self.add_line(end - start);
                start = end + 1;
            }
        }
        if start < file.len() {
            self.add_line(file.len() - start);
        }
        let mut rest = file;
        while let Some(at) = memchr::memchr(b'#', rest) {
            self.comments += 1;
            let after = rest.get(at..).unwrap_or_default();
            let end = memchr::memchr(b'\n', after).unwrap_or(after.len());
            rest = after.get(end..).unwrap_or_default();
        }
    }

    /// Adds the lines of any file.
    fn add_lines(&mut self, file: &[u8]) {
        let mut start = 0;
        let mut commented = None;
        for at in memchr::memchr3_iter(b'\n', b'\r', b'#', file) {
            match file.get(at) {
                Some(b'#') => {
                    self.comments += u64::from(commented != Some(start));
                    commented = Some(start);
                }
                // The LF of a CRLF does not end another line.
                Some(b'\n') if at == start && at > 0 && file.get(at - 1) == Some(&b'\r') => {
                    start = at + 1;
                }
                _ => {
                    self.add_line(at - start);
                    start = at + 1;
                }
            }
        }
        if start < file.len() {
            self.add_line(file.len() - start);
        }
    }

    fn add_line(&mut self, bytes: usize) {
        self.lines += 1;
        self.longest_line = self.longest_line.max(bytes as u64);
    }
}

/// The high bit of each byte of a word that is the given one.
fn bytes_equal_to(byte: u8, word: u64) -> u64 {
    const LOW_BITS: u64 = u64::from_le_bytes([0x7F; 8]);
    let difference = word ^ u64::from_le_bytes([byte; 8]);
    // The sum has the high bit of each byte with a low bit; none carries into the next byte.
    !(((difference & LOW_BITS) + LOW_BITS) | difference | LOW_BITS)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Shape;

    fn counts(file: &[u8]) -> (u64, u64, u64) {
        let shape = Shape::measure(file);
        (shape.lines, shape.longest_line, shape.comments)
    }

    #[test]
    fn lines_end_with_lf_cr_or_crlf() {
        assert_eq!(counts(b""), (0, 0, 0));
        assert_eq!(counts(b"ab\r\n\r\nabc\rab\n"), (4, 3, 0));
        assert_eq!(counts(b"\n\nab"), (3, 2, 0));
        assert_eq!(counts(b"\r\r\n"), (2, 0, 0));
    }

    #[test]
    fn a_line_with_two_hash_signs_has_one_comment() {
        assert_eq!(counts(b"# a # b\nx # y\r\n\nz"), (4, 7, 2));
    }

    #[test]
    fn blank_files_have_only_white_space() {
        let is_blank = |file: &[u8]| Shape::measure(file).is_blank;
        assert!(is_blank(b"") && is_blank(b" \r\n\t") && !is_blank(b"#"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// A file without CR has the same lines, whichever way they are found.
        #[test]
        fn both_ways_find_the_same_lines(file in "[\n\x0B#a\u{8A}]{0,40}") {
            let shape = Shape::measure(file.as_bytes());
            let mut by_search = Shape { lines: 0, longest_line: 0, comments: 0, ..shape };
            by_search.add_lines(file.as_bytes());
            prop_assert_eq!(shape, by_search);
        }
    }
}
