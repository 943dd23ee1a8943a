//! The memory of a million hosts, in bytes asked of the allocator.

use allocation_counter::measure;
use polite_robots::RobotsTxt;
use polite_robots_policy::{
    BodyEnd, Cache, Freshness, IpGroup, Lookup, Origin, Outcome, Pacer, Profile, Reply, Scheduler,
    Timestamp, Validators,
};

/// Hosts on seven tenths as many addresses, as in the crawls that the design starts from; each was asked once, and most
/// of the addresses too.
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

/// What a site may write into `ETag` and `Last-Modified` is as long as the client's headers may be.
#[test]
fn the_validators_of_strangers_count_too() {
    const CAPACITY: usize = 1 << 20;

    let text = |bytes: usize| Some("x".repeat(bytes).into_boxed_str());
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], CAPACITY).unwrap();
    let memory = measure(|| {
        let now = Timestamp::from_millis(1_767_225_600_000);
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
        }
    });
    assert!(cache.entries().count() > 5);
    assert!(
        memory.bytes_current <= CAPACITY as i64,
        "{}",
        memory.bytes_current
    );
}

/// Files of three sizes, all of whose rules are for the agent: the robot takes as much as it can.
#[test]
fn a_cache_takes_no_more_than_its_capacity() {
    const CAPACITY: usize = 4 << 20;

    for rules in [1, 15, 500] {
        let rules: String = (0..rules)
            .map(|n| format!("Disallow: /folder-{n}/\n"))
            .collect();
        let file = format!("User-agent: *\n{rules}");
        let mut cache = None;
        let mut origins = 0;
        let memory = measure(|| {
            let filled =
                cache.insert(Cache::new(Profile::rfc9309(), &["ExampleBot"], CAPACITY).unwrap());
            let now = Timestamp::from_millis(1_767_225_600_000);
            for number in 0..10_000_000 / (file.len() + 1_000) {
                let origin = Origin::of(&format!("https://host-{number}.example.com/")).unwrap();
                let Lookup::Fetch(ticket) = filled.poll(&origin, now) else {
                    panic!("no fetch");
                };
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
                assert!(!robot.allowed("/folder-0/"));
            }
            origins = filled.entries().count();
        });
        println!(
            "{} bytes of a file: {origins} origins, {} bytes",
            file.len(),
            memory.bytes_current
        );
        assert!(origins > 50 && memory.bytes_current <= CAPACITY as i64);
    }
}
