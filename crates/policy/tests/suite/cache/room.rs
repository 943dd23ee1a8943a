//! A cache with more origins than it has room for.

use polite_robots_policy::cache::{NextFetch, Ticket};
use polite_robots_policy::{Cache, Lookup, Outcome, Profile};

use super::super::laws::{START, at, outcome};
use super::super::naive::{DAY, HOUR, MINUTE, Round};
use super::{answer, asks_to_wait, cache_of, closed, fetch, new_cache, origin, parsed, robot};

/// A file with one rule of about `bytes` bytes, which differs for each number.
fn file(number: usize, bytes: usize) -> Outcome {
    let path = "x".repeat(bytes);
    parsed(&format!("User-agent: *\nDisallow: /{number}/{path}"))
}

/// A dropped ticket notifies nobody, but the cache finds its origin all the same.
#[test]
fn origins_with_abandoned_fetches_are_forgotten_too() {
    let mut cache = cache_of(Profile::rfc9309(), 100 << 10);
    let mut now = START;
    for number in 0..1_000 {
        drop(cache.poll(&origin(number), at(now)));
        now += MINUTE;
    }
    assert!(cache.len() > 5);
    assert!(cache.bytes() <= 100 << 10, "{}", cache.bytes());
}

/// A poll of a full cache looks at a few origins. If it looked at all of them, this test would take
/// very long.
#[test]
fn fetches_under_way_are_kept_and_cost_the_others_nothing() {
    const FETCHES: usize = 30_000;

    let mut cache = cache_of(Profile::rfc9309(), 140 << 20);
    let tickets = (0..FETCHES).map(|number| fetch(&mut cache, number, START));
    let mut tickets: Vec<Ticket> = tickets.collect();
    assert_eq!(cache.len(), FETCHES);
    let mut is_full =
        |number: usize| matches!(cache.poll(&origin(number), at(START)), Lookup::Full);
    (FETCHES..).find(|number| is_full(*number));
    for number in 0..FETCHES {
        assert!(is_full(2 * FETCHES + number));
    }
    // Half of the fetches are answered and half are abandoned, except for the last one.
    let last = tickets.pop().unwrap();
    for (number, ticket) in tickets.into_iter().enumerate() {
        if number % 2 == 0 {
            cache.handle(ticket, parsed(""), at(START));
        }
    }
    cache.handle(last, parsed("User-agent: *\nDisallow: /"), at(START));
    robot(&mut cache, FETCHES - 1, START);
}

