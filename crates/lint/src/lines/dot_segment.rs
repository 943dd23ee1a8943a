//! Diagnostics about paths with a segment `.` or `..`, which clients resolve before they send a
//! request.

use std::ops::Range;

use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::Findings;
use crate::text::part::Part;
use crate::text::whole_site::is_whole_site;

impl Findings<'_, '_> {
    /// Reports the first dot segment of a path.
    pub(super) fn dot_segment(&mut self, value: Part<'_>) {
        let Some(Range { start, end }) = dot_segment(value.bytes) else {
            return;
        };
        let segment = value.tail(start).head(end.saturating_sub(start));
        self.report(DiagnosticCode::DotSegmentInPath, segment, || {
            let resolved = String::from_utf8(resolved(value.bytes)).ok();
            // `/` and `/*` are the whole site, which `/../` is not.
            let path = resolved.filter(|path| !is_whole_site(path.as_bytes()));
            let advice = match &path {
                Some(path) => format!("; write {} if you mean that path", quote(path.as_bytes())),
                None => String::new(),
            };
            let message = format!(
                "browsers and most crawlers request no URL that {} matches, because they resolve {} before they send one{advice}",
                quote(value.bytes),
                quote(segment.bytes)
            );
            Advice::new(message).write_if(value.span(), path)
        });
    }
}

/// Whether the value has a dot after a `/` or before a `*`, as dot segments and regular expressions
/// have. One search for both is faster than two.
#[inline]
pub(super) fn has_odd_dot(value: &[u8]) -> bool {
    let mut rest = value;
    while let Some((before, after)) =
        memchr::memchr(b'.', rest).and_then(|at| rest.split_at_checked(at))
    {
        if before.ends_with(b"/") || after.starts_with(b".*") {
            return true;
        }
        rest = after.get(1..).unwrap_or_default();
    }
    false
}

/// Whether a segment is certainly `.` or `..`, also as `%2e`.
pub(crate) fn has_dot_segment(value: &[u8]) -> bool {
    dot_segment(value).is_some()
}

/// The place of the first segment that is certainly `.` or `..`, also as `%2e`.
fn dot_segment(value: &[u8]) -> Option<Range<usize>> {
    let mut start = 0;
    for segment in whole_segments(value) {
        let end = start + segment.len();
        if dots(segment).is_some() {
            return Some(start..end);
        }
        start = end + 1;
    }
    None
}

/// The segments that each matching path has: those before the first `*`, which may stand for a `?`,
/// and before the query. The last one counts only if the path ends there, as `/..` matches `/..a`
/// too.
fn whole_segments(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let head = head(value);
    let path_ends = matches!(value.get(head.len()..), Some([b'?', ..] | [b'$']));
    let end = match path_ends {
        true => head.len(),
        false => memchr::memrchr(b'/', head).unwrap_or_default(),
    };
    let whole = head.get(..end).unwrap_or_default();
    whole.split(|byte| *byte == b'/')
}

/// The path before the first `*`, the query or a final `$`.
fn head(value: &[u8]) -> &[u8] {
    let body = value.strip_suffix(b"$").unwrap_or(value);
    let end = memchr::memchr2(b'*', b'?', body);
    end.and_then(|end| body.get(..end)).unwrap_or(body)
}

/// The path with its dot segments resolved, as the URL standard of browsers does.
fn resolved(value: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    let (mut len, mut last) = (0, None);
    for segment in whole_segments(value).skip(1) {
        len += 1 + segment.len();
        last = dots(segment);
        match last {
            None => kept.push(segment),
            Some(Dots::This) => {}
            Some(Dots::Parent) => kept.truncate(kept.len().saturating_sub(1)),
        }
    }
    let after = value.get(len..).unwrap_or_default();
    let mut resolved = Vec::with_capacity(value.len());
    for segment in kept {
        resolved.push(b'/');
        resolved.extend_from_slice(segment);
    }
    // A last dot segment leaves its slash: `/a/..` is `/`.
    if after.first() != Some(&b'/') && last.is_some() {
        resolved.push(b'/');
    }
    resolved.extend_from_slice(after);
    resolved
}

/// A dot segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dots {
    /// The segment `.`.
    This,
    /// The segment `..`.
    Parent,
}

fn dots(segment: &[u8]) -> Option<Dots> {
    match after_dot(after_dot(segment)?) {
        Some([]) => Some(Dots::Parent),
        None if after_dot(segment)?.is_empty() => Some(Dots::This),
        _ => None,
    }
}

/// The text after a dot or its escape.
fn after_dot(text: &[u8]) -> Option<&[u8]> {
    match text {
        [b'.', after @ ..] | [b'%', b'2', b'e' | b'E', after @ ..] => Some(after),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_dot_segments_are_found_and_resolved() {
        for (path, segment, path_as_sent) in [
            ("/a/../b", "..", "/b"),
            ("/./x", ".", "/x"),
            ("/a/..$", "..", "/$"),
            ("/a/.?b", ".", "/a/?b"),
            ("/a/%2e%2E/b", "%2e%2E", "/b"),
            ("/a/.%2e/b*c$", ".%2e", "/b*c$"),
            ("/../../", "..", "/"),
            ("/a/b/../", "..", "/a/"),
            ("/a/./*", ".", "/a/*"),
            ("//../b", "..", "/b"),
            ("/a//../b", "..", "/a/b"),
        ] {
            let found = dot_segment(path.as_bytes()).and_then(|range| path.get(range));
            assert_eq!(found, Some(segment), "{path}");
            assert!(has_odd_dot(path.as_bytes()) || path.contains('%'), "{path}");
            let resolved = resolved(path.as_bytes());
            assert_eq!(core::str::from_utf8(&resolved), Ok(path_as_sent), "{path}");
        }
    }

    #[test]
    fn paths_are_resolved_as_the_url_standard_says() {
        let segments = ["", ".", "..", "a", "b.", "%2e", ".%2E"];
        for number in 0..segments.len().pow(4) {
            let segment =
                |place: u32| segments[number / segments.len().pow(place) % segments.len()];
            let path = format!(
                "/{}/{}/{}/{}$",
                segment(0),
                segment(1),
                segment(2),
                segment(3)
            );
            let url = format!("http://h{}", path.trim_end_matches('$'));
            let url = url::Url::parse(&url).unwrap();
            let expected = format!("{}$", url.path());
            assert_eq!(resolved(path.as_bytes()), expected.as_bytes(), "{path}");
        }
    }

    #[test]
    fn other_dots_are_none() {
        for path in [
            "/..*",
            "/..",
            "/a/.",
            "/.well-known/",
            "/...",
            "/.../b",
            "/a..b/",
            "/a./b",
            "/..a/",
            "/*/../b",
            "/a?b=/../c",
            "/..;/b",
            "/..$a",
            "/%2e%2e%2e/",
            "/%2",
            "*/../b",
            "/a/..\\b",
        ] {
            assert_eq!(dot_segment(path.as_bytes()), None, "{path}");
        }
    }
}
