//! [`WebUrl`]: a URL of http or https, split as clients split it before they send a request.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::text::bytes::{place_of, split_run};
use crate::text::percent::decode_first;
use crate::text::scheme::WebScheme;

/// A URL of http or https, as the parser of the URL standard (WHATWG) reads it.
///
/// The parser drops control characters and blanks at both ends, and tabs and line ends anywhere. It
/// takes any number of slashes after the scheme, and `\` ends an authority as `/` does.
#[derive(Debug)]
pub(crate) struct WebUrl<'u> {
    pub(crate) scheme: WebScheme,
    /// The text after the slashes that follow the scheme: authority, path, query and fragment.
    after_slashes: Cow<'u, [u8]>,
}

impl<'u> WebUrl<'u> {
    /// `None` for a text without one of the two schemes.
    pub(crate) fn new(url: &'u [u8]) -> Option<WebUrl<'u>> {
        let text = without_tabs(trimmed(url));
        let (scheme, start) = scheme_and_start(&text)?;
        let after_slashes = mapped(text, |text| {
            Cow::Borrowed(text.get(start..).unwrap_or_default())
        });
        Some(WebUrl {
            scheme,
            after_slashes,
        })
    }

    /// Userinfo, host and port.
    pub(crate) fn authority(&self) -> &[u8] {
        split_authority(&self.after_slashes).0
    }

    /// Path, query and fragment as they are written: the path may begin with `\`, or be empty.
    pub(crate) fn after_authority(self) -> Cow<'u, [u8]> {
        mapped(self.after_slashes, |text| {
            Cow::Borrowed(split_authority(text).1)
        })
    }
}

/// Applies a function of a text to a text that may be a copy.
pub(crate) fn mapped<'u>(
    text: Cow<'u, [u8]>,
    function: impl Fn(&[u8]) -> Cow<'_, [u8]>,
) -> Cow<'u, [u8]> {
    match text {
        Cow::Borrowed(text) => function(text),
        Cow::Owned(text) => Cow::Owned(function(&text).into_owned()),
    }
}

/// Whether a path with its query has a `\` before the query.
pub(crate) fn has_backslash(text: &[u8]) -> bool {
    split_run(text, |byte| byte != b'?').0.contains(&b'\\')
}

/// A path with its query, with `/` for each `\` before the query.
pub(crate) fn with_slashes(text: &[u8]) -> Cow<'_, [u8]> {
    let (before_query, _) = split_run(text, |byte| byte != b'?');
    if !has_backslash(text) {
        return Cow::Borrowed(text);
    }
    let mut slashed = text.to_vec();
    for byte in slashed.iter_mut().take(before_query.len()) {
        if *byte == b'\\' {
            *byte = b'/';
        }
    }
    Cow::Owned(slashed)
}

/// Resolves the segments `.` and `..` of a path that is empty or begins with `/`, also where the
/// dot is written `%2e`. A query and a fragment stay as they are.
///
/// A drive letter is a segment like any other: `/C:/../private` is `/private` for browsers, curl,
/// requests and httpx. The `url` crate alone keeps it.
pub(crate) fn without_dot_segments(reference: &[u8]) -> Cow<'_, [u8]> {
    let (path, rest) = split_run(reference, |byte| !matches!(byte, b'?' | b'#'));
    let mut segments = path.split(|byte| *byte == b'/').skip(1);
    if segments.all(|segment| DotSegment::new(segment).is_none()) {
        return Cow::Borrowed(reference);
    }
    let mut resolved: Vec<u8> = Vec::with_capacity(reference.len());
    let mut segments = path.split(|byte| *byte == b'/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let dots = DotSegment::new(segment);
        match dots {
            None => {
                resolved.push(b'/');
                resolved.extend_from_slice(segment);
            }
            Some(DotSegment::Same) => {}
            Some(DotSegment::Parent) => {
                let last = resolved.iter().rposition(|byte| *byte == b'/');
                resolved.truncate(last.unwrap_or(0));
            }
        }
        // A dot segment names a directory, so the path ends in a slash: `/a/b/..` is `/a/`.
        if dots.is_some() && segments.peek().is_none() {
            resolved.push(b'/');
        }
    }
    resolved.extend_from_slice(rest);
    Cow::Owned(resolved)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DotSegment {
    /// `.`
    Same,
    /// `..`
    Parent,
}

impl DotSegment {
    fn new(segment: &[u8]) -> Option<DotSegment> {
        match after_dot(segment)? {
            [] => Some(DotSegment::Same),
            second => after_dot(second)?.is_empty().then_some(DotSegment::Parent),
        }
    }
}

/// The text after a first `.` or `%2e`.
fn after_dot(text: &[u8]) -> Option<&[u8]> {
    match decode_first(text) {
        Some((byte, rest)) => (byte == b'.').then_some(rest),
        None => text.strip_prefix(b"."),
    }
}

fn trimmed(mut text: &[u8]) -> &[u8] {
    while let [0..=b' ', rest @ ..] | [rest @ .., 0..=b' '] = text {
        text = rest;
    }
    text
}

fn without_tabs(text: &[u8]) -> Cow<'_, [u8]> {
    let is_kept = |byte: &u8| !matches!(byte, b'\t' | b'\n' | b'\r');
    if text.iter().all(is_kept) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.iter().copied().filter(is_kept).collect())
}

/// The scheme, and the place after the slashes that follow it.
fn scheme_and_start(text: &[u8]) -> Option<(WebScheme, usize)> {
    let start = text.get(.."https:".len()).unwrap_or(text);
    let (name, _) = start.split_at_checked(place_of(b':', start)?)?;
    let scheme = WebScheme::new(name)?;
    let after_colon = text.get(name.len() + 1..)?;
    let slashes = after_colon
        .iter()
        .take_while(|byte| matches!(byte, b'/' | b'\\'));
    Some((scheme, name.len() + 1 + slashes.count()))
}

fn split_authority(text: &[u8]) -> (&[u8], &[u8]) {
    split_run(text, |byte| !matches!(byte, b'/' | b'\\' | b'?' | b'#'))
}
