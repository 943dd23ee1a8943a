//! Laws of every history of rounds, answers and times; P1 to P15 name the properties of the design.
//! The laws of many hosts are in `machine`.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use polite_robots::{Cause, Reason, Robot, RobotsTxt};
use polite_robots_policy::cache::{NextFetch, Site};
use polite_robots_policy::fetch::{
    BodyEnd, Event, Fetch, Freshness, Headers, RawResponse, Step, Validators,
};
use polite_robots_policy::settings::{AttemptPlan, RedirectPolicy};
use polite_robots_policy::{
    Entry, NetError, Origin, Outcome, Pacer, Profile, Reply, RetryAfter, Timestamp, Turn,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::naive::{self as naive, Access, DAY, HOUR, MINUTE, Round, with};
use super::together::cache_laws::freshness;
use super::together::law_cases::law_cases;
use super::words::{reload, respond};

pub(crate) const START: u64 = 1_767_225_600_000;

pub(crate) fn at(millis: u64) -> Timestamp {
    Timestamp::from_millis(millis)
}

fn presets() -> impl Strategy<Value = (&'static str, Profile)> {
    select(vec![
        ("rfc9309", Profile::rfc9309()),
        ("google", Profile::google()),
        ("ibm", Profile::ibm()),
    ])
}

pub(crate) fn round() -> impl Strategy<Value = Round> {
    let some = [0, HOUR, DAY, 3 * DAY, u64::MAX].map(Some);
    let lifetime = select([&[None][..], &some].concat());
    prop_oneof![
        2 => lifetime.clone().prop_map(Round::File),
        1 => lifetime.prop_map(Round::NotModified),
        1 => Just(Round::Gone),
        1 => Just(Round::Forbidden),
        6 => Just(Round::Failed),
    ]
}

fn rounds() -> impl Strategy<Value = Vec<(u64, Round)>> {
    let pauses = vec![1, MINUTE, HOUR, 12 * HOUR, DAY, 2 * DAY, 10 * DAY, 30 * DAY];
    vec((select(pauses), round(), 1..20_usize), 0..14).prop_map(|rounds| {
        let mut now = START;
        let mut timed = Vec::new();
        for (pause, round, failures) in rounds {
            // A long outage takes many failures.
            let repeats = if round == Round::Failed { failures } else { 1 };
            for _ in 0..repeats {
                now += pause;
                timed.push((now, round));
            }
        }
        timed
    })
}

pub(crate) fn outcome(round: Round) -> Outcome {
    match round {
        Round::File(lifetime) => read(
            RobotsTxt::parse(b"User-agent: *\nDisallow: /x\xFF"),
            freshness(lifetime),
        ),
        Round::NotModified(lifetime) => Outcome::NotModified(freshness(lifetime)),
        Round::Gone => Outcome::Unavailable(Cause::Status(404)),
        Round::Forbidden => Outcome::Forbidden(Cause::Status(403)),
        Round::Failed => Outcome::Unreachable {
            cause: Cause::Status(500),
            retry_after: None,
        },
    }
}

/// The outcome of a round that came to its end.
pub(crate) fn read(robots_txt: RobotsTxt, freshness: Freshness) -> Outcome {
    Outcome::Parsed {
        robots_txt,
        freshness,
        validators: Validators::default(),
        end: BodyEnd::Complete,
    }
}

pub(crate) fn access(robot: &Robot) -> Access {
    let verdict = robot.check("/");
    match verdict.reason() {
        Reason::Blanket(Cause::NotFetched) => Access::Nothing,
        Reason::Blanket(Cause::GaveUp) if !verdict.is_allowed() => Access::GivenUp,
        Reason::Blanket(_) if verdict.is_allowed() => Access::Open,
        Reason::Blanket(_) => Access::Closed,
        _ => Access::File,
    }
}

pub(crate) fn access_of(entry: &Entry, profile: &Profile, site: Site, now: u64) -> Access {
    let robots_txt = entry.robots_txt(profile, site, at(now));
    access(&robots_txt.robot("ExampleBot").unwrap())
}

pub(crate) fn results() -> impl Strategy<Value = Result<u16, NetError>> {
    let errors = &[NetError::Connect, NetError::Read];
    results_of(&[200, 200, 200, 304, 403, 429, 500, 503], errors)
}

pub(crate) fn results_of(
    statuses: &[u16],
    errors: &[NetError],
) -> impl Strategy<Value = Result<u16, NetError>> + Clone + use<> {
    let errors = errors.iter().map(|error| Err(*error));
    let statuses = statuses.iter().map(|status| Ok(*status));
    select(statuses.chain(errors).collect::<Vec<_>>())
}

/// A pause, the time that the request takes, its end, its result, and the wait that the result asks
/// for.
type Request = (u64, u64, End, Result<u16, NetError>, Option<u64>);

/// The end of a request as the pacer learns of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Replied,
    Cancelled,
    /// The pacer is saved and read back meanwhile.
    Saved,
    Never,
}

