//! Scheme, host and port of a URL, and the key that assigns a host to a worker.

use alloc::string::String;
use alloc::sync::Arc;
use core::fmt::{self, Write as _};
use core::hash::Hasher as _;
use core::net::Ipv4Addr;

use polite_robots::{InvalidUrl, robots_url};
use siphasher::sip::SipHasher24;
use url::{Host, Url};

/// Scheme, host and port: the scope of one robots.txt (RFC 9309 §2.3; Google's "protocol, host and
/// port").
///
/// Two spellings of one origin are equal: letter case and a default port do not count, and an
/// internationalized host becomes punycode.
///
/// ```
/// use polite_robots_policy::Origin;
///
/// let origin = Origin::of("https://Exämple.com:443/a?b")?;
/// assert_eq!(origin, Origin::of("https://xn--exmple-cua.com")?);
/// assert_ne!(origin, Origin::of("http://xn--exmple-cua.com")?);
/// assert_eq!(origin.robots_url(), "https://xn--exmple-cua.com/robots.txt");
/// # Ok::<(), polite_robots::InvalidUrl>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "stored::Stored"))]
pub struct Origin {
    /// Shared, as a cache keeps an origin in several tables.
    host: Arc<str>,
    scheme: Scheme,
    /// `None` for the default port of the scheme.
    port: Option<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Scheme {
    Http,
    Https,
}

impl Scheme {
    fn as_str(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        }
    }

    /// A port in the usual spelling that is not the scheme's default.
    fn port_of_plain(self, text: &str) -> Option<u16> {
        let own = match self {
            Scheme::Http => 80,
            Scheme::Https => 443,
        };
        // The standard library takes a sign.
        let is_plain = matches!(text.as_bytes().first(), Some(b'1'..=b'9'));
        text.parse().ok().filter(|port| is_plain && *port != own)
    }
}

impl Origin {
    /// The origin of a URL.
    ///
    /// # Errors
    ///
    /// [`InvalidUrl`] for what [`robots_url`] refuses, unless it is a host outside of ASCII, which
    /// is written in punycode.
    pub fn of(url: &str) -> Result<Origin, InvalidUrl> {
        if let Some(origin) = Origin::of_plain(url) {
            return Ok(origin);
        }
        let address = match Url::parse(url) {
            Ok(parsed) if matches!(parsed.scheme(), "http" | "https") => {
                return Origin::of_url(&parsed);
            }
            // Its message names the offender, which that of the `url` crate does not.
            _ => robots_url(url)?,
        };
        Ok(Origin::of_robots_url(&address))
    }