/// The crawl of the documentation with more hosts than fit. It fetches one page of each host in
/// turn, with five seconds between two pages.
#[test]
fn a_cache_smaller_than_the_hosts_still_fetches_pages() {
    const PAGES: usize = 10;

    for (hosts, capacity, is_held) in [(60, 40 << 10, true), (60, 40 << 10, false), (8, 1, true)] {
        let mut cache = cache_of(Profile::rfc9309(), capacity);
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
                        cache.handle(ticket, file(host, 2_000), at(now));
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

/// Two requests to a host are an hour apart, far more than `min_ttl`. If the cache forgot each
/// answer meanwhile, every turn would go to robots.txt. Half of the memory is for answers that keep
/// their places until their page has its turn, so every host comes to its end.
#[test]
fn hosts_whose_turns_are_far_apart_come_to_their_end() {
    const HOSTS: usize = 20;
    const PAGES: usize = 3;

    let mut cache = cache_of(Profile::rfc9309(), 30 << 10);
    let (mut requests, mut pages) = ([0; HOSTS], [0; HOSTS]);
    let mut turns = [START; HOSTS];
    let (mut now, mut most) = (START, 0);
    while pages.iter().any(|pages| *pages < PAGES) {
        for host in 0..HOSTS {
            if pages[host] == PAGES || now < turns[host] {
                continue;
            }
            let origin = origin(host);
            match cache.poll(&origin, at(now)) {
                Lookup::Fetch(ticket) => {
                    requests[host] += 1;
                    cache.handle(ticket, file(host, 1_000), at(now));
                    turns[host] = now + HOUR;
                }
                Lookup::Ready(_) => {
                    pages[host] += 1;
                    turns[host] = now + HOUR;
                    // Nobody queues for a turn that is so far away.
                    match pages[host] {
                        PAGES => cache.release(&origin),
                        _ => cache.hold(&origin),
                    }
                }
                Lookup::Full => {}
                other => panic!("{other:?}"),
            }
        }
        most = most.max(cache.len());
        now += MINUTE;
        assert!(now < START + 30 * DAY, "it does not end: {pages:?}");
    }
    let hours = (now - START) / HOUR;
    println!("{requests:?} in {hours} hours, {most} at a time");
    assert!((2..HOSTS).contains(&most), "{most} at a time");
    assert!(now - START <= 2 * DAY);
}

/// One name has endless hosts with long gaps, and one site of another owner comes after them.
/// Without groups those hosts hold all places for answers that wait, and the site loses its place.
#[test]
fn the_hosts_of_one_group_leave_places_for_others() {
    for is_grouped in [true, false] {
        let mut cache = cache_of(Profile::rfc9309(), 256 << 10);
        if is_grouped {
            cache = cache.group_by(|origin| u64::from(origin.host() == "h0.example"));
        }
        let answer = |cache: &mut Cache, number: usize, now: u64| {
            if let Lookup::Fetch(ticket) = cache.poll(&origin(number), at(now)) {
                let path = "x".repeat(1_000);
                let file = format!("User-agent: *\nCrawl-delay: 3000\nDisallow: /{number}/{path}");
                cache.handle(ticket, parsed(&file), at(now));
            }
        };
        for stranger in 1..=100 {
            answer(&mut cache, stranger, START);
        }
        answer(&mut cache, 0, START + 10 * MINUTE);
        for stranger in 101..=300 {
            answer(&mut cache, stranger, START + HOUR);
        }
        let lookup = cache.poll(&origin(0), at(START + HOUR));
        let kept = matches!(lookup, Lookup::Ready(_));
        assert_eq!(kept, is_grouped, "{lookup:?}");
    }
}

/// A crawler that has no more pages for a host, or that needs the room, can give up the answer that
/// waits for the host's turn. The cache then forgets the answer after `min_ttl`.
#[test]
fn an_answer_that_nobody_will_ask_for_can_be_given_up() {
    for is_given_up in [true, false] {
        let mut cache = cache_of(Profile::rfc9309(), 1);
        let slow = parsed("User-agent: *\nCrawl-delay: 86400");
        answer(&mut cache, 0, slow, START);
        if is_given_up {
            cache.forgo(&origin(0), at(START));
        }
        cache.release(&origin(0));
        let lookup = cache.poll(&origin(1), at(START + 5 * MINUTE));
        assert_eq!(matches!(lookup, Lookup::Fetch(_)), is_given_up);
    }
}

#[test]
fn an_answer_goes_after_its_pages_or_after_its_time() {
    let new = || cache_of(Profile::rfc9309(), 1);
    let is_forgotten_at = |cache: &mut Cache, now: u64| {
        let is_full = matches!(cache.poll(&origin(1), at(now)), Lookup::Full);
        assert_eq!(cache.entry(&origin(0)).is_some(), is_full);
        !is_full
    };
    let fill = |cache: &mut Cache| {
        answer(cache, 0, parsed("User-agent: *\nDisallow: /"), START);
    };
    // An answer that waits for its page keeps its place for a day.
    let mut cache = new();
    fill(&mut cache);
    assert!(!is_forgotten_at(&mut cache, START + DAY - 1));
    assert!(is_forgotten_at(&mut cache, START + DAY));
    // An origin with pages keeps its place for a time that depends on its size. A small one keeps
    // it for an hour, whether it is held or asked for again and again.
    for is_held in [true, false] {
        let mut cache = new();
        fill(&mut cache);
        if is_held {
            cache.hold(&origin(0));
            robot(&mut cache, 0, START);
        }
        for minute in (0..60).step_by(4) {
            if !is_held {
                robot(&mut cache, 0, START + minute * MINUTE);
            }
            assert!(!is_forgotten_at(&mut cache, START + minute * MINUTE));
        }
        assert!(is_forgotten_at(&mut cache, START + HOUR));
    }
    // A large origin keeps its place for seconds.
    let mut cache = new();
    let file = format!("User-agent: *\n{}", "Disallow: /x\n".repeat(10_000));
    answer(&mut cache, 0, parsed(&file), START);
    cache.hold(&origin(0));
    robot(&mut cache, 0, START);
    assert!(!is_forgotten_at(&mut cache, START + 4_000));
    assert!(is_forgotten_at(&mut cache, START + 20_000));
    // An origin loses its place at once when its pages are done. It is asked again five minutes
    // after its last answer.
    let mut cache = new();
    fill(&mut cache);
    robot(&mut cache, 0, START);
    cache.release(&origin(0));
    assert!(is_forgotten_at(&mut cache, START + 1));
    cache.release(&origin(1));
    let retry = closed(&mut cache, 0, START + 2).retry;
    assert_eq!(retry, NextFetch::At(at(START + 5 * MINUTE)));
    fetch(&mut cache, 0, START + 5 * MINUTE);
}

/// This shape once stopped a crawl: the hosts have files of 500 kB, and their next turns are
/// minutes away.
#[test]
fn strangers_hold_no_memory() {
    const HOSTILE: usize = 400;

    for rules in [36_000, 6_000, 300] {
        for is_held in [true, false] {
            let mut cache = cache_of(Profile::rfc9309(), 64 << 20);
            let file = "Disallow: /xxxx\n".repeat(rules);
            let mut now = START;
            for number in 0..HOSTILE {
                let Lookup::Fetch(ticket) = cache.poll(&origin(number), at(now)) else {
                    now += 1_000;
                    continue;
                };
                let file = format!("User-agent: *\nCrawl-delay: 301\nDisallow: /{number}\n{file}");
                cache.handle(ticket, parsed(&file), at(now));
                match is_held {
                    true => cache.hold(&origin(number)),
                    false => cache.release(&origin(number)),
                }
                now += 100;
            }
            now += 30_000;
            // Each site has one page and is done before the next.
            for number in HOSTILE..HOSTILE + 100 {
                let file = parsed("User-agent: *\nDisallow: /x");
                answer(&mut cache, number, file, now);
                robot(&mut cache, number, now + 1_000);
                cache.release(&origin(number));
            }
            let bytes = cache.bytes();
            assert!(bytes <= (64 << 20) + 3 * (36_000 * 100), "{bytes}");
        }
    }
}

/// Sites of one page make room for others at once: a crawl of many small sites has no ceiling.
#[test]
fn sites_that_are_done_make_room() {
    let mut cache = cache_of(Profile::rfc9309(), 4 << 20);
    for number in 0..5_000 {
        let now = START + number as u64 * 5;
        answer(&mut cache, number, file(number, 1_000), now);
        drop(cache.poll(&origin(number), at(now)));
        cache.release(&origin(number));
    }
    assert!(cache.bytes() <= 4 << 20);
    // The cache keeps its promises about the forgotten sites.
    assert!(cache.forgotten() > 2_000, "{}", cache.forgotten());
    let again = cache.poll(&origin(4_000), at(START + 4 * MINUTE));
    let is_kept = matches!(again, Lookup::Closed(_) | Lookup::Ready(_));
    assert!(is_kept, "{again:?}");
}

/// When promises fill the room that there is for them, strangers wait and no promise is broken.
#[test]
fn strangers_wait_when_all_promises_are_open() {
    let mut cache = cache_of(Profile::rfc9309(), 20_000);
    let mut known = 0;
    while let Lookup::Fetch(ticket) = cache.poll(&origin(known), at(START)) {
        cache.handle(ticket, asks_to_wait(86_400), at(START));
        cache.release(&origin(known));
        known += 1;
        assert!(known < 1_000);
    }
    assert!(known > 25, "{known}");
    for number in 0..known {
        let lookup = cache.poll(&origin(number), at(START + DAY - 1));
        let is_kept = matches!(&lookup, Lookup::Full | Lookup::Closed(_));
        assert!(is_kept, "{number}: {lookup:?}");
        cache.release(&origin(number));
    }
    fetch(&mut cache, known, START + DAY);
}

#[test]
fn equal_files_are_kept_once() {
    let bytes_of = |files: [&str; 2]| {
        let mut cache = new_cache();
        for (number, file) in files.into_iter().enumerate() {
            answer(&mut cache, number, parsed(file), START);
        }
        cache.bytes()
    };
    let (file, other) = ("User-agent: *\nDisallow: /a", "User-agent: *\nDisallow: /b");
    assert!(bytes_of([file, file]) + 500 < bytes_of([file, other]));
    // A file takes no memory once its last origin has left it.
    let mut cache = new_cache();
    answer(&mut cache, 0, outcome(Round::Gone), START);
    let empty = cache.bytes();
    let entry = cache.entry(&origin(0)).unwrap();
    for _ in 0..3 {
        answer(&mut cache, 0, parsed(file), START + DAY);
        assert!(cache.bytes() > empty);
        cache.insert(&origin(0), entry.clone(), at(START));
        assert_eq!(cache.bytes(), empty);
    }
}
