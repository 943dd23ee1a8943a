//! Redirects that are followed within the input: each to the capture of its target, and so on to
//! the end (RFC 9309 §2.3.1.2).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use crate::content::RobotsResponse;
use crate::http::location::{normalized, redirect_of};
use crate::summary::hash::{from_hex, hash};
use crate::summary::host::host_of;
use crate::summary::merge::{Merge, counts};
use crate::summary::outcome::Outcome;
use crate::summary::smallest::{InText, Smallest};

counts! {
    /// The captures of a fair sample of hosts: of all hosts if there are no more. A host and its
    /// `www.` are sampled together, as most redirects lead from one to the other.
    #[derive(Debug, Clone, Default, PartialEq, Deserialize)]
    pub(crate) struct Followed {
        /// The redirects of a robots.txt with a target.
        redirects: u64,
        captures: Smallest<Capture, CAPACITY>,
    }
}

/// The captures of one URL. There may be several. An answer counts before a redirect, an answer
/// with rules counts before another answer, and the target with the smallest key counts before
/// another target. So the order of the captures does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Capture {
    answer: Option<Outcome>,
    /// The key of the target of a redirect.
    target: Option<u64>,
    /// The redirects of a robots.txt, each of which is followed.
    redirects: u64,
}

/// The ends of the redirects.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Ends {
    /// All redirects of a robots.txt with a target.
    pub(crate) redirects: u64,
    /// The redirects that were followed: all redirects, or a sample of them.
    pub(crate) of: u64,
    /// Redirects that end at an answer, by its outcome.
    pub(crate) resolved: BTreeMap<Outcome, u64>,
    /// Redirects to a URL that the input does not have.
    pub(crate) not_in_input: u64,
    /// Redirects that come back to a URL.
    pub(crate) loops: u64,
    /// Redirects with more than five hops.
    pub(crate) too_many_hops: u64,
    /// Redirects to a host that is not in the sample, so that their end is not known.
    pub(crate) not_in_sample: u64,
}

impl Followed {
    /// Adds the response to a request for `/robots.txt`.
    pub(crate) fn add(&mut self, response: &RobotsResponse, outcome: Outcome) {
        let target = redirect_of(response);
        let redirects = u64::from(target.is_some());
        self.redirects += redirects;
        self.add_capture(response, outcome, target, redirects);
    }

    /// Adds a capture to which a redirect may lead, and whose own redirect is not counted.
    pub(crate) fn add_target(&mut self, response: &RobotsResponse, outcome: Outcome) {
        self.add_capture(response, outcome, redirect_of(response), 0);
    }

    fn add_capture(
        &mut self,
        response: &RobotsResponse,
        outcome: Outcome,
        target: Option<String>,
        redirects: u64,
    ) {
        let Some(url) = response.url.as_deref().and_then(normalized) else {
            return;
        };
        self.captures.add(key(&url), || Capture {
            answer: Some(outcome).filter(|_| target.is_none()),
            target: target.as_deref().map(key),
            redirects,
        });
    }

    /// Whether the capture of a URL is kept, as far as is known now.
    pub(crate) fn keeps(&self, url: &str) -> bool {
        normalized(url).is_some_and(|url| self.captures.keeps(key(&url)))
    }

    /// Follows each redirect to its end.
    pub(crate) fn ends(&self) -> Ends {
        self.ends_in(&self.captures.settled())
    }

    fn ends_in(&self, captures: &Smallest<Capture, CAPACITY>) -> Ends {
        let mut ends = Ends {
            redirects: self.redirects,
            ..Ends::default()
        };
        for (url, capture) in captures.entries() {
            let (Some(target), redirects) = (capture.target, capture.redirects) else {
                continue;
            };
            ends.of += redirects;
            *counter_of_end(*url, target, captures, &mut ends) += redirects;
        }
        ends
    }

    /// Whether all redirects were followed.
    pub(crate) fn is_exact(&self) -> bool {
        self.captures.settled().is_complete()
    }
}

impl Ends {
    /// The number of all redirects that end at an answer with this outcome. It is an estimate if
    /// only a sample was followed.
    pub(crate) fn resolved_of_all(&self, outcome: Outcome) -> u64 {
        let resolved = self.resolved.get(&outcome).copied().unwrap_or_default();
        let of_all = u128::from(resolved) * u128::from(self.redirects);
        let of_all = of_all.checked_div(u128::from(self.of)).unwrap_or_default();
        u64::try_from(of_all).unwrap_or(u64::MAX)
    }
}

impl Merge for Capture {
    fn merge(&mut self, other: Capture) {
        self.answer = self.answer.into_iter().chain(other.answer).min();
        self.target = self.target.into_iter().chain(other.target).min();
        self.redirects += other.redirects;
    }
}

/// The JSON form: the ends for readers, and the captures for a merge.
impl Serialize for Followed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let captures = self.captures.settled();
        let written = InJson {
            exact: captures.is_complete(),
            ends: self.ends_in(&captures),
            captures: &captures,
        };
        written.serialize(serializer)
    }
}

