//! Tests at boundaries: the moment at which an answer changes, and neighbours that must stay apart.

use std::collections::BTreeSet;
use std::time::Duration;

use polite_robots::{Cause, RobotsTxt};
use polite_robots_policy::cache::Site;
use polite_robots_policy::fetch::{BodyEnd, Fetch, Freshness, Headers, Validators};
use polite_robots_policy::settings::OverLimitPolicy;
use polite_robots_policy::{
    Entry, IpGroup, Origin, Outcome, Profile, Reply, Scheduler, Timestamp, Turn,
};
use serde_json::{Value, json};

use super::laws::{self as laws, read};
use super::naive::with;
use super::words::{after, ask, not_before, one_host, paced, reload, respond, secs};

const START: Timestamp = Timestamp::from_millis(laws::START);

fn outcome(profile: &Profile, body: &str) -> Outcome {
    let origin = Origin::of("https://example.com").unwrap();
    let mut fetch = Fetch::new(&origin, Validators::default(), profile, START);
    respond(&mut fetch, 200, Headers::default(), body.as_bytes(), START);
    fetch.into_outcome()
}

#[test]
fn a_file_as_long_as_the_limit_is_not_over_it() {
    let body = "User-agent: *\nDisallow: /p\n";
    for over_limit in [OverLimitPolicy::Outage, OverLimitPolicy::ReadStart] {
        for (limit, is_whole) in [(body.len(), true), (body.len() - 1, false)] {
            let profile = with(Profile::rfc9309(), |profile| {
                profile.access.max_bytes = limit;
                profile.access.over_limit = over_limit;
            });
            let end = match outcome(&profile, body) {
                Outcome::Parsed { end, .. } => Some(end),
                _ => None,
            };
            // The outcome reports that the rest was left out.
            let expected = match (is_whole, over_limit) {
                (true, _) => Some(BodyEnd::Complete),
                (false, OverLimitPolicy::Outage) => None,
                (false, _) => Some(BodyEnd::LimitReached),
            };
            assert_eq!(end, expected, "{limit}");
        }
    }
}

#[test]
fn origins_that_fail_together_are_asked_again_apart() {
    let profile = with(Profile::rfc9309(), |profile| {
        profile.access.jitter_percent = 50
    });
    let next = |number: u32| {
        let origin = Origin::of(&format!("https://h{number}.example")).unwrap();
        let mut entry = Entry::for_origin(&origin);
        let (cause, retry_after) = (Cause::Unreachable, None);
        entry.handle(Outcome::Unreachable { cause, retry_after }, &profile, START);
        format!("{:?}", entry.next_fetch(&profile, START))
    };
    let moments: BTreeSet<String> = (0..100).map(next).collect();
    assert!(moments.len() > 90, "{moments:?}");
}

#[test]
fn an_answer_that_counts_for_ever_is_said_to_end_never() {
    let profile = with(Profile::rfc9309(), |profile| {
        profile.access.max_ttl = Duration::MAX
    });
    let explained = |lifetime| {
        let mut entry = Entry::new();
        let file = RobotsTxt::parse(b"User-agent: *\nDisallow: /x");
        entry.handle(read(file, Freshness::given(lifetime)), &profile, START);
        let told = entry.explain(&profile, Site::Unknown, START).to_string();
        told.contains(" until ")
    };
    assert!(explained(secs(3600)));
    assert!(!explained(Duration::MAX));
}

/// The starts of an address are kept in 32 bits, which wrap around after 49 days.
#[test]
fn a_start_of_49_days_ago_is_not_one_of_this_minute() {
    let mut scheduler = Scheduler::new(paced(|pace| pace.group_starts = 1));
    let group = Some(IpGroup(1));
    let first = scheduler.insert("a.example", group);
    let second = scheduler.insert("b.example", group);
    ask(&mut scheduler, first, Ok(200), START);
    assert_eq!(scheduler.turn(second, after(10)), not_before(60_000));
    // In 32 bits the two starts look as if they came at once, where the limit permits one. Only the
    // later one counts.
    let round = (1 << 32) + 10;
    scheduler.handle_start(second, after(round));
    let turn = scheduler.turn(first, after(round));
    assert_eq!(turn, not_before(round + 60_000));
    let mut scheduler = Scheduler::new(paced(|pace| pace.group_starts = 2));
    let [first, second, third] =
        ["a.example", "b.example", "c.example"].map(|name| scheduler.insert(name, group));
    scheduler.handle_start(first, START);
    scheduler.handle_start(second, after(round));
    assert_eq!(scheduler.turn(third, after(round)), Turn::Ready);
}

