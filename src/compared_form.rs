//! The compared form: the path of a URL, or the pattern of a rule.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use memchr::{memchr, memchr2, memchr3};

use crate::options::Dialect;
use crate::text::byte_class::Classes;
use crate::text::bytes::{each, place_of, split_run};
use crate::text::percent::{decode_first, encode};
use crate::text::web_url::{WebUrl, has_backslash, mapped, with_slashes, without_dot_segments};

/// The path and query that clients send for a URL, in the canonical form of the default dialect,
/// and [`path_with_backslashes`].
#[inline]
pub(crate) fn canonical_paths(url: &[u8]) -> (Cow<'_, [u8]>, Option<Cow<'_, [u8]>>) {
    match plain_path(url) {
        Some(path) => (Cow::Borrowed(path.bytes), None),
        None => unusual_paths(url),
    }
}

/// The path and query of a URL that clients send as it stands, if it is canonical, as most are.
/// Fast and conservative.
// Inlined: a call costs much beside so short a function. In WebAssembly the size counts more.
#[cfg_attr(target_family = "wasm", inline(never))]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn plain_path(url: &[u8]) -> Option<ComparedPath<'_>> {
    let path = ComparedPath::new(usual_path(url)?);
    path.is_sent_canonical().then_some(path)
}

/// A path that is compared with patterns, and the classes of its bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ComparedPath<'p> {
    pub(crate) bytes: &'p [u8],
    classes: Classes,
}

impl ComparedPath<'_> {
    #[inline(always)]
    pub(crate) fn new(bytes: &[u8]) -> ComparedPath<'_> {
        ComparedPath {
            bytes,
            classes: Classes::of(bytes),
        }
    }

    /// The byte classes that the path lacks. A pattern that needs one of them does not match it.
    #[inline(always)]
    pub(crate) fn lacking(&self) -> Classes {
        Classes::LITERAL.without(self.classes)
    }

    /// Whether a path is canonical and clients send it as it stands. Conservative: it refuses
    /// `/.a`, though that is not a dot segment.
    #[inline(always)]
    fn is_sent_canonical(&self) -> bool {
        let is_canonical = !self.classes.has(Classes::OTHER.or(Classes::STAR));
        is_canonical && !(self.classes.has(Classes::DOT) && may_have_dot_segment(self.bytes))
    }
}

/// The path of `http://authority/path`, `https://authority/path` or `/path`, with the query and the
/// fragment.
#[inline(always)]
fn usual_path(url: &[u8]) -> Option<&[u8]> {
    let after_https = url.strip_prefix(b"https://");
    match after_https.or_else(|| url.strip_prefix(b"http://")) {
        Some(authority_on) => path_after_authority(authority_on),
        None => match url {
            [b'/', b'/', ..] => None,
            [b'/', ..] => Some(url),
            _ => None,
        },
    }
}

#[inline]
fn may_have_dot_segment(path: &[u8]) -> bool {
    let mut rest = path;
    while let Some((before, [_, after @ ..])) =
        place_of(b'.', rest).and_then(|at| rest.split_at_checked(at))
    {
        if before.ends_with(b"/") {
            return true;
        }
        rest = after;
    }
    false
}

/// [`canonical_paths`] of any URL, for those that [`plain_path`] does not know.
#[inline(never)]
fn unusual_paths(url: &[u8]) -> (Cow<'_, [u8]>, Option<Cow<'_, [u8]>>) {
    match usual_path(url) {
        Some(path) if is_sent_as_written(path) => {
            let end = place_of(b'#', path).and_then(|end| path.get(..end));
            (canonical_form(end.unwrap_or(path)), None)
        }
        _ => {
            let path = mapped(path_as_sent(url), canonical_form);
            (path, path_with_backslashes(url))
        }
    }
}

