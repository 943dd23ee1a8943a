//! A worker takes over a host that it already knows. Of the two paces, the more patient one counts.

use std::time::Duration;

use polite_robots_policy::settings::{Backoff, GapAnchor};
use polite_robots_policy::{
    HostId, HostRule, NetError, Origin, Pacer, Profile, Reply, RetryAfter, Scheduler, Timestamp,
    Turn,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::laws::{START, at, results};
use super::naive::{HOUR, with};
use super::together::law_cases::law_cases;
use super::words::{not_before, secs};

const NAME: &str = "a.example";

/// A scheduler that has read the time and knows the host.
fn knowing(profile: Profile, pacer: Pacer, now: u64) -> (Scheduler, HostId) {
    let mut scheduler = Scheduler::new(profile);
    assert_eq!(scheduler.next_ready(at(now)), None);
    let host = scheduler.insert_with(NAME, None, pacer);
    (scheduler, host)
}

fn reply(status: u16, seconds: Option<u64>) -> Reply {
    let wait = seconds.map(|seconds| RetryAfter::Delay(secs(seconds)));
    Reply::new(Ok(status), at(START)).with_retry_after(wait)
}

fn after(profile: &Profile, replies: &[Reply], now: u64) -> Pacer {
    let mut pacer = Pacer::new();
    for reply in replies {
        pacer.handle_start(at(START));
        pacer.handle_reply(*reply, profile, at(now));
    }
    pacer
}

#[test]
fn the_level_that_arrives_counts() {
    let profile = Profile::rfc9309();
    let (now, gap) = (START + 100, |millis: u64| not_before(100 + millis));
    let strained = after(&profile, &[reply(429, None)], now);
    let calm = after(&profile, &[reply(200, None)], now);
    for (known, arrived) in [
        (calm.clone(), strained.clone()),
        (strained.clone(), calm),
        (Pacer::new(), strained),
    ] {
        let (mut scheduler, host) = knowing(profile, known.clone(), now);
        scheduler.join(host, arrived.clone());
        assert_eq!(scheduler.pacer(host).unwrap().level(&profile), 3);
        assert_eq!(scheduler.turn(host, at(now)), gap(8_000));
        // Inserting the host has the same effect.
        let (mut scheduler, host) = knowing(profile, known, now);
        assert_eq!(scheduler.insert_with(NAME, None, arrived), host);
        assert_eq!(scheduler.turn(host, at(now)), gap(8_000));
        assert_eq!(scheduler.next_ready(at(now + 7_999)), None);
        assert_eq!(scheduler.next_ready(at(now + 8_000)), Some(host));
    }
}

#[test]
fn so_do_the_delays_of_its_origins_and_its_blocks() {
    let profile = Profile::rfc9309();
    let origin = |port: u16| Origin::of(&format!("http://{NAME}:{port}")).unwrap();
    let seconds = |seconds| Some(secs(seconds));
    let [(mut here, host), (mut there, other)] = [(); 2].map(|()| {
        let pacer = after(&profile, &[reply(200, None)], START);
        knowing(profile, pacer, START)
    });
    here.set_crawl_delay(host, &origin(1), seconds(20));
    here.set_crawl_delay(host, &origin(2), seconds(5));
    there.set_crawl_delay(other, &origin(2), seconds(30));
    there.set_crawl_delay(other, &origin(1), seconds(10));
    here.join(host, there.pacer(other).unwrap());
    let turn = |scheduler: &Scheduler| scheduler.turn(host, at(START));
    let in_seconds = |seconds: u64| not_before(seconds * 1_000);
    assert_eq!(turn(&here), in_seconds(30));
    // Each origin still has its own delay.
    here.set_crawl_delay(host, &origin(2), None);
    assert_eq!(turn(&here), in_seconds(20));
    there.handle_reply(other, reply(503, Some(40)), at(START));
    here.join(host, there.pacer(other).unwrap());
    assert_eq!(turn(&here), in_seconds(40));
    there.block(other, at(START + 50_000));
    here.join(host, there.pacer(other).unwrap());
    assert_eq!(turn(&here), in_seconds(50));
}

/// The operator's rule and the crawler's plans are those of the machine that takes the host over.
#[test]
fn rules_stay_where_they_are() {
    let profile = Profile::rfc9309();
    let (mut scheduler, host) = knowing(profile, Pacer::new(), START);
    let rule = HostRule::new().min_delay(secs(7));
    scheduler.set_rule(host, rule);
    scheduler.defer(host, at(START + 3_000));
    scheduler.join(host, after(&profile, &[reply(200, None)], START));
    assert_eq!(scheduler.rule(host), rule);
    assert_eq!(scheduler.turn(host, at(START)), not_before(7_000));
    scheduler.set_rule(host, HostRule::new());
    assert_eq!(scheduler.turn(host, at(START)), not_before(3_000));
}

/// A pace from a machine whose clock was a day ahead delays nobody, and hides no gap.
#[test]
fn a_time_that_cannot_be_is_not_believed() {
    let profile = Profile::rfc9309();
    let (mut scheduler, host) =
        knowing(profile, after(&profile, &[reply(200, None)], START), START);
    scheduler.join(host, Pacer::after_gap(at(START + 24 * HOUR)));
    assert_eq!(scheduler.turn(host, at(START)), not_before(1_000));
}

#[test]
fn requests_of_both_are_under_way_until_their_leases_are_over() {
    let profile = Profile::rfc9309();
    let lease = u64::try_from(profile.pace.request_lease.as_millis()).unwrap();
    let (mut scheduler, host) = knowing(profile, Pacer::new(), START);
    scheduler.handle_start(host, at(START + 1_000));
    let mut arrived = Pacer::new();
    arrived.handle_start(at(START + 2_000));
    scheduler.join(host, arrived);
    let reply = Reply::new(Ok(200), at(START + 1_000));
    scheduler.handle_reply(host, reply, at(START + 3_000));
    assert_eq!(scheduler.turn(host, at(START + 60_000)), Turn::Busy);
    let mut now = START + 3_000;
    while scheduler.next_ready(at(now)).is_none() {
        now += 1_000;
        assert!(now <= START + lease + 10_000, "it is never free");
    }
    assert!(now >= START + 2_000 + lease);
}

/// A pause before the request, its time, its result, and the wait that the result asks for.
type Request = (u64, u64, Result<u16, NetError>, Option<u64>);

fn requests() -> impl Strategy<Value = Vec<Request>> {
    let times = || select(vec![0, 1, 100, 1_000, 2_100, 9_000, 60_000]);
    let wait = select(vec![None, None, Some(5_000), Some(2 * HOUR)]);
    vec((times(), times(), results(), wait), 0..30)
}

/// The pace after the requests, and the time then.
fn pace_of(requests: &[Request], delay: Option<u64>, profile: &Profile) -> (Pacer, u64) {
    let mut pacer = Pacer::new();
    pacer.set_crawl_delay(delay.map(Duration::from_secs));
    let mut now = START;
    for (pause, takes, result, wait) in requests {
        let started = at(now + pause);
        now += pause + takes;
        pacer.handle_start(started);
        let wait = wait.map(|wait| RetryAfter::Delay(Duration::from_millis(wait)));
        let reply = Reply::new(*result, started).with_retry_after(wait);
        pacer.handle_reply(reply, profile, at(now));
    }
    (pacer, now)
}

fn profiles() -> impl Strategy<Value = Profile> {
    let backoffs = vec![
        Backoff::Off,
        Profile::rfc9309().pace.backoff,
        Backoff::Doubling {
            first: secs(60),
            max: secs(3_600),
            forget_after: secs(1_800),
            jitter_percent: 0,
        },
        Backoff::AutoThrottle {
            start: secs(5),
            max: secs(60),
        },
    ];
    let presets = vec![Profile::rfc9309(), Profile::google(), Profile::ibm()];
    let anchors = vec![GapAnchor::Completion, GapAnchor::Start];
    (select(presets), select(backoffs), select(anchors)).prop_map(|(preset, backoff, anchor)| {
        with(preset, |profile| {
            profile.pace.backoff = backoff;
            profile.pace.gap_from = anchor;
        })
    })
}

/// The earliest time of the next request.
fn turn_from(scheduler: &Scheduler, host: HostId, now: u64) -> Timestamp {
    match scheduler.turn(host, at(now)) {
        Turn::NotBefore(from) => from,
        Turn::Skip => Timestamp::MAX,
        _ => at(now),
    }
}

proptest! {
    #![proptest_config(law_cases(512))]

    /// The turn comes no earlier than by either pace, the level is no lower, and joining the same
    /// pace again changes nothing.
    #[test]
    fn no_patience_is_lost(
        one in requests(),
        other in requests(),
        delays in (select(vec![None, Some(4_u64), Some(90)]), select(vec![None, Some(10_u64)])),
        profile in profiles(),
        later in select(vec![0, 500, 3_000, 70_000, HOUR]),
    ) {
        let (one, end_of_one) = pace_of(&one, delays.0, &profile);
        let (other, end_of_other) = pace_of(&other, delays.1, &profile);
        let now = end_of_one.max(end_of_other) + later;
        let (mut joined, host) = knowing(profile, one.clone(), now);
        joined.join(host, other.clone());
        let level = joined.pacer(host).unwrap().level(&profile);
        for alone in [one, other.clone()] {
            prop_assert!(level >= alone.level(&profile));
            let (alone, its_host) = knowing(profile, alone, now);
            prop_assert!(turn_from(&joined, host, now) >= turn_from(&alone, its_host, now));
        }
        let before = joined.pacer(host);
        joined.join(host, other);
        prop_assert_eq!(joined.pacer(host), before);
    }
}
