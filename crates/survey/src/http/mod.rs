//! A recorded HTTP response: its head, and its body without transfer and content codings.
//!
//! Archives store bodies in three ways. Common Crawl stores the decoded body and renames the fields
//! that described the codings (`X-Crawl-Content-Encoding`); others store every byte as it was sent;
//! and some store the decoded body with the original fields. A coding is therefore undone only if
//! the body really has it.

mod coding;
pub(crate) mod location;

use std::borrow::Cow;

use httparse::{EMPTY_HEADER, Header, ParserConfig, Status};
use memchr::memmem;

use crate::content::{BodyEnd, Place, RobotsResponse};

/// Parses a recorded response; `None` if it is not HTTP. The body is kept up to `max_bytes`.
pub(crate) fn read(
    (place, url): (&Place, &str),
    recorded: &[u8],
    end: BodyEnd,
    max_bytes: usize,
) -> Option<RobotsResponse> {
    with_head(recorded, |status, fields, head| {
        let sent = head.map(|head| recorded.get(head..).unwrap_or_default());
        let (body, end) = match sent {
            Some(sent) => body(status, fields, sent, end, max_bytes),
            None => (Vec::new(), end.max(BodyEnd::CutShort)),
        };
        RobotsResponse {
            place: place.clone(),
            url: Some(String::from(url)),
            status,
            content_type: text(fields, "content-type"),
            cache_control: list(fields, "cache-control"),
            retry_after: text(fields, "retry-after"),
            location: text(fields, "location"),
            body,
            end,
        }
    })
}