/// The queue of the old address skips a host that has left it.
#[test]
fn a_host_that_moved_waits_for_its_new_address_alone() {
    let mut scheduler = Scheduler::new(paced(|pace| pace.group_starts = 1));
    let [old, new] = [Some(IpGroup(1)), Some(IpGroup(2))];
    let first = scheduler.insert("first.example", old);
    let moving = scheduler.insert("moving.example", old);
    let other = scheduler.insert("other.example", new);
    scheduler.handle_start(first, START);
    scheduler.set_idle(other);
    // The host enters the queue of the old address, and then the queue of the new one, which opens
    // later.
    assert_eq!(scheduler.next_ready(START), None);
    scheduler.handle_start(other, after(30_000));
    assert_eq!(scheduler.insert("moving.example", new), moving);
    assert_eq!(scheduler.next_ready(after(30_000)), None);
    assert_eq!(scheduler.next_ready(after(60_000)), None);
    assert_eq!(scheduler.next_ready(after(90_000)), Some(moving));
}

/// A removed host leaves a stale place in the queue. A new host that gets its number must not get
/// that place too.
#[test]
fn a_new_host_does_not_take_the_place_in_line_of_a_removed_one() {
    let [first, second] = [IpGroup(1), IpGroup(2)].map(Some);
    for (group, opens_at) in [(second, 90_000), (first, 60_000)] {
        let mut scheduler = Scheduler::new(Profile::rfc9309());
        for (address, from) in [(first, 0), (second, 30_000)] {
            for number in 0..10 {
                let host = scheduler.insert(&format!("{address:?}-{number}"), address);
                scheduler.handle_start(host, after(from));
            }
        }
        let [removed, waiting] = ["removed", "waiting"].map(|name| scheduler.insert(name, first));
        assert_eq!(scheduler.next_ready(after(30_000)), None);
        scheduler.remove(removed);
        let new = scheduler.insert("new", group);
        assert_eq!(new.index(), removed.index(), "a number given again");
        assert_eq!(scheduler.next_ready(after(30_000)), None);
        assert_eq!(scheduler.turn(new, after(30_000)), not_before(opens_at));
        assert_eq!(scheduler.next_ready(after(60_000)), Some(waiting));
    }
}

#[test]
fn a_removed_host_has_neither_name_nor_turn() {
    let (mut scheduler, host) = one_host(Profile::rfc9309());
    scheduler.handle_start(host, START);
    scheduler.remove(host);
    // The scheduler remembers the host: first its request is under way, and then its gap runs.
    for is_replied in [false, true] {
        if is_replied {
            scheduler.handle_reply(host, Reply::new(Ok(200), START), START);
        }
        assert_eq!(scheduler.host(host), "");
        for now in [START, after(2_000)] {
            assert_eq!(scheduler.turn(host, now), Turn::NotBefore(Timestamp::MAX));
        }
        assert_eq!(scheduler.capacity(host, secs(60)), 0);
    }
}

/// The stored form of a scheduler, changed at one place and read back.
fn reread(scheduler: &Scheduler, path: &str, value: Value) -> serde_json::Result<Scheduler> {
    let mut saved = serde_json::to_value(scheduler).unwrap();
    *saved.pointer_mut(path).unwrap() = value;
    serde_json::from_value(saved)
}

