//! Names of folders and files that are not for everybody: those that nobody would guess, and those
//! that are no secret, such as `admin`.

use crate::text::words::is_among;

/// Whether a name says that something private is there, which a robots.txt shows to everybody.
pub(crate) fn is_hidden(name: &[u8]) -> bool {
    let name = without_end(name);
    let has_end = |end: &&[u8]| {
        let start = name.len().checked_sub(end.len());
        let own = start.and_then(|start| name.get(start..));
        own.is_some_and(|own| own.eq_ignore_ascii_case(end))
    };
    is_among(name, HIDDEN) || HIDDEN_ENDS.iter().any(has_end)
}

/// Whether a pattern is about an area that is not for the public: `/admin/`, `/api`, `/*/login`.
pub(crate) fn is_restricted(pattern: &[u8]) -> bool {
    let path = pattern.split(|byte| *byte == b'?').next();
    let mut names = path
        .unwrap_or_default()
        .split(|byte| matches!(byte, b'/' | b'*'));
    names.any(|name| {
        let name = without_end(name);
        let name = name.split(|byte| *byte == b'.').next().unwrap_or(name);
        !name.is_empty() && (is_among(name, RESTRICTED) || is_hidden(name))
    })
}

/// The name without the end of a pattern.
fn without_end(name: &[u8]) -> &[u8] {
    let end = name.iter().position(|byte| matches!(byte, b'*' | b'$'));
    name.get(..end.unwrap_or(name.len())).unwrap_or_default()
}

/// Names that nobody would guess to be there, unlike `admin`.
const HIDDEN: &str = include_str!("../words/hidden.txt");

/// Ends of the names of databases and copies.
const HIDDEN_ENDS: &[&[u8]] = &[b".bak", b".sql", b".sql.gz", b".sqlite"];

/// Names of areas for those who run a site, for those who have an account, and for programs.
const RESTRICTED: &str = include_str!("../words/restricted.txt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_that_are_not_for_the_public() {
        for pattern in [
            "/admin",
            "/*/API/",
            "/wp-login.php",
            "/user/*/edit",
            "/login$",
            "/a/private/",
        ] {
            assert!(is_restricted(pattern.as_bytes()), "{pattern}");
        }
        for pattern in [
            "/",
            "/administrative-law/",
            "/*?login=",
            "/search",
            "/apis",
            "/feed/",
        ] {
            assert!(!is_restricted(pattern.as_bytes()), "{pattern}");
        }
    }
}