/// Whether clients send a path up to its fragment as it stands. Conservative.
fn is_sent_as_written(path: &[u8]) -> bool {
    let is_kept = |byte: &u8| *byte > b' ' && *byte != b'\\';
    // `/%2e` may begin a dot segment too.
    let may_begin_dots = |two: &[u8]| matches!(two, [b'/', b'.' | b'%']);
    path.iter().all(is_kept) && !path.windows(2).any(may_begin_dots)
}

/// The canonical form of a path with the query.
fn canonical_form(path: &[u8]) -> Cow<'_, [u8]> {
    let (plain, escaped) = split_run(path, |byte| is_plain(byte) || byte == b'?');
    if escaped.is_empty() {
        return Cow::Borrowed(path);
    }
    let side = match place_of(b'?', plain) {
        Some(_) => Side::Query,
        None => Side::Path,
    };
    let mut canonical = Vec::with_capacity(path.len().saturating_mul(3));
    canonical.extend_from_slice(plain);
    push_canonical(&mut canonical, escaped, side);
    Cow::Owned(canonical)
}

/// The path and query of the request that a client sends for a URL.
///
/// A URL of http or https is read by the URL standard (WHATWG), as browsers and most HTTP clients
/// read it. Another text is a path or a URL without a scheme: its `\` is `/` and its dot segments
/// are resolved too, and no byte is dropped.
fn path_as_sent(url: &[u8]) -> Cow<'_, [u8]> {
    let slashed = mapped(written_path(url), with_slashes);
    mapped(mapped(slashed, rooted), without_dot_segments)
}

/// The path and query in canonical form that clients send for a URL if `\` is an ordinary byte to
/// them, as it is to curl, requests and httpx: `/\/../private` is `/private` to them, and
/// `//private` to browsers. `None` for a URL without a `\` in its path, which all of them read
/// alike.
fn path_with_backslashes(url: &[u8]) -> Option<Cow<'_, [u8]>> {
    let written = written_path(url);
    has_backslash(&written).then(|| {
        let resolved = mapped(mapped(written, rooted), without_dot_segments);
        mapped(resolved, canonical_form)
    })
}

/// The path and query of a URL as they are written. The path may begin with `\`, or be empty.
fn written_path(url: &[u8]) -> Cow<'_, [u8]> {
    match WebUrl::new(url) {
        Some(web_url) => mapped(web_url.after_authority(), |text| {
            Cow::Borrowed(before_fragment(text, Reader::Client))
        }),
        None => Cow::Borrowed(path_and_query(url, Reader::Client)),
    }
}

/// The compared form of a request target as it stood on the wire: a path with the query, or a whole
/// URL (RFC 9112 §3.2). Nothing but the encoding is made canonical.
pub(crate) fn path_of_sent(target: &[u8], dialect: Dialect) -> Cow<'_, [u8]> {
    let reader = match dialect {
        Dialect::Rfc9309 => Reader::Server,
        Dialect::Google => Reader::Google,
    };
    let path = match target {
        // The second slash of `//a` begins no authority: it was sent as part of the path.
        [b'/', ..] => before_fragment(target, reader),
        _ => path_and_query(target, reader),
    };
    match dialect {
        Dialect::Rfc9309 => mapped(rooted(path), canonical_form),
        Dialect::Google => rooted(path),
    }
}

