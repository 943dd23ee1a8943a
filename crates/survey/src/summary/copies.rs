//! A sample of the files with their bodies, templates and hosts, which shows whether one body, one
//! family of files with one template, or one domain is a large share.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::ser::SerializeMap as _;
use serde::{Deserialize, Serialize, Serializer};

use crate::summary::distribution::ratio;
use crate::summary::hash::{hash, split_hex};
use crate::summary::host::domain_of;
use crate::summary::merge::{Merge, counts};
use crate::summary::sketch::DistinctCount;
use crate::summary::smallest::{InText, Smallest};
use crate::summary::source::Source;
use crate::summary::template::template;

counts! {
    /// A fair sample of the files: all files if there are no more. It is chosen by the URL or host
    /// and the body, so the place of a file in the inputs does not matter.
    #[derive(Debug, Clone, Default, PartialEq, Deserialize)]
    pub(crate) struct Copies {
        #[serde(rename = "sample")]
        files: Smallest<FileCopy, CAPACITY>,
        /// The templates of all files.
        pub(crate) families: DistinctCount,
    }
}

/// The files with one URL or host and one body: a single file, unless the site was asked several
/// times.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FileCopy {
    body: u64,
    /// The hash of the template.
    family: u64,
    files: u64,
    /// The host; empty if it is not known.
    host: Box<str>,
}

/// The body, family or domain with the most files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Largest {
    /// The hash of the body as in a row, that of the template, or the domain.
    pub(crate) name: String,
    pub(crate) files: u64,
    /// The number of files that were examined: all files, or the files of the sample.
    pub(crate) of: u64,
    /// The domains with this body or template; for a domain, the domain itself.
    pub(crate) domains: Domains,
}

/// The domains on which a body was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Domains {
    /// The only domain.
    One(String),
    /// The domain with at least half of the copies, if several domains have copies.
    Mostly(String),
    /// The number of domains, if none has half of the copies.
    Many(usize),
}

impl Copies {
    /// Adds a file with its text and the hash of it.
    pub(crate) fn add(&mut self, source: &Source, text: &[u8], body: u64) {
        let family = template(text, body);
        self.families.add(family);
        let key = source.hash ^ body.rotate_left(HALF_OF_THE_BITS);
        self.files.add(key, || FileCopy {
            body,
            family,
            files: 1,
            host: source.host.as_deref().unwrap_or_default().into(),
        });
    }

    /// The body, the family and the domain with the most files. Empty bodies are left out, because
    /// they are no copies of each other.
    pub(crate) fn largest(&self) -> [Option<Largest>; 3] {
        largest_of(&self.files.settled())
    }

    /// The body, the family and the domain, if their share of the files is so large that others
    /// hardly show.
    pub(crate) fn large(&self, files: u64) -> [Option<Largest>; 3] {
        if files < LEAST_FILES {
            return [None, None, None];
        }
        let is_large = |largest: &Largest| largest.share() >= LARGE_SHARE;
        self.largest().map(|largest| largest.filter(is_large))
    }
}

/// The body, the family and the domain with the most files of a settled sample.
fn largest_of(settled: &Smallest<FileCopy, CAPACITY>) -> [Option<Largest>; 3] {
    let copies = || settled.entries().iter().map(|(_, copy)| copy);
    let of: u64 = copies().map(|copy| copy.files).sum();
    let empty = hash(b"");
    let most_of = |text: fn(&FileCopy) -> u64| {
        let texts = copies().map(|copy| (text(copy), copy.files));
        let (largest, files) = most(texts.filter(|(text, _)| *text != empty))?;
        Some(Largest {
            name: format!("{largest:016x}"),
            files,
            of,
            domains: Domains::of(copies().filter(|copy| text(copy) == largest)),
        })
    };
    let (body, family) = (most_of(|copy| copy.body), most_of(|copy| copy.family));
    let domain = largest_domain(copies().filter(|copy| !copy.host.is_empty()));
    let domain = domain.map(|(domain, files)| Largest {
        name: String::from(domain),
        files,
        of,
        domains: Domains::One(String::from(domain)),
    });
    [body, family, domain]
}

