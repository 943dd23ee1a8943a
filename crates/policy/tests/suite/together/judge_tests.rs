//! Tests of the judge with made-up logs: it sees each violation, and only where there is one.

use polite_robots_policy::Profile;

use super::judge::{Exchange, Memory, Reply, Terms, Violations, assert_listed};
use super::world::{Authority, Body, DAY, HOUR, MINUTE, Path, Robots, Site, World};

/// Each log is of a site whose file disallows one page in ten.
#[test]
fn each_violation_is_seen() {
    let two = |second: Exchange, third: Exchange| [robots(0), second, third].to_vec();
    let failed = |start| replied(Reply::Status(500), robots(start));
    let slow = Exchange {
        end: 9_000,
        ..page(0, 1_100)
    };
    let given_up = replied(Reply::Dropped, robots(0));
    let refused = replied(Reply::Status(503), page(1, 2_200));
    let unready = || only(|seen| (seen.before_robots, seen.rules) = (1, 1));
    for (log, expected) in [
        (two(page(0, 1_100), page(1, 2_200)), Violations::none()),
        // The request for robots.txt ends at 100, so the first page is a millisecond early.
        (
            two(page(0, 1_099), page(1, 2_199)),
            only(|seen| seen.gap = 1),
        ),
        (
            two(slow, page(1, 8_999)),
            only(|seen| (seen.gap, seen.concurrency) = (1, 1)),
        ),
        // A disallowed page.
        (
            vec![robots(0), page(0, 1_100), page(1, 2_200), page(9, 3_300)],
            only(|seen| seen.rules = 1),
        ),
        // A page comes before robots.txt. A request for robots.txt that was given up does not
        // count.
        (vec![page(0, 0), robots(1_100), page(1, 2_200)], unready()),
        (
            vec![given_up, page(0, 1_100), robots(2_200), page(1, 3_300)],
            unready(),
        ),
        // A page of an unreachable site is fetched, in the second log 30 days after a single
        // failure.
        (
            vec![
                failed(0),
                page(0, 1_100),
                robots(5 * MINUTE + 100),
                page(1, 6 * MINUTE),
            ],
            only(|seen| seen.rules = 1),
        ),
        (
            vec![
                failed(0),
                page(0, 31 * DAY),
                robots(31 * DAY + HOUR),
                page(1, 31 * DAY + 2 * HOUR),
            ],
            only(|seen| seen.rules = 1),
        ),
        // An answer that has expired.
        (
            two(page(0, 1_100), page(1, DAY + 101)),
            only(|seen| seen.rules = 1),
        ),
        // Pages that were not fetched.
        (
            vec![robots(0), page(0, 1_100)],
            only(|seen| seen.unfinished = 1),
        ),
        (
            two(page(0, 1_100), refused),
            only(|seen| seen.unfinished = 1),
        ),
        (vec![], only(|seen| seen.unfinished = 1)),
    ] {
        assert_eq!(seen(&world(), &log), expected, "{log:?}");
    }
}

#[test]
fn a_crawl_delay_is_a_gap_from_the_first_page_on() {
    let world = world_with("User-agent: *\nCrawl-delay: 3\n");
    let log = [robots(0), page(0, 3_100), page(1, 6_200)];
    assert_eq!(seen(&world, &log), Violations::none());
    let log = [robots(0), page(0, 3_099), page(1, 6_198)];
    assert_eq!(seen(&world, &log), only(|seen| seen.gap = 2));
    // Google does not know `Crawl-delay`.
    let log = [robots(0), page(0, 1_100), page(1, 2_200)];
    assert_eq!(seen_by(Profile::google(), &world, &log), Violations::none());
}

#[test]
fn the_longest_crawl_delay_of_the_origins_of_a_host_counts() {
    let mut world = world_with("User-agent: *\nCrawl-delay: 3\n");
    world.sites[0].authorities.push(Authority {
        scheme: "http",
        robots: Robots::Status(404),
        pages: 1,
    });
    for (others, gap) in [([9_300, 12_400], 0), ([7_300, 8_400], 2)] {
        let mut other = [robots(others[0]), page(0, others[1])];
        other.iter_mut().for_each(|exchange| exchange.authority = 1);
        let log = [
            robots(0),
            page(0, 3_100),
            page(1, 6_200),
            other[0],
            other[1],
        ];
        assert_eq!(seen(&world, &log), only(|seen| seen.gap = gap));
    }
}

