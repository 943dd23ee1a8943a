//! Names of folders and files that are not for everybody: those that nobody would guess, and those
//! that are no secret, such as `admin`.

/// Whether a name says that something private is there, which a robots.txt shows to everybody.
pub(crate) fn is_hidden(name: &[u8]) -> bool {
    let name = without_end(name);
    let has_end = |end: &&[u8]| {
        let start = name.len().checked_sub(end.len());
        let own = start.and_then(|start| name.get(start..));
        own.is_some_and(|own| own.eq_ignore_ascii_case(end))
    };
    is_one_of(HIDDEN, name) || HIDDEN_ENDS.iter().any(has_end)
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
        !name.is_empty() && (is_one_of(RESTRICTED, name) || is_hidden(name))
    })
}

fn is_one_of(names: &[&[u8]], name: &[u8]) -> bool {
    names.iter().any(|one| name.eq_ignore_ascii_case(one))
}

/// The name without the end of a pattern.
fn without_end(name: &[u8]) -> &[u8] {
    let end = name.iter().position(|byte| matches!(byte, b'*' | b'$'));
    name.get(..end.unwrap_or(name.len())).unwrap_or_default()
}

/// Names that nobody would guess to be there, unlike `admin`.
const HIDDEN: &[&[u8]] = &[
    b".env",
    b".git",
    b".htpasswd",
    b".svn",
    b"backup",
    b"backups",
    b"confidential",
    b"credentials",
    b"database",
    b"dump",
    b"dumps",
    b"internal",
    b"intranet",
    b"passwords",
    b"private",
    b"secret",
    b"secrets",
    b"sql",
];

/// Ends of the names of databases and copies.
const HIDDEN_ENDS: &[&[u8]] = &[b".bak", b".sql", b".sql.gz", b".sqlite"];

/// Names of areas for those who run a site, for those who have an account, and for programs.
const RESTRICTED: &[&[u8]] = &[
    b"account",
    b"accounts",
    b"admin",
    b"administration",
    b"administrator",
    b"api",
    b"auth",
    b"dashboard",
    b"login",
    b"member",
    b"members",
    b"my-account",
    b"profile",
    b"settings",
    b"signin",
    b"user",
    b"users",
    b"wp-admin",
    b"wp-login",
];

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
