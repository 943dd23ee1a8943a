//! The name of an address that several hosts share.

/// Hosts that share a server, by a number of the caller's: the IPv4 address, a hash of the IPv6
/// one, or whatever else stands for one machine.
///
/// Leave it out (`None`) for the addresses of a content network: with ten requests a minute, a
/// hundred thousand hosts at one of them would wait for a week each.
///
/// ```
/// use std::net::IpAddr;
/// use polite_robots_policy::{IpGroup, Profile, Scheduler};
///
/// fn group(address: IpAddr) -> IpGroup {
///     match address {
///         IpAddr::V4(address) => IpGroup(u64::from(address.to_bits())),
///         // The network of a site; the rest of the address it may choose freely.
///         IpAddr::V6(address) => IpGroup((address.to_bits() >> 64) as u64),
///     }
/// }
/// let mut scheduler = Scheduler::new(Profile::rfc9309());
/// scheduler.insert("example.com", Some(group([192, 0, 2, 1].into())));
/// scheduler.insert("example.org", Some(group([192, 0, 2, 1].into())));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct IpGroup(pub u64);
