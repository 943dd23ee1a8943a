//! The judge on logs that are made up: each violation is seen, and only where it is.

use polite_robots_policy::Profile;

use super::judge::{Exchange, Memory, Reply, Terms, Violations, assert_listed};
use super::world::{Authority, Body, DAY, HOUR, MINUTE, Path, Robots, Site, World};

#[test]
fn a_polite_log_has_no_violations() {
    let log = [robots(0), page(0, 1_100), page(1, 2_200), page(9, 3_300)];
    let log = [&log[..3], &[]];
    assert_eq!(judge(&world(), log), Violations::none());
}

#[test]
fn a_gap_that_is_too_short_is_seen() {
    // The first ends at 100, so the second is a millisecond early.
    let log = [robots(0), page(0, 1_099), page(1, 2_199)];
    assert_eq!(
        counts(&judge(&world(), [&log, &[]])),
        Violations {
            gap: 1,
            ..Violations::none()
        }
    );
}

#[test]
fn a_crawl_delay_is_a_gap_from_the_first_page_on() {
    let mut world = world();
    world.sites[0].authorities[0].robots = file("User-agent: *\nCrawl-delay: 3\n");
    let log = [robots(0), page(0, 3_100), page(1, 6_200)];
    assert_eq!(judge(&world, [&log, &[]]), Violations::none());
    let log = [robots(0), page(0, 3_099), page(1, 6_198)];
    assert_eq!(
        counts(&judge(&world, [&log, &[]])),
        Violations {
            gap: 2,
            ..Violations::none()
        }
    );
    // Google does not know it.
    let log = [robots(0), page(0, 1_100), page(1, 2_200)];
    let google = Terms::new(Profile::google(), Memory::Unbounded);
    assert_eq!(
        google.judge(&world, &[log.to_vec(), Vec::new()]),
        Violations::none()
    );
}

#[test]
fn the_longest_crawl_delay_of_the_origins_of_a_host_counts() {
    let mut world = world();
    world.sites[0].authorities[0].robots = file("User-agent: *\nCrawl-delay: 3\n");
    world.sites[0].authorities.push(Authority {
        scheme: "http",
        robots: Robots::Status(404),
        pages: 1,
    });
    let other = |exchange: Exchange| Exchange {
        authority: 1,
        ..exchange
    };
    let log = [
        robots(0),
        page(0, 3_100),
        page(1, 6_200),
        other(robots(9_300)),
        other(page(0, 12_400)),
    ];
    assert_eq!(judge(&world, [&log, &[]]), Violations::none());
    let log = [
        robots(0),
        page(0, 3_100),
        page(1, 6_200),
        other(robots(7_300)),
        other(page(0, 8_400)),
    ];
    assert_eq!(
        counts(&judge(&world, [&log, &[]])),
        Violations {
            gap: 2,
            ..Violations::none()
        }
    );
}

#[test]
fn two_requests_at_once_are_seen() {
    let slow = Exchange {
        end: 9_000,
        ..page(0, 1_100)
    };
    let log = [robots(0), slow, page(1, 8_999)];
    let expected = Violations {
        gap: 1,
        concurrency: 1,
        ..Violations::none()
    };
    assert_eq!(counts(&judge(&world(), [&log, &[]])), expected);
}

#[test]
fn a_request_within_a_retry_after_is_seen() {
    let busy = Exchange {
        reply: Reply::Status(429),
        retry_after: 60,
        ..page(0, 1_100)
    };
    let again = |start| [robots(0), busy, page(0, start), page(1, start + 1_100)];
    assert_eq!(judge(&world(), [&again(61_200), &[]]), Violations::none());
    let expected = Violations {
        retry_after: 1,
        ..Violations::none()
    };
    assert_eq!(counts(&judge(&world(), [&again(61_199), &[]])), expected);
    // It does not count on other answers.
    let fine = Exchange {
        reply: Reply::Status(200),
        ..busy
    };
    let log = [robots(0), fine, page(1, 2_200)];
    assert_eq!(judge(&world(), [&log, &[]]), Violations::none());
}

#[test]
fn a_disallowed_page_is_seen() {
    let log = [robots(0), page(0, 1_100), page(1, 2_200), page(9, 3_300)];
    let expected = Violations {
        rules: 1,
        ..Violations::none()
    };
    assert_eq!(counts(&judge(&world(), [&log, &[]])), expected);
}

