//! The host of a URL or a file name: for the comparison with another host, and for figures about
//! hosts.

use std::net::Ipv4Addr;
use std::path::Path;

use crate::content::RobotsResponse;

/// The host of a URL: the text between `//` and the next `/`, `?` or `#`, without user and port.
/// `None` for a relative URL.
pub(crate) fn host_of(url: &str) -> Option<&str> {
    let slashes = url.as_bytes().windows(2).position(|two| two == b"//")?;
    let rest = url.get(slashes.saturating_add(2)..)?;
    let is_end = |byte: u8| matches!(byte, b'/' | b'?' | b'#');
    let authority = rest.get(..rest.bytes().position(is_end).unwrap_or(rest.len()))?;
    // Few URLs have a user or a port.
    if !authority.bytes().any(|byte| matches!(byte, b'@' | b':')) {
        return Some(authority).filter(|host| !host.is_empty());
    }
    let host = authority.rsplit('@').next()?;
    let end = match host.rfind(':') {
        // The last colon of `[::1]` does not begin a port.
        Some(at) if host.get(at..).is_some_and(|port| !port.contains(']')) => at,
        _ => host.len(),
    };
    host.get(..end).filter(|host| !host.is_empty())
}

/// The host of a response in lower case: that of its URL, or of the file's name without
/// `.robots.txt` or `.txt`. A file that is itself named `robots.txt` has the name of its folder.
pub(crate) fn host_of_response(response: &RobotsResponse) -> Option<String> {
    if let Some(url) = &response.url {
        return host_of(url).map(str::to_ascii_lowercase);
    }
    let place = &response.place;
    let path = match place.member.is_empty() {
        true => place.input.as_path(),
        false => Path::new(&place.member),
    };
    let name = path.file_name()?.to_string_lossy();
    let name = match &*name {
        ROBOTS_TXT => path.parent()?.file_name()?.to_string_lossy(),
        _ => name,
    };
    let host = without_ending(without_ending(&name, ".txt"), ".robots");
    Some(host.to_ascii_lowercase()).filter(|host| !host.is_empty())
}

/// Removes an ending in any case.
fn without_ending<'n>(name: &'n str, ending: &str) -> &'n str {
    let start = name.len().checked_sub(ending.len());
    let parts = start.and_then(|start| name.split_at_checked(start));
    match parts {
        Some((start, end)) if end.eq_ignore_ascii_case(ending) => start,
        _ => name,
    }
}

/// The domain that someone registered, by the Public Suffix List: `example.co.uk` for
/// `shop.example.co.uk`. A host that is an address or a public suffix itself stands for itself.
pub(crate) fn domain_of(host: &str) -> &str {
    // A file may be named after a host with its port.
    let host = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    let is_address = host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok();
    match psl::domain_str(host) {
        Some(domain) if !is_address => domain,
        _ => host,
    }
}

const ROBOTS_TXT: &str = "robots.txt";

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use super::{domain_of, host_of, host_of_response};
    use crate::content::{BodyEnd, Place, RobotsResponse};

    #[test]
    fn a_file_has_the_host_that_its_name_has() {
        for (input, member, url, host) in [
            (
                "a",
                "",
                Some("https://Example.com/robots.txt"),
                Some("example.com"),
            ),
            ("a", "", Some("/robots.txt"), None),
            ("robots/Example.com", "", None, Some("example.com")),
            (
                "robots/example.com.robots.txt",
                "",
                None,
                Some("example.com"),
            ),
            (
                "robots/example.com/robots.txt",
                "",
                None,
                Some("example.com"),
            ),
            (
                "sites.tar",
                "robots/example.com.txt",
                None,
                Some("example.com"),
            ),
            (
                "robots/Example.com.ROBOTS.Txt",
                "",
                None,
                Some("example.com"),
            ),
            ("robots/.txt", "", None, None),
            ("robots/é.txt", "", None, Some("é")),
            ("robots/aétxt", "", None, Some("aétxt")),
            ("robots.txt", "", None, None),
        ] {
            let place = Place {
                input: Arc::new(PathBuf::from(input)),
                member: String::from(member),
                offset: 0,
            };
            let response = RobotsResponse {
                url: url.map(String::from),
                ..RobotsResponse::of_file(place, Vec::new(), BodyEnd::Complete)
            };
            assert_eq!(
                host_of_response(&response).as_deref(),
                host,
                "{input} {member}"
            );
        }
    }

    #[test]
    fn a_domain_is_the_part_of_a_host_that_someone_registered() {
        for (host, domain) in [
            ("example.com", "example.com"),
            ("a.b.example.com", "example.com"),
            ("shop.example.co.uk.", "example.co.uk"),
            ("co.uk", "co.uk"),
            ("one.blogspot.com", "one.blogspot.com"),
            ("a.b.unknown-suffix", "b.unknown-suffix"),
            ("localhost", "localhost"),
            ("", ""),
            ("127.0.0.1", "127.0.0.1"),
            ("10.20.44.104:8080", "10.20.44.104"),
            ("a.example.com:8080", "example.com"),
            ("[::1]:80", "[::1]"),
            ("[::1]", "[::1]"),
        ] {
            assert_eq!(domain_of(host), domain);
        }
    }

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
