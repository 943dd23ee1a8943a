//! The hosts that stand in for another one: those of a test machine, and those of a template that
//! nobody filled in.

use crate::text::part::before_authority;

/// The host of a URL, if no crawler reaches a site by that name.
pub(super) fn placeholder_host(url: &[u8]) -> Option<&[u8]> {
    let scheme = before_authority(url)?;
    let after_scheme = url.get(scheme.len().saturating_add("://".len())..)?;
    let is_end = |byte: &u8| matches!(byte, b'/' | b'?' | b':' | b'#');
    let host = after_scheme.split(is_end).next()?;
    let mut labels = host.split(|byte| *byte == b'.');
    let is_word = |label: &[u8]| {
        PLACEHOLDERS
            .iter()
            .any(|word| label.eq_ignore_ascii_case(word))
    };
    let is_of_private_name = |label: &[u8]| {
        PRIVATE_NAMES
            .iter()
            .any(|name| label.eq_ignore_ascii_case(name))
    };
    let is_private_address = || {
        PRIVATE_ADDRESSES
            .iter()
            .any(|start| host.starts_with(start))
            && is_address(host)
    };
    let is_placeholder = labels.clone().any(is_word)
        || labels.next_back().is_some_and(is_of_private_name)
        || is_private_address();
    is_placeholder.then_some(host)
}

fn is_address(host: &[u8]) -> bool {
    host.iter()
        .all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

/// The last labels of names that have a meaning on one machine or in one network only (RFC 6761,
/// RFC 6762), and what scripts write where a name is missing. The names `example.com` and its
/// sisters are left out: manuals and tests are written with them, and none of 7,390 real files has
/// a sitemap there.
const PRIVATE_NAMES: [&[u8]; 6] = [
    b"localhost",
    b"local",
    b"test",
    b"invalid",
    b"undefined",
    b"null",
];

/// The starts of addresses of one machine or one network (RFC 1918, RFC 1122).
const PRIVATE_ADDRESSES: [&[u8]; 4] = [b"127.", b"10.", b"192.168.", b"0.0.0.0"];

/// Labels that templates have in place of a name.
const PLACEHOLDERS: [&[u8]; 7] = [
    b"yourdomain",
    b"your-domain",
    b"yoursite",
    b"your-site",
    b"yourwebsite",
    b"your-website",
    b"mydomain",
];
