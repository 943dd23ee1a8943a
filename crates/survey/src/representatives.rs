//! The responses that stand for their body or their domain in a survey that counts each once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashTable;

use crate::content::{Place, RobotsResponse};
use crate::error::SurveyError;
use crate::summary::hash::hash;
use crate::summary::host::{domain_of, host_of_response};
use crate::unit::Unit;

/// The response that stands for each body or domain: the one with the smallest rank, so that the
/// order of reading does not matter. It takes 24 to 36 bytes for each body or domain.
#[derive(Debug)]
pub(crate) struct Representatives {
    unit: Unit,
    /// The tables, each for a range of keys and with a lock of its own, as all threads write.
    shards: Vec<Mutex<HashTable<Choice>>>,
    len: AtomicUsize,
    most: usize,
}

/// A body or domain, and the rank of the response that stands for it.
#[derive(Debug, Clone, Copy)]
struct Choice {
    key: u64,
    rank: u64,
}

impl Representatives {
    pub(crate) fn new(unit: Unit, most: usize) -> Representatives {
        Representatives {
            unit,
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            len: AtomicUsize::new(0),
            most,
        }
    }

    /// Lets a response stand for its body or domain, if its rank is smaller than that of all
    /// others.
    pub(crate) fn offer(&self, response: &RobotsResponse) {
        let Some(Choice { key, rank }) = choice(self.unit, response) else {
            return;
        };
        let Some(mut shard) = self.shard(key) else {
            return;
        };
        if let Some(known) = shard.find_mut(key, |choice| choice.key == key) {
            known.rank = known.rank.min(rank);
        } else if self.len.fetch_add(1, Ordering::Relaxed) < self.most {
            shard.insert_unique(key, Choice { key, rank }, |choice| choice.key);
        }
    }

    /// Whether the response stands for its body or domain. A response without one stands for
    /// itself.
    pub(crate) fn has_chosen(&self, response: &RobotsResponse) -> bool {
        let Some(Choice { key, rank }) = choice(self.unit, response) else {
            return true;
        };
        self.shard(key).is_some_and(|shard| {
            let chosen = shard.find(key, |choice| choice.key == key);
            chosen.is_some_and(|chosen| chosen.rank == rank)
        })
    }

    /// Checks that no body or domain was left out for lack of room.
    pub(crate) fn check(&self) -> Result<(), SurveyError> {
        match self.len.load(Ordering::Relaxed) <= self.most {
            true => Ok(()),
            false => Err(SurveyError::TooMany {
                unit: self.unit,
                most: self.most,
            }),
        }
    }

    fn shard(&self, key: u64) -> Option<MutexGuard<'_, HashTable<Choice>>> {
        // The table takes the lower bits of the key for the place and the upper ones for a tag.
        let at = (key >> SHARD_SHIFT) as usize % SHARDS;
        let shard = self.shards.get(at)?;
        Some(shard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The body or domain of a response, and its rank there; `None` if it has none. A response that is
/// no file has no body to compare, so each such response counts.
fn choice(unit: Unit, response: &RobotsResponse) -> Option<Choice> {
    let host = || host_of_response(response);
    let is_file = matches!(response.status, 200..=299);
    let key = match unit {
        Unit::Response => return None,
        Unit::Body => is_file.then(|| hash(&response.body))?,
        Unit::Domain => hash(domain_of(&host()?).as_bytes()),
    };
    // A file says more about a domain than an error, and an error says more than a redirect.
    let class: u64 = match response.status {
        200..=299 => 0,
        400..=599 => 1,
        _ => 2,
    };
    let source = match &response.url {
        Some(url) => hash(url.as_bytes()),
        None => hash(host().unwrap_or_default().as_bytes()),
    };
    let Place {
        input,
        member,
        offset,
    } = &response.place;
    // The place decides only between captures of one URL, or between files of one name.
    let place = format!("{}\n{member}\n{offset}", input.display());
    let rank = (class << 62) | ((source >> 34) << 32) | (hash(place.as_bytes()) >> 32);
    Some(Choice { key, rank })
}

/// The number of shards: large enough that threads seldom wait for each other.
const SHARDS: usize = 64;

const SHARD_SHIFT: u32 = 40;

/// The most bodies or domains, which take somewhat more than two gigabytes.
pub(crate) const MOST: usize = 1 << 26;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::content::{BodyEnd, Content};

    fn response(number: u8) -> RobotsResponse {
        let host = ["a.example", "www.a.example", "b.example", "x.c.co.uk"][number as usize % 4];
        let status = [200, 404, 301][number as usize / 4 % 3];
        let url = format!("https://{host}/robots.txt");
        let body = vec![b'#'; number as usize / 12 % 3];
        let Content::Response(mut response) = Content::response(&url, status, body) else {
            panic!("a response");
        };
        response.place = Place {
            offset: u64::from(number),
            ..Place::of_input(Path::new("x"))
        };
        assert_eq!(response.end, BodyEnd::Complete);
        response
    }

    fn chosen(unit: Unit, numbers: &[u8]) -> Vec<u8> {
        let representatives = Representatives::new(unit, MOST);
        for number in numbers {
            representatives.offer(&response(*number));
        }
        representatives.check().unwrap();
        let is_chosen = |number: &u8| representatives.has_chosen(&response(*number));
        let mut chosen: Vec<u8> = numbers.iter().copied().filter(is_chosen).collect();
        chosen.sort_unstable();
        chosen
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn one_response_stands_for_each_body_or_domain_whatever_the_order(
            numbers in prop::collection::btree_set(0..36_u8, 0..30),
        ) {
            let numbers: Vec<u8> = numbers.into_iter().collect();
            let reversed: Vec<u8> = numbers.iter().rev().copied().collect();
            for unit in [Unit::Body, Unit::Domain] {
                let chosen = chosen(unit, &numbers);
                prop_assert_eq!(&chosen, &self::chosen(unit, &reversed));
                let key = |number: &u8| choice(unit, &response(*number)).map(|choice| choice.key);
                for number in &numbers {
                    let same = chosen.iter().filter(|other| key(other) == key(number));
                    match key(number) {
                        Some(_) => prop_assert_eq!(same.count(), 1),
                        None => prop_assert!(chosen.contains(number)),
                    }
                }
            }
        }
    }

    #[test]
    fn a_file_stands_for_its_domain_before_an_error_and_a_redirect() {
        // The numbers are 200, 404 and 301 of www.a.example, and a 301 of a.example.
        assert_eq!(chosen(Unit::Domain, &[8, 9, 5, 1]), [1]);
        assert_eq!(chosen(Unit::Domain, &[8, 9, 5]), [5]);
    }

    #[test]
    fn more_than_there_is_room_for_are_refused() {
        let representatives = Representatives::new(Unit::Body, 2);
        for (number, is_ok) in [(0, true), (1, true), (12, true), (24, false)] {
            representatives.offer(&response(number));
            assert_eq!(representatives.check().is_ok(), is_ok, "{number}");
        }
    }
}
