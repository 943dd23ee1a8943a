//! Faults of the pace that a review found, one named test for each.

use std::time::Duration;

use polite_robots_policy::fetch::Headers;
use polite_robots_policy::settings::{Backoff, Reward};
use polite_robots_policy::{
    HostRule, IpGroup, NetError, Origin, Pacer, Profile, Reply, RetryAfter, Scheduler, Timestamp,
    Turn,
};

use super::laws::{START, at};
use super::machine::ORIGINS;
use super::naive::DAY;
use super::words::{after, ask, not_before, one_host, paced, reload, secs, with_levels};

const DAY_LONG: Duration = Duration::from_millis(DAY);

fn origin(url: &str) -> Origin {
    Origin::of(url).unwrap()
}

#[test]
fn b5_a_scheduler_saved_with_a_request_under_way_asks_the_host_again() {
    let (mut scheduler, host) = one_host(Profile::rfc9309());
    scheduler.handle_start(host, at(START));
    let mut scheduler = reload(&scheduler);
    assert_eq!(scheduler.next_ready(after(999)), None);
    assert_eq!(scheduler.next_ready(after(1_000)), Some(host));
}

#[test]
fn b5_a_pacer_saved_with_a_request_under_way_is_ready_after_its_gap() {
    let profile = Profile::rfc9309();
    let mut pacer = Pacer::new();
    pacer.handle_start(at(START));
    let pacer = reload(&pacer);
    let gap = not_before(1_000);
    assert_eq!(pacer.poll(&profile, at(START)), gap);
    assert_eq!(pacer.poll(&profile, after(1_000)), Turn::Ready);
}

/// Follows the wake-ups to the next time at which a host is ready.
fn next_turn(scheduler: &mut Scheduler, mut now: Timestamp) -> Timestamp {
    while scheduler.next_ready(now).is_none() {
        now = scheduler.next_wakeup().expect("no host is lost");
    }
    now
}

#[test]
fn b5_a_request_that_never_ends_costs_the_host_ten_minutes() {
    let (mut scheduler, host) = one_host(Profile::rfc9309());
    scheduler.handle_start(host, at(START));
    assert_eq!(scheduler.turn(host, after(540_000)), Turn::Busy);
    assert_eq!(next_turn(&mut scheduler, at(START)), after(600_000));
    assert_eq!(scheduler.turn(host, after(600_000)), Turn::Ready);
    // The same holds for a host that was removed and is to be forgotten.
    scheduler.handle_start(host, after(600_000));
    scheduler.remove(host);
    let mut now = after(600_000);
    while let Some(wakeup) = scheduler.next_wakeup() {
        now = wakeup;
        assert_eq!(scheduler.next_ready(now), None);
    }
    assert_eq!(now, after(1_200_000));
    assert_eq!(scheduler.pacer(host), None, "forgotten");
}

/// The simulation found this fault: after a step of twenty minutes ahead, each host with a request
/// under way got a second one at the same time.
#[test]
fn b5_a_clock_that_steps_ahead_ends_no_request() {
    let (mut scheduler, host) = one_host(Profile::rfc9309());
    scheduler.handle_start(host, at(START));
    let ahead = after(DAY);
    assert_eq!(scheduler.next_ready(ahead), None);
    assert_eq!(scheduler.turn(host, ahead), Turn::Busy);
    assert_eq!(next_turn(&mut scheduler, ahead), after(DAY + 540_000));
}

#[test]
fn b6_a_host_that_answers_304_gets_its_pace_back() {
    let profile = Profile::rfc9309();
    for status in [304, 301, 404, 403, 410, 200] {
        let mut pacer = Pacer::new();
        let mut now = START;
        for status in [429].into_iter().chain([status; 30]) {
            pacer.handle_start(at(now));
            pacer.handle_reply(Reply::new(Ok(status), at(now)), &profile, at(now + 100));
            now += DAY;
        }
        assert_eq!(pacer.level(&profile), 0, "{status}");
    }
}

#[test]
fn b6_errors_with_other_answers_between_are_not_in_a_row() {
    let profile = paced(|pace| pace.refusals = 0);
    for status in [304, 301, 404, 403, 410, 200] {
        let mut pacer = Pacer::new();
        for number in 0..8 {
            let now = START + number * DAY;
            for result in [Err(NetError::Read), Ok(status)] {
                pacer.handle_start(at(now));
                pacer.handle_reply(Reply::new(result, at(now)), &profile, at(now));
            }
        }
        assert_eq!(pacer.level(&profile), 0, "{status}");
    }
}

