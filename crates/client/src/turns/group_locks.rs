//! One unsent turn at a time for the hosts of a group.

use std::collections::HashMap;

use polite_robots_policy::{HostId, IpGroup};
use rustc_hash::FxHashMap;

/// The groups whose next turn is granted, but not sent.
///
/// The scheduler counts a request from its start. Until then it would name the other hosts of the group, too, and their
/// requests would all start in a place for one. They are passed over here, and named again after the start.
#[derive(Debug, Default)]
pub(crate) struct GroupTurns {
    groups: FxHashMap<HostId, IpGroup>,
    granted: HashMap<IpGroup, Granted>,
}

#[derive(Debug)]
struct Granted {
    to: HostId,
    /// In the order in which they came.
    passed_over: Vec<HostId>,
}

impl GroupTurns {
    /// The group that the host is in.
    pub(crate) fn of(&self, host: HostId) -> Option<IpGroup> {
        self.groups.get(&host).copied()
    }

    /// Moves a host to a group, or out of its group. Gives the hosts of its former group that may be named again.
    pub(crate) fn set_group(&mut self, host: HostId, group: Option<IpGroup>) -> Vec<HostId> {
        if self.groups.get(&host).copied() == group {
            return Vec::new();
        }
        let passed_over = self.end(host);
        match group {
            Some(group) => self.groups.insert(host, group),
            None => self.groups.remove(&host),
        };
        passed_over
    }

    /// Whether another host of the group has the turn, so that this one has to wait for [`GroupTurns::end`].
    pub(crate) fn pass_over(&mut self, host: HostId) -> bool {
        let group = self.groups.get(&host);
        let granted = group.and_then(|group| self.granted.get_mut(group));
        match granted {
            Some(granted) if granted.to != host => {
                granted.passed_over.push(host);
                true
            }
            _ => false,
        }
    }

    /// Notes that the host has the turn of its group.
    pub(crate) fn begin(&mut self, host: HostId) {
        if let Some(group) = self.groups.get(&host) {
            let granted = Granted {
                to: host,
                passed_over: Vec::new(),
            };
            self.granted.insert(*group, granted);
        }
    }

    /// Notes that the turn of the host is sent, or was given back. Gives the hosts that were passed over.
    pub(crate) fn end(&mut self, host: HostId) -> Vec<HostId> {
        let Some(group) = self.groups.get(&host) else {
            return Vec::new();
        };
        if self
            .granted
            .get(group)
            .is_none_or(|granted| granted.to != host)
        {
            return Vec::new();
        }
        let ended = self.granted.remove(group);
        ended.map_or_else(Vec::new, |ended| ended.passed_over)
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
    fn the_others_of_a_group_are_passed_over_until_the_turn_ends() {
        let [a, b, c] = hosts();
        let mut turns = GroupTurns::default();
        for host in [a, b, c] {
            assert!(turns.set_group(host, ONE).is_empty());
        }
        assert!(!turns.pass_over(a));
        turns.begin(a);
        assert!(!turns.pass_over(a));
        assert!(turns.pass_over(c) && turns.pass_over(b));
        // The end of a turn that another host has is none.
        assert!(turns.end(b).is_empty());
        assert!(turns.pass_over(b));
        assert_eq!(turns.end(a), [c, b, b]);
        assert!(turns.end(a).is_empty() && !turns.pass_over(b));
    }

    #[test]
    fn hosts_of_no_group_and_of_others_are_not() {
        let [a, b, c] = hosts();
        let mut turns = GroupTurns::default();
        turns.set_group(a, ONE);
        turns.set_group(b, Some(IpGroup(2)));
        for host in [a, b, c] {
            turns.begin(host);
        }
        assert!([a, b, c].iter().all(|host| !turns.pass_over(*host)));
    }

    #[test]
    fn a_host_that_moves_gives_the_turn_of_its_group_back() {
        let [a, b, _] = hosts();
        let mut turns = GroupTurns::default();
        turns.set_group(a, ONE);
        turns.set_group(b, ONE);
        turns.begin(a);
        assert!(turns.pass_over(b));
        assert!(turns.set_group(a, ONE).is_empty());
        assert_eq!(turns.set_group(a, None), [b]);
        assert!(turns.end(a).is_empty() && !turns.pass_over(b));
    }
}
