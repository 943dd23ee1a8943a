//! Groups of hosts that share an address, and so a server.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use ipnet::IpNet;
use polite_robots_policy::IpGroup;
#[cfg(feature = "client")]
use polite_robots_policy::Profile;

use crate::egress::address_kind;

/// The hosts that share one pace because they share a server.
///
/// A gap for each host is kind to a server with one host. A server with a thousand hosts, as at a
/// web hoster, would get a thousand times the requests. [`Groups::by_address`] makes the hosts at
/// one address a group, and a group starts no more than [`PaceSettings::group_starts`] requests in
/// any [`PaceSettings::group_window`], rests after refused connections, and follows
/// [`PaceSettings::group_pace`].
///
/// The client spreads those starts over the window, with jitter, so that an address gets a request
/// each three to six seconds rather than ten at once. A profile can set its own
/// [`PaceSettings::group_spread_percent`][spread]; 1 spreads them hardly at all.
///
/// **By default that is ten requests a minute, also for an address with a single host.** A crawl
/// that wants one request a second for each address, like that for each host, sets the figures:
///
/// ```
/// use std::time::Duration;
///
/// use polite_robots_client::Profile;
/// use polite_robots_client::hosts::Groups;
///
/// // The list that a content network publishes; here two of the networks of one.
/// let cdn_ranges = ["104.16.0.0/13".parse()?, "2606:4700::/32".parse()?];
/// let groups = Groups::by_address(&cdn_ranges);
///
/// let mut profile = Profile::rfc9309();
/// profile.pace.group_starts = 1;
/// profile.pace.group_window = Duration::from_secs(1);
///
/// // A server at a hoster is a group, an entrance of the content network is none.
/// assert!(groups.of("198.51.100.7".parse()?).is_some());
/// assert_eq!(groups.of("104.16.1.1".parse()?), None);
/// // The builder of the client takes both: `.profile(profile).groups(groups)`.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`PaceSettings::group_starts`]: polite_robots_policy::settings::PaceSettings::group_starts
/// [`PaceSettings::group_window`]: polite_robots_policy::settings::PaceSettings::group_window
/// [spread]: polite_robots_policy::settings::PaceSettings::group_spread_percent
/// [`PaceSettings::group_pace`]: polite_robots_policy::settings::PaceSettings::group_pace
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Groups {
    key: Key,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum Key {
    #[default]
    Nothing,
    Address {
        /// The networks whose addresses make no group.
        apart: Arc<[IpNet]>,
    },
}

impl Groups {
    /// The default: no host is in a group, and each has its own pace, whatever its address is. A
    /// name is resolved only to connect.
    #[must_use]
    pub fn none() -> Groups {
        Groups::default()
    }

    /// One group for each address outside of `cdn_ranges`.
    ///
    /// An address inside of `cdn_ranges` makes no group: it is the entrance of a content network,
    /// which serves unrelated sites from unrelated servers. A hundred thousand of them in one group
    /// of ten requests a minute would wait a week for each page. Content networks publish their
    /// ranges; the list changes, so load it where the crawler starts.
    ///
    /// An IPv6 address counts as its `/64`, the smallest network that a site is given. The site
    /// chooses the rest of the address: one server may have an address for each of its hosts, and
    /// would look like many. An IPv4 address in the form of IPv6 (`::ffff:0:0/96`, `64:ff9b::/96`)
    /// counts as the IPv4 address. A network that translates by a prefix of its own lists that
    /// prefix in `cdn_ranges`, or all of IPv4 would be few groups.
    ///
    /// The client learns the address of a host before its first request, by its own resolver and
    /// its own rules of [`Egress`](crate::Egress), and connects to that address first as long as
    /// the host has it. It looks again every ten minutes and at each new connection; a host that
    /// has moved changes its group with the next request. A host whose name does not resolve, or
    /// not within five seconds, is in no group until it does. A proxy, and an address that the HTTP
    /// client was given by its own `resolve`, are not seen here.
    ///
    /// After a restart the addresses may be others, so they are resolved again. With a
    /// [`Store`](crate::store::Store) the requests that a group started before count on; after a
    /// crash, in which some may be missing, each group waits for one window.
    #[must_use]
    pub fn by_address(cdn_ranges: &[IpNet]) -> Groups {
        Groups {
            key: Key::Address {
                apart: cdn_ranges.into(),
            },
        }
    }

    /// The group of the hosts at an address.
    #[must_use]
    pub fn of(&self, address: IpAddr) -> Option<IpGroup> {
        let Key::Address { apart } = &self.key else {
            return None;
        };
        let address = server(address);
        if apart.iter().any(|network| network.contains(&address)) {
            return None;
        }
        Some(match address {
            IpAddr::V4(v4) => IpGroup(u64::from(v4.to_bits())),
            IpAddr::V6(v6) => IpGroup(network_64(v6)),
        })
    }

    #[cfg(feature = "client")]
    pub(crate) fn is_none(&self) -> bool {
        self.key == Key::Nothing
    }

    /// The profile for hosts in groups. It spreads their starts, unless the caller's profile says
    /// how.
    #[cfg(feature = "client")]
    pub(crate) fn spread(&self, mut profile: Profile) -> Profile {
        if !self.is_none() && profile.pace.group_spread_percent == 0 {
            profile.pace.group_spread_percent = 100;
        }
        profile
    }
}

/// The address of the server that an IPv4 address in the form of IPv6 stands for.
fn server(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => address_kind::translated(v6).map_or(IpAddr::V6(v6), IpAddr::V4),
        v4 => v4,
    }
}

/// The upper half of an address. It is never the number of an IPv4 address: no server is in
/// `::/32`.
fn network_64(address: Ipv6Addr) -> u64 {
    let [a, b, c, d, ..] = address.segments();
    [a, b, c, d]
        .iter()
        .fold(0, |network, segment| network << 16 | u64::from(*segment))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn groups() -> Groups {
        Groups::by_address(&["192.0.2.0/24", "2001:db8:cd::/48"].map(|net| net.parse().unwrap()))
    }

    #[test]
    fn one_address_is_one_group() {
        let of = |text| groups().of(address(text)).unwrap();
        let v4 = of("198.51.100.7");
        assert_eq!(v4, IpGroup(0xC633_6407));
        assert_ne!(v4, of("198.51.100.8"));
        for same in ["::ffff:198.51.100.7", "64:ff9b::198.51.100.7"] {
            assert_eq!(of(same), v4, "{same}");
        }
    }

    #[test]
    fn a_network_of_64_bits_is_one_group() {
        let of = |text| groups().of(address(text)).unwrap();
        let v6 = of("2001:db8:1:2::1");
        assert_eq!(v6, IpGroup(0x2001_0db8_0001_0002));
        assert_eq!(v6, of("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(v6, of("2001:db8:1:3::1"));
        assert_ne!(v6, of("2001:db8:2:2::1"));
    }

    #[test]
    fn a_content_network_is_nobodys_group() {
        for inside in [
            "192.0.2.1",
            "::ffff:192.0.2.1",
            "64:ff9b::192.0.2.1",
            "2001:db8:cd::1",
        ] {
            assert_eq!(groups().of(address(inside)), None, "{inside}");
        }
        for outside in ["192.0.3.1", "2001:db8:ce::1"] {
            assert!(groups().of(address(outside)).is_some(), "{outside}");
        }
    }

    #[test]
    fn there_is_none_by_default() {
        assert_eq!(Groups::default(), Groups::none());
        assert_eq!(Groups::none().of(address("198.51.100.7")), None);
        assert!(Groups::by_address(&[]).of(address("192.0.2.1")).is_some());
    }
}
