//! Locks of groups: the hosts of a group have one turn at a time that is not sent yet.

use std::collections::HashMap;

use polite_robots_policy::{HostId, IpGroup};
use rustc_hash::FxHashMap;

/// One lock for each group whose next turn is granted, but not sent.
///
/// The scheduler counts a request from its start. Until then it names the other hosts of the group
/// as ready, too, and ten hosts would start at once where the group has one start left. The lock
/// parks them until the start.
#[derive(Debug, Default)]
pub(crate) struct GroupLocks {
    groups: FxHashMap<HostId, IpGroup>,
    locks: HashMap<IpGroup, GroupLock>,
}

#[derive(Debug)]
struct GroupLock {
    holder: HostId,
    /// The hosts that wait for the lock, in the order in which they came.
    parked: Vec<HostId>,
}

impl GroupLocks {
    /// The group that the host is in.
    pub(crate) fn group_of(&self, host: HostId) -> Option<IpGroup> {
        self.groups.get(&host).copied()
    }

    /// Moves a host to a group, or out of its group. Returns the hosts of its former group that
    /// were parked for it.
    pub(crate) fn set_group(&mut self, host: HostId, group: Option<IpGroup>) -> Vec<HostId> {
        if self.groups.get(&host).copied() == group {
            return Vec::new();
        }
        let parked = self.unlock(host);
        match group {
            Some(group) => self.groups.insert(host, group),
            None => self.groups.remove(&host),
        };
        parked
    }

    /// Parks the host until [`GroupLocks::unlock`] if another host has the lock of its group.
    /// Returns whether it is parked.
    pub(crate) fn park(&mut self, host: HostId) -> bool {
        let group = self.groups.get(&host);
        let lock = group.and_then(|group| self.locks.get_mut(group));
        match lock {
            Some(lock) if lock.holder != host => {
                lock.parked.push(host);
                true
            }
            _ => false,
        }
    }

    /// Gives the lock of its group to the host.
    pub(crate) fn lock(&mut self, host: HostId) {
        if let Some(group) = self.groups.get(&host) {
            let lock = GroupLock {
                holder: host,
                parked: Vec::new(),
            };
            self.locks.insert(*group, lock);
        }
    }

    /// Releases the lock of the host, whose turn is sent or was given back. Returns the hosts that
    /// were parked.
    pub(crate) fn unlock(&mut self, host: HostId) -> Vec<HostId> {
        let Some(group) = self.groups.get(&host) else {
            return Vec::new();
        };
        if self.locks.get(group).is_none_or(|lock| lock.holder != host) {
            return Vec::new();
        }
        let lock = self.locks.remove(group);
        lock.map_or_else(Vec::new, |lock| lock.parked)
    }
}

#[cfg(test)]
mod tests {
    use polite_robots_policy::{Profile, Scheduler};

    use super::*;

    const ONE: Option<IpGroup> = Some(IpGroup(1));

    fn hosts() -> [HostId; 3] {
        let mut scheduler = Scheduler::new(Profile::rfc9309());
        ["a.test", "b.test", "c.test"].map(|name| scheduler.insert(name, None))
    }

    #[test]
    fn the_others_of_a_group_are_parked_until_the_turn_ends() {
        let [a, b, c] = hosts();
        let mut locks = GroupLocks::default();
        for host in [a, b, c] {
            assert!(locks.set_group(host, ONE).is_empty());
        }
        assert!(!locks.park(a));
        locks.lock(a);
        assert!(!locks.park(a));
        assert!(locks.park(c) && locks.park(b));
        // A host without the lock releases nothing.
        assert!(locks.unlock(b).is_empty());
        assert!(locks.park(b));
        assert_eq!(locks.unlock(a), [c, b, b]);
        assert!(locks.unlock(a).is_empty() && !locks.park(b));
    }

    #[test]
    fn hosts_of_no_group_and_of_other_groups_are_not_parked() {
        let [a, b, c] = hosts();
        let mut locks = GroupLocks::default();
        locks.set_group(a, ONE);
        locks.set_group(b, Some(IpGroup(2)));
        for host in [a, b, c] {
            locks.lock(host);
        }
        assert!([a, b, c].iter().all(|host| !locks.park(*host)));
    }

    #[test]
    fn a_host_that_moves_gives_the_turn_of_its_group_back() {
        let [a, b, _] = hosts();
        let mut locks = GroupLocks::default();
        locks.set_group(a, ONE);
        locks.set_group(b, ONE);
        locks.lock(a);
        assert!(locks.park(b));
        assert!(locks.set_group(a, ONE).is_empty());
        assert_eq!(locks.set_group(a, None), [b]);
        assert!(locks.unlock(a).is_empty() && !locks.park(b));
    }
}