impl Largest {
    /// The share of the files, at most 1.
    pub(crate) fn share(&self) -> f64 {
        ratio(self.files, self.of)
    }
}

impl Domains {
    fn of<'c>(copies: impl Iterator<Item = &'c FileCopy> + Clone) -> Domains {
        let domains = copies.map(|copy| (domain_of(&copy.host), copy.files));
        let number = domains.clone().map(|(domain, _)| domain);
        let number = number.collect::<BTreeSet<&str>>().len();
        let files: u64 = domains.clone().map(|(_, files)| files).sum();
        match most(domains) {
            Some((domain, _)) if number == 1 && !domain.is_empty() => Domains::One(domain.into()),
            Some((domain, most)) if most >= files.div_ceil(2) && !domain.is_empty() => {
                Domains::Mostly(domain.into())
            }
            _ => Domains::Many(number),
        }
    }
}

/// The domain with the most files.
///
/// Hosts of one domain end with the same two labels. So the Public Suffix List is consulted only
/// for hosts whose last two labels have as many files as the largest domain so far: a few of
/// thousands.
fn largest_domain<'c>(copies: impl Iterator<Item = &'c FileCopy>) -> Option<(&'c str, u64)> {
    let mut by_end: Vec<(u64, &FileCopy)> = copies
        .map(|copy| (hash(last_two_labels(&copy.host).as_bytes()), copy))
        .collect();
    by_end.sort_unstable_by_key(|(end, _)| *end);
    let groups = by_end.chunk_by(|(one, _), (next, _)| one == next);
    let mut groups: Vec<(u64, &[(u64, &FileCopy)])> = groups
        .map(|group| (group.iter().map(|(_, copy)| copy.files).sum(), group))
        .collect();
    groups.sort_unstable_by_key(|(files, _)| Reverse(*files));
    let mut largest: Option<(&str, u64)> = None;
    for (files, group) in groups {
        if largest.is_some_and(|(_, most)| files < most) {
            break;
        }
        let domains = group
            .iter()
            .map(|(_, copy)| (domain_of(&copy.host), copy.files));
        largest = most(largest.into_iter().chain(most(domains)));
    }
    largest
}

/// The end of a host from the last dot but one.
fn last_two_labels(host: &str) -> &str {
    let host = host.strip_suffix('.').unwrap_or(host);
    let mut dots = memchr::memrchr_iter(b'.', host.as_bytes());
    let start = dots.nth(1).map_or(0, |dot| dot + 1);
    host.get(start..).unwrap_or(host)
}

/// The name with the largest sum. Names with the same sum are ordered by name, so that the order of
/// the counts does not matter.
fn most<N: Ord + Copy>(counts: impl Iterator<Item = (N, u64)>) -> Option<(N, u64)> {
    // Sorting takes less time than the hash table of the standard library, whatever names somebody
    // invents.
    let mut counts: Vec<(N, u64)> = counts.collect();
    counts.sort_unstable_by_key(|(name, _)| *name);
    let names = counts.chunk_by(|(one, _), (next, _)| one == next);
    let sums = names.filter_map(|name| {
        let (first, _) = name.first()?;
        Some((*first, name.iter().map(|(_, count)| count).sum()))
    });
    sums.max_by_key(|(name, count)| (*count, Reverse(*name)))
}

impl Merge for FileCopy {
    fn merge(&mut self, other: FileCopy) {
        self.files += other.files;
        self.host = self.host.as_ref().min(&other.host).into();
    }
}

impl InText for FileCopy {
    fn to_text(&self) -> String {
        let FileCopy {
            body,
            family,
            files,
            host,
        } = self;
        format!("{body:016x} {family:016x} {files} {host}")
    }

