//! The host of a URL, for the comparison with another host.

/// The host of a URL: the text between `//` and the next `/`, `?` or `#`, without user and port.
/// `None` for a relative URL.
pub(crate) fn host_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("//")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let end = match host.rfind(':') {
        // The last colon of `[::1]` does not begin a port.
        Some(at) if host.get(at..).is_some_and(|port| !port.contains(']')) => at,
        _ => host.len(),
    };
    host.get(..end).filter(|host| !host.is_empty())
}

#[cfg(test)]
mod tests {
    use super::host_of;

    #[test]
    fn a_host_excludes_user_port_and_path() {
        assert_eq!(
            host_of("https://u:p@Example.com:8443/a?b"),
            Some("Example.com")
        );
        assert_eq!(host_of("//example.org"), Some("example.org"));
        assert_eq!(host_of("http://[::1]:80/"), Some("[::1]"));
        assert_eq!(host_of("http://[::1]/"), Some("[::1]"));
        assert_eq!(
            (host_of("/sitemap.xml"), host_of("https:///x")),
            (None, None)
        );
    }
}
