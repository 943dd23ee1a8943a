//! [`robots_url`]: from the URL of a page to the URL of the robots.txt that governs it.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::{Ipv4Addr, Ipv6Addr};

use crate::text::percent::decoded;
use crate::text::quote::as_typed;
use crate::text::scheme::split_scheme;
use crate::text::web_url::WebUrl;

/// The URL of the robots.txt that governs `url`: `/robots.txt` at the root of its scheme, host and
/// port (RFC 9309 §2.3).
///
/// The URL is read as clients read it before they send a request, by the URL standard (WHATWG):
/// `https:/h/x` and `https:\\h` have the host `h`. The userinfo, path, query, fragment and a
/// default port are dropped; scheme and host become lower case, an IPv4 address four decimal
/// numbers. A host that is not ASCII has to be in punycode, as `url::Url` writes it.
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
/// [`InvalidUrl`] for a scheme other than http and https, for a host that is missing, is not ASCII,
/// holds characters that no host has or is an invalid IP address, and for a port that is not a
/// number below 65,536.
pub fn robots_url(url: &str) -> Result<String, InvalidUrl> {
    of_root(url).map_err(|problem| InvalidUrl {
        url: url.to_string(),
        problem,
    })
}

fn of_root(url: &str) -> Result<String, UrlProblem> {
    let parts = WebUrl::new(url.as_bytes()).ok_or_else(|| match split_scheme(url) {
        Some((_, rest)) if rest.starts_with("//") => UrlProblem::OtherScheme,
        _ => UrlProblem::NoScheme,
    })?;
    let (scheme, default_port) = (parts.scheme.as_str(), parts.scheme.default_port());
    let authority = String::from_utf8_lossy(parts.authority());
    let host_and_port = match authority.rsplit_once('@') {
        Some((_userinfo, host_and_port)) => host_and_port,
        None => &authority,
    };
    let in_brackets = host_and_port
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'));
    let (host, port) = match in_brackets {
        Some((address, "")) => (ipv6_host(address)?, ""),
        Some((address, port)) => {
            let port = port.strip_prefix(':').ok_or(UrlProblem::Ipv6)?;
            (ipv6_host(address)?, port)
        }
        None => {
            let (host, port) = host_and_port.split_once(':').unwrap_or((host_and_port, ""));
            (host_name(host)?, port)
        }
    };
    let port = port_number(port)?.unwrap_or(default_port);
    Ok(if port == default_port {
        alloc::format!("{scheme}://{host}/robots.txt")
    } else {
        alloc::format!("{scheme}://{host}:{port}/robots.txt")
    })
}

/// An IPv6 address in brackets, as the URL standard writes it.
fn ipv6_host(address: &str) -> Result<String, UrlProblem> {
    let address: Ipv6Addr = address.parse().map_err(|_| UrlProblem::Ipv6)?;
    Ok(match (address.to_ipv4_mapped(), address.segments()) {
        // The URL standard writes no dotted quad inside of an IPv6 address.
        (Some(_), [.., high, low]) => alloc::format!("[::ffff:{high:x}:{low:x}]"),
        (None, _) => alloc::format!("[{address}]"),
    })
}

/// A host name in lower case, or an IPv4 address as four decimal numbers.
fn host_name(host: &str) -> Result<String, UrlProblem> {
    let host: Vec<u8> = decoded(host.as_bytes()).collect();
    let host = String::from_utf8_lossy(&host);
    if let Some(character) = host.chars().find(|character| !character.is_ascii()) {
        return Err(UrlProblem::HostNotAscii(character));
    }
    let mut characters = host.chars();
    if let Some(character) = characters.find(|character| !is_host_character(*character)) {
        return Err(UrlProblem::HostCharacter(character));
    }
    if host.is_empty() {
        return Err(UrlProblem::NoHost);
    }
    let host = host.to_ascii_lowercase();
    if ends_in_number(&host) {
        return Ok(ipv4_address(&host).ok_or(UrlProblem::Ipv4)?.to_string());
    }
    Ok(host)
}

/// An IPv4 address in the forms of the URL standard: one to four numbers, of which the last one
/// fills the bytes that are left. `127.1`, `0x7f.1` and `2130706433` are `127.0.0.1`.
fn ipv4_address(host: &str) -> Option<Ipv4Addr> {
    let host = host.strip_suffix('.').unwrap_or(host);
    let mut address = 0;
    let mut bytes_left = 4;
    let mut parts = host.split('.').peekable();
    while let Some(part) = parts.next() {
        let number = ipv4_number(part)?;
        let is_last = parts.peek().is_none();
        let bytes = if is_last { bytes_left } else { 1 };
        bytes_left = u32::checked_sub(bytes_left, bytes)?;
        if bytes == 0 || number >> (8 * bytes) != 0 {
            return None;
        }
        address = address << (8 * bytes) | number;
    }
    Some(Ipv4Addr::from(u32::try_from(address).ok()?))
}

