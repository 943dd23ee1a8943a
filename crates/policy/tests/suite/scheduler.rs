//! The scheduler: order, shared addresses, hosts that come, go and move, and what is saved.
//! `machine` compares it with a naive model.

use std::time::Duration;

use polite_robots_policy::settings::GroupPace;
use polite_robots_policy::{
    HostId, HostRule, IpGroup, NetError, Origin, Pacer, Profile, Reply, RetryAfter, Scheduler,
    Timestamp, Turn,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::laws::{START, at, results};
use super::naive::{DAY, HOUR};
use super::together::law_cases::law_cases;
use super::words::{after, ask, not_before, one_host, paced, reload, secs};

/// A call of a scheduler, with the number of the host.
#[derive(Debug, Clone)]
enum Act {
    Insert(u8, Option<IpGroup>),
    Start,
    Known(u8, Call),
}

/// A call about a host that was inserted.
#[derive(Debug, Clone)]
enum Call {
    Remove,
    SetWaiting(bool),
    SetCrawlDelay(Option<Duration>),
    SetGroup(Option<IpGroup>),
    SetRule(HostRule),
    Defer(u64),
    Block(u64),
    Unblock,
    Cancel,
    Reply(Result<u16, NetError>),
}

fn known(call: impl Strategy<Value = Call>) -> impl Strategy<Value = Act> {
    (0_u8..6, call).prop_map(|(host, call)| Act::Known(host, call))
}

fn act() -> impl Strategy<Value = Act> {
    let group = select(vec![None, Some(1), Some(1), Some(2)]).prop_map(|group| group.map(IpGroup));
    let delay = select(vec![None, Some(secs(2)), Some(secs(5))]);
    let rule = select(vec![
        HostRule::new(),
        HostRule::new().max_in_flight(2),
        HostRule::new().min_delay(secs(3)),
    ]);
    let wait = || select(vec![0, 500, 5_000, HOUR]);
    prop_oneof![
        1 => known(group.clone().prop_map(Call::SetGroup)),
        1 => known(rule.prop_map(Call::SetRule)),
        1 => known(wait().prop_map(Call::Defer)),
        1 => known(wait().prop_map(Call::Block)),
        1 => known(Just(Call::Unblock)),
        1 => known(Just(Call::Cancel)),
        4 => (0_u8..6, group).prop_map(|(host, group)| Act::Insert(host, group)),
        1 => known(Just(Call::Remove)),
        1 => known(any::<bool>().prop_map(Call::SetWaiting)),
        1 => known(delay.prop_map(Call::SetCrawlDelay)),
        4 => Just(Act::Start),
        4 => known(results().prop_map(Call::Reply)),
    ]
}

/// A scheduler, and the newest host with each name.
struct Crawl {
    scheduler: Scheduler,
    hosts: [Option<HostId>; 6],
    starts: usize,
}

impl Crawl {
    fn new(profile: Profile) -> Crawl {
        Crawl {
            scheduler: Scheduler::new(profile),
            hosts: [None; 6],
            starts: 0,
        }
    }

    fn reload(&mut self) {
        self.scheduler = reload(&self.scheduler);
    }

    /// Ends all requests, as their process is gone.
    fn cancel_all(&mut self, now: Timestamp) {
        for host in self.hosts.into_iter().flatten() {
            for _ in 0..self.starts {
                self.scheduler.handle_cancelled(host, now);
            }
        }
    }

    fn call(&mut self, act: &Act, now: Timestamp) {
        let scheduler = &mut self.scheduler;
        match *act {
            Act::Insert(host, group) => {
                self.hosts[usize::from(host)] = Some(scheduler.insert(&host.to_string(), group));
            }
            Act::Start => {
                if let Some(ready) = scheduler.next_ready(now) {
                    scheduler.handle_start(ready, now);
                    self.starts += 1;
                }
            }
            Act::Known(host, ref call) => {
                let Some(id) = self.hosts[usize::from(host)] else {
                    return;
                };
                match *call {
                    Call::Remove => scheduler.remove(id),
                    Call::SetWaiting(true) => scheduler.set_waiting(id),
                    Call::SetWaiting(false) => scheduler.set_idle(id),
                    Call::SetCrawlDelay(delay) => {
                        scheduler.set_crawl_delay(id, &origin("https://a.example"), delay);
                    }
                    Call::SetGroup(group) => scheduler.set_group(id, group),
                    Call::SetRule(rule) => scheduler.set_rule(id, rule),
                    Call::Defer(wait) => scheduler.defer(id, later(now, wait)),
                    Call::Block(wait) => scheduler.block(id, later(now, wait)),
                    Call::Unblock => scheduler.unblock(id),
                    Call::Cancel => scheduler.handle_cancelled(id, now),
                    Call::Reply(result) => {
                        scheduler.handle_reply(id, Reply::new(result, now), now);
                    }
                }
            }
        }
    }

    /// Every answer of the scheduler.
    fn answers(&mut self, now: Timestamp) -> impl PartialEq + std::fmt::Debug + use<> {
        let scheduler = &mut self.scheduler;
        let before = scheduler.next_wakeup();
        let ready = scheduler.next_ready(now);
        let wakeups = [before, scheduler.next_wakeup()];
        let horizon = secs(100);
        let hosts = self.hosts.into_iter().flatten();
        let of_each = hosts.map(|id| {
            let name = scheduler.host(id).to_string();
            (
                name,
                scheduler.turn(id, now),
                scheduler.capacity(id, horizon),
                scheduler.pacer(id),
            )
        });
        let of_each: Vec<_> = of_each.collect();
        let names = self.hosts.into_iter().flatten();
        let rules = names.map(|id| (scheduler.contains(id), scheduler.rule(id)));
        let rules: Vec<_> = rules.collect();
        let hosts: Vec<_> = scheduler.hosts().collect();
        (ready, wakeups, scheduler.len(), of_each, rules, hosts)
    }
}

fn origin(url: &str) -> Origin {
    Origin::of(url).unwrap()
}

fn later(now: Timestamp, millis: u64) -> Timestamp {
    now.saturating_add(Duration::from_millis(millis))
}

proptest! {
    #![proptest_config(law_cases(512))]

    /// P8: a saved scheduler goes on in the same way and in the same order. P5 holds while hosts
    /// come and go.
    #[test]
    fn a_saved_scheduler_goes_on_alike(
        acts in vec((0_u8..8, 0_u8..6, results()), 0..200),
        saved_at in 0_usize..200,
    ) {
        let mut scheduler = Scheduler::new(paced(|pace| pace.group_starts = 3));
        let mut copy: Option<Scheduler> = None;
        let mut now = START;
        let mut group_starts: Vec<u64> = Vec::new();
        let mut last_end = [None; 6];
        for (number, (kind, host, result)) in acts.into_iter().enumerate() {
            if number == saved_at {
                copy = Some(reload(&scheduler));
            }
            let name = format!("host{host}");
            now += u64::from(kind) * 700;
            let mut told = Vec::new();
            for scheduler in [Some(&mut scheduler), copy.as_mut()].into_iter().flatten() {
                match kind {
                    0 => {
                        // The last host has an address of its own.
                        scheduler.insert(&name, (host < 5).then_some(IpGroup(7)));
                    }
                    1 => {
                        let host = scheduler.insert(&name, (host < 5).then_some(IpGroup(7)));
                        scheduler.remove(host);
                    }
                    _ => {}
                }
                let ready = scheduler.next_ready(at(now));
                if let Some(ready) = ready {
                    ask(scheduler, ready, result, at(now));
                }
                told.push((ready.map(|host| scheduler.host(host).to_string()), scheduler.next_wakeup(), scheduler.len()));
            }
            prop_assert!(told.windows(2).all(|two| two[0] == two[1]), "{:?}", told);
            if let Some(started) = &told[0].0 {
                let host: usize = started.trim_start_matches("host").parse().unwrap();
                // P2, also if the host was removed and inserted meanwhile.
                prop_assert!(last_end[host].is_none_or(|end| now >= end + 1_000));
                last_end[host] = Some(now);
                if host < 5 {
                    // P5
                    group_starts.push(now);
                    if let [.., fourth, _, _, last] = group_starts[..] {
                        prop_assert!(last >= fourth + 60_000);
                    }
                }
            }
        }
    }
}

proptest! {
    // Each case is a hundred comparisons of all hosts, and the fuzz target `policy` saves its
    // scheduler as well.
    #![proptest_config(law_cases(128))]

    /// P8 for every call of a scheduler: however often it is saved, saving ends its requests and
    /// changes nothing else.
    #[test]
    fn a_saved_scheduler_answers_alike(acts in vec((act(), 0_u64..5, 0_usize..10), 0..120)) {
        let profile = paced(|pace| { pace.group_starts = 2; pace.group_pace = GroupPace::Slowest; });
        let (mut straight, mut halting) = (Crawl::new(profile), Crawl::new(profile));
        let mut now = START;
        for (act, pause, saved_if_0) in acts {
            now += pause * 400;
            straight.call(&act, at(now));
            halting.call(&act, at(now));
            if saved_if_0 == 0 {
                for crawl in [&mut straight, &mut halting] {
                    crawl.scheduler.next_ready(at(now));
                }
                straight.cancel_all(at(now));
                halting.reload();
            }
            prop_assert_eq!(halting.hosts, straight.hosts);
            prop_assert_eq!(halting.answers(at(now)), straight.answers(at(now)), "after {:?}", act);
        }
    }

    /// B5: no host is lost. After any history, whatever became of its requests, each host that
    /// waits is asked when its gap, its blocks and the leases are over.
    #[test]
    fn no_host_is_lost(acts in vec((act(), 0_u64..5, 0_usize..10), 0..120)) {
        let profile = paced(|pace| { pace.group_starts = 2; pace.group_pace = GroupPace::Slowest; });
        let mut crawl = Crawl::new(profile);
        let mut now = START;
        for (act, pause, saved_if_0) in acts {
            now += pause * 400;
            crawl.call(&act, at(now));
            if saved_if_0 == 0 {
                crawl.reload();
            }
        }
        let scheduler = &mut crawl.scheduler;
        for minute in 0..=10 {
            scheduler.next_ready(at(now + minute * 60_000));
        }
        now += 600_000;
        let end = at(now);
        let mut due: Vec<(HostId, Timestamp)> = Vec::new();
        for host in scheduler.hosts() {
            match scheduler.turn(host, end) {
                Turn::Ready => due.push((host, end)),
                // The host waits for the others of its address, two of which may start in a minute.
                Turn::NotBefore(from) => due.push((host, from)),
                other => prop_assert!(false, "{:?}: {:?}", scheduler.host(host), other),
            }
        }
        for (host, _) in &due {
            scheduler.set_waiting(*host);
        }
        let in_line = secs(180);
        let mut now = at(now);
        while !due.is_empty() {
            let Some(host) = scheduler.next_ready(now) else {
                let wakeup = scheduler.next_wakeup();
                prop_assert!(wakeup.is_some_and(|wakeup| wakeup > now), "{:?} are lost", due);
                now = wakeup.unwrap();
                continue;
            };
            let (_, from) = due[due.iter().position(|(other, _)| *other == host).unwrap()];
            prop_assert!(now <= from.saturating_add(in_line), "{:?} waits too long", scheduler.host(host));
            due.retain(|(other, _)| *other != host);
            ask(scheduler, host, Ok(200), now);
            scheduler.set_idle(host);
        }
    }
}

#[test]
fn capacity_is_what_fits_into_the_horizon() {
    let spread = |percent| paced(|pace| pace.group_spread_percent = percent);
    let free = paced(|pace| {
        pace.min_delay = Duration::ZERO;
        pace.group_pace = GroupPace::Slowest;
        pace.group_starts = 0;
    });
    let (rfc9309, group, min) = (
        Profile::rfc9309(),
        Some(IpGroup(1)),
        Duration::from_millis(1),
    );
    for (profile, group, delay, horizon, expected) in [
        (rfc9309, None, None, secs(60), 61),
        (rfc9309, None, Some(secs(10)), secs(60), 7),
        (spread(0), group, None, secs(60), 20),
        (spread(100), group, None, secs(60), 14),
        // The capacity for an endless time is a number.
        (free, None, None, Duration::MAX, usize::MAX),
        (free, group, Some(min), Duration::MAX, usize::MAX),
    ] {
        let mut scheduler = Scheduler::new(profile);
        let host = scheduler.insert("a.example", group);
        scheduler.set_crawl_delay(host, &origin("https://a.example"), delay);
        let found = scheduler.capacity(host, horizon);
        assert_eq!(found, expected, "{group:?} {delay:?} {horizon:?}");
    }
    let (mut scheduler, host) = one_host(rfc9309);
    scheduler.handle_start(host, at(START));
    let blocked = Reply::new(Ok(503), at(START)).with_retry_after(RetryAfter::parse("3600"));
    scheduler.handle_reply(host, blocked, at(START));
    assert_eq!(scheduler.capacity(host, secs(60)), 0);
    for number in 0..100 {
        scheduler.insert(&format!("b{number}.example"), Some(IpGroup(1)));
    }
    let shared = scheduler.insert("b0.example", Some(IpGroup(1)));
    assert_eq!(scheduler.capacity(shared, secs(600)), 2);
}

#[test]
fn a_host_can_be_handed_over() {
    let profile = Profile::rfc9309();
    let mut old = Scheduler::new(profile);
    let host = old.insert("a.example", None);
    old.handle_start(host, after(50 * DAY));
    // The old worker's clock was ahead, so the new worker does not share its time.
    let reply = Reply::new(Ok(429), at(START)).with_retry_after(RetryAfter::parse("600"));
    old.handle_reply(host, reply, at(START));
    let pacer = old.pacer(host).unwrap();
    assert_eq!(pacer.poll(&profile, at(START)), not_before(600_000));
    let mut new = Scheduler::new(profile);
    let host = new.insert_with("a.example", None, pacer);
    assert_eq!(new.next_ready(at(START)), None);
    assert_eq!(new.next_wakeup(), Some(after(600_000)));
    assert_eq!(new.next_ready(after(600_000)), Some(host));
    assert_eq!(new.host(host), "a.example");
    let lost = new.insert_with("b.example", None, Pacer::after_gap(after(600_000)));
    assert_eq!(new.turn(lost, after(600_000)), not_before(601_000));
}

fn ready_in_order(scheduler: &mut Scheduler, now: Timestamp) -> Vec<String> {
    let mut names = Vec::new();
    while let Some(host) = scheduler.next_ready(now) {
        names.push(scheduler.host(host).to_string());
        scheduler.handle_start(host, now);
    }
    names
}

#[test]
fn hosts_of_one_address_come_in_the_order_in_which_they_were_ready() {
    let group = Some(IpGroup(1));
    let mut scheduler = Scheduler::new(paced(|pace| pace.group_starts = 2));
    for name in ["a", "b", "c", "d"] {
        scheduler.insert(name, group);
    }
    assert_eq!(ready_in_order(&mut scheduler, at(START)), ["a", "b"]);
    // A host that comes later does not overtake the others, even if it is ready when the address
    // opens.
    scheduler.insert("late", group);
    assert_eq!(ready_in_order(&mut scheduler, after(60_000)), ["c", "d"]);
    assert_eq!(ready_in_order(&mut scheduler, after(120_000)), ["late"]);
}

/// The starts of two addresses with twenty hosts each, in five minutes.
fn starts_of_two_groups(spread_percent: u8) -> [Vec<u64>; 2] {
    let mut scheduler = Scheduler::new(paced(|pace| pace.group_spread_percent = spread_percent));
    for number in 0..40 {
        scheduler.insert(&format!("host{number}"), Some(IpGroup(number % 2)));
    }
    let mut starts = [Vec::new(), Vec::new()];
    let mut now = at(START);
    while now < after(300_000) {
        while let Some(host) = scheduler.next_ready(now) {
            scheduler.handle_start(host, now);
            starts[host.index() % 2].push(now.as_millis() - START);
            scheduler.handle_reply(host, Reply::new(Ok(200), now), now);
        }
        now = scheduler.next_wakeup().unwrap();
    }
    starts
}

#[test]
fn the_starts_of_an_address_are_spread_and_none_is_lost() {
    for (spread_percent, apart) in [(100, 3_000..=6_000), (50, 1_500..=3_000), (0, 0..=0)] {
        let groups = starts_of_two_groups(spread_percent);
        for starts in &groups {
            assert_eq!(starts.len(), 50, "{starts:?}");
            for window in starts.windows(11) {
                assert!(window[10] - window[0] >= 60_000, "{starts:?}");
            }
            for two in starts[..10].windows(2) {
                assert!(apart.contains(&(two[1] - two[0])), "{starts:?}");
            }
        }
        let [one, other] = groups;
        assert_eq!(one == other, spread_percent == 0);
    }
}

#[test]
fn who_was_ready_first_comes_first() {
    let mut scheduler = Scheduler::new(paced(|pace| pace.group_starts = 1));
    scheduler.insert("a", Some(IpGroup(1)));
    scheduler.insert("b", Some(IpGroup(1)));
    let own = scheduler.insert("own", None);
    assert_eq!(ready_in_order(&mut scheduler, at(START)), ["a", "own"]);
    let reply = Reply::new(Ok(200), after(60_000));
    scheduler.handle_reply(own, reply, after(60_000));
    // The address opens at 60 s, the other host at 61 s.
    assert_eq!(ready_in_order(&mut scheduler, after(62_000)), ["b", "own"]);
}

#[test]
fn an_address_without_hosts_is_remembered_but_keeps_nobody_waiting() {
    let mut scheduler = Scheduler::new(paced(|pace| pace.group_starts = 2));
    let gone = scheduler.insert("gone", Some(IpGroup(1)));
    ask(&mut scheduler, gone, Ok(200), at(START));
    scheduler.remove(gone);
    assert_eq!(scheduler.len(), 0);
    assert_eq!(scheduler.next_ready(after(2_000)), None);
    assert_eq!(scheduler.host(gone), "");
    for name in ["a", "b"] {
        scheduler.insert(name, Some(IpGroup(1)));
    }
    assert_eq!(ready_in_order(&mut scheduler, after(2_000)), ["a"]);
    assert_eq!(ready_in_order(&mut scheduler, after(60_000)), ["b"]);
}

#[test]
fn a_host_that_is_removed_too_early_keeps_its_gap() {
    let mut scheduler = Scheduler::new(Profile::rfc9309());
    for is_removed_first in [true, false] {
        let name = format!("{is_removed_first}.example");
        let host = scheduler.insert(&name, None);
        scheduler.handle_start(host, at(START));
        scheduler.set_idle(host);
        if is_removed_first {
            scheduler.remove(host);
        }
        scheduler.handle_reply(host, Reply::new(Ok(200), at(START)), at(START));
        scheduler.remove(host);
        assert_eq!(scheduler.len(), 0);
        let again = scheduler.insert(&name, None);
        assert_eq!(scheduler.turn(again, at(START)), not_before(1_000));
        scheduler.remove(again);
    }
    assert_eq!(scheduler.next_ready(after(1_000)), None);
    assert_eq!(scheduler.next_wakeup(), None);
    // Hosts that were removed and are forgotten by now do not count against others.
    scheduler.insert("later.example", None);
    assert_eq!(scheduler.len(), 1);
}

/// A scheduler that has not read the clock yet, or not for hours, takes the pacer's times for those
/// of a clock that went back.
#[test]
fn a_host_that_was_handed_over_keeps_its_gap_when_it_is_removed() {
    let start = at(START);
    let mut scheduler = Scheduler::new(Profile::rfc9309());
    let host = scheduler.insert_with("example.com", None, Pacer::after_gap(start));
    scheduler.remove(host);
    scheduler.set_crawl_delay(host, &origin("https://example.com"), None);
    let host = scheduler.insert("example.com", None);
    let gap = start.saturating_add(secs(1));
    assert_eq!(scheduler.turn(host, start), Turn::NotBefore(gap));
    scheduler.remove(host);
    assert_eq!(scheduler.next_ready(gap), None);
    let host = scheduler.insert("example.com", None);
    assert_eq!(scheduler.turn(host, start), Turn::Ready);
}

#[test]
fn a_scheduler_knows_its_profile_and_whether_it_holds_a_host() {
    let mut scheduler = Scheduler::new(Profile::google());
    assert_eq!(*scheduler.settings(), Profile::google().pace);
    assert!(scheduler.is_empty());
    scheduler.insert("a.example", None);
    assert!(!scheduler.is_empty());
}

#[test]
fn capacity_of_an_address_that_keeps_the_slowest_pace() {
    let profile = paced(|pace| {
        pace.group_pace = GroupPace::Slowest;
        pace.group_starts = 0;
    });
    let mut scheduler = Scheduler::new(profile);
    let slow = scheduler.insert("slow.example", Some(IpGroup(1)));
    let delay = Some(secs(20));
    scheduler.set_crawl_delay(slow, &origin("https://slow.example"), delay);
    let quick = scheduler.insert("quick.example", Some(IpGroup(1)));
    ask(&mut scheduler, slow, Ok(200), at(START));
    // The address permits 32 requests, for two hosts.
    assert_eq!(scheduler.capacity(quick, secs(620)), 16);
}