    fn read(text: &str) -> Option<FileCopy> {
        let (body, rest) = split_hex(text)?;
        let (family, rest) = split_hex(rest)?;
        let (files, host) = rest.split_once(' ')?;
        Some(FileCopy {
            body,
            family,
            files: files.parse().ok()?,
            host: host.into(),
        })
    }
}

/// The JSON form: the largest body, family and domain for readers, and the sample for a merge.
impl Serialize for Copies {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let files = self.files.settled();
        let [body, family, domain] = largest_of(&files);
        let mut written = serializer.serialize_map(None)?;
        written.serialize_entry("exact", &files.is_complete())?;
        written.serialize_entry("largest_body", &body)?;
        written.serialize_entry("largest_family", &family)?;
        written.serialize_entry("largest_domain", &domain)?;
        written.serialize_entry("families", &self.families)?;
        written.serialize_entry("sample", &*files)?;
        written.end()
    }
}

impl Serialize for Largest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let domain = match &self.domains {
            Domains::One(domain) | Domains::Mostly(domain) => Some(domain),
            Domains::Many(_) => None,
        };
        let mut written = serializer.serialize_map(None)?;
        written.serialize_entry("name", &self.name)?;
        written.serialize_entry("files", &self.files)?;
        written.serialize_entry("of", &self.of)?;
        written.serialize_entry("percent", &(self.share() * 100.0))?;
        written.serialize_entry("domain", &domain)?;
        written.end()
    }
}

/// The most files of the sample. In a larger survey a share of 5 % is known to a quarter of a
/// point, with 95 % certainty.
const CAPACITY: usize = 1 << 15;

const HALF_OF_THE_BITS: u32 = 32;

/// The fewest files of a survey whose copies matter: among few files, any file is a large share.
const LEAST_FILES: u64 = 1000;