#[derive(Serialize)]
struct InJson<'c> {
    exact: bool,
    #[serde(flatten)]
    ends: Ends,
    captures: &'c Smallest<Capture, CAPACITY>,
}

/// The name of the answer, and the redirects with their target: `rules`, `3>0123456789abcdef`, or
/// both with a blank between.
impl InText for Capture {
    fn to_text(&self) -> String {
        let answer = self.answer.map(|answer| String::from(answer.as_str()));
        let target = self
            .target
            .map(|target| format!("{}>{target:016x}", self.redirects));
        [answer, target]
            .into_iter()
            .flatten()
            .collect::<Vec<String>>()
            .join(" ")
    }

    fn read(text: &str) -> Option<Capture> {
        let mut capture = Capture::default();
        for part in text.split(' ') {
            if let Some((redirects, target)) = part.split_once('>') {
                capture.redirects = redirects.parse().ok()?;
                capture.target = Some(from_hex(target)?);
            } else {
                let answer = Outcome::ALL.into_iter().find(|one| one.as_str() == part);
                capture.answer = Some(answer?);
            }
        }
        Some(capture)
    }
}

/// Follows a redirect from one URL to another, and returns the counter of its end.
fn counter_of_end<'e>(
    start: u64,
    target: u64,
    captures: &Smallest<Capture, CAPACITY>,
    ends: &'e mut Ends,
) -> &'e mut u64 {
    let mut seen = vec![start];
    let mut at = target;
    for _ in 0..MOST_HOPS {
        if !captures.keeps(at) {
            return &mut ends.not_in_sample;
        }
        let entries = captures.entries();
        let place = entries.binary_search_by_key(&at, |(url, _)| *url).ok();
        let capture = place.and_then(|place| entries.get(place));
        match capture.map(|(_, capture)| (capture.answer, capture.target)) {
            Some((Some(answer), _)) => return ends.resolved.entry(answer).or_default(),
            Some(_) if seen.contains(&at) => return &mut ends.loops,
            Some((None, Some(next))) => {
                seen.push(at);
                at = next;
            }
            Some((None, None)) | None => return &mut ends.not_in_input,
        }
    }
    &mut ends.too_many_hops
}

/// The key of a URL: the upper half is of the host without its `www.`, the lower half of the URL.
/// So the captures with the smallest keys are those of a sample of hosts.
fn key(normalized: &str) -> u64 {
    let host = host_of(normalized).unwrap_or_default();
    let site = host.strip_prefix("www.").unwrap_or(host);
    let (site, url) = (hash(site.as_bytes()), hash(normalized.as_bytes()));
    (site & !LOWER_HALF) | (url & LOWER_HALF)
}

const LOWER_HALF: u64 = u32::MAX as u64;

/// The most hops that are followed. RFC 9309 asks for at least five, and lets crawlers take more
/// for a missing file.
const MOST_HOPS: usize = 5;

