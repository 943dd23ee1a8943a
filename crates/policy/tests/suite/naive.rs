//! The policy again, obviously right and slow: it scans the whole history anew for each question.

use std::time::Duration;

use polite_robots_policy::settings::{
    Backoff, CrawlDelayPolicy, GapAnchor, GroupPace, LatencyPolicy, Levels, LongDelayPolicy,
};
use polite_robots_policy::{HostRule, NetError, PageSignal, Profile};

/// A profile with some fields changed.
pub(crate) fn with(mut profile: Profile, change: impl FnOnce(&mut Profile)) -> Profile {
    change(&mut profile);
    profile
}

/// The figures of the profile's levels; the model knows no other back-off.
pub(crate) fn levels(profile: &Profile) -> Levels {
    match profile.pace.backoff {
        Backoff::Levels(levels) => levels,
        other => panic!("{other:?} has no model"),
    }
}

/// A host with everything that ever happened to it. Times in milliseconds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Host {
    pub(crate) group: Option<u64>,
    pub(crate) is_waiting: bool,
    /// Whether the host was removed. Its history still counts for its group.
    pub(crate) is_removed: bool,
    /// The `Crawl-delay` of each of its origins.
    pub(crate) delays: [Option<u64>; 3],
    pub(crate) starts: Vec<u64>,
    /// The requests whose end nobody has reported, oldest first: their start, and the end of their
    /// lease.
    pub(crate) in_flight: Vec<(u64, u64)>,
    pub(crate) replies: Vec<Reply>,
    /// The ends of requests without a reply that counts.
    pub(crate) ends: Vec<u64>,
    pub(crate) deferred_until: u64,
    /// The end of the operator's block.
    pub(crate) blocked_until: u64,
    pub(crate) rule: HostRule,
}

#[derive(Debug, Clone)]
pub(crate) struct Reply {
    /// The place of the reply among all replies, which orders replies of one moment.
    pub(crate) order: usize,
    pub(crate) started: u64,
    pub(crate) at: u64,
    pub(crate) result: Result<u16, NetError>,
    pub(crate) retry_after: Option<u64>,
    pub(crate) signal: Option<PageSignal>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    Skip,
    Busy,
    From(u64),
}

/// Whether the host may be removed. The scheduler forgets a group with its last host, and the model
/// forgets nothing, so that host must stay.
pub(crate) fn is_removable<'h>(host: &Host, mut all: impl Iterator<Item = &'h Host>) -> bool {
    let is_member = |other: &Host| other.group == host.group && !other.is_removed;
    !host.is_removed
        && (host.group.is_none() || all.by_ref().filter(|other| is_member(other)).count() > 1)
}

impl Host {
    fn crawl_delay(&self) -> Option<u64> {
        self.delays.into_iter().flatten().max()
    }

    fn ruled(&self, profile: &Profile) -> Profile {
        with(*profile, |profile| {
            if let Some(delay) = self.rule.min_delay {
                profile.pace.min_delay = delay;
                let mut levels = levels(profile);
                levels.reward = None;
                profile.pace.backoff = Backoff::Levels(levels);
            }
            if let Some(most) = self.rule.max_in_flight {
                profile.pace.max_in_flight = most;
            }
            if let Some(policy) = self.rule.crawl_delay {
                profile.pace.crawl_delay = policy;
            }
        })
    }

    pub(crate) fn start(&mut self, profile: &Profile, now: u64) {
        self.starts.push(now);
        let lease = millis(profile.pace.request_lease);
        self.in_flight.push((now, now + lease));
    }

    /// The ends of the leases that are not over.
    pub(crate) fn leases(&self, now: u64) -> impl Iterator<Item = u64> {
        let ends = self.in_flight.iter().map(|(_, end)| *end);
        ends.filter(move |end| now < *end)
    }

    /// A step of the clock by more than a minute counts as a minute of the lease.
    pub(crate) fn step(&mut self, step: u64) {
        for (_, end) in &mut self.in_flight {
            *end += step.saturating_sub(MINUTE);
        }
    }

