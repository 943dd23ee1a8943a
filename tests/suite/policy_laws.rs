//! What holds for every history of rounds, answers and times; P1 to P15 name the properties of the design. Those of
//! many hosts are in `policy_machine`.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use polite_robots::policy::{
    Attempts, BodyEnd, Cache, Entry, Event, Fetch, Freshness, GroupPace, Headers, IpGroup, Lookup,
    NetError, NextFetch, Origin, Outcome, Pacer, Profile, Redirects, Reply, Response, RetryAfter,
    Scheduler, Site, Step, Ticket, Timestamp, Turn, Validators,
};
use polite_robots::{Cause, Reason, Robot, RobotsTxt};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::policy_naive::{self as naive, Access, DAY, HOUR, MINUTE, Round};

const START: u64 = 1_767_225_600_000;

fn at(millis: u64) -> Timestamp {
    Timestamp::from_millis(millis)
}

fn presets() -> impl Strategy<Value = (&'static str, Profile)> {
    select(vec![
        ("rfc9309", Profile::rfc9309()),
        ("google", Profile::google()),
        ("ibm", Profile::ibm()),
    ])
}

fn round() -> impl Strategy<Value = Round> {
    let lifetime = select(vec![
        None,
        Some(0),
        Some(HOUR),
        Some(DAY),
        Some(3 * DAY),
        Some(u64::MAX),
    ]);
    prop_oneof![
        2 => lifetime.clone().prop_map(Round::File),
        1 => lifetime.prop_map(Round::NotModified),
        1 => Just(Round::Gone),
        1 => Just(Round::Forbidden),
        6 => Just(Round::Failed),
    ]
}

fn rounds() -> impl Strategy<Value = Vec<(u64, Round)>> {
    let pause = select(vec![1, MINUTE, HOUR, 12 * HOUR, DAY, 10 * DAY, 30 * DAY]);
    vec((pause, round()), 0..14).prop_map(|rounds| {
        let mut now = START;
        let timed = rounds.into_iter().map(|(pause, round)| {
            now += pause;
            (now, round)
        });
        timed.collect()
    })
}

