//! The judge, judged: each law with a log that keeps it and the nearest one that breaks it.

use std::sync::Arc;
use std::time::Duration;

use polite_robots_policy::settings::{CrawlDelayPolicy, GapAnchor, Obedience};
use polite_robots_policy::{HostRule, Profile};

use super::hit::{Ending, Hit};
use super::judge::{Judge, Law};
use super::own_types::assert_listed;

/// A request that was answered whole, with the name of the crawler in it.
fn hit(host: &str, path: &str, start: u64, end: u64, status: u16) -> Hit {
    let headers = [
        (
            "user-agent",
            "ExampleBot/1.0 (+https://example.com/bot; bot@example.com)",
        ),
        ("from", "bot@example.com"),
    ];
    Hit {
        headers: headers
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        end: ms(end),
        ending: Ending::Complete,
        status: Some(status),
        ..Hit::new(host, path, ms(start))
    }
}

fn robots(host: &str, start: u64, end: u64, body: &str) -> Hit {
    Hit {
        body: body.as_bytes().into(),
        ..hit(host, "/robots.txt", start, end, 200)
    }
}

fn redirect(host: &str, path: &str, start: u64, end: u64, location: &str) -> Hit {
    Hit {
        location: Some(location.to_owned()),
        ..hit(host, path, start, end, 301)
    }
}

fn asking(seconds: u64, hit: Hit) -> Hit {
    Hit {
        retry_after: Some(Duration::from_secs(seconds)),
        ..hit
    }
}