#[test]
fn b7_5_to_insert_a_known_host_again_keeps_its_group() {
    let mut scheduler = Scheduler::new(Profile::rfc9309());
    let group = Some(IpGroup(1));
    let hosts: Vec<_> = (0..11)
        .map(|number| scheduler.insert(&format!("{number}.example"), group))
        .collect();
    for host in &hosts[..10] {
        scheduler.handle_start(*host, at(START));
    }
    let limited = not_before(60_000);
    assert_eq!(scheduler.turn(hosts[10], at(START)), limited);
    assert_eq!(scheduler.insert("10.example", None), hosts[10]);
    assert_eq!(scheduler.turn(hosts[10], at(START)), limited);
}

#[test]
fn b8_h_a_late_call_for_a_removed_host_changes_no_other() {
    let mut scheduler = Scheduler::new(Profile::rfc9309());
    let removed = scheduler.insert("removed.example", None);
    scheduler.remove(removed);
    assert_eq!(scheduler.next_ready(at(START)), None);
    let other = scheduler.insert("other.example", None);
    assert_eq!(other.index(), removed.index(), "a number given again");
    ask(&mut scheduler, removed, Ok(503), at(START));
    let delay = Some(secs(60));
    scheduler.set_crawl_delay(removed, &origin("https://removed.example"), delay);
    scheduler.set_rule(removed, HostRule::new().min_delay(DAY_LONG));
    scheduler.set_group(removed, Some(IpGroup(1)));
    scheduler.defer(removed, Timestamp::MAX);
    scheduler.block(removed, Timestamp::MAX);
    scheduler.unblock(removed);
    scheduler.handle_cancelled(removed, at(START));
    scheduler.set_idle(removed);
    scheduler.remove(removed);
    assert!(!scheduler.contains(removed) && scheduler.contains(other));
    assert_eq!(scheduler.rule(removed), HostRule::new());
    let never = Turn::NotBefore(Timestamp::MAX);
    assert_eq!(scheduler.turn(removed, at(START)), never);
    assert_eq!(scheduler.host(removed), "");
    assert_eq!(scheduler.pacer(removed), None);
    assert_eq!(scheduler.capacity(removed, secs(60)), 0);
    assert_eq!(scheduler.host(other), "other.example");
    assert_eq!(scheduler.next_ready(at(START)), Some(other));
}

#[test]
fn b5_a_request_given_up_ends_and_its_gap_is_kept() {
    let profile = Profile::rfc9309();
    let (mut scheduler, host) = one_host(profile);
    scheduler.handle_start(host, at(START));
    scheduler.handle_cancelled(host, after(500));
    assert_eq!(scheduler.turn(host, after(500)), not_before(1_500));
    assert_eq!(scheduler.pacer(host).unwrap().level(&profile), 0);
    // A second cancellation, by a guard that is dropped late, changes nothing.
    scheduler.handle_cancelled(host, after(1_000));
    assert_eq!(scheduler.next_ready(after(1_500)), Some(host));
    // Errors of the crawler's own network do not count either, however many they are.
    let now = after(DAY);
    for _ in 0..20 {
        ask(&mut scheduler, host, Err(NetError::Local), now);
    }
    assert_eq!(scheduler.pacer(host).unwrap().level(&profile), 0);
    assert_eq!(scheduler.turn(host, now), not_before(DAY + 1_000));
}

/// The first request ends after its lease, while the second one is still under way.
#[test]
fn b5_the_late_end_of_a_request_does_not_end_a_younger_one() {
    let profile = paced(|pace| pace.backoff = Backoff::Off);
    for is_cancelled in [false, true] {
        let (mut scheduler, host) = one_host(profile);
        let [first, second, late] = [0, 600_000, 601_000].map(after);
        scheduler.handle_start(host, first);
        assert_eq!(next_turn(&mut scheduler, first), second);
        scheduler.handle_start(host, second);
        if is_cancelled {
            scheduler.handle_cancelled(host, late);
        } else {
            scheduler.handle_reply(host, Reply::new(Ok(200), first), late);
        }
        assert_eq!(scheduler.turn(host, late), Turn::Busy);
        scheduler.handle_reply(host, Reply::new(Ok(200), second), late);
        assert_eq!(scheduler.turn(host, late), not_before(602_000));
    }
}

