//! The cache: one fetch at a time for each origin, answers that are held, and memory.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use polite_robots::{Cause, RobotsTxt};
use polite_robots_policy::{
    Cache, Entry, Freshness, Lookup, NextFetch, Obedience, Origin, Outcome, Pacer, Profile,
    RetryAfter, Site, Ticket,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::laws::{START, access, access_of, at, outcome, read, round};
use super::naive::{Access, DAY, HOUR, MINUTE, Round};
use super::together::law_cases::law_cases;

proptest! {
    #![proptest_config(law_cases(512))]

    /// One fetch at a time for each origin; nothing is forgotten that is young, awaited, held or being fetched; new
    /// origins find the cache full instead.
    #[test]
    fn a_cache_has_one_fetch_under_way_for_each_origin(
        acts in vec((0_u8..9, 0_usize..8, select(vec![0, 1, MINUTE, 4 * MINUTE, HOUR, DAY / 2, DAY]), round()), 0..60),
    ) {
        let profile = Profile::rfc9309();
        let mut cache = Cache::new(profile, &["ExampleBot"], 6 * 1024).unwrap().keep_documents();
        let origins: Vec<Origin> = (0..8).map(origin).collect();
        // Each with the time at which it was given out.
        let mut tickets: Vec<(Ticket, u64)> = Vec::new();
        // The last answer of each, when it came and when it was first asked for.
        let mut answers: BTreeMap<&Origin, (Access, u64, Option<u64>)> = BTreeMap::new();
        // When each was last asked for, and when its last round ended.
        let mut last_asked: BTreeMap<&Origin, u64> = BTreeMap::new();
        let mut last_round: BTreeMap<&Origin, u64> = BTreeMap::new();
        let mut held: BTreeSet<&Origin> = BTreeSet::new();
        let mut now = START;
        for (kind, number, pause, round) in acts {
            now += pause;
            let origin = &origins[number];
            let known: Vec<&Origin> = origins.iter().filter(|origin| cache.entry(origin).is_some()).collect();
            let is_under_way = |origin: &Origin| {
                tickets.iter().any(|(ticket, given)| ticket.origin() == origin && now < given + LEASE)
            };
            let must_stay: Vec<&Origin> = known.iter().copied().filter(|origin| {
                let is_recent = |times: &BTreeMap<&Origin, u64>| times.get(origin).is_some_and(|at| now < at + 5 * MINUTE);
                let is_awaited = answers.get(origin).is_some_and(|(_, came, asked)| asked.is_none() && now < came + DAY);
                is_under_way(origin) || held.contains(origin) || is_awaited || is_recent(&last_asked) || is_recent(&last_round)
            }).collect();
            match kind {
                0..4 => match cache.poll(origin, at(now)) {
                    Lookup::Fetch(ticket) => {
                        prop_assert!(!is_under_way(origin));
                        // The page that the last one was made for has had its turn.
                        if let Some((_, came, asked)) = answers.remove(origin) {
                            prop_assert!(now >= came + DAY || asked.is_some_and(|asked| now >= asked + 5 * MINUTE));
                        }
                        tickets.push((ticket, now));
                        last_asked.insert(origin, now);
                    }
                    Lookup::Pending => {
                        prop_assert!(is_under_way(origin));
                        last_asked.insert(origin, now);
                    }
                    Lookup::Closed(closed) => {
                        prop_assert!(!is_under_way(origin));
                        let entry = cache.entry(origin).unwrap();
                        let in_force = access_of(&entry, &profile, Site::Unknown, now);
                        prop_assert_eq!(access(&closed.robot), in_force);
                        prop_assert!(matches!(in_force, Access::Closed | Access::Nothing));
                        prop_assert!(matches!(closed.retry, NextFetch::At(retry) if retry > at(now)));
                        prop_assert!(closed.since <= at(now));
                        last_asked.insert(origin, now);
                    }
                    Lookup::Ready(robot) => {
                        let entry = cache.entry(origin).unwrap();
                        let in_force = access_of(&entry, &profile, Site::Unknown, now);
                        let waiting = answers.get_mut(origin).filter(|(_, came, asked)| {
                            now < came + DAY && asked.is_none_or(|asked| now < asked + 5 * MINUTE)
                        });
                        let expected = match waiting {
                            // P13: no answer is held for more than a day.
                            Some((answer, _, asked)) => {
                                asked.get_or_insert(now);
                                *answer
                            }
                            None => in_force,
                        };
                        prop_assert_eq!(access(&robot), expected);
                        last_asked.insert(origin, now);
                    }
                    Lookup::Full => prop_assert!(!known.contains(&origin) && !known.is_empty()),
                    other => panic!("{other:?}"),
                },
                4 | 5 => {
                    if !tickets.is_empty() {
                        let (ticket, given) = tickets.swap_remove(number % tickets.len());
                        let origin = origins.iter().find(|origin| *origin == ticket.origin()).unwrap();
                        let is_late = tickets.iter().any(|(other, later)| other.origin() == origin && *later > given);
                        let before = cache.entry(origin).map(|entry| entry.robots_date());
                        cache.handle(ticket, outcome(round), at(now));
                        if is_late {
                            prop_assert_eq!(cache.entry(origin).map(|entry| entry.robots_date()), before);
                        } else if let Some(entry) = cache.entry(origin).filter(|entry| entry.robots_date() == Some(at(now))) {
                            last_round.insert(origin, now);
                            if entry.failures() == 0 {
                                let answer = access_of(&entry, &profile, Site::Unknown, now);
                                answers.insert(origin, (answer, now, None));
                            }
                        }
                    }
                }
                // The crawler says what it has queued.
                6 => {
                    cache.hold(origin);
                    if known.contains(&origin) {
                        held.insert(origin);
                    }
                }
                7 => {
                    cache.release(origin);
                    held.remove(origin);
                    last_asked.remove(origin);
                }
                // A task was cancelled, or gives its ticket back. Nothing counts as failed.
                _ => {
                    if !tickets.is_empty() {
                        let (ticket, _) = tickets.swap_remove(number % tickets.len());
                        let origin = ticket.origin().clone();
                        let failures = cache.entry(&origin).map(|entry| entry.failures());
                        if pause % 2 == 0 {
                            cache.give_back(ticket, at(now));
                        } else {
                            drop(ticket);
                        }
                        prop_assert_eq!(cache.entry(&origin).map(|entry| entry.failures()), failures);
                    }
                }
            }
            for origin in must_stay {
                let is_released = kind == 7 && *origin == origins[number];
                prop_assert!(is_released || kind == 8 || cache.entry(origin).is_some(), "{origin} was forgotten");
            }
            answers.retain(|origin, _| cache.entry(origin).is_some());
            held.retain(|origin| cache.entry(origin).is_some());
            prop_assert_eq!(cache.len(), cache.entries().count());
            for due in cache.due(at(now)) {
                let next = cache.entry(due).unwrap().next_fetch(&profile, at(now));
                prop_assert_eq!(next, NextFetch::Now);
            }
        }
    }
}

/// [`AccessSettings::ticket_lease`](polite_robots_policy::AccessSettings::ticket_lease) of the presets.
const LEASE: u64 = 10 * MINUTE;

fn origin(number: usize) -> Origin {
    Origin::of(&format!("https://h{number}.example")).unwrap()
}

/// A redirect to another origin: its robots.txt was read, but for the first one.
#[test]
fn rfc_rules_of_a_redirect_apply_to_the_first_authority_only() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let [first, target] =
        ["https://example.com", "https://www.example.com"].map(|url| Origin::of(url).unwrap());
    let Lookup::Fetch(ticket) = cache.poll(&first, at(START)) else {
        panic!()
    };
    cache.handle(ticket, outcome(Round::File(None)), at(START));
    assert!(matches!(cache.poll(&first, at(START)), Lookup::Ready(_)));
    assert!(matches!(cache.poll(&target, at(START)), Lookup::Fetch(_)));
}