fn outcome(round: Round) -> Outcome {
    let freshness = |lifetime: Option<u64>| match lifetime {
        Some(lifetime) => Freshness::given(Duration::from_millis(lifetime)),
        None => Freshness::default(),
    };
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

/// What a round gives that came to its end.
pub(crate) fn read(robots_txt: RobotsTxt, freshness: Freshness) -> Outcome {
    Outcome::Parsed {
        robots_txt,
        freshness,
        validators: Validators::default(),
        end: BodyEnd::Complete,
    }
}

fn access(robot: &Robot) -> Access {
    let verdict = robot.check("/");
    match verdict.reason() {
        Reason::Blanket(Cause::NotFetched) => Access::Nothing,
        Reason::Blanket(Cause::GaveUp) if !verdict.is_allowed() => Access::GivenUp,
        Reason::Blanket(_) if verdict.is_allowed() => Access::Open,
        Reason::Blanket(_) => Access::Closed,
        _ => Access::File,
    }
}

fn access_of(entry: &Entry, profile: &Profile, site: Site, now: u64) -> Access {
    let robots_txt = entry.robots_txt(profile, site, at(now));
    access(&robots_txt.robot("ExampleBot").unwrap())
}

fn results() -> impl Strategy<Value = Result<u16, NetError>> {
    select(vec![
        Ok(200),
        Ok(200),
        Ok(200),
        Ok(304),
        Ok(403),
        Ok(429),
        Ok(500),
        Ok(503),
        Err(NetError::Connect),
        Err(NetError::Read),
    ])
}

/// A pause, how long the request takes, what comes, and the wait that it asks for.
type Request = (u64, u64, Result<u16, NetError>, Option<u64>);

fn requests() -> impl Strategy<Value = Vec<Request>> {
    let times = || select(vec![0, 1, 100, 1_000, 2_100, 9_000, 60_000, HOUR]);
    let wait = select(vec![None, None, Some(5_000), Some(2 * HOUR)]);
    vec((times(), times(), results(), wait), 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1024) })]

    /// P6, P9 and P13 are parts of the naive model; the first is asserted once more.
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

    /// P7 and P8: a question changes nothing, a copy that was saved answers alike, and a clock that is set back opens
    /// nothing that was closed.
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
        let text = serde_json::to_string(&entry).unwrap();
        let mut copy: Entry = serde_json::from_str(&text).unwrap();
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
            // A step back of an hour at most is believed, and an answer may have counted until then.
            let still_counted = back <= HOUR && entry.fresh_until().is_some_and(|until| at(before) < until);
            prop_assert!(still_counted || !matches!(earlier, Access::Open), "{earlier:?}");
        }
        // The future is the same too.
        for round in [Round::Failed, Round::File(None), Round::Failed] {
            entry.handle(outcome(round), &profile, at(now + times[0]));
            copy.handle(outcome(round), &profile, at(now + times[0]));
        }
        let later = at(now + times[0] + 13 * HOUR);
        prop_assert_eq!(
            entry.explain(&profile, Site::Unknown, later).to_string(),
            copy.explain(&profile, Site::Unknown, later).to_string()
        );
    }

    /// P1, P2, P4, P11 for one host, P7, P8; and no clock freezes it.
    #[test]
    fn a_pacer_equals_the_naive_model(
        requests in requests(),
        crawl_delay in select(vec![None, Some(10_000_u64), Some(400_000)]),
        (_, profile) in presets(),
        back in 0..60 * DAY,
    ) {
        let mut pacer = Pacer::new();
        pacer.set_crawl_delay(crawl_delay.map(Duration::from_millis));
        let mut host = naive::Host { crawl_delay, ..naive::Host::default() };
        let mut now = START;
        for (pause, takes, result, wait) in requests {
            now += pause;
            let Turn::Ready = pacer.poll(&profile, at(now)) else {
                let naive::Turn::From(from) = host.turn(&profile) else { panic!() };
                prop_assert_eq!(pacer.poll(&profile, at(now)), Turn::NotBefore(at(from)));
                // A clock that is set back a little makes nothing start early; far back it freezes nothing.
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
            prop_assert!(matches!(host.turn(&profile), naive::Turn::From(from) if from <= now));
            pacer.handle_start(at(now));
            prop_assert_eq!(pacer.poll(&profile, at(now + takes)), Turn::Busy);
            host.starts.push(now);
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
            let text = serde_json::to_string(&pacer).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Pacer>(&text).unwrap(), &pacer);
        }
    }

    /// P8: a scheduler that was saved goes on alike, in the same order. P5, and hosts that come and go.
    #[test]
    fn a_saved_scheduler_goes_on_alike(
        acts in vec((0_u8..8, 0_u8..6, results()), 0..200),
        saved_at in 0_usize..200,
    ) {
        let mut scheduler = Scheduler::new(Profile::rfc9309().with_group_starts(3));
        let mut copy: Option<Scheduler> = None;
        let mut now = START;
        let mut group_starts: Vec<u64> = Vec::new();
        let mut last_end = [None; 6];
        for (number, (kind, host, result)) in acts.into_iter().enumerate() {
            if number == saved_at {
                let text = serde_json::to_string(&scheduler).unwrap();
                copy = Some(serde_json::from_str(&text).unwrap());
            }
            let name = format!("host{host}");
            now += u64::from(kind) * 700;
            let mut told = Vec::new();
            for scheduler in [Some(&mut scheduler), copy.as_mut()].into_iter().flatten() {
                match kind {
                    0 => {
                        // The last host has an address of its own.
                        scheduler.insert(&name, (host < 5).then_some(IpGroup(7)));
                    }
                    1 => {
                        let host = scheduler.insert(&name, (host < 5).then_some(IpGroup(7)));
                        scheduler.remove(host);
                    }
                    _ => {}
                }
                let ready = scheduler.next_ready(at(now));
                if let Some(ready) = ready {
                    scheduler.handle_start(ready, at(now));
                    scheduler.handle_reply(ready, Reply::new(result, at(now)), at(now));
                }
                told.push((ready.map(|host| scheduler.host(host).to_string()), scheduler.next_wakeup(), scheduler.len()));
            }
            prop_assert!(told.windows(2).all(|two| two[0] == two[1]), "{:?}", told);
            if let Some(started) = &told[0].0 {
                let host: usize = started.trim_start_matches("host").parse().unwrap();
                // P2, also if the host was removed and inserted meanwhile.
                prop_assert!(last_end[host].is_none_or(|end| now >= end + 1_000));
                last_end[host] = Some(now);
                if host < 5 {
                    // P5
                    group_starts.push(now);
                    if let [.., fourth, _, _, last] = group_starts[..] {
                        prop_assert!(last >= fourth + 60_000);
                    }
                }
            }
        }
    }

    /// P12: at most the first request and five more, none of them twice.
    #[test]
    fn a_round_ends_after_six_requests(
        links in vec((200_u16..600, 0_usize..9), 9),
        (_, profile) in presets(),
        addresses in 1_u8..4,
    ) {
        let profile = profile.with_redirects(Redirects::Follow);
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
                    let response = Response { status, headers, body: b"", end: BodyEnd::Complete };
                    fetch.handle(Event::Response(response), at(now));
                }
                other => panic!("{other:?}"),
            }
        }
        prop_assert!(targets.len() <= 6);
        match profile.attempts {
            Attempts::EveryAddress { .. } => prop_assert!(asked <= 6 * 2 * ips.len()),
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
            fetch.handle(Event::Response(Response { status: *status, headers, body, end }), at(now));
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

    /// One fetch at a time for each origin, and no more memory than was given.
    #[test]
    fn a_cache_has_one_fetch_on_its_way_for_each_origin(
        acts in vec((0_u8..4, 0_usize..8, 0_u64..DAY, round()), 0..40),
    ) {
        let capacity = 4 * 1024;
        let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], capacity).unwrap();
        let origins: Vec<Origin> = (0..8).map(|n| Origin::of(&format!("https://h{n}.example")).unwrap()).collect();
        let mut tickets: Vec<Ticket> = Vec::new();
        // The last answer of each, when it came and when it was first asked for.
        let mut answers: BTreeMap<&Origin, (Access, u64, Option<u64>)> = BTreeMap::new();
        let mut now = START;
        for (kind, number, pause, round) in acts {
            now += pause;
            let origin = &origins[number];
            answers.retain(|origin, _| cache.entry(origin).is_some());
            match kind {
                0 | 1 => match cache.poll(origin, at(now)) {
                    Lookup::Fetch(ticket) => {
                        prop_assert!(tickets.iter().all(|other| other.origin() != origin));
                        // The page that the last one was made for has had its turn.
                        if let Some((_, came, asked)) = answers.remove(origin) {
                            prop_assert!(now >= came + DAY || asked.is_some_and(|asked| now >= asked + 5 * MINUTE));
                        }
                        tickets.push(ticket);
                    }
                    Lookup::Pending => prop_assert!(tickets.iter().any(|ticket| ticket.origin() == origin)),
                    Lookup::Ready(robot) => {
                        let entry = cache.entry(origin).unwrap();
                        let in_force = access_of(entry, cache.profile(), Site::Unknown, now);
                        let held = answers.get_mut(origin).filter(|(_, came, asked)| {
                            now < came + DAY && asked.is_none_or(|asked| now < asked + 5 * MINUTE)
                        });
                        let expected = match held {
                            // P13: no answer is held for more than a day.
                            Some((answer, _, asked)) => {
                                asked.get_or_insert(now);
                                *answer
                            }
                            None => in_force,
                        };
                        prop_assert_eq!(access(&robot), expected);
                    }
                    other => panic!("{other:?}"),
                },
                2 => {
                    if !tickets.is_empty() {
                        let ticket = tickets.swap_remove(number % tickets.len());
                        let origin = origins.iter().find(|origin| *origin == ticket.origin()).unwrap();
                        cache.handle(ticket, outcome(round), at(now));
                        let entry = cache.entry(origin).unwrap();
                        if entry.failures() == 0 {
                            let answer = access_of(entry, cache.profile(), Site::Unknown, now);
                            answers.insert(origin, (answer, now, None));
                        }
                    }
                }
                // A task was cancelled. The next poll must not be for the same fetch at once.
                _ => {
                    if !tickets.is_empty() {
                        let ticket = tickets.swap_remove(number % tickets.len());
                        let origin = ticket.origin().clone();
                        let failures = cache.entry(&origin).unwrap().failures();
                        drop(ticket);
                        let is_fetch = matches!(cache.poll(&origin, at(now)), Lookup::Fetch(_));
                        prop_assert!(!is_fetch);
                        prop_assert_eq!(cache.entry(&origin).unwrap().failures(), failures + 1);
                    }
                }
            }
            prop_assert!(cache.entries().count() <= 4 + tickets.len());
            for due in cache.due(at(now)) {
                let next = cache.entry(due).unwrap().next_fetch(cache.profile(), at(now));
                prop_assert_eq!(next, NextFetch::Now);
            }
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
        // Four standard deviations, for 64 workers.
        let expected = keys.len() / workers;
        assert!(
            counts
                .iter()
                .all(|count| (expected * 3 / 4..expected * 5 / 4).contains(count)),
            "{counts:?}"
        );
    }
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
    let Lookup::Fetch(_ticket) = cache.poll(&origin, due) else {
        panic!()
    };
    assert!(matches!(cache.poll(&origin, due), Lookup::Ready(_)));
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

