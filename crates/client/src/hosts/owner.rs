//! The owner of an origin, as far as its name shows it.

use std::hash::Hasher as _;
use std::net::{Ipv4Addr, Ipv6Addr};

use polite_robots_policy::Origin;
use siphasher::sip::SipHasher24;

/// A number for the registered domain of an origin. `b.example.co.uk` and `example.co.uk` have the
/// same; `a.github.io` and `b.github.io` do not, as the private section of the Public Suffix List
/// has names that are given away too. A host without such a domain stands for itself, and an IPv6
/// address for its network of 64 bits, in which the site chooses the rest freely.
///
/// An attacker can look for names with the number of another domain. The hosts of the two domains
/// then share one budget, which costs the hosts of the attacker as much as the others.
pub(crate) fn owner_of(origin: &Origin) -> u64 {
    let host = origin.host();
    let mut hasher = SipHasher24::new();
    let address = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    if let Some(Ok(address)) = address.map(str::parse::<Ipv6Addr>) {
        hasher.write(&address.octets()[..8]);
    } else if host.parse::<Ipv4Addr>().is_ok() {
        hasher.write(host.as_bytes());
    } else {
        hasher.write(psl::domain_str(host).unwrap_or(host).as_bytes());
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use polite_robots_policy::Origin;

    use super::owner_of;

    fn owner(host: &str) -> u64 {
        owner_of(&Origin::of(&format!("https://{host}/")).unwrap())
    }

    #[test]
    fn hosts_of_one_registered_domain_have_one_owner() {
        for (one, other) in [
            ("example.com", "a.b.example.com"),
            ("shop.example.co.uk", "example.co.uk:8443"),
            ("a.user.github.io", "user.github.io"),
            ("[2001:db8::1]", "[2001:db8::ffff:1]"),
        ] {
            assert_eq!(owner(one), owner(other), "{one} {other}");
        }
        for (one, other) in [
            ("example.com", "example.org"),
            ("a.co.uk", "b.co.uk"),
            ("a.github.io", "b.github.io"),
            ("192.0.2.1", "198.51.2.1"),
            ("[2001:db8::1]", "[2001:db8:0:1::1]"),
            ("localhost", "other"),
        ] {
            assert_ne!(owner(one), owner(other), "{one} {other}");
        }
    }
}