#[test]
fn a_copy_counts_while_its_refresh_is_on_its_way() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let origin = Origin::of("https://example.com").unwrap();
    let Lookup::Fetch(ticket) = cache.poll(&origin, at(START)) else {
        panic!()
    };
    cache.handle(ticket, outcome(Round::File(None)), at(START));
    assert!(matches!(cache.poll(&origin, at(START)), Lookup::Ready(_)));
    let due = cache.next_wakeup().unwrap();
    assert_eq!(due.as_millis() - START, DAY * 8 / 10);
    assert_eq!(cache.due(due).next(), Some(&origin));
    let Lookup::Fetch(ticket) = cache.poll(&origin, due) else {
        panic!()
    };
    assert!(matches!(cache.poll(&origin, due), Lookup::Ready(_)));
    drop(ticket);
    let last = at(START + DAY - 5 * MINUTE);
    let Lookup::Fetch(_ticket) = cache.poll(&origin, last) else {
        panic!()
    };
    assert!(matches!(cache.poll(&origin, last), Lookup::Ready(_)));
    assert!(matches!(
        cache.poll(&origin, at(START + DAY)),
        Lookup::Pending
    ));
}

fn parsed(robots_txt: &str) -> Outcome {
    read(
        RobotsTxt::parse(robots_txt.as_bytes()),
        Freshness::default(),
    )
}

