//! Laws of the cache alone: access opens by evidence, and forgetting an origin changes nothing
//! about its access.

use std::collections::BTreeMap;
use std::time::Duration;

use polite_robots::{Access, Cause, RobotsTxt};
use polite_robots_policy::cache::Site;
use polite_robots_policy::fetch::{BodyEnd, Freshness, Validators};
use polite_robots_policy::{Cache, Entry, Lookup, Origin, Outcome, Timestamp};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::crawl::{load, save};
use super::evidence::{Permission, Round, RoundResult, permission};
use super::law_cases::law_cases;
use super::world::{DAY, HOUR, MINUTE, Preset, SECOND, START};

/// The end of a ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// A file that disallows one path, with a lifetime.
    File(Option<u64>),
    NotModified,
    Gone,
    Forbidden,
    Failed,
    Local,
    GivenBack,
    Dropped,
    /// The whole cache is saved, and its process ends.
    Saved,
}

fn fates() -> impl Strategy<Value = Fate> {
    prop_oneof![
        2 => select(vec![None, Some(0), Some(HOUR), Some(DAY)]).prop_map(Fate::File),
        1 => select(vec![Fate::NotModified, Fate::Gone, Fate::Forbidden]),
        6 => Just(Fate::Failed),
        3 => select(vec![Fate::Local, Fate::GivenBack, Fate::Dropped, Fate::Saved]),
    ]
}

fn presets() -> impl Strategy<Value = Preset> {
    select(vec![Preset::Rfc9309, Preset::Google, Preset::Ibm])
}

fn pauses() -> impl Strategy<Value = u64> {
    let hours = [1, 6, 7, 13].map(|hours| hours * HOUR);
    let days = [1, 3, 31].map(|days| days * DAY);
    select([&[0, SECOND, MINUTE, 6 * MINUTE][..], &hours, &days].concat())
}

/// The outcome of a ticket, or none if nothing came of it.
fn outcome(fate: Fate) -> Option<Outcome> {
    Some(match fate {
        Fate::File(lifetime) => Outcome::Parsed {
            robots_txt: RobotsTxt::parse(b"User-agent: *\nDisallow: /private\n"),
            freshness: freshness(lifetime),
            validators: Validators {
                etag: Some("\"1\"".into()),
                ..Validators::default()
            },
            end: BodyEnd::Complete,
        },
        Fate::NotModified => Outcome::NotModified(freshness(None)),
        Fate::Gone => blanket(Access::Allow, 404),
        Fate::Forbidden => blanket(Access::Disallow, 403),
        Fate::Failed => Outcome::Unreachable {
            cause: Cause::Status(500),
            retry_after: None,
        },
        Fate::Local => Outcome::Local,
        Fate::GivenBack | Fate::Dropped | Fate::Saved => return None,
    })
}

pub(crate) fn freshness(lifetime: Option<u64>) -> Freshness {
    let given = lifetime.map(|lifetime| Freshness::given(Duration::from_millis(lifetime)));
    given.unwrap_or_default()
}

fn blanket(access: Access, status: u16) -> Outcome {
    let (cause, freshness) = (Cause::Status(status), freshness(None));
    Outcome::Blanket {
        access,
        cause,
        freshness,
    }
}

/// The round of the model, or none if the ticket says nothing about the site.
fn round(fate: Fate, at: u64, has_file: bool) -> Option<Round> {
    let result = match fate {
        Fate::File(lifetime) => RoundResult::Answered(Permission::File, lifetime),
        Fate::NotModified if has_file => RoundResult::Answered(Permission::File, None),
        Fate::Gone => RoundResult::Answered(Permission::Open, None),
        Fate::Forbidden => RoundResult::Answered(Permission::Closed, None),
        Fate::Failed | Fate::NotModified => RoundResult::Failed,
        Fate::Local | Fate::GivenBack | Fate::Dropped | Fate::Saved => return None,
    };
    Some(Round { at, result })
}

fn at(millis: u64) -> Timestamp {
    Timestamp::from_millis(millis)
}

fn origin(number: usize) -> Origin {
    Origin::of(&format!("https://host-{number}.example")).unwrap()
}

/// Whether rounds so far left a file at hand.
fn has_file(rounds: &[Round]) -> bool {
    let content = rounds.iter().rev().find_map(|round| match round.result {
        RoundResult::Answered(content, _) => Some(content),
        RoundResult::Failed => None,
    });
    content == Some(Permission::File)
}

/// One origin of the model, with an entry of the crate that nobody forgets.
#[derive(Debug, Default)]
struct Model {
    rounds: Vec<Round>,
    entry: Entry,
}