#[test]
fn a_stored_scheduler_that_contradicts_itself_is_an_error() {
    let mut scheduler = Scheduler::new(Profile::rfc9309());
    scheduler.insert("a.example", Some(IpGroup(1)));
    scheduler.insert("b.example", Some(IpGroup(2)));
    for (path, value, message) in [
        ("/hosts/1/name", json!("a.example"), "two hosts of one name"),
        ("/groups/1/key", json!(1), "two groups of one number"),
        (
            "/hosts/1/group",
            json!(7),
            "a host of a group that is not there",
        ),
    ] {
        let error = reread(&scheduler, path, value).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

/// The stored form does not say which numbers are free. A host that waits has a place in the queue,
/// whether the place is stored or not.
#[test]
fn each_stored_host_that_waits_has_its_turn() {
    let mut scheduler = Scheduler::new(paced(|pace| pace.group_starts = 1));
    let group = Some(IpGroup(1));
    let [asked, in_line, alone] = [("a", group), ("b", group), ("c", None)]
        .map(|(name, group)| scheduler.insert(name, group));
    scheduler.handle_start(asked, START);
    ask(&mut scheduler, alone, Ok(200), START);
    assert_eq!(scheduler.next_ready(START), None);
    let late = json!({"at": 1_u64 << 60, "number": 2, "stamp": 0});
    for (path, value) in [
        ("/timed", json!([])),
        ("/timed/0/at", json!(u64::MAX)),
        ("/timed/0/stamp", json!(1_000)),
        ("/timed/0/number", json!(1)),
        ("/timed/0", late),
        ("/hosts/2/stamp", json!(1_000)),
        ("/hosts/2/queue", json!("InGroup")),
        ("/groups/0/queue", json!(null)),
        ("/groups/0/queue", json!([[1, 1_000], [2, 4], [9, 9]])),
        ("/hosts/1/queue", json!("Timed")),
        ("/hosts/1/queue", json!("Nowhere")),
        ("/hosts/1/stamp", json!(u32::MAX)),
        ("/opening", json!([])),
        ("/opening/0/at", json!(u64::MAX)),
        ("/opening/0/stamp", json!(1_000)),
        ("/groups/0/stamp", json!(u32::MAX)),
        ("/groups/0/is_queued", json!(false)),
    ] {
        let mut read = reread(&scheduler, path, value).unwrap();
        assert_eq!(read.len(), 3);
        let new = read.insert("d", group);
        assert_eq!((new.index(), read.host(asked)), (3, "a"), "{path}");
        read.set_idle(new);
        assert_eq!(read.next_ready(after(999)), None, "{path}");
        assert_eq!(read.next_ready(after(1_000)), Some(alone), "{path}");
        read.handle_start(alone, after(1_000));
        assert_eq!(read.next_ready(after(59_999)), None, "{path}");
        assert_eq!(read.next_ready(after(60_000)), Some(in_line), "{path}");
    }
}

#[test]
fn who_stands_in_the_line_of_another_address_leaves_it_when_read() {
    let mut scheduler = Scheduler::new(paced(|pace| pace.group_starts = 1));
    let [asked, in_line] = ["a", "b"].map(|name| scheduler.insert(name, Some(IpGroup(1))));
    scheduler.handle_start(asked, START);
    assert_eq!(scheduler.next_ready(START), None);
    let mut read = reread(&scheduler, "/hosts/1/group", json!(u32::MAX)).unwrap();
    assert_eq!(read.next_ready(START), Some(in_line));
}

#[test]
fn a_place_from_before_saving_is_not_taken_after_it() {
    let mut scheduler = Scheduler::new(paced(|pace| pace.group_starts = 1));
    let [first, second] = [IpGroup(1), IpGroup(2)].map(Some);
    for (name, address, from) in [("a", first, 0), ("b", second, 30_000)] {
        let asked = scheduler.insert(name, address);
        scheduler.handle_start(asked, after(from));
        scheduler.set_idle(asked);
    }
    let removed = scheduler.insert("removed", first);
    assert_eq!(scheduler.next_ready(after(30_000)), None);
    let mut read = reread(&scheduler, "/hosts/0/name", json!("c")).unwrap();
    read.remove(removed);
    for _ in 0..10 {
        let new = read.insert("new", second);
        assert_eq!(new.index(), removed.index(), "a number given again");
        assert_eq!(read.next_ready(after(30_000)), None);
        assert_eq!(read.clone().next_ready(after(60_000)), None);
        read.remove(new);
    }
}

/// The law of saved schedulers found this fault: the wake-up of an invalid place in the queue was
/// lost with the place.
#[test]
fn saved_or_not_it_wakes_at_the_same_time() {
    let (mut scheduler, host) = one_host(Profile::rfc9309());
    scheduler.handle_start(host, after(5));
    let saved = serde_json::to_value(&scheduler).unwrap();
    let mut read: Scheduler = serde_json::from_value(saved).unwrap();
    // Reading the scheduler back ends the request.
    scheduler.handle_cancelled(host, after(5));
    for mut scheduler in [read.clone(), scheduler] {
        assert_eq!(scheduler.next_wakeup(), Some(Timestamp::EPOCH));
        assert_eq!(scheduler.next_ready(after(5)), None);
        assert_eq!(scheduler.next_wakeup(), Some(after(1_005)));
    }
    read.set_idle(host);
    assert_eq!(read.next_ready(after(1_005)), None);
    assert_eq!(read.next_wakeup(), None);
}

#[test]
fn a_gap_from_the_end_of_a_request_adds_the_time_that_requests_take() {
    let (mut scheduler, host) = one_host(Profile::rfc9309());
    for (started, latency) in [(0, 200), (10_000, 600)] {
        scheduler.handle_start(host, after(started));
        let reply = Reply::new(Ok(200), after(started));
        scheduler.handle_reply(host, reply, after(started + latency));
    }
    // The next request comes a second after the last one, and then one comes every 1.4 s.
    assert_eq!(scheduler.capacity(host, Duration::from_millis(15_000)), 11);
    assert_eq!(scheduler.capacity(host, Duration::from_millis(14_999)), 10);
}

#[test]
fn an_answer_for_the_whole_site_is_told_as_one_and_not_as_a_file() {
    let profile = Profile::rfc9309();
    let cause = Cause::Status(404);
    for (robots_txt, expected) in [
        (RobotsTxt::allow_all(cause), "allowed: "),
        (RobotsTxt::disallow_all(cause), "disallowed: "),
        (RobotsTxt::parse(b""), "the rules of robots.txt"),
        (RobotsTxt::parse(b"Allow: /"), "the rules of robots.txt"),
    ] {
        let mut entry = Entry::new();
        let parsed = read(robots_txt, Freshness::default());
        entry.handle(parsed, &profile, START);
        let told = entry.explain(&profile, Site::Unknown, START).to_string();
        assert!(told.starts_with(expected), "{told}");
    }
}

const EXPIRED: &str = "disallowed: robots.txt not fetched again since its answer expired at 2026-01-02T00:00:00Z; next fetch: now";

#[test]
fn what_does_not_apply_any_more_is_not_told_as_if_it_did() {
    let profile = Profile::rfc9309();
    let day = 86_400_000;
    for answer in [
        read(RobotsTxt::parse(b"User-agent: *"), Freshness::default()),
        Outcome::Unavailable(Cause::Status(404)),
    ] {
        let mut entry = Entry::new();
        entry.handle(answer, &profile, START);
        let ignoring = profile.ignore_robots();
        for (profile, now, expected) in [
            (&profile, after(day), EXPIRED),
            (
                &ignoring,
                START,
                "allowed: configured for the whole site; next fetch: never",
            ),
        ] {
            let told = entry.explain(profile, Site::Unknown, now);
            assert_eq!(told.to_string(), expected);
        }
    }
}

#[test]
fn a_stored_origin_that_no_url_has_is_an_error() {
    let origins = [
        "https://example.com",
        "http://[2001:db8::1]:8080",
        "https://xn--exmple-cua.com.:8443",
    ];
    for origin in origins.map(|url| Origin::of(url).unwrap()) {
        let stored = serde_json::to_value(&origin).unwrap();
        assert_eq!(reload(&origin), origin);
        let port = if stored["scheme"] == "Https" { 443 } else { 80 };
        let hosts = [
            "Example.com",
            "example.com/deep?",
            "user@example.com",
            "exämple.com",
            "",
        ];
        let odd = hosts.iter().map(|host| ("host", json!(host)));
        for (key, odd) in odd.chain([("port", json!(port))]) {
            let mut changed = stored.clone();
            changed[key] = odd;
            let read = serde_json::from_value::<Origin>(changed.clone());
            assert!(read.is_err(), "{changed}");
        }
    }
}