#[test]
fn origins_with_abandoned_fetches_are_forgotten_too() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 10 << 10).unwrap();
    for number in 0..1_000 {
        let origin = Origin::of(&format!("https://host{number}.example")).unwrap();
        drop(cache.poll(&origin, at(START)));
    }
    assert!(cache.entries().count() <= 10);
}

/// A poll of a full cache looks at a few of the fetches on their way. If at all of them, this would not end for long.
#[test]
fn fetches_on_their_way_are_kept_and_cost_the_others_nothing() {
    const FETCHES: usize = 30_000;

    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 100 << 10).unwrap();
    let mut tickets: Vec<Ticket> = (0..FETCHES)
        .map(|number| {
            let origin = Origin::of(&format!("https://host{number}.example")).unwrap();
            let Lookup::Fetch(ticket) = cache.poll(&origin, at(START)) else {
                panic!("no fetch");
            };
            ticket
        })
        .collect();
    assert_eq!(cache.entries().count(), FETCHES);
    // Half are answered and half abandoned, but for the last.
    let last = tickets.pop().unwrap();
    for (number, ticket) in tickets.into_iter().enumerate() {
        if number % 2 == 0 {
            cache.handle(ticket, parsed(""), at(START));
        }
    }
    assert!(cache.entries().count() <= 100);
    cache.handle(last, parsed("User-agent: *\nDisallow: /"), at(START));
    let origin = Origin::of(&format!("https://host{}.example", FETCHES - 1)).unwrap();
    assert!(matches!(cache.poll(&origin, at(START)), Lookup::Ready(_)));
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
        let text = serde_json::to_string(&entry).unwrap();
        let copy: Entry = serde_json::from_str(&text).unwrap();
        let found = access_of(&copy, &profile, Site::Unknown, START);
        assert_eq!(found, expected);
    }
}