#[test]
fn a_new_file_has_new_rules() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let origin = Origin::of("https://example.com").unwrap();
    for (days, path) in [(0, "/a"), (1, "/b")] {
        let now = at(START + days * DAY);
        let Lookup::Fetch(ticket) = cache.poll(&origin, now) else {
            panic!()
        };
        cache.handle(
            ticket,
            parsed(&format!("User-agent: *\nDisallow: {path}")),
            now,
        );
        let Lookup::Ready(robot) = cache.poll(&origin, now) else {
            panic!()
        };
        assert!(!robot.allowed(path));
        assert_eq!(robot.rules().count(), 1);
    }
}

/// A dropped ticket notifies nobody, and its origin is found all the same.
#[test]
fn origins_with_abandoned_fetches_are_forgotten_too() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 100 << 10).unwrap();
    let mut now = START;
    for number in 0..1_000 {
        drop(cache.poll(&origin(number), at(now)));
        now += MINUTE;
    }
    assert!(cache.len() > 5);
    assert!(cache.bytes() <= 100 << 10, "{}", cache.bytes());
}

/// A poll of a full cache looks at a few origins. If at all of them, this would not end for long.
#[test]
fn fetches_under_way_are_kept_and_cost_the_others_nothing() {
    const FETCHES: usize = 30_000;

    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 140 << 20).unwrap();
    let mut tickets: Vec<Ticket> = (0..FETCHES)
        .map(|number| fetch(&mut cache, number, START))
        .collect();
    assert_eq!(cache.len(), FETCHES);
    let mut full = 0;
    while matches!(
        cache.poll(&origin(FETCHES + full), at(START)),
        Lookup::Fetch(_)
    ) {
        full += 1;
    }
    for number in 0..FETCHES {
        let lookup = cache.poll(&origin(2 * FETCHES + number), at(START));
        assert!(matches!(lookup, Lookup::Full));
    }
    // Half are answered and half abandoned, but for the last.
    let last = tickets.pop().unwrap();
    for (number, ticket) in tickets.into_iter().enumerate() {
        if number % 2 == 0 {
            cache.handle(ticket, parsed(""), at(START));
        }
    }
    cache.handle(last, parsed("User-agent: *\nDisallow: /"), at(START));
    let lookup = cache.poll(&origin(FETCHES - 1), at(START));
    assert!(matches!(lookup, Lookup::Ready(_)));
}

fn fetch(cache: &mut Cache, number: usize, now: u64) -> Ticket {
    match cache.poll(&origin(number), at(now)) {
        Lookup::Fetch(ticket) => ticket,
        other => panic!("no fetch but {other:?}"),
    }
}

/// The crawl of the documentation with more hosts than fit: a page of each host in turn, five seconds between two of
/// them.
#[test]
fn a_cache_smaller_than_the_hosts_still_fetches_pages() {
    const PAGES: usize = 10;

    for (hosts, capacity, is_held) in [(60, 40 << 10, true), (60, 40 << 10, false), (8, 1, true)] {
        let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], capacity).unwrap();
        let mut pages = vec![0; hosts];
        let mut requests = vec![0; hosts];
        let mut admissions = vec![0; hosts];
        let mut now = START;
        let mut rounds = 0;
        while pages.iter().any(|pages| *pages < PAGES) {
            rounds += 1;
            assert!(rounds < 4_000, "it does not end: {pages:?}");
            for host in 0..hosts {
                if pages[host] == PAGES {
                    continue;
                }
                let origin = origin(host);
                admissions[host] += usize::from(cache.entry(&origin).is_none());
                match cache.poll(&origin, at(now)) {
                    Lookup::Fetch(ticket) => {
                        requests[host] += 1;
                        let file =
                            format!("User-agent: *\nDisallow: /{host}/{}", "x".repeat(2_000));
                        cache.handle(ticket, parsed(&file), at(now));
                        if is_held {
                            cache.hold(&origin);
                        }
                    }
                    Lookup::Ready(_) => {
                        pages[host] += 1;
                        if pages[host] == PAGES {
                            cache.release(&origin);
                        }
                    }
                    Lookup::Full => admissions[host] -= 1,
                    other => panic!("{other:?}"),
                }
            }
            now += 5_000;
        }
        assert!(cache.len() < hosts);
        for host in 0..hosts {
            assert_eq!((requests[host], admissions[host]), (1, 1), "host {host}");
        }
    }
}

