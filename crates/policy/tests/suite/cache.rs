//! The cache: one fetch at a time for each origin, answers that are held, and memory.

use std::collections::BTreeMap;

use polite_robots::RobotsTxt;
use polite_robots_policy::{
    Cache, Freshness, Lookup, NextFetch, Origin, Outcome, Pacer, Profile, Site, Ticket,
};
use proptest::collection::vec;
use proptest::prelude::*;

use super::laws::{START, access, access_of, at, outcome, read, round};
use super::naive::{Access, DAY, HOUR, MINUTE, Round};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1024) })]

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
                        let in_force = access_of(entry, &Profile::rfc9309(), Site::Unknown, now);
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
                            let answer = access_of(entry, &Profile::rfc9309(), Site::Unknown, now);
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
                let next = cache.entry(due).unwrap().next_fetch(&Profile::rfc9309(), at(now));
                prop_assert_eq!(next, NextFetch::Now);
            }
        }
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

#[test]
fn an_entry_that_is_put_in_takes_the_place_of_the_rules_in_use() {
    let origin = Origin::of("https://example.com").unwrap();
    let filled = |rules: &str| {
        let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
        let Lookup::Fetch(ticket) = cache.poll(&origin, at(START)) else {
            panic!()
        };
        cache.handle(ticket, parsed(rules), at(START));
        cache
    };
    let mut cache = filled("User-agent: *\nDisallow: /a");
    let saved = filled("User-agent: *\nDisallow: /b");
    let answers = |cache: &mut Cache| match cache.poll(&origin, at(START)) {
        Lookup::Ready(robot) => (robot.allowed("/a"), robot.allowed("/b")),
        other => panic!("{other:?}"),
    };
    assert_eq!(answers(&mut cache), (false, true));
    cache.insert(&origin, saved.entry(&origin).unwrap().clone(), at(START));
    assert_eq!(answers(&mut cache), (true, false));
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