/// The path after the authority at the start of a text. `None` if no `/` ends the authority, or if
/// a client may see an empty one: it begins with a slash, or with a tab, which clients drop.
///
/// Reads words of eight bytes, as a host is too short to repay a call of `memchr3`.
#[inline(always)]
fn path_after_authority(text: &[u8]) -> Option<&[u8]> {
    // Letters and digits, which begin nearly all hosts, are above `/`.
    if *text.first()? <= b'/' {
        return None;
    }
    let mut rest = text;
    while let Some((word, after)) = rest.split_first_chunk() {
        // With these bits the bytes that end an authority for RFC 3986, `/`, `?` and `#`, are 0,
        // and so are two common bytes of a host, `3` and `7`. Bytes from `@` to `_`, among them
        // `\`, have the bit of a blank, and no other byte of a host has it.
        let word = (u64::from_le_bytes(*word) | each(0x1C)) ^ each(b'?');
        // A byte that is 0 borrows the high bit. Bytes after it and bytes outside of ASCII may have
        // the bit too, which does no harm: the first place is looked at.
        let ends = word.wrapping_sub(each(1)) & each(0x80) | word & each(b' ');
        if ends == 0 {
            rest = after;
            continue;
        }
        rest = match rest.get(ends.trailing_zeros() as usize / 8..) {
            Some(path @ [b'/', ..]) => return Some(path),
            Some([byte, after @ ..]) if !matches!(byte, b'?' | b'#' | b'\\') => after,
            _ => return None,
        };
    }
    let (_, from) = split_run(rest, |byte| !matches!(byte, b'/' | b'?' | b'#' | b'\\'));
    from.starts_with(b"/").then_some(from)
}

/// The path and query of a URL as Google's matcher takes them: the bytes as given, up to the first
/// NUL.
pub(crate) fn google_path(url: &[u8]) -> Cow<'_, [u8]> {
    rooted(path_and_query(url, Reader::Google))
}

/// The path and query of the request that clients send for a URL, as Google's matcher takes them:
/// bytes outside of ASCII are percent-encoded, and others stay as they are written.
pub(crate) fn requested_path(url: &[u8]) -> Cow<'_, [u8]> {
    mapped(path_as_sent(url), |path| {
        let path = before_fragment(path, Reader::Google);
        if path.is_ascii() {
            return Cow::Borrowed(path);
        }
        let mut encoded = Vec::with_capacity(path.len().saturating_mul(2));
        for byte in path {
            match byte {
                0x80.. => encoded.extend_from_slice(&encode(*byte)),
                ascii => encoded.push(*ascii),
            }
        }
        Cow::Owned(encoded)
    })
}

/// The program that looks for the path in a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// A client that reads a text from a page. `\` ends an authority as `/` does.
    Client,
    /// A server that reads a request target.
    Server,
    /// Google's matcher. A `;` ends an authority, which it does not for RFC 3986 §3.2.
    Google,
}

impl Reader {
    /// The place of the first byte that ends an authority.
    fn end_of_authority(self, text: &[u8]) -> Option<usize> {
        match self {
            Reader::Client => memchr3(b'/', b'?', b'\\', text),
            Reader::Server => memchr2(b'/', b'?', text),
            Reader::Google => memchr3(b'/', b'?', b';', text),
        }
    }

    /// The text after two slashes.
    fn after_slashes(self, text: &[u8]) -> Option<&[u8]> {
        let is_slash = |byte: &u8| *byte == b'/' || self == Reader::Client && *byte == b'\\';
        match text {
            [first, second, rest @ ..] if is_slash(first) && is_slash(second) => Some(rest),
            _ => None,
        }
    }
}

/// Google's `GetPathParamsQuery`: from the first delimiter after the authority to the fragment. It
/// may begin with another delimiter than `/`.
fn path_and_query(url: &[u8], reader: Reader) -> &[u8] {
    const ROOT: &[u8] = b"/";

    let rest = reader.after_slashes(url).unwrap_or(url);
    let Some((before, from)) = reader
        .end_of_authority(rest)
        .and_then(|at| rest.split_at_checked(at))
    else {
        return ROOT;
    };
    // A `://` holds the first `/` unless a delimiter stands before it (`/go?to=http://…`).
    let (authority, from) = match (before, reader.after_slashes(from)) {
        ([.., b':'], Some(authority_on)) => match reader.end_of_authority(authority_on) {
            Some(at) => authority_on.split_at_checked(at).unwrap_or_default(),
            None => return ROOT,
        },
        _ => (before, from),
    };
    let scheme_has_fragment = memchr(b'#', before).is_some();
    if scheme_has_fragment || memchr(b'#', authority).is_some() {
        return ROOT;
    }
    before_fragment(from, reader)
}