#[test]
fn an_answer_that_is_young_awaited_or_held_is_not_forgotten() {
    let new = || Cache::new(Profile::rfc9309(), &["ExampleBot"], 1).unwrap();
    let is_forgotten_at = |cache: &mut Cache, now: u64| {
        let is_full = matches!(cache.poll(&origin(1), at(now)), Lookup::Full);
        assert_eq!(cache.entry(&origin(0)).is_some(), is_full);
        !is_full
    };
    let fill = |cache: &mut Cache| {
        let ticket = fetch(cache, 0, START);
        cache.handle(ticket, parsed("User-agent: *\nDisallow: /"), at(START));
    };
    // Awaited for a day.
    let mut cache = new();
    fill(&mut cache);
    assert!(!is_forgotten_at(&mut cache, START + DAY - 1));
    assert!(is_forgotten_at(&mut cache, START + DAY));
    // Asked for.
    let mut cache = new();
    fill(&mut cache);
    assert!(matches!(
        cache.poll(&origin(0), at(START + HOUR)),
        Lookup::Ready(_)
    ));
    assert!(!is_forgotten_at(&mut cache, START + HOUR + 5 * MINUTE - 1));
    assert!(is_forgotten_at(&mut cache, START + HOUR + 5 * MINUTE));
    // Held, for however long.
    let mut cache = new();
    fill(&mut cache);
    cache.hold(&origin(0));
    assert!(!is_forgotten_at(&mut cache, START + 30 * DAY));
    cache.release(&origin(0));
    assert!(is_forgotten_at(&mut cache, START + 30 * DAY));
    // Released, but its robots.txt is young.
    let mut cache = new();
    fill(&mut cache);
    assert!(matches!(
        cache.poll(&origin(0), at(START)),
        Lookup::Ready(_)
    ));
    cache.release(&origin(0));
    assert!(!is_forgotten_at(&mut cache, START + 5 * MINUTE - 1));
    assert!(is_forgotten_at(&mut cache, START + 5 * MINUTE));
}

#[test]
fn equal_files_are_kept_once() {
    let bytes_of = |files: [&str; 2]| {
        let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
        for (number, file) in files.into_iter().enumerate() {
            let ticket = fetch(&mut cache, number, START);
            cache.handle(ticket, parsed(file), at(START));
        }
        cache.bytes()
    };
    let (file, other) = ("User-agent: *\nDisallow: /a", "User-agent: *\nDisallow: /b");
    assert!(bytes_of([file, file]) + 500 < bytes_of([file, other]));
    // A file that its last origin leaves takes no memory.
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let empty = {
        let ticket = fetch(&mut cache, 0, START);
        cache.handle(ticket, outcome(Round::Gone), at(START));
        cache.bytes()
    };
    let entry = cache.entry(&origin(0)).unwrap();
    for _ in 0..3 {
        let now = at(START + DAY);
        let Lookup::Fetch(ticket) = cache.poll(&origin(0), now) else {
            panic!()
        };
        cache.handle(ticket, parsed(file), now);
        assert!(cache.bytes() > empty);
        cache.insert(&origin(0), entry.clone(), at(START));
        assert_eq!(cache.bytes(), empty);
    }
}

/// Eight dropped tickets over 14 hours opened a site, and 10 gave it up, without one request.
#[test]
fn dropped_tickets_count_as_nothing() {
    for profile in [Profile::rfc9309(), Profile::google(), Profile::ibm()] {
        let mut cache = Cache::new(profile, &["ExampleBot"], 1 << 20).unwrap();
        for number in 0..200 {
            let now = START + number * 12 * HOUR;
            let ticket = fetch(&mut cache, 0, now);
            if number % 2 == 0 {
                drop(ticket);
            } else {
                cache.give_back(ticket, at(now));
            }
            assert_eq!(cache.entry(&origin(0)).unwrap().failures(), 0);
        }
        // And it is due again at once.
        drop(fetch(&mut cache, 0, START + 100 * DAY));
        drop(fetch(&mut cache, 0, START + 100 * DAY));
    }
}