fn ending(ending: Ending, hit: Hit) -> Hit {
    Hit { ending, ..hit }
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn judge() -> Judge {
    Judge::new(Profile::rfc9309(), "ExampleBot")
}

/// The laws that are broken, each with the paths of its two requests.
fn broken(judge: &Judge, hits: &[Hit]) -> Vec<(Law, String, String)> {
    let mut hits = hits.to_vec();
    hits.sort_by_key(|hit| hit.start);
    let violations = judge.violations(&hits).into_iter();
    let paths = violations.map(|violation| {
        let first = violation.first.map(|first| first.path).unwrap_or_default();
        (violation.law, first, violation.second.path)
    });
    paths.collect()
}

#[track_caller]
fn assert_broken(hits: &[Hit], law: Law, first: &str, second: &str) {
    assert_broken_for(&judge(), hits, law, first, second);
}

#[track_caller]
fn assert_broken_for(judge: &Judge, hits: &[Hit], law: Law, first: &str, second: &str) {
    let expected = (law, first.to_owned(), second.to_owned());
    assert_eq!(broken(judge, hits), [expected]);
}

#[track_caller]
fn assert_kept(hits: &[Hit]) {
    assert_kept_for(&judge(), hits);
}

#[track_caller]
fn assert_kept_for(judge: &Judge, hits: &[Hit]) {
    assert_eq!(broken(judge, hits), []);
}

const RULES: &str = "User-agent: *\nDisallow: /private";

#[test]
fn the_gap_is_counted_from_the_end() {
    let pages = |start| {
        [
            hit("a", "/robots.txt", 0, 10, 404),
            hit("a", "/1", 1010, 1500, 200),
            hit("a", "/2", start, start + 10, 200),
            hit("b", "/robots.txt", 1600, 1610, 404),
        ]
    };
    assert_kept(&pages(2500));
    assert_kept(&pages(2495));
    assert_broken(&pages(2494), Law::Gap, "/1", "/2");
    // The gap counts from the start if the profile says so.
    let mut from_start = judge();
    from_start.profile.pace.gap_from = GapAnchor::Start;
    assert_kept_for(&from_start, &pages(1805));
    assert_broken_for(&from_start, &pages(1804), Law::Gap, "/1", "/2");
}

#[test]
fn robots_txt_counts_for_the_gap() {
    let hits = [
        hit("a", "/robots.txt", 0, 100, 404),
        hit("a", "/1", 200, 210, 200),
    ];
    assert_broken(&hits, Law::Gap, "/robots.txt", "/1");
}

#[test]
fn an_answer_that_nobody_reads_to_its_end_ended_a_little_earlier() {
    let pages = |length: usize, start| {
        let long = Hit {
            body: vec![b'a'; length].into(),
            ..hit("a", "/1", 1010, 1700, 200)
        };
        [
            hit("a", "/robots.txt", 0, 10, 404),
            long,
            hit("a", "/2", start, start + 10, 200),
        ]
    };
    let most = judge().profile.access.max_bytes;
    assert_kept(&pages(most + 1, 2500));
    assert_broken(&pages(most + 1, 2490), Law::Gap, "/1", "/2");
    assert_broken(&pages(most, 2690), Law::Gap, "/1", "/2");
}

#[test]
fn a_request_that_the_client_broke_off_ended_a_little_earlier() {
    let pages = |start| {
        [
            hit("a", "/robots.txt", 0, 10, 404),
            ending(Ending::Aborted, hit("a", "/1", 1010, 1700, 200)),
            hit("a", "/2", start, start + 10, 200),
        ]
    };
    assert_kept(&pages(2500));
    assert_broken(&pages(2490), Law::Gap, "/1", "/2");
    // The server read a request whose client was gone by then.
    let late = |start| {
        [
            hit("a", "/robots.txt", 0, 10, 404),
            ending(Ending::Aborted, hit("a", "/1", 1699, 1700, 200)),
            hit("a", "/2", start, start + 10, 200),
        ]
    };
    assert_kept(&late(2500));
    assert_broken(&late(2490), Law::Gap, "/1", "/2");
}

#[test]
fn crawl_delay_is_the_gap_once_it_is_known() {
    let file = "User-agent: *\nCrawl-delay: 3";
    let hits = |start| [robots("a", 0, 100, file), hit("a", "/1", start, start, 200)];
    assert_kept(&hits(3100));
    assert_broken(&hits(3000), Law::Gap, "/robots.txt", "/1");
    // Google does not read `Crawl-delay`.
    let google = Judge::new(Profile::google(), "ExampleBot");
    assert_kept_for(&google, &hits(1100));
    assert_broken_for(&google, &hits(1000), Law::Gap, "/robots.txt", "/1");
}

#[test]
fn requests_at_once_are_counted_for_each_host() {
    let pages = |end| {
        [
            hit("a", "/robots.txt", 0, 10, 404),
            hit("b", "/robots.txt", 0, 10, 404),
            hit("a", "/1", 1010, end, 200),
            hit("b", "/1", 1010, 1900, 200),
            hit("a", "/2", 2500, 2600, 200),
        ]
    };
    assert_kept(&pages(1500));
    assert_broken(&pages(2501), Law::Concurrency, "/1", "/2");
    // A request may start when the one before ends.
    let mut gapless = judge();
    gapless.profile.pace.min_delay = Duration::ZERO;
    assert_kept_for(&gapless, &pages(2500));
    let mut two = judge();
    two.profile.pace.max_in_flight = 2;
    assert_kept_for(&two, &pages(2501));
}

#[test]
fn requests_at_once_are_counted_in_all() {
    let hits = [
        hit("a", "/robots.txt", 0, 100, 404),
        hit("b", "/robots.txt", 10, 100, 404),
        hit("c", "/robots.txt", 20, 100, 404),
        hit("d", "/robots.txt", 100, 110, 404),
    ];
    let mut judge = judge();
    judge.most_at_once = Some(3);
    assert_kept_for(&judge, &hits);
    judge.most_at_once = Some(2);
    assert_broken_for(&judge, &hits, Law::Total, "/robots.txt", "/robots.txt");
}

#[test]
fn retry_after_is_waited_for_and_longest_counts() {
    let hits = |start| {
        [
            hit("a", "/robots.txt", 0, 10, 404),
            asking(5, hit("a", "/1", 1010, 1100, 503)),
            hit("b", "/robots.txt", 1200, 1300, 404),
            hit("a", "/2", start, start + 10, 200),
        ]
    };
    assert_kept(&hits(6100));
    assert_broken(&hits(6000), Law::RetryAfter, "/1", "/2");
    // The client did not read the answer: the connection broke before a byte was read, or after all
    // bytes were sent.
    let mut unread = hits(3000);
    unread[1].ending = Ending::Aborted;
    assert_kept(&unread);
    let mut cut = judge();
    cut.cuts = vec![("a".to_owned(), ms(1150))];
    assert_kept_for(&cut, &hits(3000));
    // A call that is cut off this late had its answer, and a call to another host does not count.
    cut.cuts = vec![("a".to_owned(), ms(1400)), ("b".to_owned(), ms(1150))];
    assert_broken_for(&cut, &hits(3000), Law::RetryAfter, "/1", "/2");
    let mut broken = hits(3000);
    broken[1].ending = Ending::Broken;
    assert_broken(&broken, Law::RetryAfter, "/1", "/2");
    // `Retry-After` has no such meaning with this status.
    let mut other = hits(3000);
    other[1].status = Some(200);
    assert_kept(&other);
    // The profile limits the wait.
    let mut impatient = judge();
    impatient.profile.pace.max_retry_after = Duration::from_secs(2);
    assert_kept_for(&impatient, &hits(3100));
}

#[test]
fn robots_txt_comes_before_all_pages() {
    assert_broken(&[hit("a", "/1", 0, 10, 200)], Law::RobotsFirst, "", "/1");
    // The robots.txt must have been answered, and by the same host.
    let late = [
        hit("a", "/1", 1005, 1010, 200),
        hit("a", "/robots.txt", 0, 1010, 404),
    ];
    assert!(broken(&judge(), &late).contains(&(Law::RobotsFirst, String::new(), "/1".to_owned())));
    let other = [
        hit("b", "/robots.txt", 0, 10, 404),
        hit("a", "/1", 1010, 1020, 200),
    ];
    assert_broken(&other, Law::RobotsFirst, "", "/1");
}

#[test]
fn the_rules_that_were_served_are_obeyed() {
    let hits = |path| [robots("a", 0, 10, RULES), hit("a", path, 1010, 1020, 200)];
    assert_kept(&hits("/"));
    assert_broken(&hits("/private/x"), Law::Rules, "/robots.txt", "/private/x");
    let own = "User-agent: ExampleBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /";
    let hits = |path| [robots("a", 0, 10, own), hit("a", path, 1010, 1020, 200)];
    assert_kept(&hits("/b"));
    assert_broken(&hits("/a"), Law::Rules, "/robots.txt", "/a");
}

#[test]
fn a_line_that_cannot_be_read_opens_for_ibm_alone() {
    let ibm = Judge::new(Profile::ibm(), "ExampleBot");
    let hits = |file| {
        [
            robots("a", 0, 10, file),
            hit("a", "/private", 1010, 1020, 200),
        ]
    };
    let odd = "User-agent: *\nDisallow: /private\nkeep out of here";
    assert_kept_for(&ibm, &hits(odd));
    assert_broken(&hits(odd), Law::Rules, "/robots.txt", "/private");
    assert_broken_for(&ibm, &hits(RULES), Law::Rules, "/robots.txt", "/private");
    // A line that can be read is no error, however odd its value.
    let delay = "User-agent: *\nDisallow: /private\nLicense: /license.xml";
    assert_broken_for(&ibm, &hits(delay), Law::Rules, "/robots.txt", "/private");
}

#[test]
fn a_body_that_is_no_text_is_an_outage() {
    for body in [
        &b"\x8B\x0C\x80User-agent: *\nDisallow:\n\x03"[..],
        b"PK\x03\x04",
        b"\xFF\xFEU\0",
    ] {
        let mut coded = hit("a", "/robots.txt", 0, 10, 200);
        coded.body = Arc::from(body);
        let hits = [coded, hit("a", "/1", 1500, 1520, 200)];
        assert_broken(&hits, Law::Outage, "/robots.txt", "/1");
    }
}

#[test]
fn the_judge_uses_settings_and_plain_data_only() {
    assert_listed(&[
        ("judge", include_str!("judge.rs")),
        ("readings", include_str!("readings.rs")),
        ("hit", include_str!("hit.rs")),
        ("stall", include_str!("stall.rs")),
        (
            "reader",
            include_str!("../../../policy/tests/suite/together/judge/reader.rs"),
        ),
    ]);
}

#[test]
fn the_profile_decides_what_a_status_means() {
    let ibm = Judge::new(Profile::ibm(), "ExampleBot");
    let mut strict = judge();
    strict.profile.access.forbidden = polite_robots_policy::settings::AccessPolicy::Disallow;
    for (status, judge, expected) in [
        (404, judge(), None),
        (410, judge(), None),
        (400, judge(), None),
        (403, judge(), None),
        (451, judge(), None),
        (429, judge(), Some(Law::Outage)),
        (500, judge(), Some(Law::Outage)),
        (304, judge(), Some(Law::Outage)),
        (999, judge(), Some(Law::Outage)),
        (403, strict, Some(Law::Rules)),
        (403, ibm.clone(), Some(Law::Outage)),
        (400, ibm.clone(), None),
        (451, ibm.clone(), Some(Law::Outage)),
        (404, ibm, None),
    ] {
        let hits = [
            hit("a", "/robots.txt", 0, 10, status),
            hit("a", "/1", 1010, 1020, 200),
        ];
        let laws: Vec<Law> = broken(&judge, &hits)
            .into_iter()
            .map(|(law, ..)| law)
            .collect();
        assert_eq!(laws, Vec::from_iter(expected), "{status}");
    }
}

#[test]
fn half_an_answer_is_an_outage() {
    for ending_of_it in [Ending::Broken, Ending::Aborted] {
        let hits = [
            ending(ending_of_it, robots("a", 0, 10, RULES)),
            hit("a", "/1", 1500, 1520, 200),
        ];
        assert_broken(&hits, Law::Outage, "/robots.txt", "/1");
    }
    let broken_404 = ending(Ending::Broken, hit("a", "/robots.txt", 0, 10, 404));
    let hits = [broken_404, hit("a", "/1", 1500, 1520, 200)];
    assert_broken(&hits, Law::Outage, "/robots.txt", "/1");
    // No answer at all.
    let mut silent = hit("a", "/robots.txt", 0, 10, 200);
    (silent.status, silent.ending) = (None, Ending::Broken);
    assert_broken(
        &[silent, hit("a", "/1", 1500, 1520, 200)],
        Law::Outage,
        "/robots.txt",
        "/1",
    );
}

#[test]
fn the_start_of_a_long_file_counts_even_if_the_client_hung_up() {
    let mut body = b"User-agent: *\nDisallow: /private\n".to_vec();
    body.resize(600_000, b'#');
    body.extend(b"\nDisallow: /late");
    let file = |path| {
        let mut robots = hit("a", "/robots.txt", 0, 10, 200);
        robots.body = Arc::from(&body[..]);
        robots.ending = Ending::Aborted;
        [robots, hit("a", path, 1500, 1520, 200)]
    };
    assert_kept(&file("/late"));
    assert_broken(&file("/private"), Law::Rules, "/robots.txt", "/private");
    let ibm = Judge::new(Profile::ibm(), "ExampleBot");
    assert_broken_for(&ibm, &file("/late"), Law::Outage, "/robots.txt", "/late");
}

#[test]
fn an_outage_does_not_end_an_answer() {
    let hits = |path, file| {
        let mut first = robots("a", 0, 10, file);
        first.max_age = Some(Duration::ZERO);
        [
            first,
            hit("a", "/robots.txt", 240_100, 240_200, 500),
            hit("a", path, 250_000, 250_010, 200),
        ]
    };
    assert_kept(&hits("/1", RULES));
    // The request for the rules decides, not the later failure.
    assert_broken(
        &hits("/private", RULES),
        Law::Rules,
        "/robots.txt",
        "/private",
    );
}

#[test]
fn a_redirected_robots_txt_speaks_for_the_first_host() {
    let hits = |path| {
        [
            redirect("a", "/robots.txt", 0, 10, "http://b:8080/rules"),
            Hit {
                body: RULES.as_bytes().into(),
                ..hit("b", "/rules", 20, 30, 200)
            },
            hit("a", path, 1100, 1110, 200),
        ]
    };
    assert_kept(&hits("/"));
    assert_broken(&hits("/private"), Law::Rules, "/rules", "/private");
    // The hop counts for the pace of its host.
    let mut soon = hits("/").to_vec();
    soon.push(hit("b", "/robots.txt", 500, 510, 404));
    assert_broken(&soon, Law::Gap, "/rules", "/robots.txt");
    // A request for the same path without a redirect is a page.
    assert_broken(
        &[hit("b", "/rules", 20, 30, 200)],
        Law::RobotsFirst,
        "",
        "/rules",
    );
    // IBM follows no redirect.
    let ibm = Judge::new(Profile::ibm(), "ExampleBot");
    let laws: Vec<Law> = broken(&ibm, &hits("/"))
        .into_iter()
        .map(|(law, ..)| law)
        .collect();
    assert_eq!(laws, [Law::RobotsFirst, Law::Outage]);
}

#[test]
fn each_round_has_requests_of_its_own() {
    let hop = |start, body: &str| Hit {
        body: body.as_bytes().into(),
        ..hit("c", "/rules", start, start + 10, 200)
    };
    let mut hits = vec![
        redirect("a", "/robots.txt", 0, 10, "http://c:8080/rules"),
        redirect("b", "/robots.txt", 20, 30, "http://c:8080/rules"),
        hop(1100, "User-agent: *\nDisallow: /a"),
        hop(2200, "User-agent: *\nDisallow: /b"),
        hit("a", "/b", 3300, 3310, 200),
        hit("b", "/a", 3300, 3310, 200),
    ];
    assert_kept(&hits);
    hits.push(hit("b", "/b", 4400, 4410, 200));
    assert_broken(&hits, Law::Rules, "/rules", "/b");
    // A request from before the redirect is not its hop.
    let early = [
        redirect("a", "/robots.txt", 0, 100, "http://c:8080/rules"),
        hop(50, RULES),
        hit("a", "/1", 1200, 1210, 200),
    ];
    let laws: Vec<Law> = broken(&judge(), &early)
        .into_iter()
        .map(|(law, ..)| law)
        .collect();
    assert_eq!(laws, [Law::RobotsFirst, Law::Outage]);
    // A round that a kill ended has none of the next process.
    let killed = [
        redirect("a", "/robots.txt", 0, 10, "http://c:8080/rules"),
        redirect("a", "/robots.txt", 1100, 1110, "http://c:8080/rules"),
        hop(2200, RULES),
        hit("a", "/1", 3300, 3310, 200),
    ];
    assert_broken(&killed, Law::Lifetime, "/robots.txt", "/robots.txt");
    let kills = vec![ms(500)];
    assert_kept_for(&Judge { kills, ..judge() }, &killed);
}

#[test]
fn too_many_redirects_and_a_circle_open() {
    let mut hits = Vec::new();
    for hop in 0..6 {
        let path = if hop == 0 {
            "/robots.txt".to_owned()
        } else {
            format!("/{hop}")
        };
        let start = hop * 1100;
        hits.push(redirect(
            "a",
            &path,
            start,
            start + 10,
            &format!("/{}", hop + 1),
        ));
    }
    hits.push(hit("a", "/page", 7700, 7710, 200));
    assert_kept(&hits);
    // A seventh request exceeds the redirects that are followed, so it counts as a page. The page
    // is allowed, as the site is open.
    let circle = [
        redirect("a", "/robots.txt", 0, 10, "/x"),
        redirect("a", "/x", 1100, 1110, "/robots.txt"),
        hit("a", "/page", 2200, 2210, 200),
    ];
    assert_kept(&circle);
    let nowhere = [
        Hit {
            location: None,
            ..redirect("a", "/robots.txt", 0, 10, "")
        },
        hit("a", "/page", 1100, 1110, 200),
    ];
    assert_broken(&nowhere, Law::Outage, "/robots.txt", "/page");
}

#[test]
fn robots_txt_is_asked_for_once_in_its_lifetime() {
    let hits = |start| {
        let mut first = robots("a", 0, 1000, RULES);
        first.max_age = Some(Duration::ZERO);
        [first, robots("a", start, start + 10, RULES)]
    };
    // The least time is 80 % of five minutes, whatever the server says.
    assert_kept(&hits(241_000));
    assert_broken(&hits(240_000), Law::Lifetime, "/robots.txt", "/robots.txt");
    // If the server says nothing, it is 80 % of 24 hours.
    let silent = [
        robots("a", 0, 1000, RULES),
        robots("a", 69_120_000, 69_120_010, RULES),
    ];
    assert_broken(&silent, Law::Lifetime, "/robots.txt", "/robots.txt");
    let silent = [
        robots("a", 0, 1000, RULES),
        robots("a", 69_121_000, 69_121_010, RULES),
    ];
    assert_kept(&silent);
}

#[test]
fn an_outage_is_retried_with_its_pause() {
    let hits = |status, start| {
        let first = hit("a", "/robots.txt", 0, 10, status);
        [first, robots("a", start, start + 10, RULES)]
    };
    assert_kept(&hits(501, 300_010));
    assert_broken(
        &hits(501, 300_000),
        Law::Lifetime,
        "/robots.txt",
        "/robots.txt",
    );
    // The first retry comes early after a failure that is often over soon.
    assert_kept(&hits(503, 2_010));
    assert_broken(
        &hits(503, 2_000),
        Law::Lifetime,
        "/robots.txt",
        "/robots.txt",
    );
    let longer = |start| {
        let [first, second] = hits(503, start);
        [asking(90, first), second]
    };
    assert_kept(&longer(90_010));
    let laws: Vec<Law> = broken(&judge(), &longer(90_000))
        .into_iter()
        .map(|(law, ..)| law)
        .collect();
    assert_eq!(laws, [Law::RetryAfter, Law::Lifetime]);
    // A connection without HTTP in it is an attempt too.
    let tls = |start| {
        let attempt = |start| ending(Ending::Broken, Hit::new("a", "", ms(start)));
        [attempt(0), attempt(start)]
    };
    assert_kept(&tls(300_000));
    assert_broken(&tls(1000), Law::Lifetime, "", "");
}

#[test]
fn ibm_tries_each_address_twice_in_a_round() {
    let ibm = Judge::new(Profile::ibm(), "ExampleBot");
    let failed = |start| hit("a", "/robots.txt", start, start + 10, 500);
    assert_kept_for(&ibm, &[failed(0), failed(2010)]);
    assert_kept_for(&ibm, &[failed(0), failed(2010), failed(3_602_020)]);
    let third = [failed(0), failed(2010), failed(4020)];
    assert_broken_for(&ibm, &third, Law::Lifetime, "/robots.txt", "/robots.txt");
}

#[test]
fn each_request_names_the_crawler() {
    for (name, value) in [
        ("user-agent", ""),
        ("user-agent", "reqwest/0.13"),
        ("user-agent", "ExampleBot/1.0"),
        ("from", ""),
    ] {
        let mut nameless = hit("a", "/robots.txt", 0, 10, 404);
        match value {
            "" => nameless.headers.retain(|(header, _)| header != name),
            _ => {
                let header = nameless
                    .headers
                    .iter_mut()
                    .find(|(header, _)| header == name);
                header.unwrap().1 = value.to_owned();
            }
        }
        assert_broken(&[nameless], Law::Identity, "", "/robots.txt");
    }
}

#[test]
fn the_operator_makes_exceptions_for_hosts() {
    let judge_with = |rule| {
        let mut judge = judge();
        judge.rules = vec![("*", HostRule::new()), ("*.own.test", rule)];
        judge
    };
    let hits = |host, start| {
        let file = "User-agent: *\nCrawl-delay: 3\nDisallow: /private";
        [
            robots(host, 0, 100, file),
            hit(host, "/1", start, start + 10, 200),
        ]
    };
    let slow = judge_with(HostRule::new().min_delay(Duration::from_secs(5)));
    assert_kept_for(&slow, &hits("a.own.test", 5100));
    assert_broken_for(
        &slow,
        &hits("a.own.test", 5000),
        Law::Gap,
        "/robots.txt",
        "/1",
    );
    assert_kept_for(&slow, &hits("a.test", 3100));
    let deaf = judge_with(HostRule::new().crawl_delay(CrawlDelayPolicy::Ignore));
    assert_kept_for(&deaf, &hits("a.own.test", 1100));
    assert_broken_for(&deaf, &hits("a.test", 1100), Law::Gap, "/robots.txt", "/1");

    let two_at_once = |host| {
        let [robots, first] = hits(host, 3100);
        [
            robots,
            Hit {
                end: ms(5000),
                ..first
            },
            hit(host, "/2", 4500, 4600, 200),
        ]
    };
    let rule = HostRule::new()
        .max_in_flight(2)
        .crawl_delay(CrawlDelayPolicy::Ignore);
    assert_kept_for(&judge_with(rule), &two_at_once("a.own.test"));
    assert_broken_for(
        &judge_with(rule),
        &two_at_once("a.test"),
        Law::Concurrency,
        "/1",
        "/2",
    );

    let agreed = judge_with(HostRule::new().obedience(Obedience::Ignore));
    assert_kept_for(&agreed, &[hit("a.own.test", "/private", 0, 10, 200)]);
    assert_broken_for(
        &agreed,
        &[hit("a.test", "/private", 0, 10, 200)],
        Law::RobotsFirst,
        "",
        "/private",
    );
    let url = "http://a.own.test:8080/private".to_owned();
    assert_eq!(agreed.unfetched(&[], std::slice::from_ref(&url)), [url]);
}

#[test]
fn pages_that_nobody_asked_for_are_found() {
    let hits = [
        robots("a", 0, 10, RULES),
        hit("a", "/1", 1010, 1020, 500),
        hit("b", "/robots.txt", 0, 10, 500),
        hit("c", "/robots.txt", 0, 10, 404),
    ];
    let urls = [
        "http://a:8080/1",
        "http://a:8080/2",
        "http://a:8080/private",
        "http://b:8080/1",
        "http://c:8080/1",
        "http://d:8080/1",
    ];
    let urls = urls.map(str::to_owned);
    assert_eq!(
        judge().unfetched(&hits, &urls),
        ["http://a:8080/2", "http://c:8080/1"]
    );
}

#[test]
fn a_violation_names_both_requests() {
    let hits = [
        hit("a", "/robots.txt", 0, 100, 404),
        hit("a", "/1", 200, 210, 200),
    ];
    let violations = judge().violations(&hits);
    assert_eq!(
        violations[0].to_string(),
        "Gap: a/1 200ms..210ms Some(200) Complete (after 100ms instead of 1s) after a/robots.txt 0ns..100ms Some(404) \
         Complete"
    );
}

#[test]
fn a_group_starts_so_many_requests_in_any_window() {
    let mut judge = judge();
    judge.profile.pace.group_starts = 2;
    judge.profile.pace.group_window = Duration::from_secs(60);
    for host in ["a.test", "b.test", "c.test"] {
        judge.groups.insert(host.into(), "one".into());
    }
    judge.groups.insert("d.test".into(), "two".into());
    let file = |host, start| robots(host, start, start + 10, "");
    let kept = [
        file("a.test", 1_000),
        file("b.test", 2_000),
        // The first host is in another group, the second in none.
        file("d.test", 3_000),
        file("e.test", 3_000),
        file("c.test", 61_000),
        hit("a.test", "/a", 62_000, 62_010, 200),
    ];
    assert_kept_for(&judge, &kept);
    let mut broken = kept.clone();
    broken[5] = hit("a.test", "/a", 61_500, 61_510, 200);
    assert_broken_for(&judge, &broken, Law::Group, "/robots.txt", "/a");
    judge.groups.clear();
    assert_kept_for(&judge, &broken);
}