/// A decimal number, a hexadecimal one after `0x`, or an octal one after `0`; no digit after them
/// is 0.
fn ipv4_number(part: &str) -> Option<u64> {
    if part.is_empty() {
        return None;
    }
    let (digits, radix) = match (part.strip_prefix("0x"), part.strip_prefix('0')) {
        (Some(digits), _) => (digits, 16),
        (None, Some(digits)) => (digits, 8),
        (None, None) => (part, 10),
    };
    // Digit by digit, as Rust's numbers may begin with `+`.
    digits.chars().try_fold(0, |number: u64, digit| {
        let digit = u64::from(digit.to_digit(radix)?);
        number.checked_mul(u64::from(radix))?.checked_add(digit)
    })
}

/// The number after the colon; `None` if it is left out.
fn port_number(port: &str) -> Result<Option<u16>, UrlProblem> {
    // Rust's numbers may begin with `+`, so the digits are checked here.
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    match port.trim_start_matches('0') {
        _ if !is_number => Err(UrlProblem::Port),
        "" if port.is_empty() => Ok(None),
        "" => Ok(Some(0)),
        digits => digits.parse().map(Some).map_err(|_| UrlProblem::Port),
    }
}

/// A URL that has no robots.txt, or whose host or place cannot be read.
///
/// ```
/// use polite_robots::robots_url;
///
/// let error = robots_url("mailto:someone@example.com").unwrap_err();
/// assert_eq!(error.url(), "mailto:someone@example.com");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` {}: {problem}", as_typed(url), problem.kind())]
pub struct InvalidUrl {
    url: String,
    problem: UrlProblem,
}

impl InvalidUrl {
    /// The URL as it was given.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Refuses a text that may be a relative link, and a path whose beginning clients read in
    /// several ways.
    pub(crate) fn check_absolute(url: &str) -> Result<(), InvalidUrl> {
        let is_dropped = |first: Option<&u8>| matches!(first, Some(0..=b' '));
        let problem = match url.as_bytes() {
            bytes if WebUrl::new(bytes).is_some() => return Ok(()),
            [b'/', rest @ ..] if is_dropped(rest.first()) => UrlProblem::BlankFirst,
            [b'/', ..] => return Ok(()),
            bytes if is_dropped(bytes.first()) => UrlProblem::BlankFirst,
            _ if split_scheme(url).is_some() => return Ok(()),
            _ => UrlProblem::Relative,
        };
        Err(InvalidUrl {
            url: url.to_string(),
            problem,
        })
    }

    /// The reason, a sentence about the URL, such as `it has no host`.
    pub fn problem(&self) -> impl core::fmt::Display {
        self.problem
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum UrlProblem {
    #[error("it does not begin with `http://` or `https://`")]
    NoScheme,
    #[error("its scheme is neither http nor https")]
    OtherScheme,
    #[error(
        "it has no scheme and does not begin with `/`; resolve the link against the URL of its page"
    )]
    Relative,
    #[error("its path begins with a blank or a control character, which some clients drop")]
    BlankFirst,
    #[error("it has no host")]
    NoHost,
    #[error("`{}` in its host is not ASCII; write the host in punycode, as `xn--…`", .0.escape_unicode())]
    HostNotAscii(char),
    #[error("`{}` cannot stand in a host", as_typed(&String::from(*.0)))]
    HostCharacter(char),
    #[error("its host ends in a number but is not an IPv4 address")]
    Ipv4,
    #[error("the text in brackets is not an IPv6 address, or the text after them is not a port")]
    Ipv6,
    #[error("its port is not a number below 65536")]
    Port,
}

impl UrlProblem {
    fn kind(self) -> &'static str {
        match self {
            UrlProblem::OtherScheme => "has no robots.txt",
            _ => "is not a valid URL",
        }
    }
}

/// Whether the URL standard takes the host for an IPv4 address.
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

/// Excludes the forbidden domain code points of the URL standard, and marks that no host name has.
fn is_host_character(character: char) -> bool {
    let mut forbidden = b"#%/:<>?@[\\]^`{|}\"".iter().copied().map(char::from);
    character.is_ascii_graphic() && forbidden.all(|other| other != character)
}
