//! The scheduler against the naive model, over random histories: P1 to P5, P10 and P11 of the
//! properties.

use std::time::Duration;

use polite_robots_policy::settings::{
    CrawlDelayPolicy, GapAnchor, GroupPace, LatencyPolicy, LongDelayPolicy, Reward,
};
use polite_robots_policy::{
    HostId, HostRule, IpGroup, NetError, Origin, PageSignal, Profile, Reply, RetryAfter, Scheduler,
    Timestamp, Turn,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::laws::results_of;
use super::naive::{self as naive, HOUR, with};
use super::together::law_cases::law_cases;
use super::words::{paced, reload, secs, with_levels};

/// The reference: hosts with their histories, and the time.
#[derive(Debug, Clone)]
struct World {
    profile: Profile,
    hosts: Vec<naive::Host>,
    /// The longest `Crawl-delay` in force that any member of a group has had, by group.
    slowest: [u64; 3],
    /// The time on the caller's clock.
    wall: u64,
    /// The time as the scheduler must see it, and its distance ahead of the clock.
    newest: u64,
    ahead: u64,
    replies: usize,
}

#[derive(Debug, Clone)]
enum Act {
    Pass(u64),
    Back(u64),
    Insert(Option<u64>),
    Start(usize),
    Reply(
        usize,
        Result<u16, NetError>,
        Option<u64>,
        Option<PageSignal>,
    ),
    Cancel(usize),
    Change(usize, Change),
    Remove(usize),
    Reload,
}

/// A change of a host that is in the scheduler.
#[derive(Debug, Clone, Copy)]
enum Change {
    /// The number of the origin, and its delay.
    CrawlDelay(usize, Option<u64>),
    /// The time from now on; `None` is for ever.
    Defer(Option<u64>),
    Block(Option<u64>),
    Unblock,
    Rule(HostRule),
    Waiting(bool),
}

impl World {
    /// Reads the clock.
    fn look(&mut self) {
        let inside = self.wall + self.ahead;
        if inside + HOUR < self.newest {
            self.ahead = self.newest - self.wall;
        }
        let before = self.newest;
        self.newest = self.newest.max(self.wall + self.ahead);
        if before > 0 {
            for host in &mut self.hosts {
                host.step(self.newest - before);
            }
        }
    }

    fn turn(&self, host: &naive::Host) -> naive::Turn {
        match host.turn(&self.profile, self.newest) {
            naive::Turn::From(from) => naive::Turn::From(from.max(self.open_at(host.group))),
            other => other,
        }
    }

    fn open_at(&self, group: Option<u64>) -> u64 {
        let Some(group) = group else { return 0 };
        let members: Vec<&naive::Host> = self
            .hosts
            .iter()
            .filter(|host| host.group == Some(group))
            .collect();
        naive::group_open_at(&members, &self.profile, self.slowest[group as usize])
    }

    fn ready(&self) -> Vec<usize> {
        let is_ready = |number: &usize| {
            let host = &self.hosts[*number];
            host.is_waiting
                && !host.is_removed
                && matches!(self.turn(host), naive::Turn::From(from) if from <= self.newest)
        };
        (0..self.hosts.len()).filter(is_ready).collect()
    }

    /// The host that an act is about, if any host is there.
    fn pick(&self, number: usize) -> Option<usize> {
        let present: Vec<usize> = (0..self.hosts.len())
            .filter(|number| !self.hosts[*number].is_removed)
            .collect();
        present.get(number % present.len().max(1)).copied()
    }

    /// A moment of the wall clock, in the scheduler's time.
    fn inside(&self, from_now: Option<u64>) -> u64 {
        from_now.map_or(u64::MAX, |from_now| self.wall + from_now + self.ahead)
    }

    fn note_slowest(&mut self, number: usize) {
        let host = &self.hosts[number];
        if let Some(group) = host.group {
            let slowest = &mut self.slowest[group as usize];
            *slowest = (*slowest).max(host.asked_gap(&self.profile));
        }
    }

    /// The host of a reply or a cancellation. A removed host is forgotten when its lease is over.
    fn under_way(&self, number: usize) -> Option<usize> {
        let number = number % self.hosts.len().max(1);
        let host = self.hosts.get(number)?;
        let (_, lease_end) = *host.in_flight.first()?;
        (!host.is_removed || self.newest < lease_end).then_some(number)
    }

    fn removed(&self, number: usize) -> Option<usize> {
        let number = self.pick(number)?;
        naive::is_removable(&self.hosts[number], self.hosts.iter()).then_some(number)
    }
}

fn profiles() -> Vec<Profile> {
    let rfc9309 = Profile::rfc9309();
    let (min, max) = (secs(1), secs(30));
    let crowded = paced(|pace| {
        pace.group_starts = 1;
        pace.group_window = secs(10);
    });
    vec![
        rfc9309,
        Profile::google(),
        paced(|pace| pace.max_in_flight = 3),
        paced(|pace| {
            pace.max_in_flight = 2;
            pace.gap_from = GapAnchor::Start;
        }),
        paced(|pace| {
            pace.crawl_delay = CrawlDelayPolicy::Window { min, max };
            pace.min_delay = Duration::ZERO;
        }),
        paced(|pace| pace.group_pace = GroupPace::Slowest),
        with(
            with_levels(|levels| levels.latency = LatencyPolicy::Accumulate),
            |profile| profile.pace.max_in_flight = 2,
        ),
        paced(|pace| {
            pace.latency_factor = 5;
            pace.request_lease = secs(30);
        }),
        with_levels(|levels| {
            levels.reward = Some(Reward::default());
            levels.reward.as_mut().unwrap().after = 2;
        }),
        paced(|pace| pace.over_max_crawl_delay = LongDelayPolicy::SkipHost),
        paced(|pace| {
            pace.over_max_crawl_delay = LongDelayPolicy::Clamp;
            pace.group_starts = 2;
            pace.min_delay = Duration::from_millis(1);
        }),
        crowded,
        crowded,
        with(crowded, |profile| profile.pace.min_delay = Duration::ZERO),
    ]
}

/// A profile, and a history of acts under it.
fn histories() -> impl Strategy<Value = (Profile, Vec<Act>)> {
    select(profiles()).prop_flat_map(|profile| (Just(profile), vec(acts(&profile), 1..80)))
}

fn acts(profile: &Profile) -> impl Strategy<Value = Act> + use<> {
    // If one start closes an address, hosts come and go while others wait for it.
    let churn = match profile.pace.group_starts {
        1 => 12,
        _ => 2,
    };
    let results = results_of(
        &[200, 200, 200, 404, 304, 429, 500, 503],
        &[
            NetError::Connect,
            NetError::Reset,
            NetError::Read,
            NetError::Local,
        ],
    );
    let some_waits = [5_000, 90_000, u64::MAX].map(Some);
    let waits = select([&[None; 3][..], &some_waits].concat());
    let some_signals = [PageSignal::SoftBlock, PageSignal::Challenge].map(Some);
    let signals = select([&[None; 5][..], &some_signals].concat());
    let some_delays = [0, 2_500, 20_000, 400_000].map(Some);
    let delays = select([&[None][..], &some_delays].concat());
    let steps = select(vec![
        0, 1, 100, 250, 999, 1_000, 2_100, 5_000, 8_000, 30_000, 60_000, 600_000,
    ]);
    let waits_of_crawler = || select(vec![Some(0), Some(700), Some(20_000), Some(HOUR), None]);
    let rules = select(vec![
        HostRule::new(),
        HostRule::new().min_delay(Duration::ZERO),
        HostRule::new().min_delay(secs(3)).max_in_flight(2),
        HostRule::new().max_in_flight(0),
        HostRule::new().crawl_delay(CrawlDelayPolicy::Ignore),
        HostRule::new()
            .crawl_delay(CrawlDelayPolicy::Gap)
            .max_in_flight(3),
    ]);
    prop_oneof![
        8 => steps.prop_map(Act::Pass),
        1 => select(vec![1, 60_000, HOUR, HOUR + 1, 40 * 24 * HOUR]).prop_map(Act::Pass),
        1 => select(vec![1, 60_000, HOUR, HOUR + 1, 40 * 24 * HOUR]).prop_map(Act::Back),
        churn => select(vec![None, Some(0), Some(0), Some(1), Some(2)]).prop_map(Act::Insert),
        churn => any::<usize>().prop_map(Act::Remove),
        12 => any::<usize>().prop_map(Act::Start),
        12 => (any::<usize>(), results, waits, signals)
            .prop_map(|(host, result, wait, signal)| Act::Reply(host, result, wait, signal)),
        2 => change((0_usize..3, delays).prop_map(|(origin, delay)| Change::CrawlDelay(origin, delay))),
        2 => any::<usize>().prop_map(Act::Cancel),
        1 => change(waits_of_crawler().prop_map(Change::Defer)),
        1 => change(waits_of_crawler().prop_map(Change::Block)),
        1 => change(Just(Change::Unblock)),
        1 => change(rules.prop_map(Change::Rule)),
        2 => change(any::<bool>().prop_map(Change::Waiting)),
        1 => Just(Act::Reload),
    ]
}

fn change(change: impl Strategy<Value = Change>) -> impl Strategy<Value = Act> {
    (any::<usize>(), change).prop_map(|(host, change)| Act::Change(host, change))
}

impl World {
    fn new(profile: Profile) -> World {
        World {
            profile,
            hosts: Vec::new(),
            slowest: [0; 3],
            wall: 1_767_225_600_000,
            newest: 0,
            ahead: 0,
            replies: 0,
        }
    }

    fn apply(&mut self, act: &Act) {
        match act {
            Act::Pass(time) => self.wall += time,
            Act::Back(time) => self.wall = self.wall.saturating_sub(*time),
            _ => {}
        }
        self.look();
        let now = self.newest;
        match act {
            Act::Insert(group) => self.hosts.push(naive::Host {
                group: *group,
                is_waiting: true,
                ..naive::Host::default()
            }),
            Act::Start(number) => {
                let ready = self.ready();
                if let Some(host) = ready.get(number % ready.len().max(1)) {
                    let host = &mut self.hosts[*host];
                    host.start(&self.profile, now);
                }
            }
            Act::Reply(number, result, retry_after, signal) => {
                if let Some(number) = self.under_way(*number) {
                    let host = &mut self.hosts[number];
                    let (started, _) = host.in_flight.remove(0);
                    if *result == Err(NetError::Local) {
                        host.ends.push(now);
                        return;
                    }
                    self.replies += 1;
                    host.replies.push(naive::Reply {
                        order: self.replies,
                        started,
                        at: now,
                        result: *result,
                        retry_after: *retry_after,
                        signal: *signal,
                    });
                }
            }
            Act::Cancel(number) => {
                if let Some(number) = self.under_way(*number) {
                    let host = &mut self.hosts[number];
                    host.in_flight.remove(0);
                    host.ends.push(now);
                }
            }
            Act::Change(number, change) => {
                if let Some(number) = self.pick(*number) {
                    self.change(number, *change);
                }
            }
            Act::Remove(number) => {
                if let Some(number) = self.removed(*number) {
                    self.hosts[number].is_removed = true;
                }
            }
            Act::Reload => {
                for host in &mut self.hosts {
                    if !host.in_flight.is_empty() {
                        host.in_flight.clear();
                        host.ends.push(now);
                    }
                }
            }
            Act::Pass(_) | Act::Back(_) => {}
        }
    }

    fn change(&mut self, number: usize, change: Change) {
        let (now, clock) = (self.newest, self.wall + self.ahead);
        let until = match change {
            Change::Defer(wait) | Change::Block(wait) => self.inside(wait),
            _ => 0,
        };
        let host = &mut self.hosts[number];
        match change {
            Change::CrawlDelay(origin, delay) => host.delays[origin] = delay,
            // A time ahead of the crawler's clock stays ahead, also while a step back is waited
            // out.
            Change::Defer(_) if until > clock => host.deferred_until = until.max(now + 1),
            Change::Defer(_) => host.deferred_until = until,
            Change::Block(_) => host.blocked_until = host.blocked_until.max(until),
            Change::Unblock => host.blocked_until = 0,
            Change::Rule(rule) => host.rule = rule,
            Change::Waiting(is_waiting) => host.is_waiting = is_waiting,
        }
        if let Change::CrawlDelay(..) | Change::Rule(_) = change {
            self.note_slowest(number);
        }
    }
}

/// The scheduler, and the reference before the last act.
struct Tested {
    scheduler: Scheduler,
    hosts: Vec<HostId>,
    before: World,
}

pub(crate) const ORIGINS: [&str; 3] = [
    "https://a.example",
    "http://a.example",
    "http://a.example:8080",
];

impl Tested {
    fn new(world: &World) -> Tested {
        Tested {
            scheduler: Scheduler::new(world.profile),
            hosts: Vec::new(),
            before: world.clone(),
        }
    }

    fn apply(&mut self, world: &World, act: Act) {
        let now = Timestamp::from_millis(world.wall);
        let scheduler = &mut self.scheduler;
        // The scheduler reads the clock before every act, as the reference does.
        scheduler.next_ready(now);
        match act {
            Act::Insert(group) => {
                let name = format!("host{}", self.hosts.len());
                self.hosts.push(scheduler.insert(&name, group.map(IpGroup)));
            }
            Act::Start(_) => {
                for (number, host) in world.hosts.iter().enumerate() {
                    if host.starts.len() > self.before.hosts[number].starts.len() {
                        let host = self.hosts[number];
                        assert_eq!(scheduler.turn(host, now), Turn::Ready);
                        scheduler.handle_start(host, now);
                    }
                }
            }
            Act::Reply(_, result, retry_after, signal) => {
                for (number, host) in world.hosts.iter().enumerate() {
                    let before = &self.before.hosts[number].in_flight;
                    if before.len() > host.in_flight.len() {
                        let started = before[0].0.saturating_sub(world.ahead);
                        let retry_after = retry_after.map(Duration::from_millis);
                        let reply = Reply::new(result, Timestamp::from_millis(started))
                            .with_retry_after(retry_after.map(RetryAfter::Delay))
                            .with_signal(signal);
                        scheduler.handle_reply(self.hosts[number], reply, now);
                    }
                }
            }
            Act::Cancel(_) => {
                for (number, host) in world.hosts.iter().enumerate() {
                    let before = &self.before.hosts[number].in_flight;
                    // A cancellation changes nothing where no request is under way.
                    if before.len() > host.in_flight.len() || before.is_empty() {
                        scheduler.handle_cancelled(self.hosts[number], now);
                    }
                }
            }
            Act::Change(number, change) => {
                if let Some(number) = self.before.pick(number) {
                    let host = self.hosts[number];
                    match change {
                        Change::CrawlDelay(origin, delay) => {
                            let origin = Origin::of(ORIGINS[origin]).unwrap();
                            let delay = delay.map(Duration::from_millis);
                            scheduler.set_crawl_delay(host, &origin, delay);
                        }
                        Change::Defer(wait) => scheduler.defer(host, moment(now, wait)),
                        Change::Block(wait) => scheduler.block(host, moment(now, wait)),
                        Change::Unblock => scheduler.unblock(host),
                        Change::Rule(rule) => scheduler.set_rule(host, rule),
                        Change::Waiting(true) => scheduler.set_waiting(host),
                        Change::Waiting(false) => scheduler.set_idle(host),
                    }
                }
            }
            Act::Remove(number) => {
                if let Some(number) = self.before.removed(number) {
                    scheduler.remove(self.hosts[number]);
                }
            }
            Act::Reload => *scheduler = reload(scheduler),
            Act::Pass(_) | Act::Back(_) => {}
        }
        self.before = world.clone();
    }

    fn check(&self, world: &World) {
        let now = Timestamp::from_millis(world.wall);
        let mut earliest = None;
        let hosts = self.hosts.iter().zip(&world.hosts);
        for (number, (host, expected)) in hosts.clone().enumerate() {
            assert_eq!(self.scheduler.contains(*host), !expected.is_removed);
            let found = self.scheduler.find(&format!("host{number}"));
            assert_eq!(found, (!expected.is_removed).then_some(*host));
        }
        let present: Vec<_> = hosts.filter(|(_, host)| !host.is_removed).collect();
        assert_eq!(self.scheduler.len(), present.len());
        assert!(self.scheduler.hosts().eq(sorted_by_index(&present)));
        for (host, expected) in present {
            let pacer = self.scheduler.pacer(*host).unwrap();
            let level = pacer.level(&world.profile);
            assert_eq!(level, expected.level(&world.profile));
            assert!(level <= 8);
            let expected_turn = match world.turn(expected) {
                naive::Turn::Skip => Turn::Skip,
                naive::Turn::Busy => {
                    let first = expected.leases(world.newest).min();
                    if let Some(first) = first.filter(|_| expected.is_waiting) {
                        let end = first - world.ahead;
                        earliest = earliest.min(Some(end)).or(Some(end));
                    }
                    Turn::Busy
                }
                naive::Turn::From(from) if from <= world.newest => Turn::Ready,
                naive::Turn::From(u64::MAX) => Turn::NotBefore(Timestamp::MAX),
                naive::Turn::From(from) => {
                    let from = from - world.ahead;
                    if expected.is_waiting {
                        earliest = earliest.min(Some(from)).or(Some(from));
                    }
                    Turn::NotBefore(Timestamp::from_millis(from))
                }
            };
            assert_eq!(self.scheduler.turn(*host, now), expected_turn);
            assert_eq!(self.scheduler.rule(*host), expected.rule);
        }
        // `next_ready` changes nothing that can be seen, so the test may call it on a copy.
        let mut scheduler = self.scheduler.clone();
        let ready = world.ready();
        let found = scheduler.next_ready(now);
        assert_eq!(scheduler.next_ready(now), found, "asked again");
        match found {
            Some(host) => {
                let number = self.hosts.iter().position(|other| *other == host);
                assert!(ready.contains(&number.unwrap()));
            }
            None => {
                assert!(ready.is_empty(), "{ready:?} are ready");
                let wakeup = scheduler.next_wakeup().map(Timestamp::as_millis);
                let inside = wakeup.map(|wakeup| wakeup.saturating_add(world.ahead));
                assert!(
                    inside.is_none_or(|inside| inside > world.newest),
                    "it spins"
                );
                if let Some(earliest) = earliest {
                    assert!(wakeup.unwrap() <= earliest, "it sleeps for too long");
                }
            }
        }
    }
}

/// The handles of the hosts in the order of their slots.
fn sorted_by_index(present: &[(&HostId, &naive::Host)]) -> impl Iterator<Item = HostId> + use<> {
    let mut hosts: Vec<HostId> = present.iter().map(|(host, _)| **host).collect();
    hosts.sort_unstable_by_key(|host| host.index());
    hosts.into_iter()
}

fn moment(now: Timestamp, from_now: Option<u64>) -> Timestamp {
    from_now.map_or(Timestamp::MAX, |from_now| {
        now.saturating_add(Duration::from_millis(from_now))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4096, ..law_cases(256) })]

    #[test]
    fn the_scheduler_equals_the_naive_model((profile, acts) in histories()) {
        let mut world = World::new(profile);
        let mut tested = Tested::new(&world);
        tested.check(&world);
        for act in acts {
            world.apply(&act);
            tested.apply(&world, act);
            tested.check(&world);
        }
    }
}