#[test]
fn a_ticket_that_is_held_for_too_long_is_replaced() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let hung = fetch(&mut cache, 0, START);
    assert!(matches!(
        cache.poll(&origin(0), at(START + LEASE - 1)),
        Lookup::Pending
    ));
    assert_eq!(cache.next_wakeup(), Some(at(START + LEASE)));
    let ticket = fetch(&mut cache, 0, START + LEASE);
    // The one that hung comes back, and too late.
    cache.handle(
        hung,
        parsed("User-agent: *\nDisallow: /"),
        at(START + LEASE),
    );
    assert!(matches!(
        cache.poll(&origin(0), at(START + LEASE)),
        Lookup::Pending
    ));
    cache.handle(
        ticket,
        parsed("User-agent: *\nDisallow: /b"),
        at(START + LEASE),
    );
    let Lookup::Ready(robot) = cache.poll(&origin(0), at(START + LEASE)) else {
        panic!()
    };
    assert!(robot.allowed("/a") && !robot.allowed("/b"));
    // Nobody has replaced this one, so it still counts.
    let late = fetch(&mut cache, 1, START);
    cache.handle(late, parsed(""), at(START + DAY));
    assert!(matches!(
        cache.poll(&origin(1), at(START + DAY)),
        Lookup::Ready(_)
    ));
}

#[test]
fn an_outage_is_told_from_a_rule() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let ticket = fetch(&mut cache, 0, START);
    cache.handle(ticket, outcome(Round::Failed), at(START));
    let Lookup::Closed(closed) = cache.poll(&origin(0), at(START + 1)) else {
        panic!()
    };
    assert_eq!(closed.cause, Cause::Status(500));
    assert_eq!(
        (closed.since, closed.retry),
        (at(START), NextFetch::At(at(START + 5 * MINUTE)))
    );
    assert!(!closed.robot.allowed("/"));
    let explained = cache
        .explain(&origin(0), at(START + 1))
        .unwrap()
        .to_string();
    assert!(
        explained.starts_with("disallowed: robots.txt answered with status 500"),
        "{explained}"
    );
    // The crawler's own fault closes too, for a moment.
    let ticket = fetch(&mut cache, 1, START);
    cache.handle(ticket, Outcome::Local, at(START));
    let Lookup::Closed(closed) = cache.poll(&origin(1), at(START)) else {
        panic!()
    };
    assert_eq!(
        (closed.cause, closed.retry),
        (Cause::NotFetched, NextFetch::At(at(START + 10_000)))
    );
    // That the site wants no crawler is an answer.
    let ticket = fetch(&mut cache, 2, START);
    cache.handle(ticket, outcome(Round::Forbidden), at(START));
    assert!(matches!(
        cache.poll(&origin(2), at(START)),
        Lookup::Ready(_)
    ));
    assert!(cache.explain(&origin(3), at(START)).is_none());
}

/// Room for one origin and its tombstone.
const ONE_ORIGIN: usize = 620;

/// Fills a cache that has room for one origin, so that the one in it is forgotten.
fn forget(cache: &mut Cache, now: u64) {
    let ticket = fetch(cache, 100, now);
    assert!(cache.entry(&origin(0)).is_none());
    cache.handle(ticket, Outcome::Local, at(now));
    cache.release(&origin(100));
}