#[test]
fn a_request_within_a_retry_after_is_seen() {
    // A `Retry-After` does not count on other answers.
    for (status, start, retry_after) in [(429, 61_200, 0), (429, 61_199, 1), (200, 2_200, 0)] {
        let busy = Exchange {
            retry_after: 60,
            ..replied(Reply::Status(status), page(0, 1_100))
        };
        let log = [robots(0), busy, page(0, start), page(1, start + 1_100)];
        assert_eq!(
            seen(&world(), &log),
            only(|seen| seen.retry_after = retry_after)
        );
    }
}

#[test]
fn each_rule_of_a_file_is_applied() {
    let log = [robots(0), page(0, 1_100), page(1, 2_200)];
    for (text, expected) in [
        // The group that names the crawler, in upper or lower case, counts instead of the group for
        // everyone. Groups with one name count as one.
        (
            "User-agent: *\nDisallow: /\n\nUser-agent: examplebot\nDisallow: /page/1\n",
            1,
        ),
        (
            "User-agent: OtherBot\nUser-agent: ExampleBot\nDisallow: /\nUser-agent: *\n",
            2,
        ),
        (
            "User-agent: ExampleBot\nDisallow: /page/0\n\nUser-agent: ExampleBot\nDisallow: /page/1\n",
            2,
        ),
        ("User-agent: OtherBot\nDisallow: /\n", 0),
        // The longest match counts, `Allow` wins a tie, and wildcards and ends are read.
        ("User-agent: *\nDisallow: /page/1\nAllow: /page\n", 1),
        ("User-agent: *\nAllow: /page/1\nDisallow: /page/1\n", 0),
        ("User-agent: *\nDisallow: /*/1$\n", 1),
        ("User-agent: *\nDisallow: /page$\n", 0),
        ("User-agent: *\nDisallow:\n", 0),
    ] {
        assert_eq!(seen(&world_with(text), &log).rules, expected, "{text}");
    }
}

#[test]
fn a_file_that_parsed_with_errors_opens_for_ibm_alone() {
    let text = "User-agent: *\nDisallow: /page/1\nCrawl-delay: 3\n";
    let odd = "User-agent: *\nDisallow: /page/1\nkeep out of here\n";
    let log = [robots(0), page(0, 3_100), page(1, 6_200)];
    for (profile, text, expected) in [
        (Profile::rfc9309(), text, 1),
        (Profile::rfc9309(), odd, 1),
        (Profile::ibm(), text, 1),
        (Profile::ibm(), odd, 0),
    ] {
        let seen = seen_by(profile, &world_with(text), &log);
        assert_eq!(seen.rules, expected, "{text}");
    }
}

#[test]
fn a_status_has_the_meaning_of_its_profile() {
    for (status, rfc9309, ibm) in [
        (404, 0, 0),
        (410, 0, 0),
        (403, 0, 2),
        (429, 2, 2),
        (500, 2, 2),
    ] {
        let mut world = world();
        world.sites[0].authorities[0].robots = Robots::Status(status);
        let answer = replied(Reply::Status(status), robots(0));
        let log = [answer, page(0, 1_100), page(1, 2_200)];
        let rules = |profile| seen_by(profile, &world, &log).rules;
        assert_eq!(rules(Profile::rfc9309()), rfc9309, "{status}");
        assert_eq!(rules(Profile::ibm()), ibm, "{status}");
    }
}

#[test]
fn the_judge_uses_settings_and_plain_data_only() {
    assert_listed(&[
        ("judge", include_str!("judge/mod.rs")),
        ("reader", include_str!("judge/reader.rs")),
        ("robots", include_str!("judge/robots.rs")),
        ("evidence", include_str!("evidence.rs")),
        ("world", include_str!("world.rs")),
    ]);
}

#[test]
fn a_robots_txt_that_is_asked_for_too_soon_is_seen() {
    // robots.txt is due after 80 % of 24 hours, counted from the end of the request. For a crawler
    // that forgets, it is due after the least lifetime.
    for (memory, due) in [
        (Memory::Unbounded, DAY / 10 * 8),
        (Memory::Bounded, 5 * MINUTE),
    ] {
        for (start, too_soon) in [(due + 100, 0), (due + 99, 1)] {
            let mut log = [robots(0), page(0, HOUR), page(1, 2 * HOUR), robots(start)];
            log.sort_by_key(|exchange| exchange.start);
            let seen = judged(&Terms::new(Profile::rfc9309(), memory), &world(), &log, &[]);
            assert_eq!(seen, only(|seen| seen.robots_too_soon = too_soon));
        }
    }
}

