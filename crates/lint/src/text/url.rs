//! [`WholeUrl`]: a URL with its host, as far as a finding looks at it.

use polite_robots::text::WebScheme;

use crate::text::part::before_authority;

/// The parts of a URL with a scheme and a host, as they stand in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WholeUrl<'a> {
    url: &'a [u8],
    pub(crate) scheme: &'a [u8],
    /// Without the user and the port; with the brackets of an address.
    pub(crate) host: &'a [u8],
    /// After the colon; `None` without one.
    pub(crate) port: Option<&'a [u8]>,
    /// With the query.
    pub(crate) path: &'a [u8],
}

impl<'a> WholeUrl<'a> {
    /// `None` for a text without `://` after its first colon.
    pub(crate) fn new(url: &'a [u8]) -> Option<WholeUrl<'a>> {
        let scheme = before_authority(url)?;
        let after_scheme = url.get(scheme.len().saturating_add("://".len())..)?;
        let end = after_scheme
            .iter()
            .position(|byte| matches!(byte, b'/' | b'?'));
        let (authority, path) = after_scheme.split_at(end.unwrap_or(after_scheme.len()));
        let after_user = authority.rsplit(|byte| *byte == b'@').next()?;
        // An address in brackets has colons of its own.
        let brackets = after_user.iter().position(|byte| *byte == b']');
        let brackets = brackets.filter(|_| after_user.first() == Some(&b'['));
        let (before, rest) = after_user.split_at(brackets.unwrap_or_default());
        let colon = rest.iter().position(|byte| *byte == b':');
        let host = after_user.get(..before.len().saturating_add(colon.unwrap_or(rest.len())))?;
        let port = colon.and_then(|colon| rest.get(colon.saturating_add(1)..));
        Some(WholeUrl {
            url,
            scheme,
            host,
            port,
            path,
        })
    }

    /// The scheme, if it is one of web pages.
    pub(crate) fn web_scheme(&self) -> Option<WebScheme> {
        WebScheme::new(self.scheme)
    }

    /// The text before the host and the text after it.
    pub(crate) fn around_host(&self) -> (&'a [u8], &'a [u8]) {
        let port = self.port.map_or(0, |port| port.len().saturating_add(1));
        let after_len = port.saturating_add(self.path.len());
        let end = self.url.len().saturating_sub(after_len);
        let start = end.saturating_sub(self.host.len());
        let before = self.url.get(..start).unwrap_or_default();
        (before, self.url.get(end..).unwrap_or_default())
    }

    /// The URL with another host.
    pub(crate) fn with_host(&self, host: &[u8]) -> Vec<u8> {
        let (before, after) = self.around_host();
        [before, host, after].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_found_between_user_and_port() {
        for (url, host, port, path) in [
            ("https://a.example/b?c", "a.example", None, "/b?c"),
            ("http://me:pw@a.example:80/", "a.example", Some("80"), "/"),
            ("http://[::1]:80?x", "[::1]", Some("80"), "?x"),
            ("http://[::1]", "[::1]", None, ""),
            ("http://[site]x:/", "[site]x", Some(""), "/"),
            ("http://", "", None, ""),
            ("http://:80/a", "", Some("80"), "/a"),
        ] {
            let found = WholeUrl::new(url.as_bytes()).unwrap();
            assert_eq!(found.host, host.as_bytes(), "{url}");
            assert_eq!(found.port, port.map(str::as_bytes), "{url}");
            assert_eq!(found.path, path.as_bytes(), "{url}");
            let other = found.with_host(b"plum.example");
            let expected = match host {
                "" => url.replacen("://", "://plum.example", 1),
                host => url.replacen(host, "plum.example", 1),
            };
            assert_eq!(other, expected.as_bytes());
        }
        assert_eq!(WholeUrl::new(b"/a"), None);
    }
}
