//! The target of a redirect: its `Location` as an absolute URL (RFC 3986 §5).

use std::borrow::Cow;

use crate::content::RobotsResponse;

/// The URL to which a response redirects; `None` if the response is no redirect, or if its target
/// is no HTTP URL.
pub(crate) fn redirect_of(response: &RobotsResponse) -> Option<String> {
    match response.status {
        301..=303 | 307 | 308 => resolve(response.url.as_deref()?, response.location.as_deref()?),
        _ => None,
    }
}

/// The normalized form of a URL, by which captures are compared: scheme and host in lower case, no
/// default port, no user, no dot segments and no fragment.
pub(crate) fn normalized(url: &str) -> Option<Cow<'_, str>> {
    match is_normalized(url) {
        true => Some(Cow::Borrowed(url)),
        false => resolve(url, url).map(Cow::Owned),
    }
}

/// Whether a URL is certainly normalized already, as nearly all URLs of a crawl are.
fn is_normalized(url: &str) -> bool {
    let rest = url.strip_prefix("https://");
    let Some(rest) = rest.or_else(|| url.strip_prefix("http://")) else {
        return false;
    };
    let is_of_host = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
    let host_len = rest.bytes().take_while(is_of_host).count();
    let path = rest.as_bytes().get(host_len..).unwrap_or_default();
    let is_of_path = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'#' | b'?' | b'\\');
    let has_dots = || path.windows(2).any(|two| matches!(two, b"/." | b"/%"));
    host_len > 0 && path.first() == Some(&b'/') && path.iter().all(is_of_path) && !has_dots()
}

/// Resolves a reference against a URL, and normalizes the result.
fn resolve(base: &str, reference: &str) -> Option<String> {
    let reference = reference.trim();
    let reference = reference.split('#').next()?;
    if reference.is_empty() {
        return None;
    }
    if let Some((scheme, rest)) = absolute(reference) {
        return join(scheme, rest);
    }
    let has_other_scheme = reference
        .split(['/', '?'])
        .next()
        .is_some_and(|start| start.contains(':'));
    if has_other_scheme {
        return None;
    }
    let (scheme, rest) = absolute(base.trim())?;
    if let Some(rest) = reference.strip_prefix("//") {
        return join(scheme, rest);
    }
    let rest = rest.split('#').next()?;
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    if reference.starts_with('/') {
        return join(scheme, &format!("{authority}{reference}"));
    }
    let path = path.split('?').next()?;
    let folder = match reference.starts_with('?') {
        true => path,
        false => path.get(..=path.rfind('/').unwrap_or(0)).unwrap_or("/"),
    };
    join(scheme, &format!("{authority}{folder}{reference}"))
}

/// Splits an HTTP URL into its scheme and the rest after `//`.
fn absolute(url: &str) -> Option<(&'static str, &str)> {
    ["https", "http"].into_iter().find_map(|scheme| {
        let start = url.get(..scheme.len())?;
        let rest = url.get(scheme.len()..)?.strip_prefix("://")?;
        start.eq_ignore_ascii_case(scheme).then_some((scheme, rest))
    })
}

/// Joins a scheme with an authority and a path, both as they were written.
fn join(scheme: &str, rest: &str) -> Option<String> {
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let host = authority.rsplit('@').next()?.to_ascii_lowercase();
    let default_port = if scheme == "https" { ":443" } else { ":80" };
    let host = host.strip_suffix(default_port).unwrap_or(&host);
    let host = host.strip_suffix(':').unwrap_or(host);
    if host.is_empty() {
        return None;
    }
    let (path, query) = path.split_at(path.find('?').unwrap_or(path.len()));
    Some(format!("{scheme}://{host}{}{query}", without_dots(path)))
}

/// Removes the segments `.` and `..` of a path (RFC 3986 §5.2.4). The result begins with a slash.
/// Like clients (WHATWG) and the core, it reads `\` as `/` and `%2e` as a dot.
fn without_dots(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut kept: Vec<&str> = Vec::new();
    let segments = path.strip_prefix('/').unwrap_or(&path).split('/');
    let mut ends_in_dots = false;
    for segment in segments {
        let dots = segment.to_ascii_lowercase().replace("%2e", ".");
        ends_in_dots = matches!(dots.as_str(), "." | "..");
        match dots.as_str() {
            "." => {}
            ".." => {
                kept.pop();
            }
            _ => kept.push(segment),
        }
    }
    if ends_in_dots {
        kept.push("");
    }
    format!("/{}", kept.join("/"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{is_normalized, normalized, resolve};

    #[test]
    fn references_are_resolved_as_rfc_3986_asks() {
        let base = "http://Example.com:80/a/robots.txt?x#y";
        for (reference, target) in [
            (
                "https://www.example.com/robots.txt",
                Some("https://www.example.com/robots.txt"),
            ),
            (
                " HTTPS://WWW.example.com:443#x",
                Some("https://www.example.com/"),
            ),
            (
                "https://u:p@example.com:8443?q=/",
                Some("https://example.com:8443/?q=/"),
            ),
            (
                "//example.org/Robots.txt",
                Some("http://example.org/Robots.txt"),
            ),
            ("/robots.txt", Some("http://example.com/robots.txt")),
            ("robots.txt", Some("http://example.com/a/robots.txt")),
            (
                "../b/./c/../robots.txt",
                Some("http://example.com/b/robots.txt"),
            ),
            ("../../..", Some("http://example.com/")),
            ("?lang=de", Some("http://example.com/a/robots.txt?lang=de")),
            ("/x?u=http://a/", Some("http://example.com/x?u=http://a/")),
            ("", None),
            ("#top", None),
            ("mailto:a@example.com", None),
            ("https:///robots.txt", None),
            ("https://", None),
            ("é", Some("http://example.com/a/é")),
            ("%2e%2E/b\\.\\c", Some("http://example.com/b/c")),
        ] {
            assert_eq!(resolve(base, reference).as_deref(), target, "{reference}");
        }
        assert_eq!(resolve("robots.txt", "/x"), None);
        assert_eq!(
            resolve("http://example.com", "robots.txt").as_deref(),
            Some("http://example.com/robots.txt")
        );
    }

    #[test]
    fn one_page_has_one_spelling() {
        for url in [
            "HTTP://EXAMPLE.com",
            "http://example.com:80/",
            "http://example.com/.#a",
        ] {
            assert_eq!(normalized(url).as_deref(), Some("http://example.com/"));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_url_that_is_left_alone_has_the_one_spelling(
            url in "(https?|HTTP)://[aA0.:@-]{0,4}[/?#.a \u{e9}]{0,6}",
            path in r"/([a./\\]|%2e){0,8}",
        ) {
            for url in [url, format!("https://a.example{path}")] {
                prop_assert!(!is_normalized(&url) || resolve(&url, &url).as_deref() == Some(&*url), "{}", url);
            }
        }
    }

    #[test]
    fn the_urls_of_a_crawl_are_left_alone() {
        for url in ["https://www.example.com/robots.txt", "http://a-1.example/"] {
            assert!(is_normalized(url), "{url}");
        }
        for url in [
            "https://a.example/x/../y",
            "https://a.example:443/",
            "https://A.example/",
        ] {
            assert!(!is_normalized(url), "{url}");
        }
    }
}
