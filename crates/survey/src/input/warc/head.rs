//! The head of a WARC record (ISO 28500 §4): named fields, of which five count here.

use memchr::memchr_iter;

/// The named fields of a record that are read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) kind: Kind,
    pub(super) url: String,
    /// Bytes of the block.
    pub(super) length: u64,
    /// `WARC-Truncated`: the crawler stopped before the end.
    pub(super) is_truncated: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Http,
    OtherProtocol,
    NoResponse,
}

/// How far a head goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// A head of this many bytes, with its empty line.
    Whole(usize),
    /// There is more of it than is here.
    Cut,
    /// Another record begins before it ends.
    Wrong,
}

impl Extent {
    /// Line ends of one LF are taken too.
    pub(super) fn of(octets: &[u8]) -> Extent {
        for at in memchr_iter(b'\n', octets) {
            let rest = octets.get(at + 1..).unwrap_or_default();
            if rest.starts_with(b"\r\n") {
                return Extent::Whole(at + 3);
            } else if rest.starts_with(b"\n") {
                return Extent::Whole(at + 2);
            } else if rest.starts_with(START) {
                return Extent::Wrong;
            }
        }
        Extent::Cut
    }
}

/// `None` if it does not say what it is or how long.
pub(super) fn parse(head: &[u8]) -> Option<Head> {
    let mut kind = None;
    let mut url = None;
    let mut length = None;
    let mut content_type = None;
    let mut is_truncated = false;
    for line in head.split(|octet| *octet == b'\n').skip(1) {
        let Some(colon) = line.iter().position(|octet| *octet == b':') else {
            continue;
        };
        let (name, value) = line.split_at(colon);
        let value = value.get(1..).unwrap_or_default().trim_ascii();
        // Names are compared without case, and the first field of a name counts. A folded line begins with a blank,
        // so it has none of these names.
        if name.eq_ignore_ascii_case(b"WARC-Type") {
            kind.get_or_insert(value);
        } else if name.eq_ignore_ascii_case(b"WARC-Target-URI") {
            url.get_or_insert(value);
        } else if name.eq_ignore_ascii_case(b"Content-Length") {
            length.get_or_insert(value);
        } else if name.eq_ignore_ascii_case(b"Content-Type") {
            content_type.get_or_insert(value);
        } else if name.eq_ignore_ascii_case(b"WARC-Truncated") {
            is_truncated = true;
        }
    }
    let is_http = content_type.is_none_or(|content_type| {
        content_type
            .get(..HTTP.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(HTTP))
    });
    Some(Head {
        kind: match (kind?.eq_ignore_ascii_case(b"response"), is_http) {
            (true, true) => Kind::Http,
            (true, false) => Kind::OtherProtocol,
            (false, _) => Kind::NoResponse,
        },
        url: String::from_utf8_lossy(without_brackets(url.unwrap_or_default())).into_owned(),
        length: std::str::from_utf8(length?).ok()?.parse().ok()?,
        is_truncated,
    })
}

/// WARC/1.0 has the URI in `<>` in its grammar, and some writers do as it says.
fn without_brackets(url: &[u8]) -> &[u8] {
    url.strip_prefix(b"<")
        .and_then(|url| url.strip_suffix(b">"))
        .unwrap_or(url)
}

/// The start of a record.
const START: &[u8] = b"WARC/1.";

const HTTP: &[u8] = b"application/http";

#[cfg(test)]
mod tests {
    use super::{Extent, Head, Kind, parse};

    #[test]
    fn a_head_ends_at_its_empty_line() {
        let whole = Extent::of(b"WARC/1.0\r\na: b\r\n\r\nbody");
        assert_eq!(whole, Extent::Whole(18));
        assert_eq!(Extent::of(b"WARC/1.0\na: b\n\nbody"), Extent::Whole(15));
        assert_eq!(Extent::of(b"WARC/1.0\r\na: b\r\n\r"), Extent::Cut);
    }

    #[test]
    fn a_head_does_not_go_over_the_start_of_another() {
        assert_eq!(
            Extent::of(b"WARC/1.0\r\na: b\r\nWARC/1.0\r\na: b\r\n\r\n"),
            Extent::Wrong
        );
    }

    #[test]
    fn the_fields_that_count_are_found_whatever_their_case() {
        let head = b"WARC/1.0\r\nwarc-type: Response\r\nX: y\r\n folded: z\r\nCONTENT-LENGTH:12\r\n\
            WARC-Target-URI: <https://example.com/robots.txt>\r\nContent-Type: Application/HTTP; msgtype=response\r\n\
            WARC-Truncated: length\r\nContent-Length: 13\r\n\r\n";
        assert_eq!(
            parse(head),
            Some(Head {
                kind: Kind::Http,
                url: "https://example.com/robots.txt".into(),
                length: 12,
                is_truncated: true,
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