fn requests() -> impl Strategy<Value = Vec<Request>> {
    let times = || select(vec![0, 1, 100, 1_000, 2_100, 9_000, 60_000, HOUR]);
    let wait = select(vec![None, None, Some(5_000), Some(2 * HOUR)]);
    let end = prop_oneof![
        12 => Just(End::Replied),
        1 => Just(End::Cancelled),
        1 => Just(End::Saved),
        1 => Just(End::Never),
    ];
    vec((times(), times(), end, results(), wait), 0..60)
}

proptest! {
    #![proptest_config(law_cases(512))]

    /// The naive model contains P6, P9 and P13. P6 is asserted once more.
    #[test]
    fn an_entry_equals_the_naive_table(
        (preset, profile) in presets(),
        rounds in rounds(),
        after in select(vec![0, 1, MINUTE, HOUR, 12 * HOUR - 1, 12 * HOUR, DAY, 30 * DAY, 31 * DAY, 90 * DAY]),
        is_alive: bool,
    ) {
        let site = if is_alive { Site::Available } else { Site::Unknown };
        let mut entry = Entry::new();
        let mut failures = 0;
        for (number, (time, round)) in rounds.iter().enumerate() {
            let before = naive::access(preset, &rounds[..number], is_alive, *time);
            prop_assert_eq!(access_of(&entry, &profile, site, *time), before);
            let has_file = entry.failures();
            entry.handle(outcome(*round), &profile, at(*time));
            // P9
            match round {
                Round::Failed => failures += 1,
                Round::File(_) | Round::Gone | Round::Forbidden => failures = 0,
                Round::NotModified(_) => failures = if entry.failures() == 0 { 0 } else { has_file + 1 },
            }
            prop_assert_eq!(entry.failures(), failures);
            prop_assert_eq!(entry.robots_date(), Some(at(*time)));
            if let NextFetch::At(next) = entry.next_fetch(&profile, at(*time)) {
                prop_assert!(next > at(*time));
            }
        }
        let now = rounds.last().map_or(START, |(time, _)| *time) + after;
        let found = access_of(&entry, &profile, site, now);
        prop_assert_eq!(found, naive::access(preset, &rounds, is_alive, now));
        // P6
        let succeeded = rounds.iter().rposition(|(_, round)| matches!(round, Round::File(_) | Round::Gone | Round::Forbidden));
        if succeeded.is_none() && entry.failures() > 0 {
            let bound = match preset { "google" => 12 * HOUR, "rfc9309" => 30 * DAY, _ => u64::MAX };
            if now - rounds[0].0 < bound {
                prop_assert!(matches!(found, Access::Closed | Access::GivenUp));
            }
        }
    }

    /// P7 and P8: a question changes nothing, a copy that was saved answers alike, and a clock that
    /// is set back opens nothing that was closed.
    #[test]
    fn an_entry_answers_alike_again_and_elsewhere(
        (_, profile) in presets(),
        rounds in rounds(),
        times in vec(0..200 * DAY, 1..6),
        back in 0..60 * DAY,
    ) {
        let mut entry = Entry::new();
        for (time, round) in &rounds {
            entry.handle(outcome(*round), &profile, at(*time));
        }
        let mut copy = reload(&entry);
        let now = rounds.last().map_or(START, |(time, _)| *time);
        for time in &times {
            let tell = |entry: &Entry| {
                let robots_txt = entry.robots_txt(&profile, Site::Unknown, at(now + time));
                let explanation = entry.explain(&profile, Site::Unknown, at(now + time)).to_string();
                let next = entry.next_fetch(&profile, at(now + time));
                (robots_txt.as_bytes().to_vec(), explanation, next)
            };
            prop_assert_eq!(tell(&entry), tell(&entry));
            prop_assert_eq!(tell(&entry), tell(&copy));
        }
        if access_of(&entry, &profile, Site::Available, now) == Access::Closed {
            let before = now.saturating_sub(back);
            let earlier = access_of(&entry, &profile, Site::Available, before);
            // The entry believes a step back of at most an hour, and at that time an answer may
            // still have counted.
            let still_counted = back <= HOUR && entry.fresh_until().is_some_and(|until| at(before) < until);
            prop_assert!(still_counted || !matches!(earlier, Access::Open), "{earlier:?}");
        }
        // The entry and its copy have the same future too.
        for round in [Round::Failed, Round::File(None), Round::Failed] {
            entry.handle(outcome(round), &profile, at(now + times[0]));
            copy.handle(outcome(round), &profile, at(now + times[0]));
        }
        let later = at(now + times[0] + 13 * HOUR);
        let told = [&entry, &copy].map(|entry| entry.explain(&profile, Site::Unknown, later).to_string());
        prop_assert_eq!(&told[0], &told[1]);
    }

    /// P1, P2, P4 and P11 for one host, P7 and P8; and no clock freezes the host.
    #[test]
    fn a_pacer_equals_the_naive_model(
        requests in requests(),
        crawl_delay in select(vec![None, Some(10_000_u64), Some(400_000)]),
        (_, profile) in presets(),
        back in 0..60 * DAY,
    ) {
        let mut pacer = Pacer::new();
        pacer.set_crawl_delay(crawl_delay.map(Duration::from_millis));
        let mut host = naive::Host { delays: [crawl_delay, None, None], ..naive::Host::default() };
        let mut now = START;
        for (pause, takes, end, result, wait) in requests {
            now += pause;
            let Turn::Ready = pacer.poll(&profile, at(now)) else {
                let naive::Turn::From(from) = host.turn(&profile, now) else {
                    prop_assert_eq!(pacer.poll(&profile, at(now)), Turn::Busy);
                    continue;
                };
                prop_assert_eq!(pacer.poll(&profile, at(now)), Turn::NotBefore(at(from)));
                if !host.in_flight.is_empty() {
                    // At an earlier time the lease of that request is not over.
                    continue;
                }
                // A clock that is set back a little makes nothing start early. A clock that is set
                // back far freezes nothing.
                let mut early = at(now.saturating_sub(back));
                prop_assert!(back > HOUR || pacer.poll(&profile, early) != Turn::Ready);
                for _ in 0..2 {
                    if let Turn::NotBefore(time) = pacer.poll(&profile, early) {
                        prop_assert!(time <= at(from));
                        early = time;
                    }
                }
                prop_assert_eq!(pacer.poll(&profile, early), Turn::Ready);
                continue;
            };
            prop_assert!(matches!(host.turn(&profile, now), naive::Turn::From(from) if from <= now));
            pacer.handle_start(at(now));
            host.start(&profile, now);
            let is_busy = host.turn(&profile, now + takes) == naive::Turn::Busy;
            prop_assert_eq!(pacer.poll(&profile, at(now + takes)) == Turn::Busy, is_busy);
            match end {
                End::Never => continue,
                End::Cancelled => {
                    now += takes;
                    pacer.handle_cancelled(&profile, at(now));
                    host.in_flight.remove(0);
                    host.ends.push(now);
                    continue;
                }
                End::Saved => {
                    pacer = reload(&pacer);
                    host.in_flight.clear();
                    continue;
                }
                End::Replied => host.in_flight.pop(),
            };
            host.replies.push(naive::Reply {
                order: host.replies.len(),
                started: now,
                at: now + takes,
                result,
                retry_after: wait,
                signal: None,
            });
            let reply = Reply::new(result, at(now))
                .with_retry_after(wait.map(|wait| RetryAfter::Delay(Duration::from_millis(wait))));
            now += takes;
            pacer.handle_reply(reply, &profile, at(now));
            prop_assert_eq!(pacer.level(&profile), host.level(&profile));
            if host.in_flight.is_empty() {
                prop_assert_eq!(&reload(&pacer), &pacer);
            }
        }
    }

    /// P12: a round has at most the first request and five more, and no request is sent twice.
    #[test]
    fn a_round_ends_after_six_requests(
        links in vec((200_u16..600, 0_usize..9), 9),
        (_, profile) in presets(),
        addresses in 1_u8..4,
    ) {
        let profile = with(profile, |profile| { profile.access.redirects = RedirectPolicy::Follow; });
        let urls: Vec<String> = (0..links.len())
            .map(|number| match number {
                0 => "https://example.com/robots.txt".to_string(),
                number => format!("https://h{}.example/{number}", number % 3),
            })
            .collect();
        let ips: Vec<IpAddr> = (0..addresses).map(|last| Ipv4Addr::new(192, 0, 2, last).into()).collect();
        let origin = Origin::of("https://example.com").unwrap();
        let mut fetch = Fetch::new(&origin, Validators::default(), &profile, at(START));
        let (mut now, mut asked, mut targets) = (START, 0, BTreeSet::new());
        loop {
            match fetch.poll(at(now)) {
                Step::Done(_) => break,
                Step::Wait(until) => now = until.as_millis(),
                Step::Resolve(_) => fetch.handle(Event::Resolved(&ips), at(now)),
                Step::Get(request) => {
                    asked += 1;
                    targets.insert(request.url.to_string());
                    let (status, next) = links[urls.iter().position(|url| url == request.url).unwrap()];
                    let mut headers = Headers::default();
                    // Most of the links are redirects.
                    let status = if status < 500 { 302 } else { status };
                    headers.location = Some(&urls[next]);
                    respond(&mut fetch, status, headers, b"", at(now));
                }
                other => panic!("{other:?}"),
            }
        }
        prop_assert!(targets.len() <= 6);
        match profile.access.attempts {
            AttemptPlan::EveryAddress { .. } => prop_assert!(asked <= 6 * 2 * ips.len()),
            _ => prop_assert_eq!(asked, targets.len()),
        }
    }

    /// P15: nothing that a server says makes a machine panic or go on for ever.
    #[test]
    fn any_answer_is_taken(
        (_, profile) in presets(),
        answers in vec((any::<u16>(), vec(any::<u8>(), 0..80), 0_u8..3, vec((0_usize..8, "\\PC{0,40}"), 0..4)), 1..8),
        now: u64,
    ) {
        const NAMES: [&str; 8] = [
            "age", "cache-control", "date", "etag", "expires", "last-modified", "location", "retry-after",
        ];
        let origin = Origin::of("http://[::1]:8080/").unwrap();
        let mut entry = Entry::for_origin(&origin);
        let mut pacer = Pacer::for_host(origin.host());
        let mut fetch = Fetch::new(&origin, Validators::default(), &profile, at(now));
        for (status, body, end, fields) in answers.iter().cycle().take(24) {
            if let Step::Resolve(_) = fetch.poll(at(now)) {
                fetch.handle(Event::Resolved(&[IpAddr::from([127, 0, 0, 1])]), at(now));
            }
            let mut headers = Headers::default();
            for (name, value) in fields {
                headers.insert(NAMES[*name], value);
            }
            let end = [BodyEnd::Complete, BodyEnd::CutShort, BodyEnd::LimitReached][usize::from(*end)];
            let response = RawResponse { status: *status, headers, body, end };
            fetch.handle(Event::Response(response), at(now));
            pacer.handle_start(at(now));
            let reply = Reply::new(Ok(*status), at(u64::MAX - now))
                .with_retry_after(headers.retry_after.and_then(RetryAfter::parse));
            pacer.handle_reply(reply, &profile, at(now));
            let _ = pacer.poll(&profile, at(now.wrapping_mul(3)));
        }
        let is_done = matches!(fetch.poll(Timestamp::MAX), Step::Done(_));
        prop_assert!(is_done);
        entry.handle(fetch.into_outcome(), &profile, at(now));
        for later in [0, now, u64::MAX] {
            let _ = entry.robots_txt(&profile, Site::Available, at(later));
            let _ = entry.explain(&profile, Site::Available, at(later)).to_string();
        }
    }

    /// P14
    #[test]
    fn each_host_has_one_worker(host in "[a-z0-9-]{1,20}\\.example", workers in 1_u64..=64) {
        let key = |url: String| Origin::of(&url).unwrap().partition_key();
        let owner = key(format!("https://{host}/")) % workers;
        prop_assert!(owner < workers);
        prop_assert_eq!(key(format!("http://{}:8080/x", host.to_uppercase())) % workers, owner);
    }
}

