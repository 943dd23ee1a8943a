//! Bytes → lines → records. No input is an error.

use memchr::{memchr2, memchr3};
use nom::bytes::complete::{take_till, take_till1, take_while1};
use nom::combinator::eof;
use nom::{IResult, Parser as _};

use crate::options::Dialect;

/// The part of a file that is read, and where it was cut.
///
/// A cut goes back to the end of the last whole line, because half of `Disallow: /private` may be `Disallow: /`.
/// A line whose end begins just after the limit is whole; half of a CRLF is not kept.
pub(crate) fn within_limit(file: &[u8], max_bytes: Option<usize>) -> (&[u8], Option<usize>) {
    let max = max_bytes.map_or(MAX_BYTES, |max| max.min(MAX_BYTES));
    let Some((head, tail)) = file
        .split_at_checked(max)
        .filter(|(_, tail)| !tail.is_empty())
    else {
        return (file, None);
    };
    let kept = match (head, tail) {
        ([whole_line @ .., b'\r'], [b'\n', ..]) => whole_line,
        (_, [b'\n' | b'\r', ..]) => head,
        _ => {
            let last_end = memchr::memrchr2(b'\n', b'\r', head);
            last_end
                .and_then(|end| head.get(..=end))
                .unwrap_or_default()
        }
    };
    (kept, Some(kept.len()))
}

/// A physical line: the text between two line ends (LF, CR or CRLF; RFC 9309 §2.2 `NL`).
#[derive(Debug, Clone, Copy)]
pub(crate) struct PhysicalLine<'a> {
    /// From 1; stays at `u32::MAX` from there on.
    pub(crate) number: u32,
    /// The line as it stands in the file, without its end.
    pub(crate) bytes: &'a [u8],
}

impl<'a> PhysicalLine<'a> {
    /// What of the line is read: Google's matcher keeps 16,663 bytes of it.
    pub(crate) fn read(&self, dialect: Dialect) -> &'a [u8] {
        match dialect {
            Dialect::Rfc9309 => self.bytes,
            Dialect::Google => self.bytes.get(..GOOGLE_LINE_BYTES).unwrap_or(self.bytes),
        }
    }
}

/// Iterates over the lines of a file, without its byte order mark.
///
/// The text after the last line end is a line too, even when it is empty (as Google counts them).
#[derive(Debug, Clone)]
pub(crate) struct PhysicalLines<'a> {
    rest: Option<&'a [u8]>,
    number: u32,
}

impl<'a> PhysicalLines<'a> {
    pub(crate) fn new(file: &'a [u8]) -> PhysicalLines<'a> {
        PhysicalLines {
            rest: file.get(byte_order_mark_len(file)..),
            number: 0,
        }
    }
}

impl<'a> Iterator for PhysicalLines<'a> {
    type Item = PhysicalLine<'a>;

    #[inline]
    fn next(&mut self) -> Option<PhysicalLine<'a>> {
        let rest = self.rest?;
        self.number = self.number.saturating_add(1);
        let end = match rest.first() {
            // One line in six is blank, and this takes a tenth of a search.
            Some(b'\n') => Some(0),
            _ => memchr2(b'\n', b'\r', rest),
        };
        let (bytes, after) = match end.and_then(|end| rest.split_at_checked(end)) {
            Some((bytes, [b'\r', b'\n', after @ ..] | [_, after @ ..])) => (bytes, Some(after)),
            _ => (rest, None),
        };
        self.rest = after;
        Some(PhysicalLine {
            number: self.number,
            bytes,
        })
    }
}

/// Google skips the longest start of a UTF-8 byte order mark, be it only `EF` or `EF BB`.
pub(crate) fn byte_order_mark_len(file: &[u8]) -> usize {
    file.iter()
        .zip([0xEF, 0xBB, 0xBF])
        .take_while(|(byte, mark)| *byte == mark)
        .count()
}

/// A line that holds a field name and a value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record<'a> {
    /// The field name as written, trimmed; never empty.
    pub(crate) field: &'a [u8],
    pub(crate) value: Value<'a>,
    pub(crate) separator: Separator,
}

/// The part of a record after its separator. Most values are never looked at (they are for other agents), so
/// the comment is cut and the blanks are trimmed only on demand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Value<'a> {
    with_comment: &'a [u8],
}

impl<'a> Value<'a> {
    pub(crate) fn new(with_comment: &'a [u8]) -> Value<'a> {
        Value { with_comment }
    }

    /// As it was before anything is cut from it.
    pub(crate) fn with_comment(self) -> &'a [u8] {
        self.with_comment
    }

    pub(crate) fn bytes(self) -> &'a [u8] {
        trim(without_comment(self.with_comment))
    }
}

