//! The rules that apply to an origin, and the ones that do not.

use polite_robots_policy::settings::Obedience;
use polite_robots_policy::{Cache, Lookup, Origin, Pacer, Profile};

use super::super::laws::{START, at, outcome};
use super::super::naive::{DAY, Round};
use super::{fetch, origin, parsed};

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
fn an_owner_can_agree_that_robots_txt_is_left_out() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
    let ticket = fetch(&mut cache, 0, START);
    cache.handle(ticket, parsed("User-agent: *\nDisallow: /"), at(START));
    let is_allowed = |cache: &mut Cache| match cache.poll(&origin(0), at(START)) {
        Lookup::Ready(robot) => robot.allowed("/"),
        other => panic!("{other:?}"),
    };
    assert!(!is_allowed(&mut cache));
    cache.set_obedience("h0.example", Obedience::Ignore);
    assert!(is_allowed(&mut cache));
    assert_eq!(cache.next_wakeup(), None);
    assert!(matches!(
        cache.poll(&origin(1), at(START)),
        Lookup::Fetch(_)
    ));
    cache.set_obedience("h0.example", Obedience::Obey);
    assert!(!is_allowed(&mut cache));
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
