//! The hosts of URLs: which texts are one, and which lead to no site.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::text::words::words;

/// The reason why a host leads to no site of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placeholder {
    /// A name or an address of one machine or one network.
    Private,
    /// A place in a template that nobody filled in: `%DOMAIN%`.
    Unfilled,
    /// A name that templates and manuals have where that of a site belongs.
    Sample,
}

/// Whether a text is a host: letters, digits, hyphens and dots without an empty label, an address,
/// or a name with other letters than those of ASCII. Many servers have an underscore in their name.
pub(crate) fn is_host(host: &[u8]) -> bool {
    if address(host).is_some() {
        return true;
    }
    let is_text = core::str::from_utf8(host).is_ok() && has_letters_escaped(host);
    // A dot at the end makes it a full name.
    let name = host.strip_suffix(b".").unwrap_or(host);
    let labels = name.split(|byte| *byte == b'.');
    let is_letter = |byte: &u8| {
        byte.is_ascii_alphanumeric() || !byte.is_ascii() || matches!(byte, b'-' | b'_' | b'%')
    };
    let is_label = |label: &[u8]| !label.is_empty() && label.iter().all(is_letter);
    let is_number = |label: &[u8]| label.iter().all(u8::is_ascii_digit);
    // `300.1.2.3` is read as an address, and is none.
    let is_address = labels.clone().count() > 1 && labels.clone().all(is_number);
    is_text && labels.clone().all(is_label) && !is_address
}

/// Whether each `%` begins the escape of a letter outside of ASCII.
fn has_letters_escaped(host: &[u8]) -> bool {
    let mut percents = memchr::memchr_iter(b'%', host);
    percents.all(|at| match host.get(at.saturating_add(1)..) {
        Some([high, low, ..]) => {
            matches!(high, b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F') && low.is_ascii_hexdigit()
        }
        _ => false,
    })
}

/// The reason why crawlers find no site at a host, if there is one.
pub(crate) fn placeholder(host: &[u8]) -> Option<Placeholder> {
    if let Some(address) = address(host) {
        return is_private(address).then_some(Placeholder::Private);
    }
    let host = host.to_ascii_lowercase();
    let name = host.strip_suffix(b".").unwrap_or(&host);
    let mut labels = name.split(|byte| *byte == b'.');
    if is_unfilled(name) || labels.clone().any(is_in_underscores) {
        return Some(Placeholder::Unfilled);
    }
    let bare = name.strip_prefix(b"www.").unwrap_or(name);
    if labels.clone().any(is_sample_label) || words(SAMPLES).any(|sample| sample == bare) {
        return Some(Placeholder::Sample);
    }
    let last = labels.next_back()?;
    match last {
        b"tld" => Some(Placeholder::Sample),
        last => PRIVATE_NAMES
            .contains(&last)
            .then_some(Placeholder::Private),
    }
}

/// Whether a host has a sign of templates: `[domain]`, `$domain`, `%DOMAIN%`, `(domain)`.
fn is_unfilled(host: &[u8]) -> bool {
    let has_sign = |byte: &u8| matches!(byte, b'[' | b']' | b'$' | b'(' | b')');
    host.iter().any(has_sign) || !has_letters_escaped(host)
}

/// Whether a label is `__domain__`.
fn is_in_underscores(label: &[u8]) -> bool {
    matches!(label, [b'_', _, .., b'_'])
}

/// Whether a label is `yourdomain`, `your-site` or `my_domain`.
fn is_sample_label(label: &[u8]) -> bool {
    let noun_after = |owner: &[u8]| {
        let rest = label.strip_prefix(owner)?;
        let noun = rest.strip_prefix(b"-").or_else(|| rest.strip_prefix(b"_"));
        Some(noun.unwrap_or(rest))
    };
    match noun_after(b"your") {
        Some(noun) => words(YOURS).any(|known| known == noun),
        None => noun_after(b"my").is_some_and(|noun| MINE.contains(&noun)),
    }
}

/// The address that a host is, in brackets if it has colons.
fn address(host: &[u8]) -> Option<IpAddr> {
    let text = core::str::from_utf8(host).ok()?;
    match text.strip_prefix('[') {
        Some(rest) => Some(rest.strip_suffix(']')?.parse::<Ipv6Addr>().ok()?.into()),
        None => Some(text.parse::<Ipv4Addr>().ok()?.into()),
    }
}

/// Whether an address is one of a machine or a network (RFC 1122, RFC 1918, RFC 3927, RFC 4193).
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            v4.is_private() || v4.is_loopback() || v4.is_unspecified() || v4.is_link_local()
        }
        IpAddr::V6(v6) => {
            let [first, ..] = v6.octets();
            v6.is_loopback() || v6.is_unspecified() || first & 0xfe == 0xfc
        }
    }
}