#[test]
fn capacity_is_what_fits_into_the_horizon() {
    let mut scheduler = Scheduler::new(Profile::rfc9309());
    let host = scheduler.insert("a.example", None);
    assert_eq!(scheduler.capacity(host, Duration::from_secs(60)), 61);
    scheduler.set_crawl_delay(host, Some(Duration::from_secs(10)));
    assert_eq!(scheduler.capacity(host, Duration::from_secs(60)), 7);
    scheduler.handle_start(host, at(START));
    let blocked = Reply::new(Ok(503), at(START)).with_retry_after(RetryAfter::parse("3600"));
    scheduler.handle_reply(host, blocked, at(START));
    assert_eq!(scheduler.capacity(host, Duration::from_secs(60)), 0);
    for number in 0..100 {
        scheduler.insert(&format!("b{number}.example"), Some(IpGroup(1)));
    }
    let shared = scheduler.insert("b0.example", Some(IpGroup(1)));
    assert_eq!(scheduler.capacity(shared, Duration::from_secs(600)), 2);
}

#[test]
fn a_host_can_be_handed_over() {
    let profile = Profile::rfc9309();
    let mut old = Scheduler::new(profile);
    let host = old.insert("a.example", None);
    old.handle_start(host, at(START + 50 * DAY));
    // The old worker's clock was ahead, so its time is not the new one's.
    let reply = Reply::new(Ok(429), at(START)).with_retry_after(RetryAfter::parse("600"));
    old.handle_reply(host, reply, at(START));
    let pacer = old.pacer(host).unwrap();
    assert_eq!(
        pacer.poll(&profile, at(START)),
        Turn::NotBefore(at(START + 600_000))
    );
    let mut new = Scheduler::new(profile);
    let host = new.insert_with("a.example", None, pacer);
    assert_eq!(new.next_ready(at(START)), None);
    assert_eq!(new.next_wakeup(), Some(at(START + 600_000)));
    assert_eq!(new.next_ready(at(START + 600_000)), Some(host));
    assert_eq!(new.host(host), "a.example");
    let lost = new.insert_with("b.example", None, Pacer::after_gap(at(START + 600_000)));
    assert_eq!(
        new.turn(lost, at(START + 600_000)),
        Turn::NotBefore(at(START + 601_000))
    );
}

