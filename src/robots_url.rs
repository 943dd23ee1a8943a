//! URL → the URL of the robots.txt that governs it.

use alloc::string::{String, ToString};

use crate::text::scheme::WebScheme;

/// Where the robots.txt lives that governs `url`: `/robots.txt` at the root of its scheme, host and port
/// (RFC 9309 §2.3).
///
/// ```
/// use polite_robots::robots_url;
///
/// let url = robots_url("HTTPS://user@Example.COM:443/deep/page?q#top")?;
/// assert_eq!(url, "https://example.com/robots.txt");
/// # Ok::<(), polite_robots::InvalidUrl>(())
/// ```
///
/// # Errors
///
/// [`InvalidUrl`] for a scheme other than http and https, a host that is missing, not ASCII, or holds characters
/// that no host has, and a port that is not a number below 65,536.
pub fn robots_url(url: &str) -> Result<String, InvalidUrl> {
    let invalid = |problem| InvalidUrl {
        url: url.to_string(),
        problem,
    };
    let (scheme, rest) = url
        .trim_ascii()
        .split_once("://")
        .ok_or_else(|| invalid(UrlProblem::NoScheme))?;
    let scheme =
        WebScheme::new(scheme.as_bytes()).ok_or_else(|| invalid(UrlProblem::OtherScheme))?;
    let (scheme, default_port) = (scheme.as_str(), scheme.default_port());
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host_and_port = authority
        .rsplit_once('@')
        .map_or(authority, |(_userinfo, host)| host);
    let (host, port) = match host_and_port
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
    {
        Some((address, port)) => {
            let address: core::net::Ipv6Addr =
                address.parse().map_err(|_| invalid(UrlProblem::Ipv6))?;
            let port = match port {
                "" => "",
                _ => port
                    .strip_prefix(':')
                    .ok_or_else(|| invalid(UrlProblem::Ipv6))?,
            };
            let host = match (address.to_ipv4_mapped(), address.segments()) {
                // The URL standard writes no dotted quad inside of an IPv6 address.
                (Some(_), [.., high, low]) => alloc::format!("[::ffff:{high:x}:{low:x}]"),
                (None, _) => alloc::format!("[{address}]"),
            };
            (host, port)
        }
        None => {
            let (host, port) = host_and_port.split_once(':').unwrap_or((host_and_port, ""));
            if let Some(character) = host.chars().find(|character| !character.is_ascii()) {
                return Err(invalid(UrlProblem::HostNotAscii(character)));
            }
            if let Some(character) = host
                .chars()
                .find(|character| !is_host_character(*character))
            {
                return Err(invalid(UrlProblem::HostCharacter(character)));
            }
            (host.to_ascii_lowercase(), port)
        }
    };
    if host.is_empty() {
        return Err(invalid(UrlProblem::NoHost));
    }
    if ends_in_number(&host) && host.parse::<core::net::Ipv4Addr>().is_err() {
        return Err(invalid(UrlProblem::Ipv4));
    }
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    let port = match port.trim_start_matches('0') {
        _ if !is_number => return Err(invalid(UrlProblem::Port)),
        "" if port.is_empty() => default_port,
        "" => 0,
        digits => digits
            .parse::<u16>()
            .map_err(|_| invalid(UrlProblem::Port))?,
    };
    Ok(if port == default_port {
        alloc::format!("{scheme}://{host}/robots.txt")
    } else {
        alloc::format!("{scheme}://{host}:{port}/robots.txt")
    })
}

/// A URL that has no robots.txt, or whose host cannot be read.
///
/// ```
/// use polite_robots::robots_url;
///
/// let error = robots_url("mailto:someone@example.com").unwrap_err();
/// assert_eq!(error.url(), "mailto:someone@example.com");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` has no robots.txt: {problem}", url.escape_debug())]
pub struct InvalidUrl {
    url: String,
    problem: UrlProblem,
}

impl InvalidUrl {
    /// What was given as URL.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum UrlProblem {
    #[error("it does not begin with `http://` or `https://`")]
    NoScheme,
    #[error("its scheme is neither http nor https")]
    OtherScheme,
    #[error("it has no host")]
    NoHost,
    #[error(
        "`{}` in its host is not ASCII; write the host in punycode, as `url::Url` does (`Target` takes one with the feature `url`)",
        .0.escape_unicode()
    )]
    HostNotAscii(char),
    #[error("`{}` cannot stand in a host", .0.escape_debug())]
    HostCharacter(char),
    #[error("its host ends in a number but is no IPv4 address of four decimal numbers")]
    Ipv4,
    #[error("what stands in brackets, and before a colon, is not an IPv6 address")]
    Ipv6,
    #[error("its port is not a number below 65536")]
    Port,
}

/// Whether the URL standard takes the host for an IPv4 address. Its shorter and hexadecimal forms are refused: what
/// they stand for is for a URL parser to say.
fn ends_in_number(host: &str) -> bool {
    let last = host
        .strip_suffix('.')
        .unwrap_or(host)
        .rsplit('.')
        .next()
        .unwrap_or_default();
    let digits = last.strip_prefix("0x").unwrap_or(last);
    last.bytes().all(|byte| byte.is_ascii_digit()) && !last.is_empty()
        || digits.len() < last.len() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Not the forbidden host code points of the URL standard, nor `%`, whose decoding is the caller's, nor marks that no
/// host name has.
fn is_host_character(character: char) -> bool {
    character.is_ascii_graphic()
        && !matches!(
            character,
            '#' | '%'
                | '/'
                | ':'
                | '<'
                | '>'
                | '?'
                | '@'
                | '['
                | '\\'
                | ']'
                | '^'
                | '|'
                | '`'
                | '{'
                | '}'
                | '"'
        )
}
