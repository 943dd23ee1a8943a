//! A fair sample of the files with their bodies and domains, which shows whether one of them is a large share.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::content::Response;
use crate::summary::hash::hash;
use crate::summary::host::{domain_of, host_of_response};
use crate::summary::merge::Merge;

/// The files with the smallest hashes of their place, URL and body: all files if there are no more, otherwise a fair sample of them.
/// Neither the order nor the split of the inputs matters, and a body or domain has about the same share of the sample as
/// of all files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Copies {
    /// The body and the domain of each file, by that hash in sixteen hexadecimal digits.
    files: BTreeMap<String, Copy>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Copy {
    /// The hash of the body in sixteen hexadecimal digits.
    body: String,
    domain: Option<String>,
}

/// The most frequent body or domain of a survey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Largest {
    pub(crate) name: String,
    /// Its files in the sample.
    pub(crate) count: u64,
    /// The files of the sample.
    pub(crate) of: u64,
}

impl Copies {
    pub(crate) fn add(&mut self, response: &Response, body: u64) {
        let place = format!("{}\n{:?}\n{body}", response.place, response.url);
        let key = format!("{:016x}", hash(place.as_bytes()));
        let is_kept = self.files.len() < CAPACITY
            || self
                .files
                .last_key_value()
                .is_some_and(|(last, _)| key < *last);
        if is_kept {
            let host = host_of_response(response);
            let copy = Copy {
                body: format!("{body:016x}"),
                domain: host.map(|host| domain_of(&host).to_owned()),
            };
            self.insert(key, copy);
        }
    }

    /// The body of the most files. Empty files are left out, as they are no copies of each other.
    pub(crate) fn largest_body(&self) -> Option<Largest> {
        let empty = format!("{:016x}", hash(b""));
        let bodies = self.files.values().map(|copy| copy.body.as_str());
        self.largest(bodies.filter(|body| *body != empty))
    }

    /// The domain of the most files.
    pub(crate) fn largest_domain(&self) -> Option<Largest> {
        self.largest(
            self.files
                .values()
                .filter_map(|copy| copy.domain.as_deref()),
        )
    }

    fn largest<'c>(&self, names: impl Iterator<Item = &'c str>) -> Option<Largest> {
        let mut counts: HashMap<&str, u64> = HashMap::new();
        for name in names {
            *counts.entry(name).or_default() += 1;
        }
        // Of two with the same count, the first name, so that the order does not matter.
        let largest = counts
            .into_iter()
            .max_by_key(|(name, count)| (*count, std::cmp::Reverse(*name)));
        largest.map(|(name, count)| Largest {
            name: String::from(name),
            count,
            of: self.files.len() as u64,
        })
    }

    fn insert(&mut self, key: String, copy: Copy) {
        self.files.insert(key, copy);
        while self.files.len() > CAPACITY {
            self.files.pop_last();
        }
    }
}

impl Merge for Copies {
    fn merge(&mut self, other: Copies) {
        for (key, copy) in other.files {
            self.insert(key, copy);
        }
    }
}

/// The most files of the sample: a share of 10 % is then known to about one point.
const CAPACITY: usize = 4096;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::content::{BodyEnd, Place};

    fn response(number: u64, host: &str) -> Response {
        Response {
            place: Place {
                offset: number,
                ..Place::of_input(Path::new("x"))
            },
            url: Some(format!("https://{host}/robots.txt")),
            status: 200,
            content_type: None,
            cache_control: None,
            retry_after: None,
            location: None,
            body: Vec::new(),
            end: BodyEnd::Complete,
        }
    }

    fn copies(numbers: std::ops::Range<u64>) -> Copies {
        let mut copies = Copies::default();
        for number in numbers {
            let host = match number % 4 {
                0 => format!("shop{number}.farm.co.uk"),
                _ => format!("www.site{number}.example"),
            };
            let body = if number % 5 == 0 { 7 } else { number + 1000 };
            copies.add(&response(number, &host), body);
        }
        copies
    }

    #[test]
    fn the_shares_of_a_few_files_are_exact() {
        let copies = copies(0..1000);
        let body = copies.largest_body().unwrap();
        assert_eq!(
            (body.name.as_str(), body.count, body.of),
            ("0000000000000007", 200, 1000)
        );
        let domain = copies.largest_domain().unwrap();
        assert_eq!((domain.name.as_str(), domain.count), ("farm.co.uk", 250));
        assert_eq!(Copies::default().largest_body(), None);
    }

    #[test]
    fn the_sample_of_many_files_is_fair_in_any_split_and_order() {
        let whole = copies(0..20_000);
        let mut merged = copies(15_000..20_000);
        merged.merge(copies(0..15_000));
        assert_eq!(merged, whole);
        let domain = whole.largest_domain().unwrap();
        assert_eq!((domain.name.as_str(), domain.of), ("farm.co.uk", 4096));
        assert!((900..1150).contains(&domain.count), "{}", domain.count);
    }
}