/// The text up to the fragment, or for Google up to a NUL.
fn before_fragment(text: &[u8], reader: Reader) -> &[u8] {
    let end = match reader {
        Reader::Client | Reader::Server => memchr(b'#', text),
        Reader::Google => memchr2(b'#', 0, text),
    };
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// A path with its query, with a `/` before it if it begins with none.
fn rooted(path: &[u8]) -> Cow<'_, [u8]> {
    if path.first() == Some(&b'/') {
        Cow::Borrowed(path)
    } else {
        Cow::Owned([b"/", path].concat())
    }
}

/// Appends a rule's value in the form that the dialect compares. There `*` is the wildcard and a
/// final `$` the end of the path; a literal `*` or final `$` is escaped (default dialect) or cannot
/// be written (Google).
pub(crate) fn push_pattern(out: &mut Vec<u8>, value: &[u8], dialect: Dialect) -> Escapes {
    match dialect {
        Dialect::Rfc9309 => push_canonical(out, value, Side::Rule),
        Dialect::Google => {
            push_google_escaped(out, value);
            Escapes::Settled
        }
    }
}

/// Whether the escapes of a pattern have one meaning each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// Each escape has one meaning, or there is none.
    Settled,
    /// The pattern has `%2F`, `%3F`, `%26` or `%3D` after a `*` and before any `?`. The escape
    /// means one byte in the path and another one in the query, and the `*` may or may not run into
    /// the query.
    QueryDependent,
}

/// The text that is brought into canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Rule,
    /// A part of a URL that begins before the query.
    Path,
    /// A part of a URL that begins in the query.
    Query,
}

/// Appends the canonical form for the comparison of RFC 9309 §2.2.2: texts that the section holds
/// equal get one spelling.
///
/// Escaped unreserved characters are decoded and bytes outside of ASCII are encoded, as the section
/// asks. Escaped reserved characters are decoded where they are data (`:` anywhere, `/` in a
/// query), because the table of the section holds `/foo/bar?baz=https://foo.bar` equal to the same
/// text with escapes; so `Disallow: */print/` matches `?u=/print/`.
fn push_canonical(out: &mut Vec<u8>, bytes: &[u8], side: Side) -> Escapes {
    let mut escapes = Escapes::Settled;
    let mut in_query = side == Side::Query;
    let mut after_wildcard = false;
    let mut rest = bytes;
    loop {
        let (run, special) = split_run(rest, is_plain);
        out.extend_from_slice(run);
        rest = match special {
            [] => return escapes,
            [b'?', rest @ ..] => {
                in_query = true;
                out.push(b'?');
                rest
            }
            [b'*', rest @ ..] if side == Side::Rule => {
                after_wildcard = true;
                out.push(b'*');
                rest
            }
            [b'$'] if side == Side::Rule => {
                out.push(b'$');
                &[]
            }
            [first, after_first @ ..] => {
                let Some((byte, after_escape)) = decode_first(special) else {
                    push_escape(out, *first);
                    rest = after_first;
                    continue;
                };
                match byte {
                    b'&' | b'=' | b'/' | b'?' if after_wildcard && !in_query => {
                        escapes = Escapes::QueryDependent;
                        push_escape(out, byte);
                    }
                    b'&' | b'=' if in_query => push_escape(out, byte),
                    b'/' | b'?' if !in_query => push_escape(out, byte),
                    _ if is_plain(byte) || byte == b'?' => out.push(byte),
                    _ => push_escape(out, byte),
                }
                after_escape
            }
        };
    }
}

