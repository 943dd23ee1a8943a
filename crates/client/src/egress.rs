//! The addresses a client may connect to: public ones unless the operator says otherwise.

use std::error::Error;
use std::fmt;
use std::iter;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;
use url::{Host, Url};

/// The addresses a client may connect to.
///
/// A crawler follows URLs that strangers write. Without a guard, a link or a redirect to `http://169.254.169.254/` makes
/// it ask the metadata service of its own cloud, and a name that resolves to `10.0.0.1` makes it ask its own network
/// (server-side request forgery). The default therefore permits public addresses only.
///
/// Two places have to check, because an HTTP client resolves names but connects to an address in a URL directly:
/// [`Egress::check_url`] before each request and each redirect, and [`Egress::check`] for each resolved address. The
/// client of this crate does both and connects to the address that was checked.
///
/// ```
/// use polite_robots_client::{AddressKind, Egress};
///
/// let egress = Egress::public_only();
/// assert!(egress.check("8.8.8.8".parse()?).is_ok());
/// assert_eq!(egress.check("10.0.0.1".parse()?), Err(AddressKind::Private));
///
/// let intranet = Egress::public_only().also("10.20.0.0/16".parse()?);
/// assert!(intranet.check("10.20.0.1".parse()?).is_ok());
/// assert!(intranet.check("10.21.0.1".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Egress {
    reach: Reach,
    /// Networks that are permitted besides.
    networks: Vec<IpNet>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Public,
    Any,
    /// The listed networks and no others.
    Listed,
}

/// The block of the IANA special-purpose address registries that an address belongs to, or [`AddressKind::Public`].
///
/// The registries are those of 2024-10; the kind follows their blocks, and every block that is not globally reachable is
/// refused. Two blocks that they call reachable are refused all the same, as no web server can be there: the protocol
/// assignments in `192.0.0.0/24` and `2001::/23`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AddressKind {
    /// An address of the public Internet.
    Public,
    /// "This network": `0.0.0.0/8` (RFC 791) and `::` (RFC 4291). Linux connects to the host itself there.
    ThisNetwork,
    /// `127.0.0.0/8` (RFC 1122) and `::1` (RFC 4291).
    Loopback,
    /// `10.0.0.0/8`, `172.16.0.0/12`, `192.168.0.0/16` (RFC 1918).
    Private,
    /// `100.64.0.0/10`, between a provider and its customers (RFC 6598).
    Shared,
    /// `169.254.0.0/16` (RFC 3927) and `fe80::/10` (RFC 4291); clouds have their metadata services there.
    LinkLocal,
    /// `fc00::/7` (RFC 4193).
    UniqueLocal,
    /// `fec0::/10`, deprecated (RFC 3879).
    SiteLocal,
    /// `192.0.0.0/24` (RFC 6890) and `2001::/23` (RFC 2928), Teredo and ORCHID apart.
    ProtocolAssignment,
    /// `192.0.2.0/24`, `198.51.100.0/24`, `203.0.113.0/24` (RFC 5737), `2001:db8::/32` (RFC 3849), `3fff::/20`
    /// (RFC 9637).
    Documentation,
    /// `198.18.0.0/15` (RFC 2544) and `2001:2::/48` (RFC 5180).
    Benchmarking,
    /// `224.0.0.0/4` (RFC 5771) and `ff00::/8` (RFC 4291).
    Multicast,
    /// `255.255.255.255` (RFC 8190).
    Broadcast,
    /// `::ffff:0:0/96`: an IPv4 address in the form of IPv6 (RFC 4291), which passes guards that know one family only.
    MappedV4,
    /// `::/96`: the same in a deprecated form (RFC 4291).
    CompatibleV4,
    /// `64:ff9b:1::/48`: translation inside of one network (RFC 8215).
    LocalTranslation,
    /// `2001::/32`: a tunnel that carries an IPv4 address (RFC 4380).
    Teredo,
    /// `2002::/16` (RFC 3056) and its relays in `192.88.99.0/24` (RFC 7526): a deprecated tunnel that carries an IPv4
    /// address.
    SixToFour,
    /// `2001:10::/28` (RFC 4843) and `2001:20::/28` (RFC 7343): identifiers of hosts, not addresses.
    Orchid,
    /// `100::/64` (RFC 6666) and `100:0:0:1::/64` (RFC 9780): routers drop what is sent there.
    Discard,
    /// `5f00::/16`: segment identifiers of routers (RFC 9602).
    SegmentRouting,
    /// `240.0.0.0/4` (RFC 1112), `3ffe::/16` (RFC 3701), and IPv6 outside of `2000::/3`: nothing is assigned there.
    Reserved,
}