/// `Crawl-delay: 30` of https must outlive the http file without one.
#[test]
fn b7_3_the_longest_delay_of_a_host_counts() {
    let (mut scheduler, host) = one_host(Profile::rfc9309());
    let [https, http, other] = ORIGINS.map(origin);
    ask(&mut scheduler, host, Ok(200), at(START));
    let seconds = |seconds| Some(secs(seconds));
    for (origin, delay, expected) in [
        (&https, seconds(30), 30),
        (&http, None, 30),
        (&http, seconds(40), 40),
        (&other, seconds(5), 40),
        (&http, seconds(10), 30),
        (&https, seconds(20), 20),
        (&https, None, 10),
        (&http, None, 5),
        (&http, seconds(7), 7),
        (&other, None, 7),
        (&http, None, 1),
        (&http, None, 1),
    ] {
        scheduler.set_crawl_delay(host, origin, delay);
        let expected = not_before(expected * 1_000);
        let turn = scheduler.turn(host, at(START));
        assert_eq!(turn, expected, "{origin} {delay:?}");
        // The delays of all origins go with the pacer.
        let pacer = reload(&scheduler.pacer(host).unwrap());
        let mut elsewhere = Scheduler::new(Profile::rfc9309());
        let there = elsewhere.insert_with("a.example", None, pacer);
        assert_eq!(elsewhere.turn(there, at(START)), expected);
    }
    for number in 0..1_000 {
        let origin = origin(&format!("http://a.example:{}", 1_000 + number));
        scheduler.set_crawl_delay(host, &origin, seconds(1 + number % 300));
    }
    assert_eq!(scheduler.turn(host, at(START)), not_before(300_000));
}

#[test]
fn b7_4_a_host_with_nothing_to_ask_is_not_proposed() {
    let mut scheduler = Scheduler::new(Profile::rfc9309());
    let [closed, open] =
        ["closed.example", "open.example"].map(|name| scheduler.insert(name, None));
    scheduler.defer(closed, after(60_000));
    assert_eq!(scheduler.next_ready(at(START)), Some(open));
    scheduler.set_idle(open);
    assert_eq!(scheduler.next_ready(at(START)), None);
    assert_eq!(scheduler.next_wakeup(), Some(after(60_000)));
    scheduler.defer(closed, after(20_000));
    assert_eq!(scheduler.turn(closed, at(START)), not_before(20_000));
    scheduler.set_idle(closed);
    scheduler.defer(closed, at(START));
    scheduler.set_waiting(closed);
    assert_eq!(scheduler.next_ready(at(START)), Some(closed));
    // A deferral ends with the URLs that it was made for, and it stays in its scheduler.
    scheduler.defer(closed, Timestamp::MAX);
    let pacer = scheduler.pacer(closed).unwrap();
    assert_eq!(pacer.poll(&Profile::rfc9309(), at(START)), Turn::Ready);
    scheduler.remove(closed);
    let again = scheduler.insert("closed.example", None);
    assert_eq!(scheduler.turn(again, at(START)), Turn::Ready);
}

#[test]
fn b8_i_a_host_may_have_its_own_rule() {
    let mut scheduler = Scheduler::new(Profile::google());
    let [own, other] = ["own.example", "other.example"].map(|name| scheduler.insert(name, None));
    let rule = HostRule::new().min_delay(secs(5)).max_in_flight(2);
    scheduler.set_rule(own, rule);
    for host in [own, other] {
        scheduler.handle_start(host, at(START));
    }
    let in_seconds = |seconds: u64| not_before(seconds * 1_000);
    assert_eq!(scheduler.turn(own, at(START)), in_seconds(5));
    assert_eq!(scheduler.turn(other, at(START)), Turn::Busy);
    scheduler.handle_start(own, after(5_000));
    assert_eq!(scheduler.turn(own, after(60_000)), Turn::Busy);
    let mut scheduler = reload(&scheduler);
    assert_eq!(scheduler.rule(own), rule);
    // The profile ignores a `Crawl-delay`. The operator's rule for this host does not.
    let rule = rule.crawl_delay(polite_robots_policy::settings::CrawlDelayPolicy::Gap);
    scheduler.set_rule(own, rule);
    for host in [own, other] {
        scheduler.set_crawl_delay(host, &origin("https://a.example"), Some(secs(30)));
    }
    assert_eq!(scheduler.turn(own, after(5_000)), in_seconds(35));
    assert_eq!(scheduler.turn(other, after(5_000)), in_seconds(6));
    scheduler.set_rule(own, HostRule::new());
    assert_eq!(scheduler.turn(own, after(5_000)), in_seconds(6));
}

#[test]
fn b8_i_a_host_may_be_blocked() {
    let (mut scheduler, host) = one_host(Profile::rfc9309());
    scheduler.block(host, after(60_000));
    scheduler.block(host, after(30_000));
    let mut scheduler = reload(&scheduler);
    assert_eq!(scheduler.next_ready(at(START)), None);
    assert_eq!(scheduler.turn(host, at(START)), not_before(60_000));
    assert_eq!(scheduler.capacity(host, secs(10)), 0);
    // Removing the host and inserting it again does not end the block. A move to another worker
    // does not end it either.
    scheduler.remove(host);
    let host = scheduler.insert("a.example", None);
    assert_eq!(scheduler.turn(host, at(START)), not_before(60_000));
    let pacer = scheduler.pacer(host).unwrap();
    let turn = pacer.poll(&Profile::rfc9309(), at(START));
    assert_eq!(turn, not_before(60_000));
    scheduler.unblock(host);
    assert_eq!(scheduler.next_ready(at(START)), Some(host));
    // `unblock` does not end a wait that the site asks for.
    scheduler.handle_start(host, at(START));
    let asked = Reply::new(Ok(429), at(START)).with_retry_after(RetryAfter::parse("120"));
    scheduler.handle_reply(host, asked, at(START));
    scheduler.block(host, Timestamp::MAX);
    let never = Turn::NotBefore(Timestamp::MAX);
    assert_eq!(scheduler.turn(host, at(START)), never);
    scheduler.unblock(host);
    assert_eq!(scheduler.turn(host, at(START)), not_before(120_000));
}

