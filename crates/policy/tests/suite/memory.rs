//! The memory of a million hosts, in bytes requested from the allocator.

use std::time::Duration;

use allocation_counter::measure;
use polite_robots::{Cause, Robot, RobotsTxt};
use polite_robots_policy::fetch::{BodyEnd, Freshness, Validators};
use polite_robots_policy::{
    Cache, IpGroup, Lookup, Origin, Outcome, Pacer, Profile, Scheduler, Timestamp,
};
use polite_robots_records::Usage;

use super::laws::{self as laws, read};
use super::words::ask;

const START: Timestamp = Timestamp::from_millis(laws::START);

/// The memory per host. There are seven tenths as many addresses as hosts, as in the crawls that
/// the design starts from. Each host was asked once, and so were most of the addresses.
fn bytes_per_host(hosts: u64) -> i64 {
    let mut scheduler = None;
    let memory = measure(|| {
        let filled = scheduler.insert(Scheduler::new(Profile::rfc9309()));
        for number in 0..hosts {
            let address = IpGroup(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) % (hosts * 7 / 10));
            filled.insert(&format!("host-{number}.example"), Some(address));
        }
        let mut now = START;
        let mut asked = 0;
        while asked < hosts {
            match filled.next_ready(now) {
                Some(host) => {
                    ask(filled, host, Ok(200), now);
                    asked += 1;
                }
                None => now = filled.next_wakeup().unwrap(),
            }
        }
    });
    let (each, peak) = (
        memory.bytes_current / hosts as i64,
        memory.bytes_max / hosts,
    );
    println!("{hosts} hosts: {each} bytes each, {peak} at the peak");
    drop(scheduler);
    each
}

#[test]
fn a_host_takes_at_most_250_bytes() {
    for hosts in [20_000, 33_000] {
        assert!(bytes_per_host(hosts) <= 250);
    }
}

#[test]
#[ignore = "takes ten seconds without optimization; run it with --release"]
fn each_of_a_million_hosts_takes_at_most_250_bytes() {
    assert!(bytes_per_host(1_000_000) <= 250);
}

fn assert_nothing_is_left_behind(mut come_and_go: impl FnMut(u64)) {
    come_and_go(1_000);
    let more = measure(|| come_and_go(20_000));
    assert!(more.bytes_current < 4_000, "{}", more.bytes_current);
}

#[test]
fn hosts_that_come_and_go_leave_nothing_behind() {
    let mut scheduler = Scheduler::new(Profile::rfc9309());
    let mut now = START;
    assert_nothing_is_left_behind(|rounds| {
        for number in 0..rounds {
            now = Timestamp::from_millis(now.as_millis() + 2_000);
            let host = scheduler.insert(&format!("host-{number}.example"), Some(IpGroup(number)));
            assert_eq!(scheduler.next_ready(now), Some(host));
            ask(&mut scheduler, host, Ok(200), now);
            scheduler.remove(host);
        }
    });
}

#[test]
fn hosts_that_leave_the_line_of_an_address_leave_nothing_behind() {
    let mut scheduler = Scheduler::new(Profile::rfc9309());
    let now = START;
    let address = Some(IpGroup(1));
    for number in 0..10 {
        let host = scheduler.insert(&format!("host-{number}.example"), address);
        scheduler.handle_start(host, now);
    }
    assert_nothing_is_left_behind(|rounds| {
        for _ in 0..rounds {
            let host = scheduler.insert("guest.example", address);
            assert_eq!(scheduler.next_ready(now), None);
            scheduler.remove(host);
        }
    });
}

/// A host that moves to an address and back leaves a place in the queue of addresses each time.
#[test]
fn a_host_that_moves_leaves_nothing_behind() {
    let mut scheduler = Scheduler::new(Profile::rfc9309());
    assert_nothing_is_left_behind(|rounds| {
        for _ in 0..rounds {
            let host = scheduler.insert("moving.example", Some(IpGroup(1)));
            scheduler.set_group(host, None);
        }
    });
}

#[test]
fn a_pacer_takes_about_100_bytes() {
    assert_eq!(size_of::<Pacer>(), 104);
}

/// The cache of one test, and its origins.
fn cache(capacity: usize) -> Cache {
    Cache::new(Profile::rfc9309(), &["ExampleBot"], capacity).unwrap()
}

fn origin(number: usize) -> Origin {
    Origin::of(&format!("https://host-{number}.example.com/")).unwrap()
}

/// Ends the first round of an origin.
fn answer(cache: &mut Cache, number: usize, outcome: Outcome, now: Timestamp) {
    let Lookup::Fetch(ticket) = cache.poll(&origin(number), now) else {
        panic!("no fetch");
    };
    cache.handle(ticket, outcome, now);
}

/// The rules of an origin, for its page.
fn robot(cache: &mut Cache, number: usize, now: Timestamp) -> Robot {
    let Lookup::Ready(robot) = cache.poll(&origin(number), now) else {
        panic!("no robot");
    };
    robot
}

/// A site may write as much into `ETag` and `Last-Modified` as the client's headers may hold.
#[test]
fn the_validators_of_strangers_count_too() {
    const CAPACITY: usize = 1 << 20;

    let text = |bytes: usize| Some("x".repeat(bytes).into_boxed_str());
    let mut cache = cache(CAPACITY);
    let memory = measure(|| {
        let mut now = START;
        for number in 0..200 {
            let outcome = Outcome::Parsed {
                robots_txt: RobotsTxt::parse(b""),
                freshness: Freshness::default(),
                validators: Validators {
                    etag: text(60_000).filter(|_| number % 3 != 0),
                    last_modified: text(60_000).filter(|_| number % 3 != 1),
                },
                end: BodyEnd::Complete,
            };
            answer(&mut cache, number, outcome, now);
            // The page was asked for, so the origin may be forgotten five minutes later.
            robot(&mut cache, number, now);
            now = now.saturating_add(Duration::from_secs(300));
        }
    });
    assert!(cache.len() > 5);
    let bytes = memory.bytes_current;
    assert!(bytes <= CAPACITY as i64, "{bytes}");
}

