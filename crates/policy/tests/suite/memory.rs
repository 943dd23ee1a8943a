//! The memory of a million hosts, in bytes asked of the allocator.

use std::time::Duration;

use allocation_counter::measure;
use polite_robots::{Cause, RobotsTxt};
use polite_robots_policy::fetch::{BodyEnd, Freshness, Validators};
use polite_robots_policy::{
    Cache, IpGroup, Lookup, Origin, Outcome, Pacer, Profile, Reply, Scheduler, Timestamp,
};
use polite_robots_records::Usage;

/// Hosts on seven tenths as many addresses, as in the crawls that the design starts from; each was
/// asked once, and most of the addresses too.
fn bytes_per_host(hosts: u64) -> i64 {
    let mut scheduler = None;
    let memory = measure(|| {
        let filled = scheduler.insert(Scheduler::new(Profile::rfc9309()));
        for number in 0..hosts {
            let address = IpGroup(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) % (hosts * 7 / 10));
            filled.insert(&format!("host-{number}.example"), Some(address));
        }
        let mut now = Timestamp::from_millis(1_767_225_600_000);
        let mut asked = 0;
        while asked < hosts {
            match filled.next_ready(now) {
                Some(host) => {
                    filled.handle_start(host, now);
                    filled.handle_reply(host, Reply::new(Ok(200), now), now);
                    asked += 1;
                }
                None => now = filled.next_wakeup().unwrap(),
            }
        }
    });
    println!(
        "{hosts} hosts: {} bytes each, {} at the peak",
        memory.bytes_current / hosts as i64,
        memory.bytes_max / hosts
    );
    drop(scheduler);
    memory.bytes_current / hosts as i64
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
    let mut now = Timestamp::from_millis(1_767_225_600_000);
    assert_nothing_is_left_behind(|rounds| {
        for number in 0..rounds {
            now = Timestamp::from_millis(now.as_millis() + 2_000);
            let host = scheduler.insert(&format!("host-{number}.example"), Some(IpGroup(number)));
            assert_eq!(scheduler.next_ready(now), Some(host));
            scheduler.handle_start(host, now);
            scheduler.handle_reply(host, Reply::new(Ok(200), now), now);
            scheduler.remove(host);
        }
    });
}

#[test]
fn hosts_that_leave_the_line_of_an_address_leave_nothing_behind() {
    let mut scheduler = Scheduler::new(Profile::rfc9309());
    let now = Timestamp::from_millis(1_767_225_600_000);
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

/// A host that goes to and fro leaves a place in the queue of addresses each time.
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

/// A site may write as much into `ETag` and `Last-Modified` as the client's headers may hold.
#[test]
fn the_validators_of_strangers_count_too() {
    const CAPACITY: usize = 1 << 20;

    let text = |bytes: usize| Some("x".repeat(bytes).into_boxed_str());
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], CAPACITY).unwrap();
    let memory = measure(|| {
        let mut now = Timestamp::from_millis(1_767_225_600_000);
        for number in 0..200 {
            let origin = Origin::of(&format!("https://host-{number}.example.com/")).unwrap();
            let Lookup::Fetch(ticket) = cache.poll(&origin, now) else {
                panic!("no fetch");
            };
            let outcome = Outcome::Parsed {
                robots_txt: RobotsTxt::parse(b""),
                freshness: Freshness::default(),
                validators: Validators {
                    etag: text(60_000).filter(|_| number % 3 != 0),
                    last_modified: text(60_000).filter(|_| number % 3 != 1),
                },
                end: BodyEnd::Complete,
            };
            cache.handle(ticket, outcome, now);
            // Its page was asked for; five minutes later it may be forgotten.
            assert!(matches!(cache.poll(&origin, now), Lookup::Ready(_)));
            now = now.saturating_add(Duration::from_secs(300));
        }
    });
    assert!(cache.len() > 5);
    assert!(
        memory.bytes_current <= CAPACITY as i64,
        "{}",
        memory.bytes_current
    );
}

/// Files of three sizes, all of whose rules are for the agent: the robot takes as much as it can.
#[test]
fn a_cache_takes_no_more_than_its_capacity() {
    const CAPACITY: usize = 1 << 20;

    for rules in [1, 15, 500] {
        let rules: String = (0..rules)
            .map(|n| format!("Disallow: /folder-{n}/\n"))
            .collect();
        let file = |number: usize| format!("User-agent: *\nDisallow: /{number}\n{rules}");
        let file_bytes = file(0).len();
        let mut cache = None;
        let mut origins = 0;
        let memory = measure(|| {
            let filled =
                cache.insert(Cache::new(Profile::rfc9309(), &["ExampleBot"], CAPACITY).unwrap());
            let mut now = Timestamp::from_millis(1_767_225_600_000);
            for number in 0..5 * CAPACITY / (file_bytes + 1_000) {
                let origin = Origin::of(&format!("https://host-{number}.example.com/")).unwrap();
                let Lookup::Fetch(ticket) = filled.poll(&origin, now) else {
                    panic!("no fetch");
                };
                let outcome = Outcome::Parsed {
                    robots_txt: RobotsTxt::parse(file(number).as_bytes()),
                    freshness: Freshness::default(),
                    validators: Validators::default(),
                    end: BodyEnd::Complete,
                };
                filled.handle(ticket, outcome, now);
                let Lookup::Ready(robot) = filled.poll(&origin, now) else {
                    panic!("no robot");
                };
                assert!(!robot.allowed("/folder-0/"));
                now = now.saturating_add(Duration::from_secs(300));
            }
            origins = filled.len();
        });
        println!(
            "{} bytes of a file: {origins} origins, {} bytes",
            file_bytes, memory.bytes_current
        );
        assert!(origins > 20 && memory.bytes_current <= CAPACITY as i64);
    }
}