#[test]
fn a_forgotten_copy_does_not_open_the_site() {
    for profile in [Profile::rfc9309(), Profile::google()] {
        let mut cache = Cache::new(profile, &["ExampleBot"], ONE_ORIGIN).unwrap();
        let ticket = fetch(&mut cache, 0, START);
        cache.handle(ticket, parsed("User-agent: *\nDisallow: /"), at(START));
        let mut now = START + 2 * DAY;
        forget(&mut cache, now);
        assert_eq!(cache.forgotten(), 1);
        // All is unreachable from then on; robots.txt is retried whenever it is due, for two months.
        for _ in 0..5_000 {
            now += 20 * MINUTE;
            match cache.poll(&origin(0), at(now)) {
                Lookup::Fetch(ticket) => cache.handle(ticket, outcome(Round::Failed), at(now)),
                Lookup::Closed(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn a_forgotten_outage_goes_on() {
    let mut cache = Cache::new(Profile::ibm(), &["ExampleBot"], ONE_ORIGIN).unwrap();
    let mut now = START;
    for failures in 1..=10 {
        let ticket = fetch(&mut cache, 0, now);
        cache.handle(ticket, outcome(Round::Failed), at(now));
        assert_eq!(cache.entry(&origin(0)).unwrap().failures(), failures);
        cache.release(&origin(0));
        now += 30 * MINUTE;
        forget(&mut cache, now);
        now += 10 * MINUTE;
        // The retry is not due any earlier.
        if failures < 10 {
            let Lookup::Closed(closed) = cache.poll(&origin(0), at(now)) else {
                panic!()
            };
            assert_eq!(closed.retry, NextFetch::At(at(now + 20 * MINUTE)));
        }
        now += 20 * MINUTE;
    }
    let Lookup::Closed(closed) = cache.poll(&origin(0), at(now)) else {
        panic!()
    };
    assert_eq!(
        (closed.cause, closed.retry),
        (Cause::GaveUp, NextFetch::Never)
    );
    // Only the operator changes that, for one that is forgotten too.
    now += HOUR;
    forget(&mut cache, now);
    cache.reset(&origin(0));
    fetch(&mut cache, 0, now + HOUR);
}

#[test]
fn origins_that_say_nothing_leave_no_tombstone() {
    let mut cache = Cache::new(Profile::google(), &["ExampleBot"], 1).unwrap();
    let ticket = fetch(&mut cache, 0, START);
    cache.handle(ticket, outcome(Round::Gone), at(START));
    forget(&mut cache, START + 2 * DAY);
    assert_eq!(cache.forgotten(), 0);
}

#[test]
fn tombstones_take_a_quarter_at_most_and_outages_stay_longest() {
    let mut cache = Cache::new(Profile::google(), &["ExampleBot"], 20_000).unwrap();
    let mut now = START;
    for number in 0..200 {
        let ticket = fetch(&mut cache, number, now);
        let round = if number < 10 {
            outcome(Round::Failed)
        } else {
            outcome(Round::File(None))
        };
        cache.handle(ticket, round, at(now));
        now += 2 * DAY;
        assert!(cache.bytes() <= 20_000);
    }
    assert!(
        (20..60).contains(&cache.forgotten()),
        "{}",
        cache.forgotten()
    );
    fetch(&mut cache, 0, now);
    assert_eq!(cache.entry(&origin(0)).unwrap().failures(), 1);
}

#[test]
fn a_site_that_was_given_up_is_asked_again_after_a_reset() {
    let mut cache = Cache::new(Profile::ibm(), &["ExampleBot"], 1 << 20).unwrap();
    let mut now = START;
    while let Lookup::Fetch(ticket) = cache.poll(&origin(0), at(now)) {
        cache.handle(ticket, outcome(Round::Failed), at(now));
        now += HOUR;
    }
    assert_eq!(cache.next_wakeup(), None);
    cache.reset(&origin(0));
    assert!(cache.next_wakeup().is_some());
    assert_eq!(cache.entry(&origin(0)).unwrap().failures(), 0);
    fetch(&mut cache, 0, now);
}

#[test]
fn a_page_that_came_makes_robots_txt_due_but_not_too_often() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let origin = origin(0);
    let mut now = START;
    let mut rounds = 0;
    // A day in which pages of the site come all the time, and its robots.txt does not.
    while now < START + DAY {
        if let Lookup::Fetch(ticket) = cache.poll(&origin, at(now)) {
            cache.handle(ticket, outcome(Round::Failed), at(now));
            rounds += 1;
        }
        now += MINUTE;
        cache.set_site(&origin, Site::Available, at(now));
    }
    assert_eq!(rounds, DAY / (5 * MINUTE));
    // But a wait that the server asked for is kept.
    let Lookup::Fetch(ticket) = cache.poll(&origin, at(now + 5 * MINUTE)) else {
        panic!()
    };
    now += 5 * MINUTE;
    let retry_after = Some(RetryAfter::Delay(Duration::from_secs(7_200)));
    let cause = Cause::Status(503);
    cache.handle(ticket, Outcome::Unreachable { cause, retry_after }, at(now));
    cache.set_site(&origin, Site::Available, at(now + HOUR));
    assert_eq!(cache.next_wakeup(), Some(at(now + 2 * HOUR)));
    assert!(matches!(
        cache.poll(&origin, at(now + HOUR)),
        Lookup::Closed(_)
    ));
}

#[test]
fn what_is_known_of_a_site_is_saved_and_ages() {
    let profile = Profile::google();
    let mut entry = Entry::new();
    let mut now = START;
    while now < START + 40 * DAY {
        entry.handle(outcome(Round::Failed), &profile, at(now));
        now += 6 * HOUR;
    }
    now -= 6 * HOUR;
    entry.set_site(Site::Available, &profile, at(now));
    let stored = serde_json::to_string(&entry).unwrap();
    let mut entry: Entry = serde_json::from_str(&stored).unwrap();
    let is_open =
        |entry: &Entry, now| access_of(entry, &profile, Site::Unknown, now) == Access::Open;
    assert!(is_open(&entry, now + HOUR));
    for (days, expected) in [(0, true), (1, false)] {
        let mut later = now;
        while later < now + days * DAY {
            later += 6 * HOUR;
            entry.handle(outcome(Round::Failed), &profile, at(later));
        }
        assert_eq!(is_open(&entry, later + HOUR), expected, "{days}");
    }
}

#[test]
fn an_entry_of_a_cache_without_documents_keeps_its_rules() {
    let new = |agent: &str| Cache::new(Profile::rfc9309(), &[agent], 1 << 20).unwrap();
    let mut old = new("ExampleBot");
    let ticket = fetch(&mut old, 0, START);
    old.handle(
        ticket,
        parsed("User-agent: ExampleBot\nDisallow: /a"),
        at(START),
    );
    assert!(old.document(&origin(0)).is_none());
    let stored = serde_json::to_string(&old.entry(&origin(0)).unwrap()).unwrap();
    let entry: Entry = serde_json::from_str(&stored).unwrap();
    let mut same = new("ExampleBot");
    same.insert(&origin(0), entry.clone(), at(START));
    let Lookup::Ready(robot) = same.poll(&origin(0), at(START)) else {
        panic!()
    };
    assert!(!robot.allowed("/a"));
    assert_eq!(same.bytes(), old.bytes());
    // Rules for another crawler say nothing.
    let mut other = new("OtherBot");
    other.insert(&origin(0), entry, at(START));
    fetch(&mut other, 0, START);
}

/// A round that failed by the crawler's own fault is no answer that a page could be waiting for.
#[test]
fn an_own_fault_keeps_no_expired_answer() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let ticket = fetch(&mut cache, 0, START);
    let short = read(RobotsTxt::parse(b""), Freshness::given(Duration::ZERO));
    cache.handle(ticket, short, at(START));
    assert!(matches!(
        cache.poll(&origin(0), at(START)),
        Lookup::Ready(_)
    ));
    let ticket = fetch(&mut cache, 0, START + HOUR);
    cache.handle(ticket, Outcome::Local, at(START + HOUR));
    assert!(matches!(
        cache.poll(&origin(0), at(START + HOUR)),
        Lookup::Closed(_)
    ));
    // While the answer is fresh it counts, and the next try comes soon.
    let ticket = fetch(&mut cache, 1, START);
    cache.handle(ticket, outcome(Round::File(None)), at(START));
    assert!(matches!(
        cache.poll(&origin(1), at(START)),
        Lookup::Ready(_)
    ));
    let ticket = fetch(&mut cache, 1, START + 20 * HOUR);
    cache.handle(ticket, Outcome::Local, at(START + 20 * HOUR));
    assert!(matches!(
        cache.poll(&origin(1), at(START + 20 * HOUR)),
        Lookup::Ready(_)
    ));
    fetch(&mut cache, 1, START + 20 * HOUR + 10_000);
}

#[test]
fn entries_are_saved_in_text_and_in_bytes() {
    let file = "User-agent: *\nDisallow: /a";
    for documents in [false, true] {
        let new = || {
            let cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
            if documents {
                cache.keep_documents()
            } else {
                cache
            }
        };
        let mut cache = new();
        let ticket = fetch(&mut cache, 0, START);
        cache.handle(ticket, parsed(file), at(START));
        let ticket = fetch(&mut cache, 1, START);
        cache.handle(ticket, outcome(Round::Failed), at(START));
        for number in 0..2 {
            let entry = cache.entry(&origin(number)).unwrap();
            let text = serde_json::to_string(&entry).unwrap();
            let bytes = postcard::to_allocvec(&entry).unwrap();
            let read: [Entry; 2] = [
                serde_json::from_str(&text).unwrap(),
                postcard::from_bytes(&bytes).unwrap(),
            ];
            for entry in read {
                let mut other = new();
                other.insert(&origin(number), entry, at(START));
                let told = |cache: &Cache| {
                    cache
                        .explain(&origin(number), at(START))
                        .unwrap()
                        .to_string()
                };
                assert_eq!(told(&other), told(&cache));
                let is_ready = matches!(other.poll(&origin(number), at(START)), Lookup::Ready(_));
                assert_eq!(is_ready, number == 0);
            }
        }
    }
}

#[test]
fn a_cache_that_keeps_documents_has_them() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20)
        .unwrap()
        .keep_documents();
    let file = "User-agent: *\nDisallow: /a # why";
    let ticket = fetch(&mut cache, 0, START);
    cache.handle(ticket, parsed(file), at(START));
    assert_eq!(
        cache.document(&origin(0)).unwrap().as_bytes(),
        file.as_bytes()
    );
    // Entries of it can be read by any crawler.
    let entry = cache.entry(&origin(0)).unwrap();
    let mut other = Cache::new(Profile::rfc9309(), &["OtherBot"], 1 << 20).unwrap();
    other.insert(&origin(0), entry, at(START));
    assert!(matches!(
        other.poll(&origin(0), at(START)),
        Lookup::Ready(_)
    ));
}

#[test]
fn an_owner_can_agree_that_robots_txt_is_left_out() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let ticket = fetch(&mut cache, 0, START);
    cache.handle(ticket, parsed("User-agent: *\nDisallow: /"), at(START));
    let is_allowed = |cache: &mut Cache| match cache.poll(&origin(0), at(START)) {
        Lookup::Ready(robot) => robot.allowed("/"),
        other => panic!("{other:?}"),
    };
    assert!(!is_allowed(&mut cache));
    cache.set_obedience("h0.example", Obedience::Ignore);
    assert!(is_allowed(&mut cache));
    assert_eq!(cache.next_wakeup(), None);
    assert!(matches!(
        cache.poll(&origin(1), at(START)),
        Lookup::Fetch(_)
    ));
    cache.set_obedience("h0.example", Obedience::Obey);
    assert!(!is_allowed(&mut cache));
}

