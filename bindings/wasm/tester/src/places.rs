//! Places in the text as the editor counts them: columns in UTF-16.

use std::ops::Range;

use polite_robots::RobotsTxt;

/// The bytes of each line.
#[derive(Debug)]
pub(crate) struct Places<'a> {
    bytes: &'a [u8],
    lines: Vec<Range<usize>>,
}

impl<'a> Places<'a> {
    pub(crate) fn new(bytes: &'a [u8], robots_txt: &RobotsTxt) -> Places<'a> {
        Places {
            bytes,
            lines: robots_txt.lines().map(|line| line.span()).collect(),
        }
    }

    /// The columns of a span within a line, from 0; the start of the line for one that was not
    /// kept.
    pub(crate) fn columns(&self, line: u32, span: Range<usize>) -> [usize; 2] {
        let index = usize::try_from(line).unwrap_or_default().wrapping_sub(1);
        let Some(start) = self.lines.get(index).map(|line| line.start) else {
            return [0, 0];
        };
        [span.start, span.end].map(|end| {
            let before = self.bytes.get(start..end).unwrap_or_default();
            String::from_utf8_lossy(before).encode_utf16().count()
        })
    }
}