/// Origins without a robots.txt are most of a crawl. The second and the third number come soon
/// after a table has doubled.
#[test]
fn an_origin_without_robots_txt_takes_300_bytes() {
    let mut cache = None;
    let (mut known, mut taken) = (0, 0);
    for origins in [1_000, 15_000, 35_000] {
        let memory = measure(|| {
            let filled = cache.get_or_insert_with(|| {
                Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 30).unwrap()
            });
            let now = Timestamp::from_millis(1_767_225_600_000);
            for number in known..origins {
                let origin = Origin::of(&format!("https://host-{number}.example.com/")).unwrap();
                let Lookup::Fetch(ticket) = filled.poll(&origin, now) else {
                    panic!("no fetch");
                };
                let outcome = Outcome::Unavailable(Cause::Status(404));
                filled.handle(ticket, outcome, now);
            }
        });
        known = origins;
        taken += memory.bytes_current;
        let cache = cache.as_ref().unwrap();
        let bytes = taken / origins;
        println!(
            "404: {bytes} bytes an origin, counted as {}",
            cache.bytes() / cache.len()
        );
        assert!(bytes <= 300, "{bytes} bytes with {origins} origins");
        assert!(cache.bytes() as i64 >= taken);
        assert!(cache.bytes() / cache.len() <= 330);
    }
}

/// Files of all shapes are counted for what they take with the index that the first question
/// builds, and for not much more.
#[test]
fn files_count_for_what_they_take() {
    const FILES: usize = 20;

    let rules = |count: usize, pattern: &str| -> String {
        (0..count)
            .map(|number| format!("Disallow: {pattern}{number}\n"))
            .collect()
    };
    let now = Timestamp::from_millis(1_767_225_600_000);
    for (name, body, documents) in [
        ("empty", String::new(), false),
        ("one rule", rules(1, "/folder/"), false),
        ("20 rules", rules(20, "/folder/"), false),
        ("500 rules", rules(500, "/folder/"), false),
        ("5,000 short rules", rules(5_000, "/"), false),
        ("wildcards", rules(300, "/*/x?a=*&b="), false),
        (
            "long rules",
            rules(20, &format!("/{}", "x".repeat(2_000))),
            false,
        ),
        (
            "many stars",
            rules(20, &format!("/{}", "*a".repeat(1_000))),
            false,
        ),
        (
            "sitemaps",
            "Sitemap: https://example.com/sitemap.xml\n".repeat(300),
            false,
        ),
        (
            "signals",
            "Content-Signal: /x search=yes, ai-train=no\n".repeat(300),
            false,
        ),
        ("usage", "Content-Usage: train-ai=n\n".repeat(1_000), false),
        (
            "licenses",
            "License: https://example.com/license.xml\n".repeat(300),
            false,
        ),
        (
            "rates",
            "Request-rate: 1/5\nVisit-time: 0100-0500\n".repeat(300),
            false,
        ),
        (
            "other agents",
            format!("\nUser-agent: OtherBot\n{}", rules(500, "/folder/")),
            false,
        ),
        (
            "rules about a use",
            format!(
                "User-agent: __usage_ai-training\n{}",
                rules(500, "/folder/")
            ),
            false,
        ),
        (
            "rules about a use and for the agent",
            format!(
                "\nUser-agent: *\nUser-agent: __usage_ai-training\n{}",
                rules(20, "/folder/")
            ),
            false,
        ),
        ("a document", rules(500, "/folder/"), true),
        ("a document of short lines", "a:\n".repeat(5_000), true),
    ] {
        let mut cache = None;
        let memory = measure(|| {
            let filled = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 30).unwrap();
            let filled = cache.insert(if documents {
                filled.keep_documents()
            } else {
                filled
            });
            for number in 0..FILES {
                let origin = Origin::of(&format!("https://host-{number}.example.com/")).unwrap();
                let Lookup::Fetch(ticket) = filled.poll(&origin, now) else {
                    panic!("no fetch");
                };
                let file = format!("User-agent: *\nDisallow: /a{number}\n{body}");
                let outcome = Outcome::Parsed {
                    robots_txt: RobotsTxt::parse(file.as_bytes()),
                    freshness: Freshness::default(),
                    validators: Validators::default(),
                    end: BodyEnd::Complete,
                };
                filled.handle(ticket, outcome, now);
                let Lookup::Ready(robot) = filled.poll(&origin, now) else {
                    panic!("no robot");
                };
                assert!(!robot.allowed("/a0/1/2") || number > 0);
                let _ = Usage::of(&robot, "/folder/");
            }
        });
        let cache = cache.unwrap();
        let (taken, counted) = (memory.bytes_current as usize, cache.bytes());
        println!(
            "{name}: {} bytes a file, counted as {}",
            taken / FILES,
            counted / FILES
        );
        assert!(
            counted >= taken,
            "{name}: {taken} bytes, counted as {counted}"
        );
        assert!(
            counted <= 3 * taken,
            "{name}: {taken} bytes, counted as {counted}"
        );
    }
}
