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
        match has_lone_cr(file) {
            false => shape.add_lines_with_lf(file),
            true => shape.add_lines(file),
        }
        shape
    }

    /// Adds the lines of a file in which each CR is followed by a LF, as in most files. A search
    /// takes about 100 instructions for each of its results, so most lines are counted without one.
    fn add_lines_with_lf(&mut self, file: &[u8]) {
        let ends = memchr::memchr_iter(b'\n', file).count();
        let has_rest = file.last().is_some_and(|last| *last != b'\n');
        self.lines += (ends + usize::from(has_rest)) as u64;
        self.longest_line = self.longest_line.max(longest_line(file) as u64);
        let mut rest = file;
        while let Some(at) = memchr::memchr(b'#', rest) {
            rest = rest.get(at..).unwrap_or_default();
            // Comments often follow each other.
            while rest.first() == Some(&b'#') {
                self.comments += 1;
                let end = memchr::memchr(b'\n', rest);
                let after = end.map_or(rest.len(), |end| end + 1);
                rest = rest.get(after..).unwrap_or_default();
            }
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

/// Whether a CR is followed by something else than a LF.
fn has_lone_cr(file: &[u8]) -> bool {
    if memchr::memchr(b'\r', file).is_none() {
        return false;
    }
    let followed = file.iter().zip(file.get(1..).unwrap_or_default());
    // The compiler makes SIMD of the fold, as it has no early end.
    let is_any = followed.fold(false, |any, (byte, next)| {
        any | ((*byte == b'\r') & (*next != b'\n'))
    });
    is_any || file.last() == Some(&b'\r')
}

/// The bytes of the longest line of a file in which each line ends with a LF.
fn longest_line(file: &[u8]) -> usize {
    let mut longest = 0;
    let mut rest = file;
    // A line that ends within as many bytes as the longest one has is not longer, and neither are
    // those before it.
    loop {
        let end_of_short = rest
            .get(..=longest)
            .and_then(|start| memchr::memrchr(b'\n', start));
        if let Some(end) = end_of_short {
            rest = rest.get(end + 1..).unwrap_or_default();
            continue;
        }
        let end = memchr::memchr(b'\n', rest);
        let line = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        longest = longest.max(line.strip_suffix(b"\r").unwrap_or(line).len());
        match end {
            Some(end) => rest = rest.get(end + 1..).unwrap_or_default(),
            None => return longest,
        }
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

        /// A file has the same lines, whichever way they are found.
        #[test]
        fn both_ways_find_the_same_lines(file in "([a#\u{8A}]{0,12}\r?\n){0,8}[\n\r\x0B#a\u{8A}]{0,4}") {
            let shape = Shape::measure(file.as_bytes());
            let mut by_search = Shape { lines: 0, longest_line: 0, comments: 0, ..shape };
            by_search.add_lines(file.as_bytes());
            prop_assert_eq!(shape, by_search);
        }
    }
}
