//! Entries and files that are saved, and put into a cache.

use polite_robots_policy::cache::Site;
use polite_robots_policy::{Cache, Entry, Lookup, Profile};

use super::super::laws::{START, access_of, at, outcome};
use super::super::naive::{Access, DAY, HOUR, Round};
use super::super::words::reload;
use super::{answer, cache_of, fetch, new_cache, origin, parsed, robot};

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
    let mut entry = reload(&entry);
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
    let file = "User-agent: ExampleBot\nDisallow: /a";
    answer(&mut old, 0, parsed(file), START);
    assert!(old.document(&origin(0)).is_none());
    let entry = reload(&old.entry(&origin(0)).unwrap());
    let mut same = new("ExampleBot");
    same.insert(&origin(0), entry.clone(), at(START));
    assert!(!robot(&mut same, 0, START).allowed("/a"));
    assert_eq!(same.bytes(), old.bytes());
    // The rules of one crawler say nothing to another crawler.
    let mut other = new("OtherBot");
    other.insert(&origin(0), entry, at(START));
    fetch(&mut other, 0, START);
}

#[test]
fn entries_are_saved_in_text_and_in_bytes() {
    let file = "User-agent: *\nDisallow: /a";
    for documents in [false, true] {
        let new = || {
            let cache = new_cache();
            match documents {
                true => cache.keep_documents(),
                false => cache,
            }
        };
        let mut cache = new();
        answer(&mut cache, 0, parsed(file), START);
        answer(&mut cache, 1, outcome(Round::Failed), START);
        for number in 0..2 {
            let entry = cache.entry(&origin(number)).unwrap();
            let bytes = postcard::to_allocvec(&entry).unwrap();
            let read = [reload(&entry), postcard::from_bytes(&bytes).unwrap()];
            for entry in read {
                let mut other = new();
                other.insert(&origin(number), entry, at(START));
                let told = |cache: &Cache| cache.explain(&origin(number), at(START)).unwrap();
                assert_eq!(told(&other).to_string(), told(&cache).to_string());
                let is_ready = matches!(other.poll(&origin(number), at(START)), Lookup::Ready(_));
                assert_eq!(is_ready, number == 0);
            }
        }
    }
}

#[test]
fn a_cache_that_keeps_documents_has_them() {
    let mut cache = cache_of(Profile::rfc9309(), 1 << 20).keep_documents();
    let file = "User-agent: *\nDisallow: /a # why";
    answer(&mut cache, 0, parsed(file), START);
    let document = cache.document(&origin(0)).unwrap();
    assert_eq!(document.as_bytes(), file.as_bytes());
    // Any crawler can read an entry of a cache that keeps documents.
    let entry = cache.entry(&origin(0)).unwrap();
    let mut other = Cache::new(Profile::rfc9309(), &["OtherBot"], 1 << 20).unwrap();
    other.insert(&origin(0), entry, at(START));
    robot(&mut other, 0, START);
}

fn filled(rules: &str) -> Cache {
    let mut cache = new_cache();
    answer(&mut cache, 0, parsed(rules), START);
    cache
}

/// Whether two pages are open.
fn answers(cache: &mut Cache) -> [bool; 2] {
    let robot = robot(cache, 0, START);
    ["/a", "/b"].map(|path| robot.allowed(path))
}

#[test]
fn an_entry_that_was_saved_counts_in_a_new_cache() {
    let old = filled("User-agent: *\nDisallow: /a");
    let (_, entry) = old.entries().next().unwrap();
    let mut cache = new_cache();
    let ticket = fetch(&mut cache, 0, START);
    cache.insert(&origin(0), entry.clone(), at(START));
    assert_eq!(answers(&mut cache), [false, true]);
    // The fetch under way no longer has an effect.
    cache.handle(ticket, parsed("User-agent: *\nDisallow: /b"), at(START));
    assert_eq!(answers(&mut cache), [false, true]);
}

#[test]
fn an_entry_that_is_put_in_takes_the_place_of_the_rules_in_use() {
    let mut cache = filled("User-agent: *\nDisallow: /a");
    let saved = filled("User-agent: *\nDisallow: /b");
    assert_eq!(answers(&mut cache), [false, true]);
    cache.insert(&origin(0), saved.entry(&origin(0)).unwrap(), at(START));
    assert_eq!(answers(&mut cache), [true, false]);
}

/// Another cache goes on with the whole memory, including the promises about forgotten origins.
#[test]
fn a_saved_cache_keeps_entries_and_promises() {
    // Room for one origin.
    let new = || cache_of(Profile::ibm(), 800);
    let mut old = new();
    for number in 0..2 {
        answer(&mut old, number, outcome(Round::Failed), START);
        old.release(&origin(number));
    }
    assert_eq!((old.len(), old.forgotten()), (1, 1));
    let mut next = new();
    next.load(reload(&old.save()), at(START));
    for number in 0..2 {
        let lookup = next.poll(&origin(number), at(START));
        let is_closed = matches!(lookup, Lookup::Closed(_) | Lookup::Full);
        assert!(is_closed, "{number}: {lookup:?}");
    }
    assert_eq!((next.len(), next.forgotten()), (1, 1));
}