#[test]
fn google_a_site_that_answers_is_open_after_a_long_outage() {
    let mut cache = Cache::new(Profile::google(), &["ExampleBot"], 1 << 20).unwrap();
    let origin = Origin::of("https://example.com").unwrap();
    let mut now = START;
    // robots.txt fails for two months.
    for _ in 0..2_000 {
        if let Lookup::Fetch(ticket) = cache.poll(&origin, at(now)) {
            cache.handle(ticket, outcome(Round::Failed), at(now));
        }
        now += HOUR;
    }
    let is_open = |cache: &mut Cache| loop {
        match cache.poll(&origin, at(now)) {
            Lookup::Fetch(ticket) => cache.handle(ticket, outcome(Round::Failed), at(now)),
            Lookup::Ready(robot) => return robot.allowed("https://example.com/"),
            Lookup::Closed(_) => return false,
            other => panic!("{other:?}"),
        }
    };
    assert!(!is_open(&mut cache));
    cache.set_site(&origin, Site::Available, at(now));
    assert!(is_open(&mut cache));
    cache.set_site(&origin, Site::Unavailable, at(now));
    assert!(!is_open(&mut cache));
}

#[test]
fn an_entry_that_was_saved_counts_in_a_new_cache() {
    let origin = Origin::of("https://example.com").unwrap();
    let new = || Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let mut old = new();
    let Lookup::Fetch(ticket) = old.poll(&origin, at(START)) else {
        panic!()
    };
    old.handle(ticket, parsed("User-agent: *\nDisallow: /a"), at(START));
    let (_, entry) = old.entries().next().unwrap();
    let mut cache = new();
    let Lookup::Fetch(ticket) = cache.poll(&origin, at(START)) else {
        panic!()
    };
    cache.insert(&origin, entry.clone(), at(START));
    let answers = |cache: &mut Cache| match cache.poll(&origin, at(START)) {
        Lookup::Ready(robot) => (robot.allowed("/a"), robot.allowed("/b")),
        other => panic!("{other:?}"),
    };
    assert_eq!(answers(&mut cache), (false, true));
    // The fetch that was on its way has lost its effect.
    cache.handle(ticket, parsed("User-agent: *\nDisallow: /b"), at(START));
    assert_eq!(answers(&mut cache), (false, true));
}