#[test]
fn b8_b_a_wrong_clock_does_not_lengthen_a_retry_after() {
    let profile = Profile::rfc9309();
    // The date is 1994-11-06 08:49:37. One crawler is a day slow, and the other is a day fast.
    for now in [784_111_777_000 - DAY, 784_111_777_000 + DAY].map(at) {
        let mut headers = Headers::default();
        headers.insert("date", "Sun, 06 Nov 1994 08:49:37 GMT");
        headers.insert("retry-after", "Sun, 06 Nov 1994 08:51:37 GMT");
        let reply = Reply::new(Ok(503), now).with_retry_after(RetryAfter::of(&headers, now));
        let mut pacer = Pacer::new();
        pacer.handle_start(now);
        pacer.handle_reply(reply, &profile, now);
        let expected = now.saturating_add(secs(120));
        assert_eq!(pacer.poll(&profile, now), Turn::NotBefore(expected));
    }
}

#[test]
fn a_fast_clean_host_earns_a_shorter_gap() {
    let profile = with_levels(|levels| {
        let mut reward = Reward::default();
        reward.after = 10;
        levels.reward = Some(reward);
    });
    for (last, latency) in [
        (Ok(500), 100),
        (Ok(403), 100),
        (Ok(200), 501),
        (Err(NetError::Read), 9),
    ] {
        let mut pacer = Pacer::new();
        let mut now = START;
        let mut gap_after = |result, latency| {
            pacer.handle_start(at(now));
            let end = at(now + latency);
            pacer.handle_reply(Reply::new(result, at(now)), &profile, end);
            now += DAY;
            let Turn::NotBefore(from) = pacer.poll(&profile, end) else {
                panic!()
            };
            from.saturating_since(end).as_millis()
        };
        let gaps: Vec<u128> = (0..40)
            .map(|number| gap_after(Ok([200, 304, 404][number % 3]), 500))
            .collect();
        let gaps = [8, 9, 18, 19, 39].map(|number| gaps[number]);
        assert_eq!(gaps, [1_000, 500, 500, 250, 250]);
        assert_eq!(gap_after(last, latency), 1_000, "{last:?}");
        assert_eq!(gap_after(Ok(200), 100), 1_000);
    }
    // The operator's own delay is kept.
    let (mut scheduler, host) = one_host(profile);
    scheduler.set_rule(host, HostRule::new().min_delay(secs(1)));
    for day in 0..40 {
        let now = after(day * DAY);
        ask(&mut scheduler, host, Ok(200), now);
        assert_eq!(scheduler.turn(host, now), not_before(day * DAY + 1_000));
    }
}

/// Time stands still for a scheduler while it waits out a step back. If a deferral did not count
/// then, the crawler would be offered the same host again and again until its clock has caught up.
#[test]
fn b7_a_host_is_deferred_by_the_clock_that_was_set_back() {
    let (mut scheduler, host) = one_host(Profile::rfc9309());
    assert_eq!(scheduler.next_ready(at(START)), Some(host));
    let back = START - 1_200_000;
    assert_eq!(scheduler.next_ready(at(back)), Some(host));
    scheduler.defer(host, at(back + 300_000));
    assert_eq!(scheduler.next_ready(at(back)), None);
    assert!(scheduler.next_wakeup() > Some(at(back)));
    assert_eq!(scheduler.next_ready(after(1)), Some(host));
}

/// GitHub and others answer the last request of a window with a 200 that says so.
#[test]
fn a_limit_that_is_used_up_counts_on_an_answer_that_went_well() {
    let profile = Profile::rfc9309();
    let start = Timestamp::from_millis(1_767_225_600_000);
    let mut headers = Headers::default();
    headers.insert("X-RateLimit-Remaining", "0");
    headers.insert("X-RateLimit-Reset", "30");
    headers.insert("Retry-After", "3600");
    let mut pacer = Pacer::new();
    pacer.handle_start(start);
    let reply = Reply::new(Ok(200), start)
        .with_retry_after(RetryAfter::of(&headers, start))
        .with_rate_limit(RetryAfter::of_limit(&headers, start));
    pacer.handle_reply(reply, &profile, start);
    let until = start.saturating_add(secs(30));
    assert_eq!(pacer.poll(&profile, start), Turn::NotBefore(until));
}