#[test]
fn each_rule_of_a_file_is_applied() {
    let seen = |text: &'static str| {
        let mut world = world();
        world.sites[0].authorities[0].robots = file(text);
        let log = [robots(0), page(0, 1_100), page(1, 2_200)];
        judge(&world, [&log, &[]]).rules
    };
    // The group that names the crawler, in any case, and not that of everyone; groups with one name
    // are one.
    assert_eq!(
        seen("User-agent: *\nDisallow: /\n\nUser-agent: examplebot\nDisallow: /page/1\n"),
        1
    );
    assert_eq!(
        seen("User-agent: OtherBot\nUser-agent: ExampleBot\nDisallow: /\nUser-agent: *\n"),
        2
    );
    assert_eq!(
        seen(
            "User-agent: ExampleBot\nDisallow: /page/0\n\nUser-agent: ExampleBot\nDisallow: /page/1\n"
        ),
        2
    );
    assert_eq!(seen("User-agent: OtherBot\nDisallow: /\n"), 0);
    // The longest match, Allow at a tie, wildcards and ends.
    assert_eq!(seen("User-agent: *\nDisallow: /page/1\nAllow: /page\n"), 1);
    assert_eq!(
        seen("User-agent: *\nAllow: /page/1\nDisallow: /page/1\n"),
        0
    );
    assert_eq!(seen("User-agent: *\nDisallow: /*/1$\n"), 1);
    assert_eq!(seen("User-agent: *\nDisallow: /page$\n"), 0);
    assert_eq!(seen("User-agent: *\nDisallow:\n"), 0);
}

#[test]
fn a_file_that_parsed_with_errors_opens_for_ibm_alone() {
    let text = "User-agent: *\nDisallow: /page/1\nCrawl-delay: 3\n";
    let seen = |profile, text| {
        let mut world = world();
        world.sites[0].authorities[0].robots = file(text);
        let log = [robots(0), page(0, 3_100), page(1, 6_200)];
        let terms = Terms::new(profile, Memory::Unbounded);
        terms.judge(&world, &[log.to_vec(), Vec::new()])
    };
    let odd = "User-agent: *\nDisallow: /page/1\nkeep out of here\n";
    for (profile, text, expected) in [
        (Profile::rfc9309(), text, 1),
        (Profile::rfc9309(), odd, 1),
        (Profile::ibm(), text, 1),
        (Profile::ibm(), odd, 0),
    ] {
        assert_eq!(seen(profile, text).rules, expected, "{text}");
    }
}