#[test]
fn an_entry_that_is_put_in_takes_the_place_of_the_rules_in_use() {
    let origin = Origin::of("https://example.com").unwrap();
    let filled = |rules: &str| {
        let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
        let Lookup::Fetch(ticket) = cache.poll(&origin, at(START)) else {
            panic!()
        };
        cache.handle(ticket, parsed(rules), at(START));
        cache
    };
    let mut cache = filled("User-agent: *\nDisallow: /a");
    let saved = filled("User-agent: *\nDisallow: /b");
    let answers = |cache: &mut Cache| match cache.poll(&origin, at(START)) {
        Lookup::Ready(robot) => (robot.allowed("/a"), robot.allowed("/b")),
        other => panic!("{other:?}"),
    };
    assert_eq!(answers(&mut cache), (false, true));
    cache.insert(&origin, saved.entry(&origin).unwrap().clone(), at(START));
    assert_eq!(answers(&mut cache), (true, false));
}

#[test]
fn a_profile_that_ignores_robots_txt_fetches_none() {
    let profile = Profile::rfc9309().ignore_robots();
    let mut cache = Cache::new(profile, &["ExampleBot"], 1 << 20).unwrap();
    let origin = Origin::of("https://example.com").unwrap();
    let Lookup::Ready(robot) = cache.poll(&origin, at(START)) else {
        panic!()
    };
    assert!(robot.allowed("https://example.com/"));
    assert_eq!(cache.next_wakeup(), None);
    assert_eq!(Pacer::default(), Pacer::new());
}
