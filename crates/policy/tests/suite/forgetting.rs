//! A crawler may forget a pace that is as new: whatever comes, a new pace in its place permits no
//! request earlier.

use std::time::Duration;

use polite_robots_policy::settings::{
    Backoff, CrawlDelayPolicy, GapAnchor, LatencyPolicy, LongDelayPolicy, Reward,
};
use polite_robots_policy::{
    HostRule, NetError, Origin, Pacer, PageSignal, Profile, Reply, RetryAfter, Scheduler,
    Timestamp, Turn,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::laws::{START, at};
use super::naive::{HOUR, MINUTE};
use super::words::{paced, secs, with_levels};

/// The presets, and a profile for every choice that has a memory.
fn profiles() -> impl Strategy<Value = Profile> {
    select(vec![
        Profile::rfc9309(),
        Profile::google(),
        Profile::ibm(),
        paced(|pace| pace.max_in_flight = 3),
        paced(|pace| pace.latency_factor = 5),
        paced(|pace| pace.gap_from = GapAnchor::Start),
        paced(|pace| pace.over_max_crawl_delay = LongDelayPolicy::SkipHost),
        paced(|pace| {
            let (min, max) = (secs(1), secs(30));
            pace.crawl_delay = CrawlDelayPolicy::Window { min, max };
        }),
        with_levels(|levels| levels.latency = LatencyPolicy::Accumulate),
        with_levels(|levels| levels.healthy_error_percent = 50),
        with_levels(|levels| {
            levels.reward = Some(Reward::default());
            levels.reward.as_mut().unwrap().after = 3;
        }),
        paced(|pace| pace.backoff = Backoff::Off),
        doubling(),
        throttle(Duration::from_millis(2_005)),
    ])
}

fn doubling() -> Profile {
    let backoff = Backoff::Doubling {
        first: secs(60),
        max: secs(86_400),
        forget_after: secs(1_800),
        jitter_percent: 10,
    };
    paced(|pace| pace.backoff = backoff)
}

fn throttle(start: Duration) -> Profile {
    let max = secs(60);
    paced(|pace| pace.backoff = Backoff::AutoThrottle { start, max })
}

#[derive(Debug, Clone)]
struct Visit {
    pause: u64,
    takes: u64,
    /// The result, or `None` if the crawler gives the request up.
    result: Option<Result<u16, NetError>>,
    wait: Option<u64>,
    signal: Option<PageSignal>,
    /// The `Crawl-delay` that is read after the visit.
    asked: Option<Option<u64>>,
}

impl Visit {
    fn reply(&self, result: Result<u16, NetError>, started: Timestamp) -> Reply {
        let wait = self.wait.map(Duration::from_millis);
        Reply::new(result, started)
            .with_retry_after(wait.map(RetryAfter::Delay))
            .with_signal(self.signal)
    }
}

/// Anything that can happen.
fn wild() -> impl Strategy<Value = Visit> {
    let pause = select(vec![0, 900, 1_000, 5_000, MINUTE, HOUR, 30 * HOUR]);
    let takes = select(vec![
        0, 20, 150, 400, 1_900, 2_000, 2_010, 2_500, 4_100, 30_000,
    ]);
    let result = prop_oneof![
        3 => Just(Some(Ok(200))),
        5 => select(vec![Ok(301), Ok(404), Ok(429), Ok(500), Ok(503)]).prop_map(Some),
        2 => select(vec![NetError::Connect, NetError::Read, NetError::Local])
            .prop_map(|error| Some(Err(error))),
        2 => Just(None),
    ];
    let wait = prop_oneof![5 => Just(None), 1 => select(vec![Some(3_000), Some(HOUR)])];
    let signal = prop_oneof![
        9 => Just(None),
        1 => select(vec![PageSignal::Challenge, PageSignal::SoftBlock]).prop_map(Some),
    ];
    let asked = prop_oneof![
        3 => Just(None),
        1 => select(vec![None, Some(200), Some(1_000), Some(10_000), Some(400_000)]).prop_map(Some),
    ];
    (pause, takes, result, wait, signal, asked).prop_map(
        |(pause, takes, result, wait, signal, asked)| Visit {
            pause,
            takes,
            result,
            wait,
            signal,
            asked,
        },
    )
}

/// A fast page, after the gap or not.
fn calm() -> impl Strategy<Value = Visit> {
    (select(vec![0, MINUTE]), select(vec![20, 150])).prop_map(|(pause, takes)| Visit {
        pause,
        takes,
        result: Some(Ok(200)),
        wait: None,
        signal: None,
        asked: None,
    })
}

/// Three kinds of visits in a row: something to remember, a calm time in which it may be forgotten,
/// and a future that would show the difference.
fn visits() -> impl Strategy<Value = Vec<Visit>> {
    let past = vec(wild(), 0..4);
    let peace = select(vec![0, 1, 5, 21]).prop_flat_map(|visits| vec(calm(), visits));
    let future = vec(prop_oneof![2 => wild(), 3 => calm()], 1..16);
    (past, peace, future).prop_map(|(past, peace, future)| [past, peace, future].concat())
}

/// A number that is higher for a later turn.
fn lateness(turn: Turn) -> u64 {
    match turn {
        Turn::Ready => 0,
        Turn::NotBefore(time) => time.as_millis(),
        _ => u64::MAX,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    /// Each time that the pacer is as new, the test puts a new one beside it. All of them live on
    /// with the same events.
    #[test]
    fn a_new_pacer_is_never_earlier(profile in profiles(), visits in visits()) {
        let mut kept = Pacer::for_host("example.com");
        let mut anew: Vec<Pacer> = Vec::new();
        let mut now = START;
        for visit in visits {
            now += visit.pause;
            if kept.is_as_new(&profile, at(now)) {
                prop_assert_eq!(kept.poll(&profile, at(now)), Turn::Ready);
                // The first four of them and the last one suffice.
                anew.truncate(4);
                anew.push(Pacer::for_host("example.com"));
            }
            let turn = kept.poll(&profile, at(now));
            for pacer in &anew {
                prop_assert!(lateness(pacer.poll(&profile, at(now))) >= lateness(turn), "{pacer:?} {kept:?}");
            }
            // The crawl waits for the latest pacer, so that each of them permits the request.
            let latest = anew.iter().chain([&kept]).map(|pacer| lateness(pacer.poll(&profile, at(now)))).max();
            match latest {
                Some(u64::MAX) | None => continue,
                Some(0) => {}
                Some(time) => now = time,
            }
            let started = at(now);
            let all = || anew.iter().cloned().chain([kept.clone()]);
            let mut all: Vec<Pacer> = all().collect();
            for pacer in &mut all {
                pacer.handle_start(started);
            }
            // The test also polls for a second request, if several may be under way.
            if let Some(Turn::Ready | Turn::NotBefore(_)) = all.last().map(|pacer| pacer.poll(&profile, started)) {
                let kept = lateness(all.last().unwrap().poll(&profile, started));
                prop_assert!(all.iter().all(|pacer| lateness(pacer.poll(&profile, started)) >= kept));
            }
            now += visit.takes;
            for pacer in &mut all {
                match visit.result {
                    Some(result) => {
                        pacer.handle_reply(visit.reply(result, started), &profile, at(now));
                    }
                    None => pacer.handle_cancelled(&profile, at(now)),
                }
                if let Some(asked) = visit.asked {
                    pacer.set_crawl_delay(asked.map(Duration::from_millis));
                }
            }
            kept = all.pop().unwrap();
            anew = all;
        }
    }

    /// A crawler that forgets a host whenever it may is never earlier than one that forgets none.
    #[test]
    fn a_forgetful_scheduler_is_never_earlier(profile in profiles(), visits in visits()) {
        let (mut patient, mut forgetful) = (Scheduler::new(profile), Scheduler::new(profile));
        let kept = patient.insert("example.com", None);
        let origin = Origin::of("https://example.com").unwrap();
        let mut now = START;
        for visit in visits {
            now += visit.pause;
            let mut host = forgetful.insert("example.com", None);
            if forgetful.is_as_new(host, at(now)) {
                forgetful.remove(host);
                prop_assert!(forgetful.is_empty());
                host = forgetful.insert("example.com", None);
            }
            let turn = forgetful.turn(host, at(now));
            prop_assert!(lateness(turn) >= lateness(patient.turn(kept, at(now))), "{turn:?}");
            match turn {
                Turn::Ready => {}
                Turn::NotBefore(time) => now = time.as_millis(),
                _ => continue,
            }
            let started = at(now);
            now += visit.takes;
            for (scheduler, host) in [(&mut patient, kept), (&mut forgetful, host)] {
                scheduler.handle_start(host, started);
                match visit.result {
                    Some(result) => scheduler.handle_reply(host, visit.reply(result, started), at(now)),
                    None => scheduler.handle_cancelled(host, at(now)),
                }
                if let Some(asked) = visit.asked {
                    scheduler.set_crawl_delay(host, &origin, asked.map(Duration::from_millis));
                }
            }
        }
    }
}

/// The pacer after answers with these latencies in milliseconds, a minute apart, and the time a day
/// later.
fn after(profile: &Profile, answers: &[(Result<u16, NetError>, u64)]) -> (Pacer, Timestamp) {
    let mut pacer = Pacer::for_host("example.com");
    let mut now = START;
    for (result, takes) in answers {
        now += MINUTE;
        pacer.handle_start(at(now));
        let end = at(now + takes);
        pacer.handle_reply(Reply::new(*result, at(now)), profile, end);
        now += takes;
    }
    (pacer, at(now + 24 * HOUR))
}

/// The usual host is as new when its gap is over, so the law above has cases.
#[test]
fn a_quiet_host_is_as_new() {
    for profile in [Profile::rfc9309(), Profile::google(), Profile::ibm()] {
        let (mut pacer, now) = after(&profile, &[(Ok(200), 300); 30]);
        assert!(pacer.is_as_new(&profile, now));
        pacer.set_crawl_delay(Some(secs(1)));
        assert!(pacer.is_as_new(&profile, now), "as long as the least delay");
        pacer.handle_start(now);
        assert!(!pacer.is_as_new(&profile, now));
        pacer.handle_cancelled(&profile, now);
        assert!(!pacer.is_as_new(&profile, now), "in its gap");
        let later = now.saturating_add(secs(1));
        assert!(pacer.is_as_new(&profile, later));
    }
}

/// A pacer is not as new while it remembers something that calls for a later request.
#[test]
fn each_choice_has_its_memory() {
    let fivefold = paced(|pace| pace.latency_factor = 5);
    let rewarding = with_levels(|levels| levels.reward = Some(Reward::default()));
    let [rfc9309, doubling, throttle] = [Profile::rfc9309(), doubling(), throttle(secs(5))];
    let [quick, calm, slow] = [100, 300, 3_000].map(|takes| (Ok(200), takes));
    let refused = (Err(NetError::Connect), 300);
    // The 503 is older than the last 20 answers, but the next block is longer because of it.
    let blocked = [&[(Ok(503), 100)][..], &[quick; 21]].concat();
    for (profile, answers, crawl_delay, expected) in [
        (rfc9309, &[(Ok(429), 300)][..], None, false),
        (rfc9309, &[(Ok(503), 300)], None, false),
        (rfc9309, &[calm, calm, (Ok(500), 300)], None, false),
        (rfc9309, &[refused, calm], None, false),
        (rfc9309, &[slow], None, false),
        // The mean is quick, but it becomes slow once the older answers no longer count.
        (rfc9309, &[calm, calm, calm, slow], None, false),
        (rfc9309, &[calm], Some(1_001), false),
        (doubling, &[quick; 22], None, true),
        (doubling, &blocked, None, false),
        (throttle, &[], None, true),
        // This profile learns a delay.
        (throttle, &[quick], None, false),
        (fivefold, &[quick], None, true),
        // Five times the latency is two seconds.
        (fivefold, &[(Ok(200), 400)], None, false),
        (rewarding, &[quick], Some(250), true),
        // A new pacer would be rewarded.
        (rewarding, &[quick], Some(1_000), false),
    ] {
        let (mut pacer, now) = after(&profile, answers);
        if let Some(delay) = crawl_delay {
            pacer.set_crawl_delay(Some(Duration::from_millis(delay)));
        }
        assert_eq!(pacer.is_as_new(&profile, now), expected, "{answers:?}");
    }
}

#[test]
fn a_scheduler_knows_blocks_and_plans_too() {
    let mut scheduler = Scheduler::new(Profile::rfc9309());
    let host = scheduler.insert("example.com", None);
    let later = at(START + MINUTE);
    assert!(scheduler.is_as_new(host, at(START)));
    scheduler.defer(host, later);
    assert!(!scheduler.is_as_new(host, at(START)));
    assert!(scheduler.is_as_new(host, later));
    scheduler.block(host, at(START + 2 * MINUTE));
    assert!(!scheduler.is_as_new(host, later));
    assert!(scheduler.is_as_new(host, at(START + 2 * MINUTE)));
    // Whoever inserts the host again also sets its rule again, so only the gap of that rule counts.
    let slow = HostRule::new().min_delay(secs(30));
    scheduler.set_rule(host, slow);
    let now = at(START + 3 * MINUTE);
    scheduler.handle_start(host, now);
    scheduler.handle_cancelled(host, now);
    assert!(!scheduler.is_as_new(host, now.saturating_add(secs(29))));
    let now = now.saturating_add(secs(30));
    assert!(scheduler.is_as_new(host, now));
    scheduler.remove(host);
    assert!(!scheduler.is_as_new(host, now), "it is removed");
    assert!(scheduler.is_empty());
}
