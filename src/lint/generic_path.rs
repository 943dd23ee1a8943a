//! A path that stands for all that a pattern matches.

use alloc::vec::Vec;

/// Calls `visit` with the *generic paths* of a pattern in compared form: an byte that no pattern holds stands in place
/// of each `*` and of what an open end leaves free.
///
/// A second pattern matches a generic path if and only if it matches every path that the generic one stands for:
/// nothing but its own `*` can have met the strange byte, and a `*` takes anything else as well. So whether a pattern
/// lies within another one, or within the union of any number of others, is one question to each of them.
///
/// Most patterns have one generic path. A pattern such as `*/a` has two, as its `*` may hold the first `/` of a path or
/// nothing.
pub(super) fn for_each_generic_path(
    pattern: &[u8],
    path: &mut Vec<u8>,
    mut visit: impl FnMut(&[u8]),
) {
    let (body, is_open) = match pattern {
        [body @ .., b'$'] => (body, false),
        _ => (pattern, true),
    };
    let stars = body.iter().take_while(|byte| **byte == b'*').count();
    let behind_stars = body.get(stars..).unwrap_or_default();
    let mut fill = |start: &[u8]| {
        path.clear();
        path.extend_from_slice(start);
        path.extend(behind_stars.iter().map(|byte| match byte {
            b'*' => STRANGE,
            _ => *byte,
        }));
        if is_open {
            path.push(STRANGE);
        }
        visit(path);
    };
    if stars > 0 {
        fill(&[b'/', STRANGE]);
    }
    if behind_stars.first() == Some(&b'/') {
        fill(&[]);
    }
}

/// In compared form patterns are ASCII.
const STRANGE: u8 = 0xFF;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generic_paths() {
        let paths = |pattern: &[u8]| {
            let mut paths = Vec::new();
            for_each_generic_path(pattern, &mut Vec::new(), |path| paths.push(path.to_vec()));
            paths
        };
        assert_eq!(paths(b"/a"), [b"/a\xFF"]);
        assert_eq!(paths(b"/a$"), [b"/a"]);
        assert_eq!(paths(b"/a*b$"), [b"/a\xFFb"]);
        assert_eq!(paths(b"*.gif$"), [b"/\xFF.gif"]);
        assert_eq!(paths(b"**/a"), [&b"/\xFF/a\xFF"[..], b"/a\xFF"]);
        assert_eq!(paths(b"*"), [b"/\xFF\xFF"]);
    }
}
