//! An example of the paths that a pattern matches.

/// A path that a pattern matches, with `filler` in place of each `*`.
///
/// A pattern that begins with neither `/` nor `*` matches no path; the result is then its text
/// after a `/`.
///
/// ```
/// use polite_robots::Robot;
/// use polite_robots_audit::example_path::example_path;
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

/// Like [`example_path`], for the bytes of a file.
pub(crate) fn example_path_bytes(pattern: &[u8], filler: &[u8]) -> Vec<u8> {
    let body = pattern.strip_suffix(b"$").unwrap_or(pattern);
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

/// Appends the text of a pattern with `filler` in place of each `*`.
fn push_filled(path: &mut Vec<u8>, body: &[u8], filler: &[u8]) {
    for (at, literal) in body.split(|byte| *byte == b'*').enumerate() {
        if at > 0 {
            path.extend_from_slice(filler);
        }
        path.extend_from_slice(literal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