/// The last labels of names that have a meaning on one machine or in one network only (RFC 6761,
/// RFC 6762), and the text of programs in place of a missing name.
const PRIVATE_NAMES: &[&[u8]] = &[
    b"localhost",
    b"local",
    b"test",
    b"invalid",
    b"undefined",
    b"null",
];

/// Names of sites in templates and manuals (RFC 2606), with `www.` or without it. The names below
/// them and below `.example` are those of tests too.
const SAMPLES: &str = include_str!("../words/sample_hosts.txt");

/// Nouns after `your` in templates.
const YOURS: &str = include_str!("../words/after_your.txt");

/// Nouns after `my` in templates. `mysite` is the name of real ones too.
const MINE: &[&[u8]] = &[b"domain", b"website"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_names_and_addresses() {
        for host in [
            "bakery.com",
            "www.Bakery.com.",
            "intranet",
            "r3---sn-x.bakery.com",
            "my_shop.bakery.com",
            "xn--bckerei-5wa.de",
            "bäckerei.de",
            "b%C3%A4ckerei.de",
            "उदाहरण.भारत",
            "192.0.2.1",
            "[2001:db8::1]",
            "1.bakery.com",
        ] {
            assert!(is_host(host.as_bytes()), "{host}");
        }
        for no_host in [
            "",
            ".",
            "bakery,com",
            "www..bakery.com",
            ".bakery.com",
            "bakery.com..",
            "[domain].org",
            "%DOMAIN%",
            "$domain",
            "*.bakery.com",
            "bak ery.com",
            "300.1.2.3",
            "[::1",
            "a=b",
        ] {
            assert!(!is_host(no_host.as_bytes()), "{no_host}");
        }
    }

    #[test]
    fn placeholders_lead_to_no_site() {
        for (host, expected) in [
            ("localhost", Some(Placeholder::Private)),
            ("shop.LOCAL", Some(Placeholder::Private)),
            ("172.16.0.9", Some(Placeholder::Private)),
            ("[::1]", Some(Placeholder::Private)),
            ("[fd00::1]", Some(Placeholder::Private)),
            ("__DOMAIN__", Some(Placeholder::Unfilled)),
            ("www.[domain].org", Some(Placeholder::Unfilled)),
            ("%s", Some(Placeholder::Unfilled)),
            ("www.example.com", Some(Placeholder::Sample)),
            ("EXAMPLE.org.", Some(Placeholder::Sample)),
            ("shop.domain.tld", Some(Placeholder::Sample)),
            ("your_site.fr", Some(Placeholder::Sample)),
            ("your-app.pages.dev", Some(Placeholder::Sample)),
            ("shop.example.com", None),
            ("shop.example", None),
            ("example.com.au", None),
            ("myexample.com", None),
            ("yourdomainhere.com", None),
            ("my_shop.bakery.com", None),
            ("_dmarc.bakery.com", None),
            ("b%C3%A4ckerei.de", None),
            ("172.32.0.9", None),
            ("localhost.bakery.com", None),
            ("intranet", None),
        ] {
            assert_eq!(placeholder(host.as_bytes()), expected, "{host}");
        }
    }
}