/// Asks and answers at random, and compares what the cache lets through with the model.
fn compare(
    preset: Preset,
    capacity: usize,
    origins: usize,
    acts: &[(usize, u64, Fate)],
) -> Result<usize, TestCaseError> {
    let profile = preset.profile();
    let mut cache = Cache::new(profile, &["ExampleBot"], capacity).unwrap();
    let mut models: BTreeMap<usize, Model> = BTreeMap::new();
    let mut now = START;
    let mut answers = 0;
    for (number, pause, fate) in acts {
        now += pause;
        let number = number % origins;
        let model = models.entry(number).or_default();
        match cache.poll(&origin(number), at(now)) {
            Lookup::Fetch(ticket) => {
                // A server says that nothing has changed only if the request has validators.
                let fate = match fate {
                    Fate::NotModified if ticket.validators().is_empty() => Fate::File(None),
                    fate => *fate,
                };
                now += 100;
                let round = round(fate, now, has_file(&model.rounds));
                model.rounds.extend(round);
                match outcome(fate) {
                    Some(given) => {
                        cache.handle(ticket, given, at(now));
                        if let Some(given) = outcome(fate) {
                            model.entry.handle(given, &profile, at(now));
                        }
                    }
                    None if fate == Fate::GivenBack => cache.give_back(ticket, at(now)),
                    None if fate == Fate::Saved => {
                        let saved = save(&cache);
                        cache = Cache::new(profile, &["ExampleBot"], capacity).unwrap();
                        load(&mut cache, &saved, at(now));
                    }
                    None => drop(ticket),
                }
            }
            Lookup::Ready(robot) => {
                answers += 1;
                let expected = permission(&profile.access, &model.rounds, 0, now);
                let opens = (robot.allowed("/page"), robot.allowed("/private"));
                // The cache permits no more than the model.
                let most = match expected {
                    Permission::File => (true, false),
                    Permission::Open => (true, true),
                    Permission::Closed => (false, false),
                };
                let rounds = &model.rounds;
                prop_assert!(
                    opens <= most,
                    "{number}: {opens:?}, {expected:?}: {rounds:?}"
                );
                // A file or a 403 is in force. The entry says the same, or it waits where the cache
                // kept an answer for its page.
                let entry = model.entry.robots_txt(&profile, Site::Unknown, at(now));
                let entry = entry.robot("ExampleBot").unwrap();
                let by_entry = (entry.allowed("/page"), entry.allowed("/private"));
                let is_alike = opens == by_entry || by_entry == (false, false);
                prop_assert!(is_alike, "{opens:?}, {by_entry:?}");
            }
            Lookup::Closed(closed) => {
                prop_assert!(!closed.robot.allowed("/page"));
                prop_assert!(closed.since <= at(now));
                // In a cache with memory for everything the entry would be closed too.
                let entry = model.entry.robots_txt(&profile, Site::Unknown, at(now));
                let is_open = entry.robot("ExampleBot").unwrap().allowed("/page");
                prop_assert!(!is_open || capacity < usize::MAX, "closed: {closed:?}");
            }
            Lookup::Full => prop_assert!(capacity < usize::MAX),
            other => prop_assert!(false, "{other:?}"),
        }
        // Forgetting an origin does not forgive its failures.
        if let Some(entry) = cache.entry(&origin(number)) {
            let least = models[&number].entry.failures();
            prop_assert!(entry.failures() >= least, "failures");
        }
    }
    Ok(answers)
}

proptest! {
    #![proptest_config(law_cases(128))]

    /// Only failed rounds are evidence: not silence, not a dropped ticket, not the crawler's own
    /// network.
    #[test]
    fn time_alone_never_opens(
        preset in presets(),
        acts in vec((Just(0), pauses(), fates()), 1..60),
    ) {
        compare(preset, usize::MAX, 1, &acts)?;
    }

    /// A cache that forgets says the same as a cache that remembers, or permits less. Its
    /// tombstones have room for all origins.
    #[test]
    fn eviction_changes_no_verdict(
        preset in presets(),
        capacity in select(vec![8_000, 12_000, 20_000]),
        acts in vec((0_usize..9, pauses(), fates()), 1..200),
    ) {
        compare(preset, capacity, 9, &acts)?;
    }

    /// Without any answer from the site nothing ever opens.
    #[test]
    fn dropped_tickets_and_the_own_network_never_open(
        preset in presets(),
        acts in vec((Just(0), pauses(), select(vec![Fate::Local, Fate::GivenBack, Fate::Dropped])), 1..200),
    ) {
        prop_assert_eq!(compare(preset, usize::MAX, 1, &acts)?, 0);
    }
}

/// The laws above would also hold for a cache that never lets a page through.
#[test]
fn evidence_does_open() {
    let hourly = |fate| vec![(0, 7 * HOUR, fate); 400];
    for (preset, fate, is_open) in [
        (Preset::Rfc9309, Fate::Failed, true),
        (Preset::Google, Fate::Failed, true),
        (Preset::Ibm, Fate::Failed, false),
        (Preset::Rfc9309, Fate::Gone, true),
    ] {
        let mut acts = hourly(fate);
        // Every second question comes between two retries.
        for act in acts.iter_mut().skip(1).step_by(2) {
            act.1 = MINUTE;
        }
        let answers = compare(preset, usize::MAX, 1, &acts).unwrap();
        assert_eq!(answers > 0, is_open, "{preset:?}");
    }
}