    /// The origin of a URL that is parsed already, in a tenth of the time.
    ///
    /// ```
    /// use polite_robots_policy::Origin;
    ///
    /// let url = url::Url::parse("https://Example.com:443/a")?;
    /// assert_eq!(Origin::of_url(&url)?, Origin::of("https://example.com")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidUrl`], as for [`Origin::of`].
    pub fn of_url(url: &Url) -> Result<Origin, InvalidUrl> {
        let scheme = match url.scheme() {
            "http" => Some(Scheme::Http),
            "https" => Some(Scheme::Https),
            _ => None,
        };
        let is_plain =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte);
        match (scheme, url.host()) {
            // Nearly all hosts. `robots_url` decides which other characters a host may have.
            (Some(scheme), Some(Host::Domain(host))) if host.bytes().all(is_plain) => Ok(Origin {
                host: host.into(),
                scheme,
                port: url.port(),
            }),
            _ => Ok(Origin::of_robots_url(&robots_url(url.as_str())?)),
        }
    }

    /// The origin of a URL that is written as most are, in lower case, with a name or an IPv4
    /// address: in a fifth of the time. `None` means that it is not known to be one of these.
    fn of_plain(url: &str) -> Option<Origin> {
        let (scheme, rest) = match url.strip_prefix("https://") {
            Some(rest) => (Scheme::Https, rest),
            None => (Scheme::Http, url.strip_prefix("http://")?),
        };
        let authority = rest.split(['/', '?', '#']).next()?;
        let (host, port) = match authority.split_once(':') {
            Some((host, port)) => (host, Some(scheme.port_of_plain(port)?)),
            None => (authority, None),
        };
        let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
        let mut last = b'.';
        for label in host.as_bytes().split(|byte| *byte == b'.') {
            // Punycode may be wrong.
            last = *label.first().filter(|_| !label.starts_with(b"xn--"))?;
        }
        // A host whose last label begins with a digit may be an address in another form.
        let is_host = last.is_ascii_lowercase() || host.parse::<Ipv4Addr>().is_ok();
        (is_host && host.bytes().all(is_plain)).then(|| Origin {
            host: host.into(),
            scheme,
            port,
        })
    }

    /// Reads the form that [`robots_url`] gives.
    fn of_robots_url(address: &str) -> Origin {
        let (scheme, rest) = match address.strip_prefix("https://") {
            Some(rest) => (Scheme::Https, rest),
            None => (
                Scheme::Http,
                address.strip_prefix("http://").unwrap_or(address),
            ),
        };
        let authority = rest.strip_suffix("/robots.txt").unwrap_or(rest);
        // The colons of an IPv6 address stand before its bracket.
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok()),
            _ => (authority, None),
        };
        Origin {
            host: host.into(),
            scheme,
            port,
        }
    }

    /// The URL of its robots.txt, the same as [`robots_url`] gives.
    #[must_use]
    pub fn robots_url(&self) -> String {
        // Each page needs one, and `format!` is slower.
        let mut url = String::with_capacity(self.host.len() + "https://:65535/robots.txt".len());
        url.push_str(self.scheme.as_str());
        url.push_str("://");
        url.push_str(&self.host);
        if let Some(port) = self.port {
            // A string takes every text.
            let _ = write!(url, ":{port}");
        }
        url.push_str("/robots.txt");
        url
    }

    /// The host: lower case, punycode, an IPv6 address in brackets, without a last dot. All ports
    /// and both schemes of a host share one pace, so this is the key of a [`Pacer`](crate::Pacer).
    ///
    /// `example.com.` and `example.com` are two origins (RFC 6454 §5) and may have two robots.txt,
    /// so [`Origin::robots_url`] and the `Host` field of a request keep the dot. But both are one
    /// name in the DNS and so one server, which is why they share the pace.
    #[must_use]
    pub fn host(&self) -> &str {
        match self.host.strip_suffix('.') {
            Some(name) if !name.is_empty() => name,
            _ => &self.host,
        }
    }

    /// A number for tables of origins. It is saved with tombstones, so it is fixed for ever.
    pub(crate) fn table_key(&self) -> u64 {
        let scheme = match self.scheme {
            Scheme::Http => 1,
            Scheme::Https => 2,
        };
        let port = self.port.map_or(0, |port| u64::from(port) + 1);
        hash(self.host.as_bytes()) ^ (scheme << 32 | port).wrapping_mul(ODD)
    }

    /// The bytes of memory that the pointer owns, with the counts of its owners.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.host.len().saturating_add(2 * size_of::<usize>())
    }

    /// The hash by which a fleet divides hosts among its workers: worker `partition_key() %
    /// workers` gets the host.
    ///
    /// Version 1, fixed for ever: SipHash-2-4 of the bytes of [`Origin::host`] with the key `00 01
    /// … 0f`, read as a little-endian number. Guava's `Hashing.sipHash24()` and the SipHash paper's
    /// reference code give the same.
    #[must_use]
    pub fn partition_key(&self) -> u64 {
        hash(self.host().as_bytes())
    }
}

/// Spreads small numbers over all bits: the golden ratio, as in Fibonacci hashing.
const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.as_str(), self.host)?;
        match self.port {
            Some(port) => write!(f, ":{port}"),
            None => Ok(()),
        }
    }
}

/// The hash of [`Origin::partition_key`]. It has no seed, as the library has no randomness; an
/// attacker has to search for names that collide.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut hasher =
        SipHasher24::new_with_key(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    hasher.write(bytes);
    hasher.finish()
}

/// The stored form. A file may hold other spellings than [`Origin::of`] gives.
#[cfg(feature = "serde")]
mod stored {
    use alloc::sync::Arc;

    use super::{Origin, Scheme};

    #[derive(serde::Deserialize)]
    pub(super) struct Stored {
        host: Arc<str>,
        scheme: Scheme,
        port: Option<u16>,
    }

    impl TryFrom<Stored> for Origin {
        type Error = &'static str;

