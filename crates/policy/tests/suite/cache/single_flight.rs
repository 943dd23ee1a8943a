//! Each origin has one fetch at a time. The cache forgets no origin that is being fetched, and none
//! that is young and has pages.

use std::collections::{BTreeMap, BTreeSet};

use polite_robots_policy::cache::{NextFetch, Site, Ticket};
use polite_robots_policy::{Lookup, Origin, Profile};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::super::laws::{START, access, access_of, at, outcome, round};
use super::super::naive::{Access, DAY, HOUR, MINUTE};
use super::super::together::law_cases::law_cases;
use super::{LEASE, cache_of, origin};

proptest! {
    #![proptest_config(law_cases(512))]

    /// Each origin has one fetch at a time. The cache forgets no origin that is being fetched, and
    /// none that is young and has pages; instead, new origins find the cache full.
    #[test]
    fn a_cache_has_one_fetch_under_way_for_each_origin(
        acts in vec((0_u8..9, 0_usize..8, select(vec![0, 1, MINUTE, 4 * MINUTE, HOUR, DAY / 2, DAY]), round()), 0..60),
    ) {
        let profile = Profile::rfc9309();
        let mut cache = cache_of(profile, 6 * 1024).keep_documents();
        let origins: Vec<Origin> = (0..8).map(origin).collect();
        // The tickets, each with the time at which it was given out.
        let mut tickets: Vec<(Ticket, u64)> = Vec::new();
        // The last answer of each origin, the time at which it came, and the time at which it was
        // first asked for.
        let mut answers: BTreeMap<&Origin, (Access, u64, Option<u64>)> = BTreeMap::new();
        // The time at which each origin was last asked for, and the end of its last round.
        let mut last_asked: BTreeMap<&Origin, u64> = BTreeMap::new();
        let mut last_round: BTreeMap<&Origin, u64> = BTreeMap::new();
        let mut held: BTreeSet<&Origin> = BTreeSet::new();
        let mut now = START;
        for (kind, number, pause, round) in acts {
            now += pause;
            let origin = &origins[number];
            let known: Vec<&Origin> = origins.iter().filter(|origin| cache.entry(origin).is_some()).collect();
            let is_under_way = |tickets: &[(Ticket, u64)], origin: &Origin| {
                tickets.iter().any(|(ticket, given)| ticket.origin() == origin && now < given + LEASE)
            };
            match kind {
                0..4 => match cache.poll(origin, at(now)) {
                    Lookup::Fetch(ticket) => {
                        prop_assert!(!is_under_way(&tickets, origin));
                        // The page for which the last answer was fetched has had its turn.
                        if let Some((_, came, asked)) = answers.remove(origin) {
                            prop_assert!(now >= came + DAY || asked.is_some_and(|asked| now >= asked + 5 * MINUTE));
                        }
                        tickets.push((ticket, now));
                        last_asked.insert(origin, now);
                    }
                    Lookup::Pending => {
                        prop_assert!(is_under_way(&tickets, origin));
                        last_asked.insert(origin, now);
                    }
                    Lookup::Closed(closed) => {
                        prop_assert!(!is_under_way(&tickets, origin));
                        let entry = cache.entry(origin).unwrap();
                        let in_force = access_of(&entry, &profile, Site::Unknown, now);
                        prop_assert_eq!(access(&closed.robot), in_force);
                        prop_assert!(matches!(in_force, Access::Closed | Access::Nothing));
                        prop_assert!(matches!(closed.retry, NextFetch::At(retry) if retry > at(now)));
                        prop_assert!(closed.since <= at(now));
                        last_asked.insert(origin, now);
                    }
                    Lookup::Ready(robot) => {
                        let entry = cache.entry(origin).unwrap();
                        let in_force = access_of(&entry, &profile, Site::Unknown, now);
                        let waiting = answers.get_mut(origin).filter(|(_, came, asked)| {
                            now < came + DAY && asked.is_none_or(|asked| now < asked + 5 * MINUTE)
                        });
                        let expected = match waiting {
                            // P13: no answer is held for more than a day.
                            Some((answer, _, asked)) => {
                                asked.get_or_insert(now);
                                *answer
                            }
                            None => in_force,
                        };
                        prop_assert_eq!(access(&robot), expected);
                        last_asked.insert(origin, now);
                    }
                    Lookup::Full => prop_assert!(!known.contains(&origin) && !known.is_empty()),
                    other => panic!("{other:?}"),
                },
                4 | 5 => {
                    if !tickets.is_empty() {
                        let (ticket, given) = tickets.swap_remove(number % tickets.len());
                        let origin = origins.iter().find(|origin| *origin == ticket.origin()).unwrap();
                        let is_late = tickets.iter().any(|(other, later)| other.origin() == origin && *later > given);
                        let before = cache.entry(origin).map(|entry| entry.robots_date());
                        cache.handle(ticket, outcome(round), at(now));
                        if is_late {
                            prop_assert_eq!(cache.entry(origin).map(|entry| entry.robots_date()), before);
                        } else if let Some(entry) = cache.entry(origin).filter(|entry| entry.robots_date() == Some(at(now))) {
                            last_round.insert(origin, now);
                            if entry.failures() == 0 {
                                let answer = access_of(&entry, &profile, Site::Unknown, now);
                                answers.insert(origin, (answer, now, None));
                            }
                        }
                    }
                }
                // The crawler reports to the cache which pages it has queued.
                6 => {
                    cache.hold(origin);
                    if known.contains(&origin) {
                        held.insert(origin);
                    }
                }
                7 => {
                    cache.release(origin);
                    held.remove(origin);
                    last_asked.remove(origin);
                }
                // A task was cancelled, or gives its ticket back. Nothing counts as failed.
                _ => {
                    if !tickets.is_empty() {
                        let (ticket, _) = tickets.swap_remove(number % tickets.len());
                        let origin = ticket.origin().clone();
                        let failures = cache.entry(&origin).map(|entry| entry.failures());
                        if pause % 2 == 0 {
                            cache.give_back(ticket, at(now));
                        } else {
                            drop(ticket);
                        }
                        prop_assert_eq!(cache.entry(&origin).map(|entry| entry.failures()), failures);
                    }
                }
            }
            // The check comes after the act: a round that has just ended keeps its origin only for
            // its pages, and a released origin has none.
            for origin in known {
                let is_recent = |times: &BTreeMap<&Origin, u64>| times.get(origin).is_some_and(|at| now < at + 5 * MINUTE);
                let has_pages = held.contains(origin) || is_recent(&last_asked);
                let is_young = match last_round.contains_key(origin) {
                    true => is_recent(&last_round),
                    false => is_recent(&last_asked),
                };
                let must_stay = is_under_way(&tickets, origin) || has_pages && is_young;
                prop_assert!(!must_stay || kind == 8 || cache.entry(origin).is_some(), "{origin} was forgotten");
            }
            answers.retain(|origin, _| cache.entry(origin).is_some());
            held.retain(|origin| cache.entry(origin).is_some());
            prop_assert_eq!(cache.len(), cache.entries().count());
            for due in cache.due(at(now)) {
                let next = cache.entry(due).unwrap().next_fetch(&profile, at(now));
                prop_assert_eq!(next, NextFetch::Now);
            }
        }
    }
}
