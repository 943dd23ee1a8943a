//! The head of a WARC record (ISO 28500 §4): a list of named fields, of which six are read.

use memchr::memchr_iter;

use crate::dates::to_the_second;

/// The named fields of a record that are read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) kind: RecordKind,
    pub(super) url: String,
    /// The bytes of the block.
    pub(super) length: u64,
    /// Whether the crawler stopped before the end of the response (`WARC-Truncated`).
    pub(super) is_truncated: bool,
    /// The date of the record to the second, if it is a valid one.
    pub(super) date: Option<[u8; 19]>,
}

/// The kind of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordKind {
    Http,
    OtherProtocol,
    NoResponse,
}

/// The length of a head, as far as it can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// The head has this many bytes, with its empty line.
    Whole(usize),
    /// The head is longer than the bytes given.
    Cut,
    /// Another record begins before the head ends.
    Wrong,
}

impl Extent {
    /// Finds the end of the head. A bare LF ends a line too.
    pub(super) fn find(bytes: &[u8]) -> Extent {
        for at in memchr_iter(b'\n', bytes) {
            let rest = bytes.get(at + 1..).unwrap_or_default();
            if rest.starts_with(b"\r\n") {
                return Extent::Whole(at + 3);
            } else if rest.starts_with(b"\n") {
                return Extent::Whole(at + 2);
            } else if rest.starts_with(RECORD_START) {
                return Extent::Wrong;
            }
        }
        Extent::Cut
    }
}

/// Parses a head; `None` if its type or its length is missing or malformed.
pub(super) fn parse(head: &[u8]) -> Option<Head> {
    let mut kind = None;
    let mut url = None;
    let mut length = None;
    let mut content_type = None;
    let mut is_truncated = false;
    let mut date = None;
    let mut line_start = head.len();
    let ends = memchr_iter(b'\n', head).chain([head.len()]);
    for line_end in ends {
        // The first line is no field.
        let line = head.get(line_start..line_end).unwrap_or_default();
        line_start = line_end + 1;
        // Names are compared without case, and the first field of each name counts. A folded line
        // begins with a blank, so it matches no name. No name has a colon, so one look at the byte
        // after the name replaces a search: in most lines that byte is no colon.
        let named = |name: &[u8]| {
            let (start, rest) = line.split_at_checked(name.len())?;
            let value = rest.strip_prefix(b":")?;
            // Nearly all writers use this case.
            let is_name = start == name || start.eq_ignore_ascii_case(name);
            is_name.then(|| value.trim_ascii())
        };
        kind = kind.or_else(|| named(b"WARC-Type"));
        date = date.or_else(|| named(b"WARC-Date"));
        content_type = content_type.or_else(|| named(b"Content-Type"));
        length = length.or_else(|| named(b"Content-Length"));
        is_truncated |= named(b"WARC-Truncated").is_some();
        url = url.or_else(|| named(b"WARC-Target-URI"));
    }
    let is_http = content_type.is_none_or(|content_type| {
        content_type
            .get(..HTTP.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(HTTP))
    });
    Some(Head {
        kind: match (kind?.eq_ignore_ascii_case(b"response"), is_http) {
            (true, true) => RecordKind::Http,
            (true, false) => RecordKind::OtherProtocol,
            (false, _) => RecordKind::NoResponse,
        },
        url: String::from_utf8_lossy(without_brackets(url.unwrap_or_default())).into_owned(),
        length: std::str::from_utf8(length?).ok()?.parse().ok()?,
        is_truncated,
        date: date
            .and_then(to_the_second)
            .and_then(|date| date.as_bytes().first_chunk().copied()),
    })
}

/// Removes the `<>` around a URI, which the grammar of WARC/1.0 asks for and some writers write.
fn without_brackets(url: &[u8]) -> &[u8] {
    url.strip_prefix(b"<")
        .and_then(|url| url.strip_suffix(b">"))
        .unwrap_or(url)
}

/// The start of a record.
const RECORD_START: &[u8] = b"WARC/1.";

/// The start of the content type of HTTP records.
const HTTP: &[u8] = b"application/http";

#[cfg(test)]
mod tests {
    use super::{Extent, Head, RecordKind, parse};

    #[test]
    fn a_head_ends_at_its_empty_line() {
        let whole = Extent::find(b"WARC/1.0\r\na: b\r\n\r\nbody");
        assert_eq!(whole, Extent::Whole(18));
        assert_eq!(Extent::find(b"WARC/1.0\na: b\n\nbody"), Extent::Whole(15));
        assert_eq!(Extent::find(b"WARC/1.0\r\na: b\r\n\r"), Extent::Cut);
    }

    #[test]
    fn a_head_ends_before_the_start_of_another() {
        assert_eq!(
            Extent::find(b"WARC/1.0\r\na: b\r\nWARC/1.0\r\na: b\r\n\r\n"),
            Extent::Wrong
        );
    }

    #[test]
    fn fields_are_found_in_any_case() {
        let head = b"WARC/1.0\r\nwarc-type: Response\r\nX: y\r\n folded: z\r\nCONTENT-LENGTH:12\r\n\
            WARC-Target-URI: <https://example.com/robots.txt>\r\nContent-Type: Application/HTTP; msgtype=response\r\n\
            WARC-Truncated: length\r\nwarc-date: 2026-01-31T12:00:00Z\r\nContent-Length: 13\r\n\r\n";
        assert_eq!(
            parse(head),
            Some(Head {
                kind: RecordKind::Http,
                url: "https://example.com/robots.txt".into(),
                length: 12,
                is_truncated: true,
                date: Some(*b"2026-01-31T12:00:00"),
            })
        );
    }

    #[test]
    fn a_head_without_type_or_length_is_none() {
        assert_eq!(parse(b"WARC/1.0\r\nWARC-Type: response\r\n\r\n"), None);
        assert_eq!(parse(b"WARC/1.0\r\nContent-Length: 1\r\n\r\n"), None);
        for length in ["", "-1", "x", "99999999999999999999999"] {
            let head =
                format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {length}\r\n\r\n");
            assert_eq!(parse(head.as_bytes()), None, "{length}");
        }
    }
}
