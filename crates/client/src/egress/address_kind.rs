//! The kind of an IP address by the special-purpose registries of IANA.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The block of the IANA special-purpose address registries that an address belongs to, or
/// [`AddressKind::Public`].
///
/// The registries are those of 2024-10. Each of their blocks that is not globally reachable has a
/// kind here, and so have the few reachable addresses in `192.0.0.0/24` and `2001::/23`, as
/// protocols use them and web servers do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AddressKind {
    /// An address of the public Internet.
    Public,
    /// "This network": `0.0.0.0/8` (RFC 791) and `::` (RFC 4291). Linux connects to the host itself
    /// there.
    ThisNetwork,
    /// `127.0.0.0/8` (RFC 1122) and `::1` (RFC 4291).
    Loopback,
    /// `10.0.0.0/8`, `172.16.0.0/12`, `192.168.0.0/16` (RFC 1918).
    Private,
    /// `100.64.0.0/10`, between a provider and its customers (RFC 6598).
    Shared,
    /// `169.254.0.0/16` (RFC 3927) and `fe80::/10` (RFC 4291); clouds have their metadata services
    /// there.
    LinkLocal,
    /// `fc00::/7` (RFC 4193).
    UniqueLocal,
    /// `fec0::/10`, deprecated (RFC 3879).
    SiteLocal,
    /// `192.0.0.0/24` (RFC 6890) and `2001::/23` (RFC 2928), without Teredo and ORCHID.
    ProtocolAssignment,
    /// `192.0.2.0/24`, `198.51.100.0/24`, `203.0.113.0/24` (RFC 5737), `2001:db8::/32` (RFC 3849),
    /// `3fff::/20` (RFC 9637).
    Documentation,
    /// `198.18.0.0/15` (RFC 2544) and `2001:2::/48` (RFC 5180).
    Benchmarking,
    /// `224.0.0.0/4` (RFC 5771) and `ff00::/8` (RFC 4291).
    Multicast,
    /// `255.255.255.255` (RFC 8190).
    Broadcast,
    /// `::ffff:0:0/96`: an IPv4 address in the form of IPv6 (RFC 4291), which passes guards that
    /// know one family only.
    MappedV4,
    /// `::/96`: the same in a deprecated form (RFC 4291).
    CompatibleV4,
    /// `64:ff9b:1::/48`: translation inside of one network (RFC 8215).
    LocalTranslation,
    /// `2001::/32`: a tunnel that carries an IPv4 address (RFC 4380).
    Teredo,
    /// `2002::/16` (RFC 3056) and its relays in `192.88.99.0/24` (RFC 7526): a deprecated tunnel
    /// that carries an IPv4 address.
    SixToFour,
    /// `2001:10::/28` (RFC 4843) and `2001:20::/28` (RFC 7343): identifiers of hosts, not
    /// addresses.
    Orchid,
    /// `100::/64` (RFC 6666) and `100:0:0:1::/64` (RFC 9780): routers drop what is sent there.
    Discard,
    /// `5f00::/16`: segment identifiers of routers (RFC 9602).
    SegmentRouting,
    /// `240.0.0.0/4` (RFC 1112), `3ffe::/16` (RFC 3701), and IPv6 outside of `2000::/3`: nothing is
    /// assigned there.
    Reserved,
}

impl AddressKind {
    /// The kind of an address. Addresses in `64:ff9b::/96` (RFC 6052) are the kind of the IPv4
    /// address that the translator connects to: a network without IPv4 reaches every IPv4 server
    /// through them.
    #[must_use]
    pub fn of(address: IpAddr) -> AddressKind {
        match address {
            IpAddr::V4(v4) => of_v4(v4),
            IpAddr::V6(v6) => of_v6(v6),
        }
    }
}