        fn try_from(Stored { host, scheme, port }: Stored) -> Result<Origin, &'static str> {
            let origin = Origin { host, scheme, port };
            match Origin::of(&origin.robots_url()) {
                Ok(read) if read == origin => Ok(origin),
                _ => Err("an origin that no URL has"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn the_partition_key_is_that_of_the_reference_vectors() {
        // The SipHash paper's test vectors: the messages 00, 00 01, … under the key 00 … 0f.
        assert_eq!(hash(&[]), 0x726f_db47_dd0e_0e31);
        assert_eq!(hash(&[0]), 0x74f8_39c5_93dc_67fd);
        let message: alloc::vec::Vec<u8> = (0..15).collect();
        assert_eq!(hash(&message), 0xa129_ca61_49be_45e5);
    }

    #[test]
    fn what_is_refused_is_named_as_it_was_given() {
        for url in ["FTP://Example.com/a/../b", "https://Example.com:65536/"] {
            let named = Origin::of(url).map_err(|refusal| refusal.url().to_string());
            assert_eq!(named, Err(url.to_string()));
        }
    }

    /// The fast path of [`Origin::of_url`] gives the same origin as the slow one.
    #[test]
    fn a_parsed_url_has_the_origin_of_its_text() -> Result<(), InvalidUrl> {
        for url in [
            "http://example.com/a",
            "https://user@a-1.example.com.:8443/a?b",
            "http://example.com:80",
            "https://example.com:80",
            "https://Ex%41mple.com",
            "https://bücher.example/",
            "http://a_b.example/",
            "http://-.-/",
            "http://a..b/",
            "http://127.1/",
            "http://1.2.3.4:65535/",
            "http://[::1]:80/",
            "http://a!$&'()*+,;=~.example/",
            "http://xn--bcher-kva.example/",
            "ftp://example.com/",
            "data:,x",
        ] {
            let Ok(parsed) = Url::parse(url) else {
                continue;
            };
            let long = robots_url(parsed.as_str()).map(|address| Origin::of_robots_url(&address));
            assert_eq!(Origin::of_url(&parsed), long, "{url}");
        }
        Ok(())
    }

    /// The fast path of [`Origin::of`] gives the same origin as the slow one, or none.
    #[test]
    fn a_plain_url_has_the_origin_of_any_other() -> Result<(), InvalidUrl> {
        let short = [
            "", "/", "/a?b#c", "?a", "#a", ":443/", ":80", ":8080/a", ":65535?a", ":65536", ":0",
            ":08", ":+8", ":8:8", ":", "\\a", "\t", " ", "%41/", "\u{e9}/",
        ];
        let tails = [&short[..], &["/@b.example/", "@b.example/"]].concat();
        let short = [
            "a-1.b2.c", "a", "-", "a.", ".a", "a..b", "", "1.2.3.4", "1.2.3.4.", "01.2.3.4",
            "1.2.3", "1", "0x7f", "a.0x7f", "a.1", "1.a", "xn--", "a-.-b",
        ];
        let names = "example.com 1.2.3.256 xn--bcher-kva.example a.xn--0.example Example.com a_b.example ab--cd.example";
        let mut plain = 0;
        for host in short.into_iter().chain(names.split(' ')) {
            for scheme in [
                "http://", "https://", "HTTP://", "http:/", "ftp://", " http://",
            ] {
                for tail in &tails {
                    let url = format!("{scheme}{host}{tail}");
                    let Some(origin) = Origin::of_plain(&url) else {
                        continue;
                    };
                    plain += 1;
                    assert_eq!(origin, Origin::of_robots_url(&robots_url(&url)?), "{url}");
                    let parsed = Url::parse(&url);
                    let parsed = parsed.map(|parsed| Origin::of_url(&parsed));
                    assert_eq!(parsed, Ok(Ok(origin)), "{url}");
                }
            }
        }
        assert!(plain >= 100, "{plain}");
        Ok(())
    }

    #[test]
    fn a_text_has_the_origin_of_the_request() -> Result<(), InvalidUrl> {
        for text in [
            "https:/example.com/x",
            "https:example.com",
            "ht\ttps://example.com/",
            " https:\\\\example.com\\a ",
            "https:///u:p@Example.com:0443?a",
            "https://ex%61mple.c\nom#x",
        ] {
            let example = "https://example.com";
            assert_eq!(Origin::of(text)?, Origin::of(example)?, "{text}");
            assert_eq!(robots_url(text)?, format!("{example}/robots.txt"), "{text}");
        }
        Ok(())
    }

    #[test]
    fn an_ipv6_host_keeps_its_brackets() -> Result<(), InvalidUrl> {
        let origin = Origin::of("http://[2001:DB8::1]/x")?;
        assert_eq!(origin.host(), "[2001:db8::1]");
        let of_port = Origin::of("http://[2001:db8::1]:8080")?;
        assert_eq!(of_port.robots_url(), "http://[2001:db8::1]:8080/robots.txt");
        Ok(())
    }
}