/// What stands between the key and the value of a record.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots::document::Separator;
///
/// let robots_txt = RobotsTxt::parse(b"User-agent *");
/// assert_eq!(robots_txt.lines().next().unwrap().separator(), Some(Separator::Blank));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Separator {
    /// A colon.
    Colon,
    /// RFC 9309 wants a colon; §2.2.4 lets a crawler be lenient, and Google is with a line of two words.
    Blank,
}

/// ```text
/// line   = [ record ] [ comment ]
/// record = colon-record / blank-record
/// ```
///
/// `None`: blank, a comment, or nothing that can be read as a record. Which of the two records it is depends on
/// the first byte that no field name holds, so that byte is looked for instead of trying one after the other.
#[inline]
pub(crate) fn record(line: &[u8]) -> Option<Record<'_>> {
    match memchr3(b':', b'#', 0, line).and_then(|at| line.get(at)) {
        Some(b':') => colon_record(line),
        _ => blank_record(trim(without_comment(line))),
    }
    .ok()
    .map(|(_, record)| record)
    .filter(|record| !record.field.is_empty())
}

/// `colon-record = *WS field *WS ":" value`
fn colon_record(line: &[u8]) -> Parsed<'_, Record<'_>> {
    let (rest, field) = take_till(|byte| byte == b':').parse(line)?;
    let with_comment = rest.get(1..).unwrap_or_default();
    let record = Record {
        field: trim(field),
        value: Value::new(with_comment),
        separator: Separator::Colon,
    };
    Ok((&[], record))
}

/// `blank-record = field 1*(SP / HTAB) word`, both without a blank in them: three words are not a record.
fn blank_record(text: &[u8]) -> Parsed<'_, Record<'_>> {
    let (rest, field) = take_till1(is_blank).parse(text)?;
    let (rest, _) = take_while1(is_blank).parse(rest)?;
    let (rest, word) = take_till1(is_blank).parse(rest)?;
    let (rest, _) = eof.parse(rest)?;
    let record = Record {
        field: trim(field),
        value: Value::new(word),
        separator: Separator::Blank,
    };
    Ok((rest, record))
}

/// `comment = "#" *any`. A NUL ends the line too: Google's lines are C strings.
pub(crate) fn without_comment(text: &[u8]) -> &[u8] {
    let end = memchr2(b'#', 0, text).unwrap_or(text.len());
    text.get(..end).unwrap_or(text)
}

/// `WS = HTAB / VT / FF / CR / SP`: what Google strips around lines, fields and values.
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    let mut text = text;
    while let [b'\t' | 0x0B | 0x0C | b'\r' | b' ', rest @ ..] = text {
        text = rest;
    }
    while let [rest @ .., b'\t' | 0x0B | 0x0C | b'\r' | b' '] = text {
        text = rest;
    }
    text
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The error is `()`: why a line is no record does not matter to anyone.
type Parsed<'a, T> = IResult<&'a [u8], T, ()>;

/// What Google's matcher keeps of a line: eight times the longest URL of an old browser, less one for NUL.
pub(crate) const GOOGLE_LINE_BYTES: usize = 2083 * 8 - 1;

/// Offsets into the compiled patterns are `u32`, and one byte of the file becomes at most six there: three by
/// percent-encoding, and those twice for the directory of an `index.htm` rule.
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
                prop_assert!(file[at..].starts_with(line.bytes));
                prop_assert!(!line.bytes.contains(&b'\n') && !line.bytes.contains(&b'\r'));
                at += line.bytes.len();
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
    }

    fn lines(file: &[u8]) -> Vec<(u32, &[u8])> {
        PhysicalLines::new(file)
            .map(|line| (line.number, line.bytes))
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

    fn parts(line: &[u8]) -> Option<(&str, &str, Separator)> {
        let text = |bytes| core::str::from_utf8(bytes).unwrap();
        record(line).map(|record| {
            (
                text(record.field),
                text(record.value.bytes()),
                record.separator,
            )
        })
    }

    #[test]
    fn google_separators() {
        use Separator::{Blank, Colon};

        assert_eq!(
            parts(b" Disallow\x0B: /x # why"),
            Some(("Disallow", "/x", Colon))
        );
        assert_eq!(parts(b"Disallow /a:b"), Some(("Disallow /a", "b", Colon)));
        assert_eq!(parts(b"Disallow /a#:b"), Some(("Disallow", "/a", Blank)));
        assert_eq!(parts(b"Disallow\t \x0B/a"), Some(("Disallow", "/a", Blank)));
        assert_eq!(parts(b"disallow\x0B/x"), None);
        assert_eq!(parts(b"user agent x"), None);
        assert_eq!(parts(b": /x"), None);
        assert_eq!(parts(b"#Disallow: /x"), None);
        assert_eq!(parts(b"Disallow\0: /x"), None);
        assert_eq!(parts(b"Disallow: /x\0y"), Some(("Disallow", "/x", Colon)));
        assert_eq!(parts(b"Disallow:"), Some(("Disallow", "", Colon)));
    }
}
