//! Paths that a pattern matches: an example for people, or a path that stands for all of them.

use alloc::string::String;
use alloc::vec::Vec;

use memchr::memchr;

/// A path that a pattern matches, with `filler` in place of each `*`.
///
/// A pattern that begins with neither `/` nor `*` matches no path; the result is then its text
/// after a `/`.
///
/// ```
/// use polite_robots::Robot;
/// use polite_robots::lint::example_path;
///
/// assert_eq!(example_path("/*.pdf$", "x"), "/x.pdf");
/// assert_eq!(example_path("*session=", ""), "/session=");
///
/// // One URL for each rule, to ask about.
/// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /cart\nAllow: /cart/*/help$")?;
/// let paths: Vec<String> = robot.rules().map(|rule| example_path(rule.pattern(), "1")).collect();
/// assert_eq!(paths, ["/cart/1/help", "/cart"]);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[must_use]
pub fn example_path(pattern: &str, filler: &str) -> String {
    let path = example_path_bytes(pattern.as_bytes(), filler.as_bytes());
    // It is text: a `*` and a `$` are whole characters, so nothing was cut.
    String::from_utf8(path).unwrap_or_default()
}

/// The same for the bytes of a file.
pub(crate) fn example_path_bytes(pattern: &[u8], filler: &[u8]) -> Vec<u8> {
    let (body, _) = body_and_end(pattern);
    let mut path = Vec::with_capacity(body.len() + 1);
    if body.first() != Some(&b'/') {
        path.push(b'/');
    }
    push_filled(&mut path, body, filler);
    // A `*` at the start may stand for nothing, and a second slash there would begin an authority.
    if body.first() == Some(&b'*') && path.starts_with(b"//") {
        path.remove(0);
    }
    path
}

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
    let (body, end) = body_and_end(pattern);
    let stars = body.iter().take_while(|byte| **byte == b'*').count();
    let after_stars = body.get(stars..).unwrap_or_default();
    let starts = [
        (stars > 0).then_some(&[b'/', FOREIGN][..]),
        (after_stars.first() == Some(&b'/')).then_some(&[][..]),
    ];
    for start in starts.into_iter().flatten() {
        path.clear();
        path.extend_from_slice(start);
        push_filled(path, after_stars, &[FOREIGN]);
        if end == End::Open {
            path.push(FOREIGN);
        }
        visit(path);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The pattern matches every path that begins as it says.
    Open,
    /// The pattern ends in `$`.
    Anchored,
}

fn body_and_end(pattern: &[u8]) -> (&[u8], End) {
    match pattern {
        [body @ .., b'$'] => (body, End::Anchored),
        _ => (pattern, End::Open),
    }
}

/// Appends the text of a pattern with `filler` in place of each `*`.
fn push_filled(path: &mut Vec<u8>, body: &[u8], filler: &[u8]) {
    let mut rest = body;
    while let Some(literal) = memchr(b'*', rest).and_then(|star| rest.get(..star)) {
        path.extend_from_slice(literal);
        path.extend_from_slice(filler);
        rest = rest.get(literal.len() + 1..).unwrap_or_default();
    }
    path.extend_from_slice(rest);
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

    #[test]
    fn example_paths() {
        for (pattern, empty, filled) in [
            ("/a", "/a", "/a"),
            ("/a*b$", "/ab", "/axb"),
            ("*.gif$", "/.gif", "/x.gif"),
            ("*/a", "/a", "/x/a"),
            ("**/a", "/a", "/xx/a"),
            ("*", "/", "/x"),
            ("//a", "//a", "//a"),
            ("/é*", "/é", "/éx"),
        ] {
            assert_eq!(example_path(pattern, ""), empty);
            assert_eq!(example_path(pattern, "x"), filled);
        }
    }
}
