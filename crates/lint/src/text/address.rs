//! IP addresses in the place of names.

use std::net::IpAddr;

/// The words for an IP address or a range of them; `None` for other values, such as the name
/// `008`.
pub(crate) fn kind_of_address(value: &[u8]) -> Option<&'static str> {
    let value = core::str::from_utf8(value).ok()?;
    let value = value
        .strip_prefix('[')
        .and_then(|inner| inner.strip_suffix(']'))
        .unwrap_or(value);
    let (address, is_range) = match value.split_once('/') {
        Some((address, len)) => (address, len.parse::<u8>().is_ok()),
        None => (value, false),
    };
    let has_wildcard = address.contains('*');
    let address = address.replace('*', "0");
    let is_address = address.parse::<IpAddr>().is_ok() && (is_range || !value.contains('/'));
    match is_range || has_wildcard {
        _ if !is_address => None,
        true => Some("a range of IP addresses"),
        false => Some("an IP address"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_names_of_digits() {
        for (value, expected) in [
            ("192.0.2.1", Some("an IP address")),
            ("2001:db8::1", Some("an IP address")),
            ("[2001:db8::1]", Some("an IP address")),
            ("192.0.2.0/24", Some("a range of IP addresses")),
            ("2001:db8::/32", Some("a range of IP addresses")),
            ("192.0.2.*", Some("a range of IP addresses")),
            ("008", None),
            ("1.2.3", None),
            ("1.2.3.4.5", None),
            ("192.0.2.1/x", None),
            ("face", None),
            ("*", None),
        ] {
            assert_eq!(kind_of_address(value.as_bytes()), expected, "{value}");
        }
    }
}
