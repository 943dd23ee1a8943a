//! The scheduler against the naive model, over random histories: P1 to P5, P10 and P11 of the properties.

use std::time::Duration;

use polite_robots_policy::{
    Backoff, CrawlDelayPolicy, GapAnchor, GroupPace, HostId, IpGroup, LatencyPolicy, Levels,
    LongDelayPolicy, NetError, PageSignal, Profile, Reply, RetryAfter, Scheduler, Timestamp, Turn,
};
use proptest::prelude::*;
use proptest::sample::select;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};

use super::naive::{self as naive, HOUR, millis, with};

/// The reference: hosts with their histories, and the time.
#[derive(Debug, Clone)]
struct World {
    profile: Profile,
    hosts: Vec<naive::Host>,
    /// The longest `Crawl-delay` in force that any member of a group has had, by group.
    slowest: [u64; 3],
    /// What the caller's clock shows.
    wall: u64,
    /// The time that has passed as the scheduler must see it, and what it is ahead of the clock.
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
    CrawlDelayPolicy(usize, Option<u64>),
    Waiting(usize, bool),
    Remove(usize),
    Reload,
}

impl World {
    /// A reading of the clock.
    fn look(&mut self) {
        let inside = self.wall + self.ahead;
        if inside + HOUR < self.newest {
            self.ahead = self.newest - self.wall;
        }
        self.newest = self.newest.max(self.wall + self.ahead);
    }