#[test]
fn a_retry_that_is_too_early_is_seen() {
    let [failed, again] = [0, 2_100].map(|start| replied(Reply::NoResponse, robots(start)));
    let given_up = replied(Reply::Dropped, robots(0));
    let due = 2_100 + 5 * MINUTE + 100;
    for (rounds, too_soon) in [
        // The first retry comes early, and no other one does.
        (vec![failed, robots(2_100)], 0),
        (vec![failed, robots(2_099)], 1),
        (vec![failed, again, robots(due)], 0),
        (vec![failed, again, robots(due - 1)], 1),
        // A request that the crawler gave up is free.
        (vec![given_up, robots(2_000)], 0),
    ] {
        let log = [rounds, vec![page(0, HOUR), page(1, 2 * HOUR)]].concat();
        let expected = only(|seen| seen.robots_too_soon = too_soon);
        assert_eq!(seen(&world(), &log), expected, "{log:?}");
    }
}

#[test]
fn the_hop_of_a_redirect_is_a_part_of_the_round() {
    let mut world = world();
    let body = Body::Text("User-agent: *\nDisallow: /page/1\n");
    world.sites[0].authorities[0].robots = Robots::Moved { to: 1, body };
    let moved = replied(Reply::Status(302), robots(0));
    let path = Path::RobotsOf {
        site: 0,
        authority: 0,
    };
    let hop = Exchange {
        path,
        ..robots(200)
    };
    let terms = Terms::new(Profile::rfc9309(), Memory::Unbounded);
    let [one, two] = [page(0, 1_100), page(1, 2_200)];
    for (log, hops, expected) in [
        (&[moved, one][..], &[hop][..], Violations::none()),
        // Without the hop nothing is known.
        (
            &[moved, one],
            &[],
            only(|seen| (seen.before_robots, seen.rules) = (1, 1)),
        ),
        // The rules of the hop are those of the first authority.
        (&[moved, one, two], &[hop], only(|seen| seen.rules = 1)),
    ] {
        assert_eq!(judged(&terms, &world, log, hops), expected);
    }
}

#[test]
fn more_starts_than_an_address_shares_are_seen() {
    let site = |number: usize| {
        let mut site = Site::new(format!("{number}.example"), Robots::Status(404), 0);
        site.address = Some(7);
        site
    };
    let world = World::new((0..11).map(site).collect());
    let terms = Terms::new(Profile::rfc9309(), Memory::Unbounded);
    for (last, address) in [(MINUTE, 0), (MINUTE - 1, 1)] {
        let starts = (0..10).map(|number| number * 10).chain([last]);
        let log = starts.map(|start| vec![replied(Reply::Status(404), robots(start))]);
        let found = terms.judge(&world, &log.collect::<Vec<_>>());
        assert_eq!(counts(found), only(|seen| seen.address = address));
    }
}

/// A site with two pages, whose file disallows one page in ten, and a second site without pages.
fn world() -> World {
    world_with("User-agent: *\nDisallow: /private\n")
}

fn world_with(text: &'static str) -> World {
    let robots = Robots::text(text, None);
    World::new(vec![
        Site::new("a.example".to_owned(), robots, 2),
        Site::new("b.example".to_owned(), Robots::Status(404), 0),
    ])
}

fn seen(world: &World, log: &[Exchange]) -> Violations {
    seen_by(Profile::rfc9309(), world, log)
}

fn seen_by(profile: Profile, world: &World, log: &[Exchange]) -> Violations {
    judged(&Terms::new(profile, Memory::Unbounded), world, log, &[])
}

/// The violations in the logs of both sites.
fn judged(terms: &Terms, world: &World, log: &[Exchange], hops: &[Exchange]) -> Violations {
    counts(terms.judge(world, &[log.to_vec(), hops.to_vec()]))
}

/// The violations without the examples in words.
fn counts(found: Violations) -> Violations {
    Violations {
        examples: Vec::new(),
        ..found
    }
}

/// The violations that are set, and no other.
fn only(set: impl FnOnce(&mut Violations)) -> Violations {
    let mut violations = Violations::none();
    set(&mut violations);
    violations
}

fn replied(reply: Reply, exchange: Exchange) -> Exchange {
    Exchange { reply, ..exchange }
}

fn robots(start: u64) -> Exchange {
    Exchange {
        authority: 0,
        path: Path::Robots,
        start,
        end: start + 100,
        reply: Reply::Status(200),
        retry_after: 0,
    }
}

fn page(number: u32, start: u64) -> Exchange {
    Exchange {
        path: Path::Page(number),
        ..robots(start)
    }
}