/// The share of the files from which one body or domain is large.
const LARGE_SHARE: f64 = 0.05;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::content::{BodyEnd, Place, RobotsResponse};

    fn source(url: Option<String>, place: &str) -> Source {
        let place = Place::of_input(Path::new(place));
        Source::of(&RobotsResponse {
            url,
            ..RobotsResponse::of_file(place, Vec::new(), BodyEnd::Complete)
        })
    }

    /// Copies. Every fifth has one body, and every fourth is of one domain.
    fn copies(numbers: std::ops::Range<u64>) -> Copies {
        let mut copies = Copies::default();
        for number in numbers {
            let host = match number % 4 {
                0 => format!("shop{number}.farm.co.uk"),
                _ => format!("www.site{number}.example"),
            };
            let url = format!("https://{host}/robots.txt");
            let body = if number % 5 == 0 { 7 } else { number + 1000 };
            copies.add(&source(Some(url), "x"), b"", hash(&u64::to_be_bytes(body)));
        }
        copies
    }

    #[test]
    fn few_files_are_counted_exactly() {
        let all = copies(0..1000);
        let [body, family, domain] = all.largest().map(Option::unwrap);
        assert!(all.files.settled().is_complete());
        assert_eq!((body.files, body.of), (200, 1000));
        // The copies have no bytes here, so each body is a family.
        assert_eq!((&family, all.families.estimate()), (&body, 801));
        assert_eq!(body.name, format!("{:016x}", hash(&7_u64.to_be_bytes())));
        // A copy in four is of the farm, and the others are of a domain each.
        assert_eq!(body.domains, Domains::Many(151));
        assert_eq!(
            (&*domain.name, domain.files, domain.of),
            ("farm.co.uk", 250, 1000)
        );
    }

    #[test]
    fn the_shares_of_many_files_are_estimated_in_bounded_space() {
        let mut parts = copies(60_000..150_000);
        parts.merge(copies(0..60_000));
        let all = copies(0..150_000);
        assert!(parts == all);
        assert!(!all.files.settled().is_complete());
        let [body, _, domain] = all.largest().map(Option::unwrap);
        assert_eq!(body.of, CAPACITY as u64);
        assert!((0.19..0.21).contains(&body.share()), "{}", body.share());
        assert!((0.24..0.26).contains(&domain.share()), "{}", domain.share());
        let text = serde_json::to_string(&all).unwrap();
        assert!(serde_json::from_str::<Copies>(&text).unwrap() == all);
    }

    #[test]
    fn a_file_is_the_same_in_a_folder_and_in_an_archive() {
        let of = |place| {
            let mut copies = Copies::default();
            copies.add(&source(None, place), b"", 5);
            copies
        };
        assert_eq!(of("robots/a b.example"), of("other/A b.example.txt"));
        assert_ne!(of("robots/a.example"), of("robots/b.example"));
        let text = serde_json::to_string(&of("robots/a b.example")).unwrap();
        assert_eq!(
            serde_json::from_str::<Copies>(&text).unwrap(),
            of("robots/a b.example")
        );
    }

    #[test]
    fn the_largest_domain_is_found_beside_large_suffixes() {
        let of = |hosts: &[&str]| {
            let copy = |host: &&str| FileCopy {
                body: 1,
                family: 1,
                files: 1,
                host: (*host).into(),
            };
            let copies: Vec<FileCopy> = hosts.iter().map(copy).collect();
            let found = largest_domain(copies.iter());
            found.map(|(domain, files)| (String::from(domain), files))
        };
        let found = |domain: &str, files| Some((String::from(domain), files));
        assert_eq!(of(&[]), None);
        // Three hosts end with `co.uk`, and no domain of them has two.
        let hosts = ["a.co.uk", "b.co.uk", "x.c.co.uk", "a.d.com", "b.d.com."];
        assert_eq!(of(&hosts), found("d.com", 2));
        assert_eq!(of(&["b.com", "a.b.co.uk", "b.co.uk"]), found("b.co.uk", 2));
        // The first of two names with equally many files counts, whatever their order.
        assert_eq!(of(&["b.com", "a.com"]), found("a.com", 1));
        assert_eq!(of(&["a.com", "b.com"]), found("a.com", 1));
        assert_eq!(
            of(&["1.2.3.4", "5.2.3.4", "[::1]", "[::1]"]),
            found("[::1]", 2)
        );
        assert_eq!(of(&["localhost", "."]), found("", 1));
    }

    #[test]
    fn a_family_is_the_files_of_one_template() {
        let mut copies = Copies::default();
        for (host, rule) in [("a", "/cart"), ("b", "/cart"), ("c", "/cart"), ("d", "/")] {
            let url = format!("https://{host}.example/robots.txt");
            let body = format!("Disallow: {rule}\nSitemap: https://{host}.example/map.xml");
            copies.add(
                &source(Some(url), "x"),
                body.as_bytes(),
                hash(body.as_bytes()),
            );
        }
        let [body, family, _] = copies.largest().map(Option::unwrap);
        assert_eq!((body.files, family.files, family.of), (1, 3, 4));
        assert_eq!(family.domains, Domains::Many(3));
        assert_eq!(copies.families.estimate(), 2);
        let text = serde_json::to_string(&copies).unwrap();
        assert_eq!(serde_json::from_str::<Copies>(&text).unwrap(), copies);
    }

    #[test]
    fn the_domain_of_copies_is_named_where_it_has_half_of_them() {
        let of = |hosts: &[&str]| {
            let mut copies = Copies::default();
            for host in hosts {
                copies.add(&source(None, host), b"", 5);
            }
            let [body, ..] = copies.largest();
            body.unwrap().domains
        };
        let one = || String::from("a.example");
        assert_eq!(of(&["x.a.example", "a.example"]), Domains::One(one()));
        assert_eq!(of(&["x.a.example", "b.example"]), Domains::Mostly(one()));
        let three = ["a.example", "b.example", "c.example"];
        assert_eq!(of(&three), Domains::Many(3));
        let mut empty = Copies::default();
        empty.add(&source(None, "a.example"), b"", hash(b""));
        assert_eq!(empty.largest()[0], None);
    }
}