impl fmt::Display for AddressKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AddressKind::Public => "public, but in none of the permitted networks",
            AddressKind::ThisNetwork => "an address of the host itself",
            AddressKind::Loopback => "a loopback address",
            AddressKind::Private => "a private address",
            AddressKind::Shared => "an address between a provider and its customers",
            AddressKind::LinkLocal => "a link-local address",
            AddressKind::UniqueLocal => "a unique local address",
            AddressKind::SiteLocal => "a site-local address",
            AddressKind::ProtocolAssignment => "reserved for protocols",
            AddressKind::Documentation => "reserved for documentation",
            AddressKind::Benchmarking => "reserved for benchmarks",
            AddressKind::Multicast => "a multicast address",
            AddressKind::Broadcast => "the broadcast address",
            AddressKind::MappedV4 => "an IPv4 address mapped to IPv6",
            AddressKind::CompatibleV4 => "an IPv4-compatible IPv6 address",
            AddressKind::LocalTranslation => "an address of a local translator",
            AddressKind::Teredo => "a Teredo address",
            AddressKind::SixToFour => "a 6to4 address",
            AddressKind::Orchid => "an identifier and not an address",
            AddressKind::Discard => "an address that routers discard",
            AddressKind::SegmentRouting => "a segment identifier of a router",
            AddressKind::Reserved => "reserved",
        })
    }
}

fn of_v4(address: Ipv4Addr) -> AddressKind {
    let bits = address.to_bits();
    let row = V4.iter().find(|(network, length, _)| {
        let shift = u32::BITS - u32::from(*length);
        bits >> shift == Ipv4Addr::from(*network).to_bits() >> shift
    });
    row.map_or(AddressKind::Public, |(_, _, kind)| *kind)
}

fn of_v6(address: Ipv6Addr) -> AddressKind {
    let bits = address.to_bits();
    if let Some(v4) = translated(address) {
        return of_v4(v4);
    }
    let row = V6.iter().find(|(network, length, _)| {
        let shift = u128::BITS - u32::from(*length);
        bits >> shift == Ipv6Addr::from(*network).to_bits() >> shift
    });
    row.map_or(AddressKind::Reserved, |(_, _, kind)| *kind)
}

/// The IPv4 address that a translator connects to for an address in `64:ff9b::/96`.
pub(crate) fn translated(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let bits = address.to_bits();
    // The least 32 bits are the IPv4 address.
    (bits >> 32 == TRANSLATED >> 32).then(|| Ipv4Addr::from_bits(low_half(bits)))
}

fn low_half(bits: u128) -> u32 {
    u32::try_from(bits & u128::from(u32::MAX)).unwrap_or_default()
}

/// `64:ff9b::`.
const TRANSLATED: u128 = 0x0064_ff9b << 96;

/// Network, length of its prefix, kind. The first row that contains an address counts, so
/// exceptions stand first.
const V4: &[([u8; 4], u8, AddressKind)] = &[
    ([0, 0, 0, 0], 8, AddressKind::ThisNetwork),
    ([10, 0, 0, 0], 8, AddressKind::Private),
    ([100, 64, 0, 0], 10, AddressKind::Shared),
    ([127, 0, 0, 0], 8, AddressKind::Loopback),
    ([169, 254, 0, 0], 16, AddressKind::LinkLocal),
    ([172, 16, 0, 0], 12, AddressKind::Private),
    ([192, 0, 0, 0], 24, AddressKind::ProtocolAssignment),
    ([192, 0, 2, 0], 24, AddressKind::Documentation),
    ([192, 88, 99, 0], 24, AddressKind::SixToFour),
    ([192, 168, 0, 0], 16, AddressKind::Private),
    ([198, 18, 0, 0], 15, AddressKind::Benchmarking),
    ([198, 51, 100, 0], 24, AddressKind::Documentation),
    ([203, 0, 113, 0], 24, AddressKind::Documentation),
    ([224, 0, 0, 0], 4, AddressKind::Multicast),
    ([255, 255, 255, 255], 32, AddressKind::Broadcast),
    ([240, 0, 0, 0], 4, AddressKind::Reserved),
];