/// The most URLs that are kept: a survey with no more URLs is exact.
const CAPACITY: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::content::{BodyEnd, Content};

    fn response(url: &str, status: u16, location: &str) -> RobotsResponse {
        let Content::Response(mut response) = Content::response(url, status, Vec::new()) else {
            panic!("a response");
        };
        response.end = BodyEnd::Complete;
        response.location = Some(String::from(location)).filter(|location| !location.is_empty());
        response
    }

    fn followed<'c>(captures: impl IntoIterator<Item = &'c (&'c str, u16, &'c str)>) -> Followed {
        let mut followed = Followed::default();
        for (url, status, location) in captures {
            let response = response(url, *status, location);
            let outcome = match status {
                200 => Outcome::Rules,
                _ => Outcome::of_status(&response),
            };
            match url.ends_with("/robots.txt") {
                true => followed.add(&response, outcome),
                false => followed.add_target(&response, outcome),
            }
        }
        followed
    }

    #[test]
    fn redirects_have_the_outcome_of_their_end() {
        let captures = [
            (
                "http://a.example/robots.txt",
                301,
                "https://a.example/robots.txt",
            ),
            (
                "https://a.example/robots.txt",
                302,
                "https://www.a.example/robots.txt",
            ),
            ("https://www.a.example/robots.txt", 200, ""),
            ("http://b.example/robots.txt", 308, "/missing"),
            ("http://b.example/missing", 404, ""),
            ("http://c.example/robots.txt", 307, "//d.example/robots.txt"),
            ("http://d.example/robots.txt", 503, ""),
            ("http://e.example/robots.txt", 303, "/error"),
            ("http://e.example/error", 302, "/robots.txt"),
            ("http://f.example/robots.txt", 301, "/robots.txt"),
            (
                "http://g.example/robots.txt",
                301,
                "https://elsewhere.example/robots.txt",
            ),
            // Neither is a redirect with a target.
            ("http://h.example/robots.txt", 304, "/x"),
            ("http://i.example/robots.txt", 301, ""),
        ];
        let all = followed(&captures);
        let ends = all.ends();
        assert!(all.is_exact());
        assert_eq!((ends.redirects, ends.of), (7, 7));
        let resolved = BTreeMap::from([
            (Outcome::Rules, 2),
            (Outcome::FullAllow, 1),
            (Outcome::FullDisallow, 1),
        ]);
        assert_eq!(ends.resolved, resolved);
        assert_eq!((ends.loops, ends.not_in_input), (2, 1));
        assert_eq!((ends.too_many_hops, ends.not_in_sample), (0, 0));
        assert_eq!(ends.resolved_of_all(Outcome::Rules), 2);
    }

    #[test]
    fn five_hops_are_followed_and_no_more() {
        let ends_of = |hops: usize| {
            let url = |at: usize| format!("http://{at}.example/robots.txt");
            let mut chain = Followed::default();
            for at in 0..hops {
                chain.add(&response(&url(at), 301, &url(at + 1)), Outcome::Unknown);
            }
            chain.add(&response(&url(hops), 404, ""), Outcome::FullAllow);
            chain.ends()
        };
        assert_eq!(ends_of(5).resolved[&Outcome::FullAllow], 5);
        let six = ends_of(6);
        assert_eq!(
            (six.resolved[&Outcome::FullAllow], six.too_many_hops),
            (5, 1)
        );
    }

    #[test]
    fn of_several_captures_an_answer_counts_before_a_redirect() {
        let captures = [
            (
                "http://a.example/robots.txt",
                301,
                "http://b.example/robots.txt",
            ),
            (
                "http://b.example/robots.txt",
                301,
                "http://b.example/robots.txt",
            ),
            ("http://b.example/robots.txt", 503, ""),
            ("http://b.example/robots.txt", 200, ""),
        ];
        let ends = followed(&captures).ends();
        assert_eq!(ends.resolved, BTreeMap::from([(Outcome::Rules, 2)]));
    }

    #[test]
    fn redirects_of_many_hosts_are_a_sample_in_bounded_space() {
        let all = |hosts: std::ops::Range<u32>| {
            let mut followed = Followed::default();
            for host in hosts {
                let site = format!("{host}.example/robots.txt");
                let (from, to) = (format!("http://{site}"), format!("https://www.{site}"));
                followed.add(&response(&from, 301, &to), Outcome::Unknown);
                let (status, outcome) = match host % 4 {
                    0 => (404, Outcome::FullAllow),
                    _ => (200, Outcome::Rules),
                };
                followed.add(&response(&to, status, ""), outcome);
            }
            followed
        };
        let whole = all(0..60_000);
        let mut parts = all(20_000..60_000);
        parts.merge(all(0..20_000));
        assert!(parts == whole);
        assert!(!whole.is_exact());
        let ends = whole.ends();
        assert_eq!(ends.redirects, 60_000);
        assert!((32_000..34_000).contains(&ends.of), "{}", ends.of);
        assert_eq!((ends.not_in_input, ends.loops), (0, 0));
        // Only the last host of the sample may have just one of its URLs in the sample.
        assert!(ends.not_in_sample <= 1);
        let rules = ends.resolved_of_all(Outcome::Rules);
        assert!((44_000..46_000).contains(&rules), "{rules}");
    }

    /// A capture of a few URLs that redirect to each other in all ways.
    fn capture() -> impl Strategy<Value = (u32, u16, u32)> {
        let status = prop_oneof![3 => Just(301), 1 => Just(200), 1 => Just(404), 1 => Just(503)];
        (0..9_u32, status, 0..9_u32)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn neither_order_nor_split_matters_and_every_redirect_has_an_end(
            captures in prop::collection::vec(capture(), 0..30),
            at in 0..30_usize,
            through_json in any::<bool>(),
        ) {
            let url = |number: u32| match number % 3 {
                0 => format!("http://{number}.example/robots.txt"),
                1 => format!("https://www.{number}.example/robots.txt"),
                _ => format!("http://{number}.example/other"),
            };
            let urls: Vec<_> = captures
                .iter()
                .map(|(from, status, to)| (url(*from), *status, url(*to)))
                .collect();
            let urls: Vec<_> = urls.iter().map(|(from, status, to)| (&**from, *status, &**to)).collect();
            let whole = followed(&urls);
            let ends = whole.ends();
            let answered: u64 = ends.resolved.values().sum();
            prop_assert_eq!(answered + ends.not_in_input + ends.loops + ends.too_many_hops, ends.of);
            prop_assert_eq!(ends.of, ends.redirects);
            let starts = urls.iter().filter(|(from, status, _)| *status == 301 && from.ends_with("robots.txt"));
            prop_assert_eq!(starts.count() as u64, ends.redirects);

            let (first, second) = urls.split_at(at.min(urls.len()));
            let mut first = followed(first);
            if through_json {
                first = serde_json::from_str(&serde_json::to_string(&first).unwrap()).unwrap();
            }
            let mut merged = followed(second);
            merged.merge(first);
            prop_assert_eq!(&merged, &whole);
            prop_assert_eq!(&followed(urls.iter().rev()), &whole);
            prop_assert_eq!(merged.ends(), ends);
        }
    }
}