    pub(crate) fn turn(&self, profile: &Profile, now: u64) -> Turn {
        let profile = &self.ruled(profile);
        let pace = &profile.pace;
        let is_long = self.crawl_delay() > Some(millis(pace.max_crawl_delay));
        let is_skipped = pace.over_max_crawl_delay == LongDelayPolicy::SkipHost && is_long;
        if is_skipped && pace.crawl_delay == CrawlDelayPolicy::Gap {
            return Turn::Skip;
        }
        if self.leases(now).count() >= usize::from(profile.pace.max_in_flight).max(1) {
            return Turn::Busy;
        }
        let mut from = self.deferred_until.max(self.blocked_until);
        if let Some(last_start) = self.starts.last() {
            let ends = self.replies.iter().map(|reply| reply.at);
            let last_end = ends.chain(self.ends.iter().copied()).max().unwrap_or(0);
            let counted_from = match profile.pace.gap_from {
                GapAnchor::Completion => (*last_start).max(last_end),
                GapAnchor::Start => *last_start,
            };
            from = from.max(counted_from + self.gap(profile));
            if let (CrawlDelayPolicy::Window { min, max }, Some(delay)) =
                (profile.pace.crawl_delay, self.crawl_delay())
            {
                let length = delay.clamp(millis(min), millis(max));
                from = from.max((last_start / length + 1) * length);
            }
        }
        for reply in &self.replies {
            if let (Ok(300..), Some(wait)) = (reply.result, reply.retry_after) {
                from = from.max(reply.at + wait.min(millis(profile.pace.max_retry_after)));
            }
            if reply.signal == Some(PageSignal::Challenge) {
                from = from.max(reply.at + millis(profile.pace.challenge_block));
            }
        }
        Turn::From(from)
    }

    /// The gap that the `Crawl-delay` asks for.
    pub(crate) fn asked_gap(&self, profile: &Profile) -> u64 {
        let pace = self.ruled(profile).pace;
        let most = match pace.over_max_crawl_delay {
            LongDelayPolicy::Clamp => millis(pace.max_crawl_delay),
            _ => u64::MAX,
        };
        match (pace.crawl_delay, self.crawl_delay()) {
            (CrawlDelayPolicy::Gap, Some(delay)) => delay.min(most),
            _ => 0,
        }
    }

    /// The least delay, halved for each run of clean, fast answers.
    fn least_delay(&self, profile: &Profile) -> u64 {
        let least = millis(profile.pace.min_delay);
        let Some(reward) = levels(profile).reward else {
            return least;
        };
        let is_earned = |number: &usize| {
            let reply = &self.replies[*number];
            matches!(reply.result, Ok(200..=399 | 404 | 410))
                && reply.signal.is_none()
                && reply.at - reply.started <= millis(reward.fast_latency)
                && self.level_after(number + 1, profile) == 0
        };
        let run = (0..self.replies.len()).rev().take_while(is_earned);
        let mut delay = least;
        for _ in 0..run.count() / usize::from(reward.after) {
            delay /= 2;
        }
        delay.max(least.min(millis(reward.floor)))
    }

    fn gap(&self, profile: &Profile) -> u64 {
        let crawl_delay = self.asked_gap(profile);
        let back_off = match self.level(profile) {
            0 => 0,
            level => millis(levels(profile).base) << level,
        };
        let latency = self.replies.last().map_or(0, |reply| reply.latency() * 10);
        let latency = latency * u64::from(profile.pace.latency_factor);
        self.least_delay(profile)
            .max(crawl_delay)
            .max(back_off)
            .max(latency)
    }

    /// The level after all replies.
    pub(crate) fn level(&self, profile: &Profile) -> u8 {
        self.level_after(self.replies.len(), profile)
    }