#[test]
fn hosts_are_spread_evenly_over_workers() {
    let origin = |number| Origin::of(&format!("https://host{number}.example")).unwrap();
    let keys: Vec<u64> = (0..16_000)
        .map(|number| origin(number).partition_key())
        .collect();
    for workers in [2, 3, 7, 16, 64] {
        let mut counts = vec![0; workers];
        for key in &keys {
            counts[(key % workers as u64) as usize] += 1;
        }
        // The bounds are four standard deviations, for 64 workers.
        let expected = keys.len() / workers;
        let fair = expected * 3 / 4..expected * 5 / 4;
        assert!(
            counts.iter().all(|count| fair.contains(count)),
            "{counts:?}"
        );
    }
}

#[test]
fn a_blanket_value_survives_saving() {
    let profile = Profile::rfc9309();
    for (robots_txt, expected) in [
        (RobotsTxt::disallow_all(Cause::Configured), Access::Closed),
        (RobotsTxt::allow_all(Cause::Configured), Access::Open),
    ] {
        let mut entry = Entry::new();
        let parsed = read(robots_txt, Freshness::default());
        entry.handle(parsed, &profile, at(START));
        let found = access_of(&reload(&entry), &profile, Site::Unknown, START);
        assert_eq!(found, expected);
    }
}

#[cfg(feature = "std")]
#[test]
fn the_clock_of_the_system_is_a_timestamp() {
    use std::time::SystemTime;
    let millis = |time: SystemTime| Timestamp::from(time).as_millis();
    assert_eq!(millis(SystemTime::UNIX_EPOCH), 0);
    let later = SystemTime::UNIX_EPOCH + Duration::from_millis(START);
    assert_eq!(millis(later), START);
    let before = SystemTime::UNIX_EPOCH - Duration::from_secs(1);
    assert_eq!(millis(before), 0);
}
