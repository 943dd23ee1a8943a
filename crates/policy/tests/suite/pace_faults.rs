//! Faults of the pace that a review found, one named test for each.

use std::time::Duration;

use polite_robots_policy::{IpGroup, NetError, Pacer, Profile, Reply, Scheduler, Timestamp, Turn};

use super::laws::{START, at};
use super::naive::{DAY, with};

fn reload<T: serde::Serialize + serde::de::DeserializeOwned>(saved: &T) -> T {
    serde_json::from_str(&serde_json::to_string(saved).unwrap()).unwrap()
}

#[test]
fn b5_a_scheduler_saved_with_a_request_under_way_asks_the_host_again() {
    let mut scheduler = Scheduler::new(Profile::rfc9309());
    let host = scheduler.insert("a.example", None);
    scheduler.handle_start(host, at(START));
    let mut scheduler = reload(&scheduler);
    assert_eq!(scheduler.next_ready(at(START + 999)), None);
    assert_eq!(scheduler.next_ready(at(START + 1_000)), Some(host));
}

#[test]
fn b5_a_pacer_saved_with_a_request_under_way_is_ready_after_its_gap() {
    let profile = Profile::rfc9309();
    let mut pacer = Pacer::new();
    pacer.handle_start(at(START));
    let pacer = reload(&pacer);
    let gap = Turn::NotBefore(at(START + 1_000));
    assert_eq!(pacer.poll(&profile, at(START)), gap);
    assert_eq!(pacer.poll(&profile, at(START + 1_000)), Turn::Ready);
}

#[test]
fn b5_a_request_that_never_ends_costs_the_host_ten_minutes() {
    let mut scheduler = Scheduler::new(Profile::rfc9309());
    let host = scheduler.insert("a.example", None);
    scheduler.handle_start(host, at(START));
    assert_eq!(scheduler.next_ready(at(START + 599_999)), None);
    assert_eq!(scheduler.next_wakeup(), Some(at(START + 600_000)));
    assert_eq!(scheduler.turn(host, at(START + 599_999)), Turn::Busy);
    assert_eq!(scheduler.turn(host, at(START + 600_000)), Turn::Ready);
    assert_eq!(scheduler.next_ready(at(START + 600_000)), Some(host));
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
    let profile = with(Profile::rfc9309(), |profile| profile.pace.refusals = 0);
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
    let limited = Turn::NotBefore(at(START + 60_000));
    assert_eq!(scheduler.turn(hosts[10], at(START)), limited);
    assert_eq!(scheduler.insert("10.example", None), hosts[10]);
    assert_eq!(scheduler.turn(hosts[10], at(START)), limited);
}

#[test]
fn b8_h_a_late_call_for_a_removed_host_changes_no_other() {
    let mut scheduler = Scheduler::new(Profile::rfc9309());
    let removed = scheduler.insert("removed.example", None);
    scheduler.remove(removed);
    let other = scheduler.insert("other.example", None);
    assert_eq!(other.index(), removed.index(), "a number given again");
    scheduler.handle_start(removed, at(START));
    scheduler.handle_reply(removed, Reply::new(Ok(503), at(START)), at(START));
    scheduler.set_waiting(removed, false);
    scheduler.remove(removed);
    assert_eq!(scheduler.turn(removed, at(START)), Turn::NotBefore(Timestamp::MAX));
    assert_eq!(scheduler.host(removed), "");
    assert_eq!(scheduler.pacer(removed), None);
    assert_eq!(scheduler.capacity(removed, Duration::from_secs(60)), 0);
    assert_eq!(scheduler.host(other), "other.example");
    assert_eq!(scheduler.next_ready(at(START)), Some(other));
}