/// Calls `handle` with the status, the fields and the length of the head. The length is `None` if
/// the head is cut.
fn with_head<T>(
    recorded: &[u8],
    handle: impl Fn(u16, &[Header<'_>], Option<usize>) -> T,
) -> Option<T> {
    let (parsed, skew) = as_http_1(recorded)?;
    let handle = |status, fields: &[Header<'_>], head: Option<usize>| {
        handle(status, fields, head.map(|head| head.saturating_sub(skew)))
    };
    parsed_head(&parsed, handle).or_else(|| parsed_head(&without_controls(&parsed), handle))
}

fn parsed_head<T>(
    recorded: &[u8],
    handle: impl Fn(u16, &[Header<'_>], Option<usize>) -> T,
) -> Option<T> {
    let mut config = ParserConfig::default();
    config
        .allow_obsolete_multiline_headers_in_responses(true)
        .allow_spaces_after_header_name_in_responses(true)
        .allow_multiple_spaces_in_response_status_delimiters(true)
        .ignore_invalid_headers_in_responses(true);
    for most_fields in [FIELDS, MOST_FIELDS] {
        let mut fields = vec![EMPTY_HEADER; most_fields];
        let mut response = httparse::Response::new(&mut fields);
        match config.parse_response(&mut response, recorded) {
            Ok(Status::Complete(head)) => {
                return Some(handle(response.code?, response.headers, Some(head)));
            }
            Ok(Status::Partial) => return Some(handle(response.code?, response.headers, None)),
            Err(httparse::Error::TooManyHeaders) => {}
            Err(_) => return None,
        }
    }
    None
}

/// Replaces control characters in the head by blanks, as RFC 9110 §5.5 asks of a recipient:
/// `httparse` refuses them.
fn without_controls(recorded: &[u8]) -> Vec<u8> {
    let head = [b"\n\r\n".as_slice(), b"\n\n"]
        .into_iter()
        .filter_map(|end| memmem::find(recorded, end))
        .min();
    let head = head.unwrap_or(recorded.len());
    let (head, rest) = recorded.split_at_checked(head).unwrap_or_default();
    let cleaned = head.iter().enumerate().map(|(at, byte)| match byte {
        b'\t' | b'\n' => *byte,
        b'\r' if recorded.get(at + 1) == Some(&b'\n') => *byte,
        control if control.is_ascii_control() => b' ',
        _ => *byte,
    });
    cleaned.chain(rest.iter().copied()).collect()
}

/// Replaces a version such as `HTTP/2`, which archives write and `httparse` refuses, by `HTTP/1.1`.
/// Also returns by how many bytes the head became longer.
fn as_http_1(recorded: &[u8]) -> Option<(Cow<'_, [u8]>, usize)> {
    let version = recorded.strip_prefix(b"HTTP/")?;
    if version.starts_with(b"1") {
        return Some((Cow::Borrowed(recorded), 0));
    }
    let end = version.iter().position(|byte| *byte == b' ')?;
    let (number, rest) = version.split_at_checked(end)?;
    let is_of_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    if end > 3 || !number.iter().all(is_of_number) {
        return None;
    }
    let known = [b"HTTP/1.1".as_slice(), rest].concat();
    let skew = known.len().saturating_sub(recorded.len());
    Some((Cow::Owned(known), skew))
}

fn body(
    status: u16,
    fields: &[Header<'_>],
    sent: &[u8],
    end: BodyEnd,
    max_bytes: usize,
) -> (Vec<u8>, BodyEnd) {
    let mut body = coding::Body::new(sent, end);
    let transfer_codings: Vec<&str> = names(fields, "transfer-encoding").collect();
    let content_codings: Vec<&str> = names(fields, "content-encoding").collect();
    let is_as_sent = transfer_codings.is_empty() && content_codings.is_empty();
    if is_as_sent && is_shorter_than_stated(status, fields, sent) {
        body.end = body.end.max(BodyEnd::CutShort);
    }
    for name in transfer_codings.into_iter().rev() {
        if name.eq_ignore_ascii_case("chunked") {
            body.undo_chunked();
        } else {
            body.undo(name, max_bytes);
        }
    }
    for name in content_codings.into_iter().rev() {
        body.undo(name, max_bytes);
    }
    body.into_limited(max_bytes)
}

/// Whether the body is shorter than its head states. A longer body is kept, as the server sent it.
fn is_shorter_than_stated(status: u16, fields: &[Header<'_>], sent: &[u8]) -> bool {
    let has_body = !matches!(status, 100..=199 | 204 | 304);
    let length = text(fields, "content-length");
    let length = length.and_then(|length| length.trim().parse::<u64>().ok());
    has_body && length.is_some_and(|length| length > sent.len() as u64)
}

/// The value as text for reports; bytes that are not UTF-8 become U+FFFD.
fn text(fields: &[Header<'_>], name: &str) -> Option<String> {
    let value = all_raw(fields, name).next();
    value.map(|value| String::from_utf8_lossy(value).into_owned())
}

/// The values of all fields of the name, joined into one list (RFC 9110 §5.3).
fn list(fields: &[Header<'_>], name: &str) -> Option<String> {
    let values: Vec<_> = all_raw(fields, name).map(String::from_utf8_lossy).collect();
    (!values.is_empty()).then(|| values.join(", "))
}

/// The codings that the fields of the name list, in the order in which the sender applied them.
fn names<'h>(fields: &[Header<'h>], name: &str) -> impl Iterator<Item = &'h str> {
    all_raw(fields, name)
        .filter_map(|value| std::str::from_utf8(value).ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .filter(|coding| !coding.is_empty())
}

fn all_raw<'h>(fields: &[Header<'h>], name: &str) -> impl Iterator<Item = &'h [u8]> {
    fields
        .iter()
        .filter(move |field| field.name.eq_ignore_ascii_case(name))
        .map(|field| field.value)
}

/// The number of header fields that nearly every response stays below.
const FIELDS: usize = 64;

/// The most header fields that are parsed: the limit of common servers and clients.
const MOST_FIELDS: usize = 1024;

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::path::Path;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;
    use crate::content::BodyEnd::{Complete, CutShort, LimitReached};

    const ROBOTS_TXT: &[u8] = b"User-agent: *\nDisallow: /private/\n";

    #[test]
    fn counted_fields_are_found_in_any_case() {
        let message = read_all(
            b"HTTP/1.1 301 Moved\r\nLOCATION: https://example.com/r\xE9\r\ncontent-type:text/html\r\n\
              Cache-Control : max-age=60\r\nbad name: x\r\nRetry-After: 5\n\nbody",
        );
        assert_eq!(message.status, 301);
        assert_eq!(
            message.location.as_deref(),
            Some("https://example.com/r\u{fffd}")
        );
        assert_eq!(message.content_type.as_deref(), Some("text/html"));
        assert_eq!(message.cache_control.as_deref(), Some("max-age=60"));
        assert_eq!(message.retry_after.as_deref(), Some("5"));
        assert_eq!(message.body, b"body");
    }

    #[test]
    fn other_versions_of_http_are_read() {
        for version in ["HTTP/1.0", "HTTP/2", "HTTP/2.0", "HTTP/3"] {
            let message = read_all(format!("{version} 200\r\nx: y\r\n\r\nbody").as_bytes());
            assert_eq!((message.status, &message.body[..]), (200, &b"body"[..]));
        }
    }

    #[test]
    fn responses_that_are_not_http_give_none() {
        for recorded in [
            &b""[..],
            b"20260101 example.com. 300 IN A 192.0.2.1",
            b"HTTP",
            b"HTTP/x 200 OK\r\n\r\n",
            b"SSH-2.0-server\r\n",
            b"HTTP/1.1 OK\r\n\r\n",
        ] {
            assert!(read_up_to(100, recorded).is_none(), "{recorded:?}");
        }
    }

    #[test]
    fn a_cut_head_keeps_its_status() {
        let message = read_all(b"HTTP/1.1 404 Not Content\r\nContent-Ty");
        assert_eq!((message.status, message.end), (404, CutShort));
    }

    #[test]
    fn nine_hundred_fields_are_read() {
        let many = "x: y\r\n".repeat(900);
        let message = read_all(format!("HTTP/1.1 200 OK\r\n{many}\r\nbody").as_bytes());
        assert_eq!(message.body, b"body");
    }

    #[test]
    fn a_body_shorter_than_its_length_is_cut_and_a_longer_one_is_kept() {
        assert_eq!(body("Content-Length: 3", b"abc"), (b"abc".into(), Complete));
        assert_eq!(body("Content-Length: 4", b"abc"), (b"abc".into(), CutShort));
        assert_eq!(body("Content-Length: 2", b"abc"), (b"abc".into(), Complete));
        assert_eq!(body("Content-Length: x", b"abc"), (b"abc".into(), Complete));
        let not_modified = read_all(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n");
        assert_eq!(not_modified.end, Complete);
    }

    #[test]
    fn chunks_are_joined() {
        let chunked = "Transfer-Encoding: chunked";
        let whole = (b"abcdefg".to_vec(), Complete);
        assert_eq!(
            body(chunked, b"3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\nt: v\r\n\r\n"),
            whole
        );
        assert_eq!(body(chunked, b"abcdefg"), whole, "already joined");
        assert_eq!(
            body(chunked, b"3\r\nabc\r\n4\r\nde"),
            (b"abcde".into(), CutShort)
        );
        assert_eq!(body(chunked, b"3\r\nabc\r\n"), (b"abc".into(), CutShort));
        assert_eq!(
            body(chunked, b"3\r\nabc\r\nffffffffffffffff\r\nde"),
            (b"abcde".into(), CutShort)
        );
    }

    #[test]
    fn control_characters_in_the_head_become_blanks() {
        for head in [
            "HTTP/1.1 200 O\u{1}K\r\n",
            "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\n",
            "HTTP/1.1 200 OK\r\nX\u{0}y: a\r\n",
            "HTTP/2 200\r\nX: a\rb\r\n",
            "HTTP/1.1 200 OK\nX: a\rb\n",
        ] {
            let recorded = format!("{head}Retry-After: 5\r\n\r\na\u{0}\rb\n\n");
            let message = read_all(recorded.as_bytes());
            assert_eq!(message.status, 200, "{head:?}");
            assert_eq!(message.retry_after.as_deref(), Some("5"), "{head:?}");
            assert_eq!(message.body, b"a\0\rb\n\n", "{head:?}");
        }
    }

    #[test]
    fn fields_of_one_name_are_joined() {
        let message = read_all(
            b"HTTP/1.1 200 OK\r\nCache-Control: public\r\ncache-control: max-age=60\r\n\r\n",
        );
        assert_eq!(message.cache_control.as_deref(), Some("public, max-age=60"));
    }

    #[test]
    fn codings_are_undone_only_where_the_body_has_them() {
        let whole = (ROBOTS_TXT.to_vec(), Complete);
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(ROBOTS_TXT).unwrap();
        let gzip = gzip.finish().unwrap();
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
        zlib.write_all(ROBOTS_TXT).unwrap();
        let zlib = zlib.finish().unwrap();
        let mut deflate = DeflateEncoder::new(Vec::new(), Compression::default());
        deflate.write_all(ROBOTS_TXT).unwrap();
        let deflate = deflate.finish().unwrap();
        let zstd = zstd::encode_all(ROBOTS_TXT, 3).unwrap();
        let sent: [(&str, &[u8]); 5] = [
            ("gzip", &gzip),
            ("x-gzip", &gzip),
            ("deflate", &zlib),
            ("deflate", &deflate),
            ("zstd", &zstd),
        ];
        for (name, sent) in sent {
            let field = format!("Content-Encoding: {name}\r\nContent-Length: 1");
            assert_eq!(body(&field, sent), whole, "{name}");
            assert_eq!(body(&field, ROBOTS_TXT), whole, "{name} already undone");
        }
        for name in ["br", "identity", "unknown"] {
            let field = format!("Content-Encoding: {name}");
            assert_eq!(body(&field, ROBOTS_TXT), whole, "{name}");
        }
        let twice = "Content-Encoding: deflate\r\nContent-Encoding: br, gzip";
        let mut outer = GzEncoder::new(Vec::new(), Compression::default());
        outer.write_all(&zlib).unwrap();
        assert_eq!(body(twice, &outer.finish().unwrap()), whole);
        let transfer = "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked";
        let mut chunked = format!("{:x}\r\n", gzip.len()).into_bytes();
        chunked.extend([&gzip[..], b"\r\n0\r\n\r\n"].concat());
        assert_eq!(body(transfer, &chunked), whole);
        let kept = "X-Crawl-Content-Encoding: gzip";
        assert_eq!(body(kept, &gzip), (gzip.clone(), Complete));
        let cut = &gzip[..gzip.len() - 12];
        let (start, end) = body("Content-Encoding: gzip", cut);
        assert!(ROBOTS_TXT.starts_with(&start));
        assert_eq!(end, CutShort);
    }

    #[test]
    fn brotli_is_undone() {
        // `robots` as a stream of one uncompressed meta-block and an empty last one.
        let sent = b"\x50\x00\x10robots\x03";
        assert_eq!(
            body("Content-Encoding: br", &sent[..]),
            (b"robots".into(), Complete)
        );
    }

    #[test]
    fn a_decompression_bomb_is_cut_at_the_limit() {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(&vec![b'#'; 1 << 20]).unwrap();
        let sent = gzip.finish().unwrap();
        let recorded = [
            &b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"[..],
            &sent,
        ]
        .concat();
        let message = read_up_to(1000, &recorded).unwrap();
        assert_eq!((message.body.len(), message.end), (1000, LimitReached));
    }

    fn read_all(recorded: &[u8]) -> RobotsResponse {
        read_up_to(1 << 20, recorded).unwrap()
    }

    fn read_up_to(max_bytes: usize, recorded: &[u8]) -> Option<RobotsResponse> {
        let place = Place::of_input(Path::new("x"));
        read((&place, "x"), recorded, Complete, max_bytes)
    }

    fn body(fields: &str, sent: &[u8]) -> (Vec<u8>, BodyEnd) {
        let head = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n");
        let message = read_all(&[head.as_bytes(), sent].concat());
        (message.body, message.end)
    }
}
