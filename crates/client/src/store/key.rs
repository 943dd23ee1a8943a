//! The name of a record in a store.

use polite_robots_policy::{IpGroup, Origin};

/// The name of a record in a [`Store`](crate::store::Store): the robots.txt of an origin, the pace
/// of a host, or the last requests to a group of hosts.
///
/// ```
/// use polite_robots_client::Origin;
/// use polite_robots_policy::IpGroup;
/// use polite_robots_client::store::Key;
///
/// let origin = Origin::of("https://example.com/a")?;
/// assert_eq!(Key::entry(&origin).as_str(), "entry https://example.com");
/// assert_eq!(Key::pacer(origin.host()).as_str(), "pacer example.com");
/// assert_eq!(Key::group(IpGroup(7)).as_str(), "group 7");
/// # Ok::<(), polite_robots::InvalidUrl>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

impl Key {
    /// The key of an origin's `Entry`.
    #[must_use]
    pub fn entry(origin: &Origin) -> Key {
        Key(format!("entry {origin}"))
    }

    /// The key of a host's `Pacer`; the host as [`Origin::host`] gives it.
    #[must_use]
    pub fn pacer(host: &str) -> Key {
        Key(format!("pacer {host}"))
    }

    /// The key of the last starts of a group, as [`Groups::of`](crate::hosts::Groups::of) names it.
    #[must_use]
    pub fn group(group: IpGroup) -> Key {
        Key(format!("group {}", group.0))
    }

    /// Whether it is the key of an `Entry`.
    #[cfg(feature = "redis")]
    pub(crate) fn is_entry(&self) -> bool {
        self.0.starts_with("entry ")
    }

    /// The key as text: printable ASCII without control characters. No two keys have the same.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
