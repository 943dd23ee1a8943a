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
        shape.add_lines(file);
        shape
    }

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

        /// The lines equal those of the same text with LF as its only line end.
        #[test]
        fn lines_are_those_of_a_naive_reader(file in "([a#\u{8A}]{0,12}\r?\n){0,8}[\n\r\x0B#a\u{8A}]{0,4}") {
            let text = file.replace("\r\n", "\n").replace('\r', "\n");
            let mut lines: Vec<&str> = text.split('\n').collect();
            // The empty text after the last line end is no line.
            lines.pop_if(|last| last.is_empty());
            let longest = lines.iter().map(|line| line.len()).max().unwrap_or_default();
            let comments = lines.iter().filter(|line| line.contains('#')).count();
            let expected = (lines.len() as u64, longest as u64, comments as u64);
            prop_assert_eq!(counts(file.as_bytes()), expected);
        }
    }
}