    fn turn(&self, host: &naive::Host) -> naive::Turn {
        match host.turn(&self.profile) {
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

    /// The host that an act is about, if any is there.
    fn pick(&self, number: usize) -> Option<usize> {
        let present: Vec<usize> = (0..self.hosts.len())
            .filter(|number| !self.hosts[*number].is_removed)
            .collect();
        present.get(number % present.len().max(1)).copied()
    }

    fn removed(&self, number: usize) -> Option<usize> {
        let number = self.pick(number)?;
        naive::is_removable(&self.hosts[number], self.hosts.iter()).then_some(number)
    }
}

fn profiles() -> Vec<Profile> {
    let rfc9309 = Profile::rfc9309();
    let window = CrawlDelayPolicy::Window {
        min: Duration::from_secs(1),
        max: Duration::from_secs(30),
    };
    let crowded = with(rfc9309, |profile| {
        profile.pace.group_starts = 1;
        profile.pace.group_window = Duration::from_secs(10);
    });
    vec![
        rfc9309,
        Profile::google(),
        with(rfc9309, |profile| {
            profile.pace.max_in_flight = 3;
        }),
        with(rfc9309, |profile| {
            profile.pace.max_in_flight = 2;
            profile.pace.gap_from = GapAnchor::Start;
        }),
        with(rfc9309, |profile| {
            profile.pace.crawl_delay = window;
            profile.pace.min_delay = Duration::ZERO;
        }),
        with(rfc9309, |profile| {
            profile.pace.group_pace = GroupPace::Slowest;
        }),
        with(rfc9309, |profile| {
            let mut levels = Levels::default();
            levels.latency = LatencyPolicy::Accumulate;
            profile.pace.backoff = Backoff::Levels(levels);
            profile.pace.max_in_flight = 2;
        }),
        with(rfc9309, |profile| {
            profile.pace.latency_factor = 5;
        }),
        with(rfc9309, |profile| {
            profile.pace.over_max_crawl_delay = LongDelayPolicy::SkipHost;
        }),
        with(rfc9309, |profile| {
            profile.pace.over_max_crawl_delay = LongDelayPolicy::Clamp;
            profile.pace.group_starts = 2;
            profile.pace.min_delay = Duration::from_millis(1);
        }),
        crowded,
        crowded,
        with(crowded, |profile| {
            profile.pace.min_delay = Duration::ZERO;
        }),
    ]
}

impl ReferenceStateMachine for World {
    type State = World;
    type Transition = Act;

    fn init_state() -> BoxedStrategy<World> {
        let world = |profile| World {
            profile,
            hosts: Vec::new(),
            slowest: [0; 3],
            wall: 1_767_225_600_000,
            newest: 0,
            ahead: 0,
            replies: 0,
        };
        select(profiles()).prop_map(world).boxed()
    }

    fn transitions(world: &World) -> BoxedStrategy<Act> {
        // Where one start closes an address, hosts come and go while others wait for it.
        let churn = if world.profile.pace.group_starts == 1 {
            12
        } else {
            2
        };
        let results = select(vec![
            Ok(200),
            Ok(200),
            Ok(200),
            Ok(404),
            Ok(429),
            Ok(500),
            Ok(503),
            Err(NetError::Connect),
            Err(NetError::Reset),
            Err(NetError::Read),
        ]);
        let waits = select(vec![
            None,
            None,
            None,
            Some(5_000),
            Some(90_000),
            Some(u64::MAX),
        ]);
        let signals = select(vec![
            None,
            None,
            None,
            None,
            None,
            Some(PageSignal::SoftBlock),
            Some(PageSignal::Challenge),
        ]);
        let delays = select(vec![
            None,
            Some(0),
            Some(2_500),
            Some(20_000),
            Some(400_000),
        ]);
        let steps = select(vec![
            0, 1, 100, 999, 1_000, 2_100, 5_000, 8_000, 30_000, 60_000,
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
            1 => (any::<usize>(), delays).prop_map(|(host, delay)| Act::CrawlDelayPolicy(host, delay)),
            2 => (any::<usize>(), any::<bool>()).prop_map(|(host, waits)| Act::Waiting(host, waits)),
            1 => Just(Act::Reload),
        ]
        .boxed()
    }

    fn apply(mut world: World, act: &Act) -> World {
        match act {
            Act::Pass(time) => world.wall += time,
            Act::Back(time) => world.wall = world.wall.saturating_sub(*time),
            _ => {}
        }
        world.look();
        let (now, count) = (world.newest, world.hosts.len().max(1));
        match act {
            Act::Insert(group) => world.hosts.push(naive::Host {
                group: *group,
                is_waiting: true,
                ..naive::Host::default()
            }),
            Act::Start(number) => {
                let ready = world.ready();
                if let Some(host) = ready.get(number % ready.len().max(1)) {
                    let host = &mut world.hosts[*host];
                    host.starts.push(now);
                    host.in_flight.push(now);
                }
            }
            Act::Reply(number, result, retry_after, signal) => {
                if let Some(host) = world.hosts.get_mut(number % count)
                    && !host.in_flight.is_empty()
                {
                    let started = host.in_flight.remove(0);
                    world.replies += 1;
                    host.replies.push(naive::Reply {
                        order: world.replies,
                        started,
                        at: now,
                        result: *result,
                        retry_after: *retry_after,
                        signal: *signal,
                    });
                }
            }
            Act::CrawlDelayPolicy(number, delay) => {
                let reads_gaps = world.profile.pace.crawl_delay == CrawlDelayPolicy::Gap;
                let longest = match world.profile.pace.over_max_crawl_delay {
                    LongDelayPolicy::Clamp => millis(world.profile.pace.max_crawl_delay),
                    LongDelayPolicy::Honour | LongDelayPolicy::SkipHost => u64::MAX,
                };
                if let Some(number) = world.pick(*number) {
                    let host = &mut world.hosts[number];
                    host.crawl_delay = *delay;
                    if let (Some(group), Some(delay), true) = (host.group, delay, reads_gaps) {
                        let slowest = &mut world.slowest[group as usize];
                        *slowest = (*slowest).max((*delay).min(longest));
                    }
                }
            }
            Act::Waiting(number, is_waiting) => {
                if let Some(number) = world.pick(*number) {
                    world.hosts[number].is_waiting = *is_waiting;
                }
            }
            Act::Remove(number) => {
                if let Some(number) = world.removed(*number) {
                    world.hosts[number].is_removed = true;
                }
            }
            Act::Pass(_) | Act::Back(_) | Act::Reload => {}
        }
        world
    }
}

/// The scheduler, and what the reference was before the last act.
struct Tested {
    scheduler: Scheduler,
    hosts: Vec<HostId>,
    before: World,
}

impl StateMachineTest for Tested {
    type SystemUnderTest = Tested;
    type Reference = World;

    fn init_test(world: &World) -> Tested {
        Tested {
            scheduler: Scheduler::new(world.profile),
            hosts: Vec::new(),
            before: world.clone(),
        }
    }

    fn apply(mut tested: Tested, world: &World, act: Act) -> Tested {
        let now = Timestamp::from_millis(world.wall);
        let scheduler = &mut tested.scheduler;
        // Every act is preceded by a look at the clock, as in the reference.
        scheduler.next_ready(now);
        match act {
            Act::Insert(group) => {
                let name = format!("host{}", tested.hosts.len());
                tested
                    .hosts
                    .push(scheduler.insert(&name, group.map(IpGroup)));
            }
            Act::Start(_) => {
                for (number, host) in world.hosts.iter().enumerate() {
                    if host.starts.len() > tested.before.hosts[number].starts.len() {
                        let host = tested.hosts[number];
                        assert_eq!(scheduler.turn(host, now), Turn::Ready);
                        scheduler.handle_start(host, now);
                    }
                }
            }
            Act::Reply(_, result, retry_after, signal) => {
                for (number, host) in world.hosts.iter().enumerate() {
                    if host.replies.len() > tested.before.hosts[number].replies.len() {
                        let started = host
                            .replies
                            .last()
                            .unwrap()
                            .started
                            .saturating_sub(world.ahead);
                        let retry_after = retry_after.map(Duration::from_millis);
                        let reply = Reply::new(result, Timestamp::from_millis(started))
                            .with_retry_after(retry_after.map(RetryAfter::Delay))
                            .with_signal(signal);
                        scheduler.handle_reply(tested.hosts[number], reply, now);
                    }
                }
            }
            Act::CrawlDelayPolicy(number, delay) => {
                if let Some(number) = tested.before.pick(number) {
                    let delay = delay.map(Duration::from_millis);
                    scheduler.set_crawl_delay(tested.hosts[number], delay);
                }
            }
            Act::Waiting(number, is_waiting) => {
                if let Some(number) = tested.before.pick(number) {
                    scheduler.set_waiting(tested.hosts[number], is_waiting);
                }
            }
            Act::Remove(number) => {
                if let Some(number) = tested.before.removed(number) {
                    scheduler.remove(tested.hosts[number]);
                }
            }
            Act::Reload => {
                let text = serde_json::to_string(&scheduler).unwrap();
                *scheduler = serde_json::from_str(&text).unwrap();
            }
            Act::Pass(_) | Act::Back(_) => {}
        }
        tested.before = world.clone();
        tested
    }

    fn check_invariants(tested: &Tested, world: &World) {
        let now = Timestamp::from_millis(world.wall);
        let mut earliest = None;
        let hosts = tested.hosts.iter().zip(&world.hosts);
        let present: Vec<_> = hosts.filter(|(_, host)| !host.is_removed).collect();
        assert_eq!(tested.scheduler.len(), present.len());
        for (host, expected) in present {
            let pacer = tested.scheduler.pacer(*host).unwrap();
            let level = pacer.level(&world.profile);
            assert_eq!(level, expected.level(&world.profile));
            assert!(level <= 8);
            let expected_turn = match world.turn(expected) {
                naive::Turn::Skip => Turn::Skip,
                naive::Turn::Busy => Turn::Busy,
                naive::Turn::From(from) if from <= world.newest => Turn::Ready,
                naive::Turn::From(from) => {
                    let from = from - world.ahead;
                    if expected.is_waiting {
                        earliest = earliest.min(Some(from)).or(Some(from));
                    }
                    Turn::NotBefore(Timestamp::from_millis(from))
                }
            };
            assert_eq!(tested.scheduler.turn(*host, now), expected_turn);
            assert!(expected.in_flight.len() <= usize::from(world.profile.pace.max_in_flight));
        }
        // A look changes nothing that can be seen, so it may be taken at a copy.
        let mut scheduler = tested.scheduler.clone();
        let ready = world.ready();
        let found = scheduler.next_ready(now);
        assert_eq!(scheduler.next_ready(now), found, "asked again");
        match found {
            Some(host) => {
                // Removed ones had the same number.
                let number = tested.hosts.iter().rposition(|other| *other == host);
                assert!(ready.contains(&number.unwrap()));
            }
            None => {
                assert!(ready.is_empty(), "{ready:?} are ready");
                let wakeup = scheduler.next_wakeup().map(Timestamp::as_millis);
                assert!(
                    wakeup.is_none_or(|wakeup| wakeup + world.ahead > world.newest),
                    "it spins"
                );
                if let Some(earliest) = earliest {
                    assert!(wakeup.unwrap() <= earliest, "it sleeps for too long");
                }
            }
        }
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 4096,
        ..ProptestConfig::with_cases(512)
    })]

    #[test]
    fn the_scheduler_equals_the_naive_model(sequential 1..80 => Tested);
}