/// Google's `MaybeEscapePattern`: turns the hex digits of escapes to upper case and encodes bytes
/// outside of ASCII.
fn push_google_escaped(out: &mut Vec<u8>, value: &[u8]) {
    let mut rest = value;
    while let [first, after_first @ ..] = rest {
        rest = match decode_first(rest) {
            Some((byte, after_escape)) => {
                push_escape(out, byte);
                after_escape
            }
            None if first.is_ascii() => {
                out.push(*first);
                after_first
            }
            None => {
                push_escape(out, *first);
                after_first
            }
        };
    }
}

/// The classes of the bytes of a rule's value that is in canonical form as it stands: it has no
/// byte but plain ones, `?`, `*` and a final `$`. `None` for another value.
#[inline(never)]
pub(crate) fn canonical_classes(value: &[u8]) -> Option<Classes> {
    let classes = Classes::of(value.strip_suffix(b"$").unwrap_or(value));
    (!classes.has(Classes::OTHER)).then_some(classes)
}

/// Whether a byte is its own canonical form wherever it stands.
#[inline]
fn is_plain(byte: u8) -> bool {
    !Classes::of_byte(byte).has(Classes::OTHER.or(Classes::STAR).or(Classes::QUESTION))
}

fn push_escape(out: &mut Vec<u8>, byte: u8) {
    out.extend_from_slice(&encode(byte));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4096) })]

        #[test]
        fn the_usual_path_is_the_path(url in "(https?://)?[a37.:;+\\\\ \t'-]{0,20}[/?#]?(/\\.{0,3}|[a37/?#%*.\\\\\t]|%2[6EFf]|%3[DF]){0,20}") {
            let url = url.as_bytes();
            let mut whole = Vec::new();
            push_canonical(&mut whole, &path_as_sent(url), Side::Path);
            prop_assert_eq!(&unusual_paths(url).0[..], &whole[..]);
            if let Some(path) = plain_path(url) {
                prop_assert_eq!(path.bytes, &whole[..]);
            }
        }
    }

    /// The shortcuts change no answer, so no verdict shows a missed one.
    #[test]
    fn common_bytes_are_canonical() {
        for byte in 0..=u8::MAX {
            let is_common = byte.is_ascii_alphanumeric() || b"!&'()+,-./:;=?@[]_~".contains(&byte);
            let path = [b'/', b'a', byte, b'/'];
            let url = [b"https://h", &path[..]].concat();
            assert_eq!(plain_path(&url).is_some(), is_common, "{byte:#x}");
            assert_eq!(
                canonical_classes(&path).is_some(),
                is_common || byte == b'*',
                "{byte:#x}"
            );
        }
        assert!(canonical_classes(b"/a*$").is_some());
        assert!(canonical_classes(b"/a$b").is_none());
    }

    #[test]
    fn plain_urls_have_a_known_start() {
        for (url, path) in [
            ("https://h/a?b", Some("/a?b")),
            ("http://h:80/", Some("/")),
            ("/a", Some("/a")),
            ("//h/a", None),
            ("h/a", None),
            ("https://h", None),
            ("https://h?/a", None),
            ("http://h#/a", None),
            ("/%41", None),
            ("https://h/~a", Some("/~a")),
            ("https://www.example.com/a", Some("/a")),
            ("https://www.example.com?/a", None),
            ("https://longer#www.example.com/a", None),
            ("https://www.example.com", None),
            ("https://37.example.com:7373/37", Some("/37")),
            ("https://+';.example.com/a", None),
            ("https://37.37.37.37?/a", None),
            ("https://37.37.37.37#/a", None),
            ("https:///a", None),
            ("https://h\\b/a", None),
            ("https://\t/a", None),
            ("/.", None),
            ("/a/../b", None),
            ("https://h/.well-known/a", None),
            ("/a.b/c./d", Some("/a.b/c./d")),
        ] {
            let found = plain_path(url.as_bytes()).map(|path| path.bytes);
            assert_eq!(found, path.map(str::as_bytes), "{url}");
        }
    }
}