fn ready_in_order(scheduler: &mut Scheduler, now: Timestamp) -> Vec<String> {
    let mut names = Vec::new();
    while let Some(host) = scheduler.next_ready(now) {
        names.push(scheduler.host(host).to_string());
        scheduler.handle_start(host, now);
    }
    names
}

#[test]
fn hosts_of_one_address_come_in_the_order_in_which_they_were_ready() {
    let group = Some(IpGroup(1));
    let mut scheduler = Scheduler::new(Profile::rfc9309().with_group_starts(2));
    for name in ["a", "b", "c", "d"] {
        scheduler.insert(name, group);
    }
    assert_eq!(ready_in_order(&mut scheduler, at(START)), ["a", "b"]);
    // One that comes later does not pass by, also if it is ready when the address opens.
    scheduler.insert("late", group);
    assert_eq!(
        ready_in_order(&mut scheduler, at(START + 60_000)),
        ["c", "d"]
    );
    assert_eq!(
        ready_in_order(&mut scheduler, at(START + 120_000)),
        ["late"]
    );
}

#[test]
fn who_was_ready_first_comes_first() {
    let mut scheduler = Scheduler::new(Profile::rfc9309().with_group_starts(1));
    scheduler.insert("a", Some(IpGroup(1)));
    scheduler.insert("b", Some(IpGroup(1)));
    let own = scheduler.insert("own", None);
    assert_eq!(ready_in_order(&mut scheduler, at(START)), ["a", "own"]);
    let reply = Reply::new(Ok(200), at(START + 60_000));
    scheduler.handle_reply(own, reply, at(START + 60_000));
    // The address opens at 60 s, the other host at 61 s.
    assert_eq!(
        ready_in_order(&mut scheduler, at(START + 62_000)),
        ["b", "own"]
    );
}