/// The files have three sizes. All their rules are for the agent, so the robot takes as much memory
/// as it can.
#[test]
fn a_cache_takes_no_more_than_its_capacity() {
    const CAPACITY: usize = 1 << 20;

    for rules in [1, 15, 500] {
        let rules: String = (0..rules)
            .map(|n| format!("Disallow: /folder-{n}/\n"))
            .collect();
        let file = |number: usize| format!("User-agent: *\nDisallow: /{number}\n{rules}");
        let file_bytes = file(0).len();
        let (mut kept, mut origins) = (None, 0);
        let memory = measure(|| {
            let filled = kept.insert(cache(CAPACITY));
            let mut now = START;
            for number in 0..5 * CAPACITY / (file_bytes + 1_000) {
                let robots_txt = RobotsTxt::parse(file(number).as_bytes());
                answer(filled, number, read(robots_txt, Freshness::default()), now);
                assert!(!robot(filled, number, now).allowed("/folder-0/"));
                now = now.saturating_add(Duration::from_secs(300));
            }
            origins = filled.len();
        });
        let bytes = memory.bytes_current;
        println!("{file_bytes} bytes of a file: {origins} origins, {bytes} bytes");
        assert!(origins > 20 && bytes <= CAPACITY as i64);
    }
}

/// Most origins of a crawl have no robots.txt. The second and the third number come soon after a
/// table has doubled.
#[test]
fn an_origin_without_robots_txt_takes_300_bytes() {
    let mut kept = None;
    let (mut known, mut taken) = (0, 0);
    for origins in [1_000, 15_000, 35_000] {
        let memory = measure(|| {
            let filled = kept.get_or_insert_with(|| cache(1 << 30));
            for number in known..origins {
                let outcome = Outcome::Unavailable(Cause::Status(404));
                answer(filled, number as usize, outcome, START);
            }
        });
        known = origins;
        taken += memory.bytes_current;
        let cache = kept.as_ref().unwrap();
        let bytes = taken / origins;
        let counted = cache.bytes() / cache.len();
        println!("404: {bytes} bytes an origin, counted as {counted}");
        assert!(bytes <= 300, "{bytes} bytes with {origins} origins");
        assert!(cache.bytes() as i64 >= taken);
        assert!(counted <= 330);
    }
}

/// The cache counts a file of any shape with the index that the first question builds. It counts
/// what the file takes, and not much more.
#[test]
fn files_count_for_what_they_take() {
    const FILES: usize = 20;

    let rules = |count: usize, pattern: &str| -> String {
        let lines = (0..count).map(|number| format!("Disallow: {pattern}{number}\n"));
        lines.collect()
    };
    let folders = rules(500, "/folder/");
    let [long, stars] = ["x".repeat(2_000), "*a".repeat(1_000)].map(|path| format!("/{path}"));
    let sitemap = "Sitemap: https://example.com/sitemap.xml\n";
    let signal = "Content-Signal: /x search=yes, ai-train=no\n";
    let rate = "Request-rate: 1/5\nVisit-time: 0100-0500\n";
    let of_all = rules(20, "/folder/");
    let usage = "User-agent: __usage_ai-training\n";
    for (name, body, documents) in [
        ("empty", String::new(), false),
        ("one rule", rules(1, "/folder/"), false),
        ("20 rules", of_all.clone(), false),
        ("500 rules", folders.clone(), false),
        ("5,000 short rules", rules(5_000, "/"), false),
        ("wildcards", rules(300, "/*/x?a=*&b="), false),
        ("long rules", rules(20, &long), false),
        ("many stars", rules(20, &stars), false),
        ("sitemaps", sitemap.repeat(300), false),
        ("signals", signal.repeat(300), false),
        ("usage", "Content-Usage: train-ai=n\n".repeat(1_000), false),
        (
            "licenses",
            "License: https://example.com/license.xml\n".repeat(300),
            false,
        ),
        ("rates", rate.repeat(300), false),
        (
            "other agents",
            format!("\nUser-agent: OtherBot\n{folders}"),
            false,
        ),
        ("rules about a use", format!("{usage}{folders}"), false),
        (
            "rules about a use and for the agent",
            format!("\nUser-agent: *\n{usage}{of_all}"),
            false,
        ),
        ("a document", folders.clone(), true),
        ("a document of short lines", "a:\n".repeat(5_000), true),
    ] {
        let mut kept = None;
        let memory = measure(|| {
            let filled = kept.insert(match documents {
                true => cache(1 << 30).keep_documents(),
                false => cache(1 << 30),
            });
            for number in 0..FILES {
                let file = format!("User-agent: *\nDisallow: /a{number}\n{body}");
                let robots_txt = RobotsTxt::parse(file.as_bytes());
                answer(
                    filled,
                    number,
                    read(robots_txt, Freshness::default()),
                    START,
                );
                let robot = robot(filled, number, START);
                assert!(!robot.allowed("/a0/1/2") || number > 0);
                let _ = Usage::of(&robot, "/folder/");
            }
        });
        let (taken, counted) = (memory.bytes_current as usize, kept.unwrap().bytes());
        let message = format!("{name}: {taken} bytes of {FILES} files, counted as {counted}");
        println!("{message}");
        assert!((taken..=3 * taken).contains(&counted), "{message}");
    }
}
