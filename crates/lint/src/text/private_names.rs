//! Names of folders and files that are not for everybody: those that nobody would guess, and those
//! that are no secret, such as `admin`.

/// Whether a name says that something private is there, which a robots.txt shows to everybody.
pub(crate) fn is_hidden(name: &[u8]) -> bool {
    let name = without_end(name).to_ascii_lowercase();
    HIDDEN.contains(&&*name) || HIDDEN_ENDS.iter().any(|end| name.ends_with(end))
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
        RESTRICTED
            .iter()
            .any(|one| name.eq_ignore_ascii_case(one.as_bytes()))
            || !name.is_empty() && is_hidden(name)
    })
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
const RESTRICTED: &[&str] = &[
    "account",
    "accounts",
    "admin",
    "administration",
    "administrator",
    "api",
    "auth",
    "dashboard",
    "login",
    "member",
    "members",
    "my-account",
    "profile",
    "settings",
    "signin",
    "user",
    "users",
    "wp-admin",
    "wp-login",
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
