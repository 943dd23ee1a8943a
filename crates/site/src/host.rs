//! The host of a URL, as far as a robots.txt is about one host.

/// The host of an absolute `http` or `https` URL, with its port if that is not the default one, in
/// the case of the URL.
///
/// ```
/// use polite_robots_site::host;
///
/// assert_eq!(host("https://user@Example.com:443/a?b"), Some("Example.com"));
/// assert_eq!(host("http://example.com:8080"), Some("example.com:8080"));
/// assert_eq!(host("/a"), None);
/// assert_eq!(host("mailto:a@example.com"), None);
/// ```
#[must_use]
pub fn host(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    let default_port = match scheme {
        _ if scheme.eq_ignore_ascii_case("https") => ":443",
        _ if scheme.eq_ignore_ascii_case("http") => ":80",
        _ => return None,
    };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = host.strip_suffix(default_port).unwrap_or(host);
    let is_host = !host.is_empty() && !host.contains(char::is_whitespace);
    is_host.then_some(host)
}

/// The host in a log without the port of `http` or `https`: a log does not show which of the two a
/// request used.
pub(crate) fn without_default_port(host: &str) -> &str {
    let without = host
        .strip_suffix(":443")
        .or_else(|| host.strip_suffix(":80"));
    without.unwrap_or(host)
}