/// A connection that [`Egress`] does not permit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("connection to {host} refused: {address} is {kind}")]
pub struct Refusal {
    host: String,
    address: IpAddr,
    kind: AddressKind,
}

impl Egress {
    /// Public addresses only: the default.
    #[must_use]
    pub const fn public_only() -> Egress {
        Egress {
            reach: Reach::Public,
            networks: Vec::new(),
        }
    }

    /// Every address: for tests on loopback and for crawlers of an intranet that reads no foreign URL.
    #[must_use]
    pub const fn any() -> Egress {
        Egress {
            reach: Reach::Any,
            networks: Vec::new(),
        }
    }

    /// The listed networks and no others, whatever kind of address they hold.
    #[must_use]
    pub fn only(networks: impl IntoIterator<Item = IpNet>) -> Egress {
        Egress {
            reach: Reach::Listed,
            networks: networks.into_iter().collect(),
        }
    }

    /// The same, and the addresses of one more network, whatever kind they are.
    #[must_use]
    pub fn also(mut self, network: IpNet) -> Egress {
        self.networks.push(network);
        self
    }

    /// Whether an address may be refused. If so, a proxy must not be used: it would resolve and connect unchecked.
    #[must_use]
    pub fn is_restricted(&self) -> bool {
        self.reach != Reach::Any
    }

    /// Checks one address.
    ///
    /// # Errors
    ///
    /// The kind of an address that is refused; [`AddressKind::Public`] if it is outside of the networks of
    /// [`Egress::only`].
    pub fn check(&self, address: IpAddr) -> Result<(), AddressKind> {
        // A connection to a mapped address goes to the IPv4 address in it.
        let canonical = address.to_canonical();
        let is_listed = |network: &IpNet| network.contains(&canonical);
        if self.reach == Reach::Any || self.networks.iter().any(is_listed) {
            return Ok(());
        }
        match AddressKind::of(address) {
            AddressKind::Public if self.reach == Reach::Public => Ok(()),
            kind => Err(kind),
        }
    }

    /// Checks a URL whose host is an address, which no resolver will ever see. A host with a name passes: its addresses
    /// are checked when they are known.
    ///
    /// ```
    /// use polite_robots_client::Egress;
    ///
    /// // All of these are 127.0.0.1.
    /// for url in ["http://127.0.0.1/", "http://0x7f.1/", "http://2130706433/", "http://[::ffff:127.0.0.1]/"] {
    ///     assert!(Egress::public_only().check_url(&url.parse()?).is_err());
    /// }
    /// # Ok::<(), url::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Refusal`] with the address.
    pub fn check_url(&self, url: &Url) -> Result<(), Refusal> {
        let address = match url.host() {
            Some(Host::Ipv4(v4)) => IpAddr::V4(v4),
            Some(Host::Ipv6(v6)) => IpAddr::V6(v6),
            Some(Host::Domain(_)) | None => return Ok(()),
        };
        self.check(address)
            .map_err(|kind| Refusal::new(url.host_str().unwrap_or_default(), address, kind))
    }
}

impl Default for Egress {
    fn default() -> Egress {
        Egress::public_only()
    }
}

