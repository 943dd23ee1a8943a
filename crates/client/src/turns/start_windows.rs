//! The start window of each group: the requests that it started lately, before a restart too.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use polite_robots_policy::settings::PaceSettings;
use polite_robots_policy::{IpGroup, Timestamp};

/// The last starts of each group. The scheduler counts the starts of this run of the program; these
/// windows also count the starts of an earlier run, which a store remembers.
#[derive(Debug)]
pub(crate) struct StartWindows {
    limit: usize,
    window: Duration,
    /// The end of the first window, from which on no start of an earlier run counts.
    earlier_until: Timestamp,
    /// The groups whose starts in an earlier run are known.
    recalled: HashSet<IpGroup>,
    /// The starts of each group, oldest first.
    starts: HashMap<IpGroup, VecDeque<Timestamp>>,
    /// All starts, oldest first: the groups to look at, as starts leave the window.
    order: VecDeque<(Timestamp, IpGroup)>,
}

impl StartWindows {
    /// Windows without a start, for a run that begins now.
    pub(crate) fn new(settings: &PaceSettings, now: Timestamp) -> StartWindows {
        let window = settings.group_window.min(LONGEST_WINDOW);
        StartWindows {
            limit: usize::from(settings.group_starts),
            window,
            earlier_until: now.saturating_add(window),
            recalled: HashSet::new(),
            starts: HashMap::new(),
            order: VecDeque::new(),
        }
    }

    /// Whether starts of the group in an earlier run may count and are not known yet.
    pub(crate) fn is_unknown(&self, group: IpGroup, now: Timestamp) -> bool {
        self.limit > 0 && now < self.earlier_until && !self.recalled.contains(&group)
    }

    /// Adds the starts of a group in an earlier run. A second call for a group has no effect.
    pub(crate) fn recall(&mut self, group: IpGroup, earlier: Vec<Timestamp>, now: Timestamp) {
        if !self.recalled.insert(group) {
            return;
        }
        let mut starts: VecDeque<Timestamp> = earlier.into();
        // A start after `now` means that the clock was set back since; it counts as a start at
        // `now`.
        starts
            .iter_mut()
            .for_each(|start| *start = (*start).min(now));
        starts.extend(self.starts.remove(&group).unwrap_or_default());
        let latest = starts.back().copied().unwrap_or(now);
        self.starts.insert(group, starts);
        self.order.push_back((latest.max(now), group));
        self.forget_old(group, now);
    }

    /// Records a start.
    pub(crate) fn record(&mut self, group: IpGroup, now: Timestamp) {
        self.starts.entry(group).or_default().push_back(now);
        self.forget_old(group, now);
        self.order.push_back((now, group));
        while let Some((start, group)) = self.order.front().copied() {
            if start.saturating_add(self.window) > now {
                break;
            }
            self.order.pop_front();
            self.forget_old(group, now);
        }
        if now >= self.earlier_until {
            self.recalled = HashSet::new();
        }
    }

    /// Forgets the starts of a group that no longer count.
    fn forget_old(&mut self, group: IpGroup, now: Timestamp) {
        let Some(starts) = self.starts.get_mut(&group) else {
            return;
        };
        while let Some(start) = starts.front() {
            if starts.len() <= self.limit && start.saturating_add(self.window) > now {
                return;
            }
            starts.pop_front();
        }
        self.starts.remove(&group);
    }

    /// The time at which the group may start again, counted with the starts of an earlier run;
    /// `None` if it may start now.
    pub(crate) fn blocked_until(&self, group: IpGroup, now: Timestamp) -> Option<Timestamp> {
        if self.limit == 0 || now >= self.earlier_until {
            // The scheduler knows all starts that count.
            return None;
        }
        let starts = self.starts.get(&group)?;
        let limiting = starts.get(starts.len().checked_sub(self.limit)?)?;
        let until = limiting.saturating_add(self.window);
        (until > now).then_some(until)
    }

    /// The starts of a group, to save them.
    pub(crate) fn starts(&self, group: IpGroup) -> Vec<Timestamp> {
        let starts = self.starts.get(&group);
        starts.into_iter().flatten().copied().collect()
    }
}

/// The limit of the scheduler itself.
const LONGEST_WINDOW: Duration = Duration::from_secs(86_400);

#[cfg(test)]
mod tests {
    use polite_robots_policy::Profile;

    use super::*;

    const START: Timestamp = Timestamp::from_millis(1_767_225_600_000);
    const GROUP: IpGroup = IpGroup(7);

    fn at(seconds: u64) -> Timestamp {
        START.saturating_add(Duration::from_secs(seconds))
    }

    /// Two starts a minute, from second 100 on.
    fn windows() -> StartWindows {
        let mut pace = Profile::rfc9309().pace;
        pace.group_starts = 2;
        StartWindows::new(&pace, at(100))
    }

    #[test]
    fn starts_before_a_restart_count_in_the_first_window() {
        let mut windows = windows();
        assert!(windows.is_unknown(GROUP, at(100)));
        windows.recall(GROUP, vec![at(30), at(70), at(90)], at(100));
        assert!(!windows.is_unknown(GROUP, at(100)));
        assert_eq!(windows.blocked_until(GROUP, at(100)), Some(at(130)));
        assert_eq!(windows.blocked_until(GROUP, at(130)), None);
        windows.record(GROUP, at(130));
        assert_eq!(windows.starts(GROUP), [at(90), at(130)]);
        assert_eq!(windows.blocked_until(GROUP, at(131)), Some(at(150)));
        // Other groups have starts of their own, and a second call has no effect.
        assert_eq!(windows.blocked_until(IpGroup(8), at(131)), None);
        windows.recall(GROUP, vec![at(129); 9], at(131));
        assert_eq!(windows.blocked_until(GROUP, at(150)), None);
        // After the first window the scheduler knows all starts that count.
        assert_eq!(windows.blocked_until(GROUP, at(160)), None);
        assert!(!windows.is_unknown(IpGroup(8), at(160)));
    }

    #[test]
    fn starts_that_no_longer_count_are_forgotten() {
        let mut windows = windows();
        windows.recall(GROUP, vec![at(1), at(2)], at(100));
        assert_eq!(windows.blocked_until(GROUP, at(100)), None);
        assert!(windows.starts.is_empty());
        for second in 0..1_000 {
            windows.record(IpGroup(second), at(100 + second));
        }
        assert!(windows.starts.len() <= 61 && windows.order.len() <= 61);
        assert!(windows.recalled.is_empty());
        assert_eq!(windows.starts(IpGroup(999)), [at(1_099)]);
        assert_eq!(windows.starts(IpGroup(9)), []);
    }

    #[test]
    fn a_start_in_the_future_waits_no_longer_than_a_window() {
        let mut windows = windows();
        windows.recall(GROUP, vec![at(5_000); 2], at(100));
        assert_eq!(windows.blocked_until(GROUP, at(100)), Some(at(160)));
    }
}
