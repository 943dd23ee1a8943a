//! URL schemes: whether one is there, and whether it is http or https.

/// The two schemes of sites that have a robots.txt.
///
/// ```
/// use polite_robots::text::WebScheme;
///
/// assert_eq!(WebScheme::new(b"HTTPS"), Some(WebScheme::Https));
/// assert_eq!(WebScheme::new(b"ftp"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebScheme {
    /// `http`.
    Http,
    /// `https`.
    Https,
}

impl WebScheme {
    /// Reads the name of a scheme, in any case (RFC 3986 §3.1); `None` for every other scheme.
    pub fn new(name: &[u8]) -> Option<WebScheme> {
        [WebScheme::Http, WebScheme::Https]
            .into_iter()
            .find(|scheme| scheme.as_str().as_bytes().eq_ignore_ascii_case(name))
    }

    /// The name in lower case.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            WebScheme::Http => "http",
            WebScheme::Https => "https",
        }
    }

    /// The port of a URL that names none.
    pub(crate) const fn default_port(self) -> u16 {
        match self {
            WebScheme::Http => 80,
            WebScheme::Https => 443,
        }
    }
}

/// Splits `scheme "://" rest` at the first colon, without a judgement on either.
///
/// ```
/// use polite_robots::text::split_before_authority;
///
/// assert_eq!(split_before_authority("https://example.com/a"), Some(("https", "example.com/a")));
/// assert_eq!(split_before_authority("example.com:8080"), None);
/// ```
// A search for all three characters would bring 2 KB of std's searcher into a module for the web.
pub fn split_before_authority(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    Some((scheme, rest.strip_prefix("//")?))
}

/// Splits `scheme ":" rest`, without a judgement on the rest; `None` if `text` begins with no
/// scheme.
///
/// ```text
/// scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )    ; RFC 3986 §3.1
/// ```
///
/// ```
/// use polite_robots::text::split_scheme;
///
/// assert_eq!(split_scheme("mailto:bot@example.com"), Some(("mailto", "bot@example.com")));
/// assert_eq!(split_scheme("/a:b"), None);
/// ```
pub fn split_scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some((scheme, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc3986_schemes_ignore_case() {
        assert_eq!(WebScheme::new(b"HTTPS"), Some(WebScheme::Https));
        assert_eq!(WebScheme::new(b"http"), Some(WebScheme::Http));
        for other in [&b""[..], b"ftp", b"httpx", b"http "] {
            assert_eq!(WebScheme::new(other), None, "{}", other.escape_ascii());
        }
    }

    #[test]
    fn rfc3986_a_scheme_begins_with_a_letter() {
        assert_eq!(split_scheme("mailto:a"), Some(("mailto", "a")));
        assert_eq!(split_scheme("svn+ssh:"), Some(("svn+ssh", "")));
        for text in ["", "a", ":a", "1a:b", "a b:c", "/a:b", "ä:b"] {
            assert_eq!(split_scheme(text), None, "{text}");
        }
    }
}