    /// The level after the first `count` replies.
    fn level_after(&self, count: usize, profile: &Profile) -> u8 {
        let (mut level, mut streak, mut raised_at, mut refusals) = (0_u8, 0, 0, 0);
        for (number, reply) in self.replies[..count].iter().enumerate() {
            let window = self.window(number);
            let errors = window.iter().filter(|reply| reply.is_error()).count();
            let (sum, slow) = self.latency(number, profile);
            let mut raise = 0;
            if reply.is_error() {
                streak += 1;
            }
            match reply.result {
                Ok(429) => raise = 3,
                Ok(503) => raise = 2,
                _ if reply.is_error() => raise = u8::from(streak >= 5),
                _ => {
                    streak = 0;
                    if errors * 10 < window.len() && sum < slow {
                        level = level.saturating_sub(1);
                    }
                }
            }
            if matches!(reply.result, Err(NetError::Connect | NetError::Reset)) {
                refusals += 1;
                if refusals == 3 {
                    refusals = 0;
                    raise = raise.max(3);
                }
            } else {
                refusals = 0;
            }
            if reply.signal == Some(PageSignal::SoftBlock) {
                raise = raise.max(3);
            }
            if raise > 0 && reply.started >= raised_at {
                level = (level + raise).min(8);
                raised_at = reply.at;
            }
            if levels(profile).latency == LatencyPolicy::Accumulate && sum > slow {
                level = (level + 1).min(8);
            }
        }
        if levels(profile).latency == LatencyPolicy::Level && count > 0 {
            let (sum, slow) = self.latency(count - 1, profile);
            let mut bound = slow;
            if sum > slow {
                level += 1;
                while sum >= bound * 2 {
                    bound *= 2;
                    level += 1;
                }
            }
        }
        level.min(8)
    }

    /// The last 20 replies up to this one.
    fn window(&self, number: usize) -> &[Reply] {
        &self.replies[number.saturating_sub(19)..=number]
    }

    /// The sum of the latencies in the window, and that sum at the threshold.
    fn latency(&self, number: usize, profile: &Profile) -> (u64, u64) {
        let window = self.window(number);
        let sum = window.iter().map(Reply::latency).sum();
        let slow = millis(levels(profile).slow_latency) / 10;
        (sum, slow * window.len() as u64)
    }
}

impl Reply {
    fn is_error(&self) -> bool {
        match self.result {
            Ok(status) => status == 429 || status >= 500,
            Err(_) => true,
        }
    }

    /// The latency in hundredths of a second, rounded up; more than 655.34 s count as that.
    fn latency(&self) -> u64 {
        (self.at - self.started).div_ceil(10).min(65_534)
    }
}

