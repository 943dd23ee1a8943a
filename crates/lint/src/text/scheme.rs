//! The scheme of a URL: whether one is there, and whether it is http or https.

/// The two schemes of sites that have a robots.txt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WebScheme {
    Http,
    Https,
}

impl WebScheme {
    /// Reads the name of a scheme, in any case (RFC 3986 §3.1); `None` for every other scheme.
    pub(crate) fn new(name: &[u8]) -> Option<WebScheme> {
        if name.eq_ignore_ascii_case(b"https") {
            Some(WebScheme::Https)
        } else if name.eq_ignore_ascii_case(b"http") {
            Some(WebScheme::Http)
        } else {
            None
        }
    }
}

/// The text before `://`, unless it holds another colon: the scheme of a whole URL.
pub(crate) fn before_authority(url: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = url.split_at_checked(memchr::memchr(b':', url)?)?;
    rest.starts_with(b"://").then_some(scheme)
}
