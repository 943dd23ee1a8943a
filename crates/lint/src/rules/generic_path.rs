//! Generic paths: one path that stands for all that a pattern matches.

/// Calls `visit` with each *generic path* of a pattern in compared form: a path in which a byte
/// that no pattern holds stands for the text of each `*`, and for the rest of the path after an
/// open end.
///
/// Another pattern matches a generic path if and only if it matches every path that the generic one
/// stands for: only its `*` can match the foreign byte, and a `*` also matches any other text. So
/// whether some patterns together cover a pattern is one match for each of them.
///
/// Most patterns have one generic path. A pattern such as `*/a` has two, because its `*` may stand
/// for nothing or for a text that begins with the first `/` of a path.
pub(super) fn for_each_generic_path(
    pattern: &[u8],
    path: &mut Vec<u8>,
    mut visit: impl FnMut(&[u8]),
) {
    let body = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let stars = body.iter().take_while(|byte| **byte == b'*').count();
    let after_stars = body.get(stars..).unwrap_or_default();
    let starts = [
        (stars > 0).then_some(&[b'/', FOREIGN][..]),
        (after_stars.first() == Some(&b'/')).then_some(&[][..]),
    ];
    for start in starts.into_iter().flatten() {
        path.clear();
        path.extend_from_slice(start);
        for (at, literal) in after_stars.split(|byte| *byte == b'*').enumerate() {
            path.extend((at > 0).then_some(FOREIGN));
            path.extend_from_slice(literal);
        }
        // Without a `$` the pattern matches every path that begins as it says.
        path.extend((body.len() == pattern.len()).then_some(FOREIGN));
        visit(path);
    }
}

/// A byte outside ASCII; patterns in compared form are ASCII.
const FOREIGN: u8 = 0xFF;

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
