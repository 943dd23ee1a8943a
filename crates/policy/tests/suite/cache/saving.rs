//! Entries and files that are saved, and put into a cache.

use polite_robots_policy::cache::Site;
use polite_robots_policy::{Cache, Entry, Lookup, Origin, Profile};

use super::super::laws::{START, access_of, at, outcome};
use super::super::naive::{Access, DAY, HOUR, Round};
use super::{fetch, origin, parsed};

#[test]
fn what_is_known_of_a_site_is_saved_and_ages() {
    let profile = Profile::google();
    let mut entry = Entry::new();
    let mut now = START;
    while now < START + 40 * DAY {
        entry.handle(outcome(Round::Failed), &profile, at(now));
        now += 6 * HOUR;
    }
    now -= 6 * HOUR;
    entry.set_site(Site::Available, &profile, at(now));
    let stored = serde_json::to_string(&entry).unwrap();
    let mut entry: Entry = serde_json::from_str(&stored).unwrap();
    let is_open =
        |entry: &Entry, now| access_of(entry, &profile, Site::Unknown, now) == Access::Open;
    assert!(is_open(&entry, now + HOUR));
    for (days, expected) in [(0, true), (1, false)] {
        let mut later = now;
        while later < now + days * DAY {
            later += 6 * HOUR;
            entry.handle(outcome(Round::Failed), &profile, at(later));
        }
        assert_eq!(is_open(&entry, later + HOUR), expected, "{days}");
    }
}

#[test]
fn an_entry_of_a_cache_without_documents_keeps_its_rules() {
    let new = |agent: &str| Cache::new(Profile::rfc9309(), &[agent], 1 << 20).unwrap();
    let mut old = new("ExampleBot");
    let ticket = fetch(&mut old, 0, START);
    old.handle(
        ticket,
        parsed("User-agent: ExampleBot\nDisallow: /a"),
        at(START),
    );
    assert!(old.document(&origin(0)).is_none());
    let stored = serde_json::to_string(&old.entry(&origin(0)).unwrap()).unwrap();
    let entry: Entry = serde_json::from_str(&stored).unwrap();
    let mut same = new("ExampleBot");
    same.insert(&origin(0), entry.clone(), at(START));
    let Lookup::Ready(robot) = same.poll(&origin(0), at(START)) else {
        panic!()
    };
    assert!(!robot.allowed("/a"));
    assert_eq!(same.bytes(), old.bytes());
    // Rules for another crawler say nothing.
    let mut other = new("OtherBot");
    other.insert(&origin(0), entry, at(START));
    fetch(&mut other, 0, START);
}

#[test]
fn entries_are_saved_in_text_and_in_bytes() {
    let file = "User-agent: *\nDisallow: /a";
    for documents in [false, true] {
        let new = || {
            let cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20).unwrap();
            if documents {
                cache.keep_documents()
            } else {
                cache
            }
        };
        let mut cache = new();
        let ticket = fetch(&mut cache, 0, START);
        cache.handle(ticket, parsed(file), at(START));
        let ticket = fetch(&mut cache, 1, START);
        cache.handle(ticket, outcome(Round::Failed), at(START));
        for number in 0..2 {
            let entry = cache.entry(&origin(number)).unwrap();
            let text = serde_json::to_string(&entry).unwrap();
            let bytes = postcard::to_allocvec(&entry).unwrap();
            let read: [Entry; 2] = [
                serde_json::from_str(&text).unwrap(),
                postcard::from_bytes(&bytes).unwrap(),
            ];
            for entry in read {
                let mut other = new();
                other.insert(&origin(number), entry, at(START));
                let told = |cache: &Cache| {
                    cache
                        .explain(&origin(number), at(START))
                        .unwrap()
                        .to_string()
                };
                assert_eq!(told(&other), told(&cache));
                let is_ready = matches!(other.poll(&origin(number), at(START)), Lookup::Ready(_));
                assert_eq!(is_ready, number == 0);
            }
        }
    }
}

#[test]
fn a_cache_that_keeps_documents_has_them() {
    let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 1 << 20)
        .unwrap()
        .keep_documents();
    let file = "User-agent: *\nDisallow: /a # why";
    let ticket = fetch(&mut cache, 0, START);
    cache.handle(ticket, parsed(file), at(START));
    assert_eq!(
        cache.document(&origin(0)).unwrap().as_bytes(),
        file.as_bytes()
    );
    // Entries of it can be read by any crawler.
    let entry = cache.entry(&origin(0)).unwrap();
    let mut other = Cache::new(Profile::rfc9309(), &["OtherBot"], 1 << 20).unwrap();
    other.insert(&origin(0), entry, at(START));
    assert!(matches!(
        other.poll(&origin(0), at(START)),
        Lookup::Ready(_)
    ));
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

/// The whole memory goes on in another cache: also the promises of what was forgotten.
#[test]
fn a_saved_cache_keeps_entries_and_promises() {
    // Room for one origin.
    let new = || Cache::new(Profile::ibm(), &["ExampleBot"], 800).unwrap();
    let mut old = new();
    for number in 0..2 {
        let ticket = fetch(&mut old, number, START);
        old.handle(ticket, outcome(Round::Failed), at(START));
        old.release(&origin(number));
    }
    assert_eq!((old.len(), old.forgotten()), (1, 1));
    let stored = serde_json::to_string(&old.save()).unwrap();
    let mut next = new();
    next.load(serde_json::from_str(&stored).unwrap(), at(START));
    for number in 0..2 {
        let lookup = next.poll(&origin(number), at(START));
        assert!(
            matches!(lookup, Lookup::Closed(_) | Lookup::Full),
            "{number}: {lookup:?}"
        );
    }
    assert_eq!((next.len(), next.forgotten()), (1, 1));
}
