//! The host in a URL, for comparing it with another.

/// The text between `//` and the next `/`, `?` or `#`, without user and port. `None` for a relative URL.
pub(crate) fn host_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("//")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let end = match host.rfind(':') {
        // The colons of `[::1]` are no port's.
        Some(at) if host.get(at..).is_some_and(|port| !port.contains(']')) => at,
        _ => host.len(),
    };
    host.get(..end).filter(|host| !host.is_empty())
}

#[cfg(test)]
mod tests {
    use super::host_of;

    #[test]
    fn user_port_and_path_are_no_part_of_a_host() {
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