#[test]
fn a_status_has_the_meaning_of_its_profile() {
    let seen = |profile, status| {
        let mut world = world();
        world.sites[0].authorities[0].robots = Robots::Status(status);
        let answer = Exchange {
            reply: Reply::Status(status),
            ..robots(0)
        };
        let terms = Terms::new(profile, Memory::Unbounded);
        terms
            .judge(
                &world,
                &[vec![answer, page(0, 1_100), page(1, 2_200)], Vec::new()],
            )
            .rules
    };
    for (status, rfc9309, ibm) in [
        (404, 0, 0),
        (410, 0, 0),
        (403, 0, 2),
        (429, 2, 2),
        (500, 2, 2),
    ] {
        assert_eq!(seen(Profile::rfc9309(), status), rfc9309, "{status}");
        assert_eq!(seen(Profile::ibm(), status), ibm, "{status}");
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
fn a_page_before_robots_txt_is_seen() {
    let log = [page(0, 0), robots(1_100), page(1, 2_200)];
    let expected = Violations {
        before_robots: 1,
        rules: 1,
        ..Violations::none()
    };
    assert_eq!(counts(&judge(&world(), [&log, &[]])), expected);
    // One that was given up is none.
    let given_up = Exchange {
        reply: Reply::Dropped,
        ..robots(0)
    };
    let log = [given_up, page(0, 1_100), robots(2_200), page(1, 3_300)];
    assert_eq!(counts(&judge(&world(), [&log, &[]])), expected);
}

#[test]
fn a_page_of_an_unreachable_site_is_seen() {
    let failed = |start| Exchange {
        reply: Reply::Status(500),
        ..robots(start)
    };
    let expected = Violations {
        rules: 1,
        ..Violations::none()
    };
    let log = [
        failed(0),
        page(0, 1_100),
        robots(5 * MINUTE + 100),
        page(1, 6 * MINUTE),
    ];
    assert_eq!(counts(&judge(&world(), [&log, &[]])), expected);
    // 30 days after a single failure, too.
    let log = [
        failed(0),
        page(0, 31 * DAY),
        robots(31 * DAY + HOUR),
        page(1, 31 * DAY + 2 * HOUR),
    ];
    assert_eq!(counts(&judge(&world(), [&log, &[]])), expected);
}

#[test]
fn an_answer_that_has_expired_does_not_count() {
    let log = [robots(0), page(0, 1_100), page(1, DAY + 101)];
    let expected = Violations {
        rules: 1,
        ..Violations::none()
    };
    assert_eq!(counts(&judge(&world(), [&log, &[]])), expected);
}

#[test]
fn a_robots_txt_that_is_asked_for_too_soon_is_seen() {
    let pages = [page(0, HOUR), page(1, 2 * HOUR)];
    let log = |start| {
        let mut log = pages.to_vec();
        log.extend([robots(0), robots(start)]);
        log.sort_by_key(|exchange| exchange.start);
        log
    };
    // 80 % of 24 hours, counted from the end.
    let due = DAY / 10 * 8 + 100;
    assert_eq!(judge(&world(), [&log(due), &[]]), Violations::none());
    let expected = Violations {
        robots_too_soon: 1,
        ..Violations::none()
    };
    assert_eq!(counts(&judge(&world(), [&log(due - 1), &[]])), expected);
    // A crawler that forgets needs the least lifetime.
    let terms = Terms::new(Profile::rfc9309(), Memory::Bounded);
    let judge = |start| counts(&terms.judge(&world(), &[log(start), Vec::new()]));
    assert_eq!(judge(5 * MINUTE + 100), Violations::none());
    assert_eq!(judge(5 * MINUTE + 99), expected);
}

#[test]
fn a_retry_that_is_too_early_is_seen() {
    let failed = Exchange {
        reply: Reply::NoResponse,
        ..robots(0)
    };
    let log = |start| [failed, robots(start), page(0, HOUR), page(1, 2 * HOUR)];
    let expected = Violations {
        robots_too_soon: 1,
        ..Violations::none()
    };
    // The first one comes early, and no other.
    assert_eq!(judge(&world(), [&log(2_100), &[]]), Violations::none());
    assert_eq!(counts(&judge(&world(), [&log(2_099), &[]])), expected);
    let again = Exchange {
        reply: Reply::NoResponse,
        ..robots(2_100)
    };
    let second = |start| {
        [
            failed,
            again,
            robots(start),
            page(0, HOUR),
            page(1, 2 * HOUR),
        ]
    };
    let due = 2_100 + 5 * MINUTE + 100;
    assert_eq!(judge(&world(), [&second(due), &[]]), Violations::none());
    assert_eq!(counts(&judge(&world(), [&second(due - 1), &[]])), expected);
    // A request that the crawler gave up is free.
    let mut log = log(2_000);
    log[0].reply = Reply::Dropped;
    assert_eq!(judge(&world(), [&log, &[]]), Violations::none());
}

#[test]
fn the_hop_of_a_redirect_is_a_part_of_the_round() {
    let mut world = world();
    let body = Body::Text("User-agent: *\nDisallow: /page/1\n");
    world.sites[0].authorities[0].robots = Robots::Moved { to: 1, body };
    let moved = Exchange {
        reply: Reply::Status(302),
        ..robots(0)
    };
    let hop = Exchange {
        path: Path::RobotsOf {
            site: 0,
            authority: 0,
        },
        ..robots(200)
    };
    let log = [moved, page(0, 1_100)];
    assert_eq!(judge(&world, [&log, &[hop]]), Violations::none());
    // Without it nothing is known.
    let expected = Violations {
        before_robots: 1,
        rules: 1,
        ..Violations::none()
    };
    assert_eq!(counts(&judge(&world, [&log, &[]])), expected);
    // Its rules are those of the first authority.
    let log = [moved, page(0, 1_100), page(1, 2_200)];
    let expected = Violations {
        rules: 1,
        ..Violations::none()
    };
    assert_eq!(counts(&judge(&world, [&log, &[hop]])), expected);
}

#[test]
fn pages_that_were_not_fetched_are_seen() {
    let expected = Violations {
        unfinished: 1,
        ..Violations::none()
    };
    let log = [robots(0), page(0, 1_100)];
    assert_eq!(counts(&judge(&world(), [&log, &[]])), expected);
    let failed = Exchange {
        reply: Reply::Status(503),
        ..page(1, 2_200)
    };
    let log = [robots(0), page(0, 1_100), failed];
    assert_eq!(counts(&judge(&world(), [&log, &[]])), expected);
    assert_eq!(counts(&judge(&world(), [&[], &[]])), expected);
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
    let missing = |start| Exchange {
        reply: Reply::Status(404),
        ..robots(start)
    };
    let log = |last| -> Vec<Vec<Exchange>> {
        let starts = (0..10).map(|number| number * 10).chain([last]);
        starts.map(|start| vec![missing(start)]).collect()
    };
    assert_eq!(terms.judge(&world, &log(MINUTE)), Violations::none());
    let expected = Violations {
        address: 1,
        ..Violations::none()
    };
    assert_eq!(counts(&terms.judge(&world, &log(MINUTE - 1))), expected);
}

/// A site whose file disallows one page in ten, with two pages; the second site has none.
fn world() -> World {
    let robots = file("User-agent: *\nDisallow: /private\n");
    World::new(vec![
        Site::new("a.example".to_owned(), robots, 2),
        Site::new("b.example".to_owned(), Robots::Status(404), 0),
    ])
}

fn file(text: &'static str) -> Robots {
    Robots::File {
        body: Body::Text(text),
        max_age: None,
    }
}

fn judge(world: &World, log: [&[Exchange]; 2]) -> Violations {
    let terms = Terms::new(Profile::rfc9309(), Memory::Unbounded);
    terms.judge(world, &log.map(<[Exchange]>::to_vec))
}

/// Without the words.
fn counts(found: &Violations) -> Violations {
    Violations {
        examples: Vec::new(),
        ..*found
    }
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
