//! The rules that apply to an origin, and the ones that do not.

use polite_robots_policy::settings::Obedience;
use polite_robots_policy::{Pacer, Profile};

use super::super::laws::{START, outcome};
use super::super::naive::{DAY, Round};
use super::{answer, cache_of, fetch, new_cache, parsed, robot};

/// The first origin redirects to a second one. The robots.txt of the second one was read, but only
/// for the first one.
#[test]
fn rfc_rules_of_a_redirect_apply_to_the_first_authority_only() {
    let mut cache = new_cache();
    answer(&mut cache, 0, outcome(Round::File(None)), START);
    robot(&mut cache, 0, START);
    fetch(&mut cache, 1, START);
}

#[test]
fn a_new_file_has_new_rules() {
    let mut cache = new_cache();
    for (now, path) in [(START, "/a"), (START + DAY, "/b")] {
        let file = format!("User-agent: *\nDisallow: {path}");
        answer(&mut cache, 0, parsed(&file), now);
        let robot = robot(&mut cache, 0, now);
        assert!(!robot.allowed(path));
        assert_eq!(robot.rules().count(), 1);
    }
}

#[test]
fn an_owner_can_agree_that_robots_txt_is_left_out() {
    let mut cache = new_cache();
    answer(&mut cache, 0, parsed("User-agent: *\nDisallow: /"), START);
    assert!(!robot(&mut cache, 0, START).allowed("/"));
    cache.set_obedience("h0.example", Obedience::Ignore);
    assert!(robot(&mut cache, 0, START).allowed("/"));
    assert_eq!(cache.next_wakeup(), None);
    fetch(&mut cache, 1, START);
    cache.set_obedience("h0.example", Obedience::Obey);
    assert!(!robot(&mut cache, 0, START).allowed("/"));
}

#[test]
fn a_profile_that_ignores_robots_txt_fetches_none() {
    let mut cache = cache_of(Profile::rfc9309().ignore_robots(), 1 << 20);
    assert!(robot(&mut cache, 0, START).allowed("https://h0.example/"));
    assert_eq!(cache.next_wakeup(), None);
    assert_eq!(Pacer::default(), Pacer::new());
}