/// The same for IPv6. Public addresses are in `2000::/3`; nothing else is assigned to hosts.
const V6: &[([u16; 8], u8, AddressKind)] = &[
    ([0; 8], 128, AddressKind::ThisNetwork),
    ([0, 0, 0, 0, 0, 0, 0, 1], 128, AddressKind::Loopback),
    ([0; 8], 96, AddressKind::CompatibleV4),
    ([0, 0, 0, 0, 0, 0xffff, 0, 0], 96, AddressKind::MappedV4),
    (
        [0x64, 0xff9b, 1, 0, 0, 0, 0, 0],
        48,
        AddressKind::LocalTranslation,
    ),
    ([0x100, 0, 0, 0, 0, 0, 0, 0], 64, AddressKind::Discard),
    ([0x100, 0, 0, 1, 0, 0, 0, 0], 64, AddressKind::Discard),
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 32, AddressKind::Teredo),
    ([0x2001, 2, 0, 0, 0, 0, 0, 0], 48, AddressKind::Benchmarking),
    ([0x2001, 0x10, 0, 0, 0, 0, 0, 0], 28, AddressKind::Orchid),
    ([0x2001, 0x20, 0, 0, 0, 0, 0, 0], 28, AddressKind::Orchid),
    (
        [0x2001, 0, 0, 0, 0, 0, 0, 0],
        23,
        AddressKind::ProtocolAssignment,
    ),
    (
        [0x2001, 0xdb8, 0, 0, 0, 0, 0, 0],
        32,
        AddressKind::Documentation,
    ),
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16, AddressKind::SixToFour),
    ([0x3ffe, 0, 0, 0, 0, 0, 0, 0], 16, AddressKind::Reserved),
    (
        [0x3fff, 0, 0, 0, 0, 0, 0, 0],
        20,
        AddressKind::Documentation,
    ),
    ([0x2000, 0, 0, 0, 0, 0, 0, 0], 3, AddressKind::Public),
    (
        [0x5f00, 0, 0, 0, 0, 0, 0, 0],
        16,
        AddressKind::SegmentRouting,
    ),
    ([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, AddressKind::UniqueLocal),
    ([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10, AddressKind::LinkLocal),
    ([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10, AddressKind::SiteLocal),
    ([0xff00, 0, 0, 0, 0, 0, 0, 0], 8, AddressKind::Multicast),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Kind, first and last address of each block; after the bar public neighbors outside of it.
    const BLOCKS: &str = "
        ThisNetwork: 0.0.0.0 0.255.255.255 |  1.0.0.0
        Private: 10.0.0.0 10.255.255.255 | 9.255.255.255 11.0.0.0
        Shared: 100.64.0.0 100.127.255.255 | 100.63.255.255 100.128.0.0
        Loopback: 127.0.0.0 127.255.255.255 | 126.255.255.255 128.0.0.0
        LinkLocal: 169.254.0.0 169.254.255.255 | 169.253.255.255 169.255.0.0
        Private: 172.16.0.0 172.31.255.255 | 172.15.255.255 172.32.0.0
        ProtocolAssignment: 192.0.0.0 192.0.0.255 | 191.255.255.255 192.0.1.0
        Documentation: 192.0.2.0 192.0.2.255 | 192.0.1.255 192.0.3.0
        SixToFour: 192.88.99.0 192.88.99.255 | 192.88.98.255 192.88.100.0
        Private: 192.168.0.0 192.168.255.255 | 192.167.255.255 192.169.0.0
        Benchmarking: 198.18.0.0 198.19.255.255 | 198.17.255.255 198.20.0.0
        Documentation: 198.51.100.0 198.51.100.255 | 198.51.99.255 198.51.101.0
        Documentation: 203.0.113.0 203.0.113.255 | 203.0.112.255 203.0.114.0
        Multicast: 224.0.0.0 239.255.255.255 | 223.255.255.255
        Reserved: 240.0.0.0 255.255.255.254
        Broadcast: 255.255.255.255 255.255.255.255
        ThisNetwork: :: ::
        Loopback: ::1 ::1
        CompatibleV4: ::2 ::255.255.255.255
        MappedV4: ::ffff:0.0.0.0 ::ffff:255.255.255.255
        LocalTranslation: 64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff
        Discard: 100:: 100::ffff:ffff:ffff:ffff
        Discard: 100:0:0:1:: 100:0:0:1:ffff:ffff:ffff:ffff
        Teredo: 2001:: 2001:0:ffff:ffff:ffff:ffff:ffff:ffff
        ProtocolAssignment: 2001:1:: 2001:1:ffff:ffff:ffff:ffff:ffff:ffff | 2000:ffff::
        Benchmarking: 2001:2:: 2001:2:0:ffff:ffff:ffff:ffff:ffff
        Orchid: 2001:10:: 2001:1f:ffff:ffff:ffff:ffff:ffff:ffff
        Orchid: 2001:20:: 2001:2f:ffff:ffff:ffff:ffff:ffff:ffff
        ProtocolAssignment: 2001:30:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff |  2001:200::
        Documentation: 2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff | 2001:db7:ffff:: 2001:db9::
        SixToFour: 2002:: 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff | 2001:ffff:: 2003::
        Reserved: 3ffe:: 3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff | 3ffd:ffff::
        Documentation: 3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff |  3fff:1000::
        SegmentRouting: 5f00:: 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff
        Reserved: 4000:: 5eff:ffff:: | 3fff:ffff::
        UniqueLocal: fc00:: fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
        LinkLocal: fe80:: febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff
        SiteLocal: fec0:: feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
        Multicast: ff00:: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
    ";

    #[test]
    fn each_block_ends_where_the_registry_says() {
        let kind = |text: &str| AddressKind::of(text.parse().unwrap());
        let mut names = HashSet::new();
        for line in BLOCKS.lines().filter(|line| !line.trim().is_empty()) {
            let (name, addresses) = line.trim().split_once(": ").unwrap();
            let (ends, neighbors) = addresses.split_once(" | ").unwrap_or((addresses, ""));
            for end in ends.split(' ') {
                assert_eq!(format!("{:?}", kind(end)), name, "{end}");
            }
            for neighbor in neighbors.split_whitespace() {
                assert_eq!(kind(neighbor), AddressKind::Public, "{neighbor}");
            }
            names.insert(name);
        }
        // Every row of the tables is a case.
        let kinds = V4.iter().map(|row| row.2).chain(V6.iter().map(|row| row.2));
        for kind in kinds.filter(|kind| *kind != AddressKind::Public) {
            assert!(names.contains(&*format!("{kind:?}")), "{kind:?}");
        }
    }

    /// The standard library and this table agree where it has a stable opinion.
    #[test]
    fn the_standard_library_agrees() {
        for high in 0..=255 {
            for low in [0, 1, 2, 16, 31, 32, 64, 99, 127, 128, 168, 254, 255] {
                let v4 = Ipv4Addr::new(high, low, 2, 255);
                let is_special = v4.is_private()
                    || v4.is_loopback()
                    || v4.is_link_local()
                    || v4.is_documentation()
                    || v4.is_multicast()
                    || v4.is_broadcast();
                assert!(!is_special || of_v4(v4) != AddressKind::Public, "{v4}");
                let v6 = Ipv6Addr::new(u16::from(high) << 8 | u16::from(low), 0, 0, 0, 0, 0, 0, 1);
                let is_special =
                    v6.is_multicast() || v6.is_unique_local() || v6.is_unicast_link_local();
                assert!(!is_special || of_v6(v6) != AddressKind::Public, "{v6}");
            }
        }
    }

    #[test]
    fn a_translated_address_counts_as_the_one_in_it() {
        let kind = |text: &str| AddressKind::of(text.parse().unwrap());
        assert_eq!(kind("64:ff9b::8.8.8.8"), AddressKind::Public);
        assert_eq!(kind("64:ff9b::127.0.0.1"), AddressKind::Loopback);
        assert_eq!(kind("64:ff9b::169.254.169.254"), AddressKind::LinkLocal);
        assert_eq!(kind("64:ff9b:0:0:0:1:808:808"), AddressKind::Reserved);
    }
}