#[test]
fn an_address_without_hosts_is_remembered_but_keeps_nobody_waiting() {
    let mut scheduler = Scheduler::new(Profile::rfc9309().with_group_starts(2));
    let gone = scheduler.insert("gone", Some(IpGroup(1)));
    scheduler.handle_start(gone, at(START));
    scheduler.handle_reply(gone, Reply::new(Ok(200), at(START)), at(START));
    scheduler.remove(gone);
    assert_eq!(scheduler.len(), 0);
    assert_eq!(scheduler.next_ready(at(START + 2_000)), None);
    assert_eq!(scheduler.host(gone), "");
    for name in ["a", "b"] {
        scheduler.insert(name, Some(IpGroup(1)));
    }
    assert_eq!(ready_in_order(&mut scheduler, at(START + 2_000)), ["a"]);
    assert_eq!(ready_in_order(&mut scheduler, at(START + 60_000)), ["b"]);
}

#[test]
fn a_host_that_is_removed_too_early_keeps_its_gap() {
    let mut scheduler = Scheduler::new(Profile::rfc9309());
    for is_removed_first in [true, false] {
        let name = format!("{is_removed_first}.example");
        let host = scheduler.insert(&name, None);
        scheduler.handle_start(host, at(START));
        scheduler.set_waiting(host, false);
        if is_removed_first {
            scheduler.remove(host);
        }
        scheduler.handle_reply(host, Reply::new(Ok(200), at(START)), at(START));
        scheduler.remove(host);
        assert_eq!(scheduler.len(), 0);
        let again = scheduler.insert(&name, None);
        assert_eq!(
            scheduler.turn(again, at(START)),
            Turn::NotBefore(at(START + 1_000))
        );
        scheduler.remove(again);
    }
    assert_eq!(scheduler.next_ready(at(START + 1_000)), None);
    assert_eq!(scheduler.next_wakeup(), None);
    // Those that were removed and are forgotten by now do not count against others.
    scheduler.insert("later.example", None);
    assert_eq!(scheduler.len(), 1);
}

#[test]
fn a_scheduler_knows_its_profile_and_whether_it_holds_a_host() {
    let mut scheduler = Scheduler::new(Profile::google());
    assert_eq!(*scheduler.profile(), Profile::google());
    assert!(scheduler.is_empty());
    scheduler.insert("a.example", None);
    assert!(!scheduler.is_empty());
}

#[test]
fn capacity_of_an_address_that_keeps_the_slowest_pace() {
    let profile = Profile::rfc9309()
        .with_group_pace(GroupPace::Slowest)
        .with_group_starts(0);
    let mut scheduler = Scheduler::new(profile);
    let slow = scheduler.insert("slow.example", Some(IpGroup(1)));
    scheduler.set_crawl_delay(slow, Some(Duration::from_secs(20)));
    let quick = scheduler.insert("quick.example", Some(IpGroup(1)));
    scheduler.handle_start(slow, at(START));
    scheduler.handle_reply(slow, Reply::new(Ok(200), at(START)), at(START));
    // 32 requests of the address, for two hosts.
    assert_eq!(scheduler.capacity(quick, Duration::from_secs(620)), 16);
}

#[test]
fn google_a_site_that_answers_is_open_after_a_long_outage() {
    let mut cache = Cache::new(Profile::google(), &["ExampleBot"], 1 << 20).unwrap();
    let origin = Origin::of("https://example.com").unwrap();
    let mut now = START;
    // Robots.txt fails for two months.
    for _ in 0..2_000 {
        if let Lookup::Fetch(ticket) = cache.poll(&origin, at(now)) {
            cache.handle(ticket, outcome(Round::Failed), at(now));
        }
        now += HOUR;
    }
    let mut is_open = |cache: &mut Cache| loop {
        match cache.poll(&origin, at(now)) {
            Lookup::Fetch(ticket) => cache.handle(ticket, outcome(Round::Failed), at(now)),
            Lookup::Ready(robot) => return robot.allowed("https://example.com/"),
            _ => now += 1,
        }
    };
    assert!(!is_open(&mut cache));
    cache.set_site(&origin, Site::Available);
    assert!(is_open(&mut cache));
    cache.set_site(&origin, Site::Unavailable);
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