impl AddressKind {
    /// The kind of an address. Addresses in `64:ff9b::/96` (RFC 6052) are the kind of the IPv4 address that the
    /// translator connects to: a network without IPv4 reaches every IPv4 server through them.
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

impl Refusal {
    /// A refusal of an address that a host has.
    pub(crate) fn new(host: &str, address: IpAddr, kind: AddressKind) -> Refusal {
        Refusal {
            host: host.to_owned(),
            address,
            kind,
        }
    }

    /// The refusal among an error and its sources: HTTP clients wrap the errors of their resolvers.
    #[must_use]
    pub fn of(error: &(dyn Error + 'static)) -> Option<Refusal> {
        let errors = iter::successors(Some(error), |error: &&(dyn Error + 'static)| {
            (*error).source()
        });
        let mut refusals = errors.filter_map(|error| error.downcast_ref::<Refusal>());
        refusals.next().cloned()
    }

    /// The host of the URL.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The address that was refused; the first one if the host has several.
    #[must_use]
    pub fn address(&self) -> IpAddr {
        self.address
    }

    /// The reason.
    #[must_use]
    pub fn kind(&self) -> AddressKind {
        self.kind
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
    // The least 32 bits are the IPv4 address.
    if bits >> 32 == TRANSLATED >> 32 {
        return of_v4(Ipv4Addr::from_bits(low_half(bits)));
    }
    let row = V6.iter().find(|(network, length, _)| {
        let shift = u128::BITS - u32::from(*length);
        bits >> shift == Ipv6Addr::from(*network).to_bits() >> shift
    });
    row.map_or(AddressKind::Reserved, |(_, _, kind)| *kind)
}

fn low_half(bits: u128) -> u32 {
    u32::try_from(bits & u128::from(u32::MAX)).unwrap_or_default()
}

/// `64:ff9b::`.
const TRANSLATED: u128 = 0x0064_ff9b << 96;

/// Network, length of its prefix, kind. The first row that contains an address counts, so exceptions stand first.
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
    use super::AddressKind::*;
    use super::*;

    /// First and last address of each block, and their neighbors outside of it.
    #[test]
    fn each_block_ends_where_the_registry_says() {
        let cases: &[(&str, &str, AddressKind, &str, &str)] = &[
            ("0.0.0.0", "0.255.255.255", ThisNetwork, "", "1.0.0.0"),
            (
                "10.0.0.0",
                "10.255.255.255",
                Private,
                "9.255.255.255",
                "11.0.0.0",
            ),
            (
                "100.64.0.0",
                "100.127.255.255",
                Shared,
                "100.63.255.255",
                "100.128.0.0",
            ),
            (
                "127.0.0.0",
                "127.255.255.255",
                Loopback,
                "126.255.255.255",
                "128.0.0.0",
            ),
            (
                "169.254.0.0",
                "169.254.255.255",
                LinkLocal,
                "169.253.255.255",
                "169.255.0.0",
            ),
            (
                "172.16.0.0",
                "172.31.255.255",
                Private,
                "172.15.255.255",
                "172.32.0.0",
            ),
            (
                "192.0.0.0",
                "192.0.0.255",
                ProtocolAssignment,
                "191.255.255.255",
                "192.0.1.0",
            ),
            (
                "192.0.2.0",
                "192.0.2.255",
                Documentation,
                "192.0.1.255",
                "192.0.3.0",
            ),
            (
                "192.88.99.0",
                "192.88.99.255",
                SixToFour,
                "192.88.98.255",
                "192.88.100.0",
            ),
            (
                "192.168.0.0",
                "192.168.255.255",
                Private,
                "192.167.255.255",
                "192.169.0.0",
            ),
            (
                "198.18.0.0",
                "198.19.255.255",
                Benchmarking,
                "198.17.255.255",
                "198.20.0.0",
            ),
            (
                "198.51.100.0",
                "198.51.100.255",
                Documentation,
                "198.51.99.255",
                "198.51.101.0",
            ),
            (
                "203.0.113.0",
                "203.0.113.255",
                Documentation,
                "203.0.112.255",
                "203.0.114.0",
            ),
            (
                "224.0.0.0",
                "239.255.255.255",
                Multicast,
                "223.255.255.255",
                "",
            ),
            ("240.0.0.0", "255.255.255.254", Reserved, "", ""),
            ("255.255.255.255", "255.255.255.255", Broadcast, "", ""),
            ("::", "::", ThisNetwork, "", ""),
            ("::1", "::1", Loopback, "", ""),
            ("::2", "::255.255.255.255", CompatibleV4, "", ""),
            ("::ffff:0.0.0.0", "::ffff:255.255.255.255", MappedV4, "", ""),
            (
                "64:ff9b:1::",
                "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
                LocalTranslation,
                "",
                "",
            ),
            ("100::", "100::ffff:ffff:ffff:ffff", Discard, "", ""),
            (
                "100:0:0:1::",
                "100:0:0:1:ffff:ffff:ffff:ffff",
                Discard,
                "",
                "",
            ),
            (
                "2001::",
                "2001:0:ffff:ffff:ffff:ffff:ffff:ffff",
                Teredo,
                "",
                "",
            ),
            (
                "2001:1::",
                "2001:1:ffff:ffff:ffff:ffff:ffff:ffff",
                ProtocolAssignment,
                "2000:ffff::",
                "",
            ),
            (
                "2001:2::",
                "2001:2:0:ffff:ffff:ffff:ffff:ffff",
                Benchmarking,
                "",
                "",
            ),
            (
                "2001:10::",
                "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff",
                Orchid,
                "",
                "",
            ),
            (
                "2001:20::",
                "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff",
                Orchid,
                "",
                "",
            ),
            (
                "2001:30::",
                "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
                ProtocolAssignment,
                "",
                "2001:200::",
            ),
            (
                "2001:db8::",
                "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
                Documentation,
                "2001:db7:ffff::",
                "2001:db9::",
            ),
            (
                "2002::",
                "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                SixToFour,
                "2001:ffff::",
                "2003::",
            ),
            (
                "3ffe::",
                "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                Reserved,
                "3ffd:ffff::",
                "",
            ),
            (
                "3fff::",
                "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
                Documentation,
                "",
                "3fff:1000::",
            ),
            (
                "5f00::",
                "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                SegmentRouting,
                "",
                "",
            ),
            ("4000::", "5eff:ffff::", Reserved, "3fff:ffff::", ""),
            (
                "fc00::",
                "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                UniqueLocal,
                "",
                "",
            ),
            (
                "fe80::",
                "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                LinkLocal,
                "",
                "",
            ),
            (
                "fec0::",
                "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                SiteLocal,
                "",
                "",
            ),
            (
                "ff00::",
                "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                Multicast,
                "",
                "",
            ),
        ];
        let kind = |text: &str| AddressKind::of(text.parse().unwrap());
        for (first, last, expected, before, after) in cases {
            assert_eq!(kind(first), *expected, "{first}");
            assert_eq!(kind(last), *expected, "{last}");
            for neighbor in [before, after].into_iter().filter(|text| !text.is_empty()) {
                assert_eq!(kind(neighbor), Public, "{neighbor}");
            }
        }
        // Every row of the tables is a case.
        let is_tried = |row: AddressKind| row == Public || cases.iter().any(|case| case.2 == row);
        assert!(V4.iter().all(|row| is_tried(row.2)) && V6.iter().all(|row| is_tried(row.2)));
    }

    #[test]
    fn public_addresses_pass() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "192.31.196.1",
            "192.52.193.1",
            "192.175.48.1",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2620:4f:8000::1",
        ] {
            let address = address.parse().unwrap();
            assert_eq!(Egress::default().check(address), Ok(()), "{address}");
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
                assert!(!is_special || of_v4(v4) != Public, "{v4}");
                let v6 = Ipv6Addr::new(u16::from(high) << 8 | u16::from(low), 0, 0, 0, 0, 0, 0, 1);
                let is_special =
                    v6.is_multicast() || v6.is_unique_local() || v6.is_unicast_link_local();
                assert!(!is_special || of_v6(v6) != Public, "{v6}");
            }
        }
    }

    #[test]
    fn a_translated_address_counts_as_the_one_in_it() {
        let kind = |text: &str| AddressKind::of(text.parse().unwrap());
        assert_eq!(kind("64:ff9b::8.8.8.8"), Public);
        assert_eq!(kind("64:ff9b::127.0.0.1"), Loopback);
        assert_eq!(kind("64:ff9b::169.254.169.254"), LinkLocal);
        assert_eq!(kind("64:ff9b:0:0:0:1:808:808"), Reserved);
    }

    #[test]
    fn a_url_with_an_address_is_refused_in_every_spelling() {
        let refused = [
            ("http://127.0.0.1/", "127.0.0.1"),
            ("http://127.1/", "127.0.0.1"),
            ("http://0x7f.1/", "127.0.0.1"),
            ("http://0177.0.0.1/", "127.0.0.1"),
            ("http://2130706433/", "127.0.0.1"),
            ("http://127.0.0.1./", "127.0.0.1"),
            ("http://%31%32%37.1/", "127.0.0.1"),
            ("http://127。0。0。1/", "127.0.0.1"),
            ("http://①②⑦.1/", "127.0.0.1"),
            ("http://user:pw@0/", "0.0.0.0"),
            ("https://[::1]:8080/", "::1"),
            ("http://[::ffff:127.0.0.1]/", "::ffff:127.0.0.1"),
            ("http://[::ffff:8.8.8.8]/", "::ffff:8.8.8.8"),
            ("http://[::7f00:1]/", "::127.0.0.1"),
            ("http://[64:ff9b::a00:1]/", "64:ff9b::a00:1"),
            (
                "http://169.254.169.254/latest/meta-data/",
                "169.254.169.254",
            ),
        ];
        for (url, address) in refused {
            let refusal = Egress::public_only().check_url(&Url::parse(url).unwrap());
            assert_eq!(
                refusal.unwrap_err().address(),
                address.parse::<IpAddr>().unwrap(),
                "{url}"
            );
            assert_eq!(Egress::any().check_url(&Url::parse(url).unwrap()), Ok(()));
        }
        for url in [
            "http://8.8.8.8/",
            "http://[2606:4700::1111]/",
            "http://localhost/",
            "data:,x",
        ] {
            let url = Url::parse(url).unwrap();
            assert_eq!(Egress::public_only().check_url(&url), Ok(()), "{url}");
        }
    }

    #[test]
    fn networks_permit_what_they_contain() {
        let test_net = Egress::only(["127.1.0.0/16".parse().unwrap(), "::1/128".parse().unwrap()]);
        for (address, expected) in [
            ("127.1.2.3", Ok(())),
            ("::ffff:127.1.2.3", Ok(())),
            ("::1", Ok(())),
            ("127.2.0.1", Err(Loopback)),
            ("8.8.8.8", Err(Public)),
        ] {
            assert_eq!(
                test_net.check(address.parse().unwrap()),
                expected,
                "{address}"
            );
        }
        let both = Egress::public_only().also("10.0.0.0/8".parse().unwrap());
        assert_eq!(both.check("10.1.1.1".parse().unwrap()), Ok(()));
        assert_eq!(both.check("8.8.8.8".parse().unwrap()), Ok(()));
        assert_eq!(both.check("192.168.0.1".parse().unwrap()), Err(Private));
        assert!(both.is_restricted() && test_net.is_restricted() && !Egress::any().is_restricted());
    }

    #[test]
    fn a_refusal_names_host_address_and_reason() {
        let url = Url::parse("http://192.168.0.1/").unwrap();
        let refusal = Egress::default().check_url(&url).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "connection to 192.168.0.1 refused: 192.168.0.1 is a private address"
        );
        assert_eq!((refusal.host(), refusal.kind()), ("192.168.0.1", Private));
    }
}