/// The time at which the address of some hosts opens.
pub(crate) fn group_open_at(hosts: &[&Host], profile: &Profile, slowest: u64) -> u64 {
    let mut starts: Vec<u64> = hosts.iter().flat_map(|host| host.starts.clone()).collect();
    starts.sort_unstable();
    let limit = usize::from(profile.pace.group_starts);
    let mut open_at = match starts.len().checked_sub(limit) {
        Some(at) if limit > 0 => starts[at] + millis(profile.pace.group_window),
        _ => 0,
    };
    if let (GroupPace::Slowest, Some(last)) = (profile.pace.group_pace, starts.last()) {
        open_at = open_at.max(last + slowest);
    }
    let mut replies: Vec<&Reply> = hosts.iter().flat_map(|host| &host.replies).collect();
    replies.sort_by_key(|reply| (reply.at, reply.order));
    let (mut refusals, mut level, mut closed_until) = (0, 0_u8, 0);
    for reply in replies {
        let closed_from = closed_until - (1000_u64 << level).min(closed_until);
        if reply.result.is_ok() {
            (refusals, level) = (0, 0);
        } else if matches!(reply.result, Err(NetError::Connect | NetError::Reset))
            && (level == 0 || reply.started >= closed_from)
        {
            refusals += 1;
            if refusals == 3 {
                refusals = 0;
                level = (level + 3).min(8);
                closed_until = closed_until.max(reply.at + (1000 << level));
            }
        } else {
            refusals = 0;
        }
    }
    open_at.max(closed_until)
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The result of a round for robots.txt. Lifetimes in milliseconds, as the server wrote them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Round {
    File(Option<u64>),
    NotModified(Option<u64>),
    Gone,
    Forbidden,
    Failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Nothing,
    File,
    Open,
    Closed,
    GivenUp,
}

/// The access by the table of a preset, which is given by its name. The rounds are in the order of
/// time.
pub(crate) fn access(preset: &str, rounds: &[(u64, Round)], is_alive: bool, now: u64) -> Access {
    let failed_at = |number: usize| {
        let had_file = rounds[..number]
            .iter()
            .rev()
            .find_map(|(_, round)| match round {
                Round::File(_) => Some(true),
                Round::Gone | Round::Forbidden => Some(false),
                Round::NotModified(_) | Round::Failed => None,
            });
        match rounds[number].1 {
            Round::Failed => true,
            Round::NotModified(_) => had_file != Some(true),
            Round::File(_) | Round::Gone | Round::Forbidden => false,
        }
    };
    let last_success = (0..rounds.len()).rev().find(|number| !failed_at(*number));
    let (before, after) = rounds.split_at(last_success.map_or(0, |number| number + 1));
    let failures = after.len();
    let failed: Vec<u64> = after.iter().map(|(at, _)| *at).collect();
    let outage = (failures > 0).then(|| Outage::of(preset, &failed));
    if preset == "ibm" && failures >= 10 {
        return Access::GivenUp;
    }
    let content = before.iter().rev().find_map(|(_, round)| match round {
        Round::File(_) => Some(Access::File),
        Round::Gone => Some(Access::Open),
        Round::Forbidden => Some(Access::Closed),
        Round::NotModified(_) | Round::Failed => None,
    });
    let is_fresh = last_success.is_some_and(|number| {
        let (at, round) = rounds[number];
        let lifetime = match round {
            Round::File(lifetime) | Round::NotModified(lifetime) => lifetime,
            Round::Gone | Round::Forbidden | Round::Failed => None,
        };
        let lifetime = match (preset, lifetime) {
            ("ibm", _) | (_, None) => DAY,
            ("google", Some(lifetime)) => lifetime.clamp(5 * MINUTE, 7 * DAY),
            (_, Some(lifetime)) => lifetime.clamp(5 * MINUTE, DAY),
        };
        now < at + lifetime
    });
    let Some(outage) = outage else {
        return content.filter(|_| is_fresh).unwrap_or(Access::Nothing);
    };
    if let Some(content) = content.filter(|_| is_fresh) {
        return content;
    }
    let copy = content.filter(|content| *content != Access::Open);
    // The outage has no evidence of its age, or the evidence waits for the next round.
    if outage.rounds < 3 || now >= outage.retry {
        return Access::Closed;
    }
    let age = now - outage.since;
    match preset {
        "rfc9309" if age >= 30 * DAY => copy.unwrap_or(Access::Open),
        "google" if age >= 30 * DAY + 12 * HOUR && is_alive => Access::Open,
        "google" if age >= 30 * DAY + 12 * HOUR => Access::Closed,
        "google" if age >= 12 * HOUR => copy.unwrap_or(Access::Open),
        _ => Access::Closed,
    }
}

/// The last stretch of failed rounds without a gap of more than two days.
struct Outage {
    since: u64,
    rounds: usize,
    /// The time at which the next round is due.
    retry: u64,
}

impl Outage {
    fn of(preset: &str, failed: &[u64]) -> Outage {
        let last = *failed.last().unwrap();
        let breaks = failed.windows(2).rposition(|two| two[1] - two[0] > 2 * DAY);
        let stretch = &failed[breaks.map_or(0, |number| number + 1)..];
        let doubled = (5 * MINUTE) << (failed.len() - 1).min(20);
        let wait = match preset {
            "ibm" => HOUR,
            _ if last - stretch[0] < 12 * HOUR => doubled.min(HOUR),
            _ => 6 * HOUR,
        };
        let (since, rounds, retry) = (stretch[0], stretch.len(), last + wait);
        Outage {
            since,
            rounds,
            retry,
        }
    }
}

pub(crate) const MINUTE: u64 = 60_000;
pub(crate) const HOUR: u64 = 60 * MINUTE;
pub(crate) const DAY: u64 = 24 * HOUR;
