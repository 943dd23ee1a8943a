//! The answers for robots.txt in the log of the servers, read as a crawler of a profile must read
//! them.
//!
//! This model is independent: each rule is stated anew from its source, and the only parts of the
//! library in it are the fields of a profile. "IBM" is the documentation of IBM's Web crawler.

use std::collections::HashMap;
use std::time::Duration;

use polite_robots_policy::Profile;
use polite_robots_policy::settings::{
    AccessPolicy, FreshnessPolicy, OverLimitPolicy, ParseErrorPolicy, RedirectPolicy,
};

use super::hit::{Ending, Hit};
use super::reader::RobotsFile;

/// One attempt to learn the robots.txt of a host: the request, and the requests to which it was
/// redirected.
#[derive(Debug, Clone)]
pub(crate) struct Round {
    /// The number of the request for `/robots.txt`.
    pub(crate) first: usize,
    /// The number of the request that decided.
    pub(crate) last: usize,
    /// The moment from which the crawler can know the answer.
    pub(crate) at: Duration,
    /// Whether nobody followed the last redirect.
    pub(crate) is_broken: bool,
    pub(crate) meaning: Meaning,
}

#[derive(Debug, Clone)]
pub(crate) enum Meaning {
    /// The rules of a file, boxed as they are larger than the other variants.
    Rules(Box<RobotsFile>),
    /// There is no file: everything may be fetched.
    Open,
    /// The site wants no crawler.
    Shut,
    /// No answer that counts.
    Outage,
}

/// The rounds of each host in the order of their ends, and the requests that were part of one.
pub(crate) struct Rounds {
    pub(crate) of_host: HashMap<String, Vec<Round>>,
    pub(crate) is_part: Vec<bool>,
}

impl Rounds {
    /// The rounds in a log, which is in the order of its starts.
    pub(crate) fn of(hits: &[Hit], profile: &Profile, agent: &str) -> Rounds {
        let mut of_host: HashMap<String, Vec<Round>> = HashMap::new();
        let mut is_part = vec![false; hits.len()];
        for (first, hit) in hits.iter().enumerate() {
            // A request without a path is an attempt to talk TLS. It counts as one for robots.txt,
            // which is the first request of an origin.
            if hit.path != "/robots.txt" && !hit.path.is_empty() {
                continue;
            }
            let round = round(hits, first, &mut is_part, profile, agent);
            of_host.entry(hit.host.clone()).or_default().push(round);
        }
        for rounds in of_host.values_mut() {
            rounds.sort_by_key(|round| round.at);
        }
        Rounds { of_host, is_part }
    }

    pub(crate) fn of_host(&self, host: &str) -> &[Round] {
        self.of_host.get(host).map_or(&[], Vec::as_slice)
    }

    /// The round whose answer is in force at a moment. RFC 9309 §2.4: a copy counts for up to 24
    /// hours. That is longer than any test, so an outage does not end the answer before it.
    pub(crate) fn in_force(&self, host: &str, at: Duration) -> Option<&Round> {
        let known = self.of_host(host).iter().filter(|round| round.at <= at);
        let mut latest: Option<&Round> = None;
        for round in known {
            let is_outage = matches!(round.meaning, Meaning::Outage);
            if !is_outage || latest.is_none_or(|latest| matches!(latest.meaning, Meaning::Outage)) {
                latest = Some(round);
            }
        }
        latest
    }
}

impl Round {
    /// The least time from the end of this round to the start of the next. RFC 9309 §2.4: a copy
    /// counts for up to 24 hours, and HTTP caching may say less. IBM: the file is checked when its
    /// interval elapses, or after a failure when the retry interval elapses. This client: once in
    /// an outage the retry comes early, but not after a 429. RFC 9110 §10.2.3: a server may ask for
    /// a longer wait.
    pub(crate) fn rest(&self, hits: &[Hit], begins_outage: bool, profile: &Profile) -> Duration {
        let settings = &profile.access;
        let last = &hits[self.last];
        match self.meaning {
            Meaning::Outage => {
                let is_soft = matches!(last.status, None | Some(200..=299 | 500 | 502..=504));
                let is_early = is_soft && last.retry_after.is_none() && begins_outage;
                let first = match last.status {
                    _ if is_early && settings.retry_early > Duration::ZERO => settings.retry_early,
                    Some(503) => settings.retry_first_503,
                    _ => settings.retry_first,
                };
                let asked = last.retry_after.unwrap_or_default();
                first.max(asked.min(settings.max_retry_after))
            }
            Meaning::Rules(_) | Meaning::Open | Meaning::Shut => {
                let asked = last
                    .max_age
                    .filter(|_| settings.http_freshness == FreshnessPolicy::Obey);
                let lifetime = asked
                    .unwrap_or(settings.default_ttl)
                    .max(settings.min_ttl)
                    .min(settings.max_ttl);
                lifetime * u32::from(settings.refresh_percent) / 100
            }
        }
    }
}

/// RFC 9309 §2.3.1.2: a crawler follows at least five redirects, across authorities too, and may
/// treat a longer chain as "unavailable". IBM: a redirect is "any other status", which
/// disqualifies.
fn round(
    hits: &[Hit],
    first: usize,
    is_part: &mut [bool],
    profile: &Profile,
    agent: &str,
) -> Round {
    let settings = &profile.access;
    let mut last = first;
    let mut is_broken = false;
    // A crawler that begins a round anew has given the one before it up.
    let is_anew = |next: &usize| {
        (&hits[*next].host, &hits[*next].path) == (&hits[first].host, &hits[first].path)
    };
    let end = (first + 1..hits.len()).find(is_anew).unwrap_or(hits.len());
    let mut seen = vec![(hits[first].host.clone(), hits[first].path.clone())];
    is_part[first] = true;
    let meaning = loop {
        let hit = &hits[last];
        let is_redirect = matches!(hit.status, Some(300..=399)) && hit.ending == Ending::Complete;
        if !is_redirect {
            break meaning(hit, profile, agent);
        }
        if settings.redirects == RedirectPolicy::Outage {
            break Meaning::Outage;
        }
        let target = hit
            .location
            .as_deref()
            .and_then(|location| target(hit, location));
        let Some(target) = target else {
            break Meaning::Outage;
        };
        if seen.contains(&target) || seen.len() > usize::from(settings.max_redirects) {
            break by_policy(settings.too_many_redirects);
        }
        let next = (last + 1..end).find(|next| {
            let next_hit = &hits[*next];
            (&next_hit.host, &next_hit.path) == (&target.0, &target.1)
                && next_hit.start >= hit.end
                && !is_part[*next]
        });
        let Some(next) = next else {
            is_broken = true;
            break Meaning::Outage;
        };
        is_part[next] = true;
        seen.push(target);
        last = next;
    };
    Round {
        first,
        last,
        at: hits[last].end,
        is_broken,
        meaning,
    }
}

/// RFC 9309 §2.3.1.1: a file that arrived gives the rules; §2.3.1.3: 4xx is "unavailable";
/// §2.3.1.4: 5xx and no answer are "unreachable", so nothing may be fetched. IBM: truncated content
/// disqualifies, and so does any status but 2xx, 400, 404 and 410.
fn meaning(hit: &Hit, profile: &Profile, agent: &str) -> Meaning {
    let settings = &profile.access;
    match hit.status {
        Some(200..=299) => {
            let is_long = hit.body.len() > settings.max_bytes;
            // A client may hang up when it has read its limit.
            let is_whole =
                hit.ending == Ending::Complete || is_long && hit.ending == Ending::Aborted;
            if !is_whole || is_long && settings.over_limit == OverLimitPolicy::Outage {
                return Meaning::Outage;
            }
            let read = first_lines(&hit.body, settings.max_bytes);
            if !is_text(read) {
                return Meaning::Outage;
            }
            let file = RobotsFile::read(read, agent);
            // IBM: content that parsed with errors qualifies the site with no rules. RFC 9309
            // §2.3.1.5: the lines that parse count.
            if file.has_errors && settings.parse_errors == ParseErrorPolicy::AllowAll {
                return Meaning::Open;
            }
            Meaning::Rules(Box::new(file))
        }
        // A status without a whole answer is no answer.
        _ if hit.ending != Ending::Complete => Meaning::Outage,
        Some(400 | 404 | 410) => Meaning::Open,
        Some(401 | 403) => by_policy(settings.forbidden),
        Some(429) => by_policy(settings.too_many_requests),
        Some(400..=499) => by_policy(settings.other_client_errors),
        _ => Meaning::Outage,
    }
}

/// The whole lines in the first `most` bytes. RFC 9309 §2.5: a crawler reads at least 500 KiB; half
/// of `Disallow: /private` would be another rule.
fn first_lines(body: &[u8], most: usize) -> &[u8] {
    if body.len() <= most {
        return body;
    }
    let end = body[..most].iter().rposition(|byte| *byte == b'\n');
    &body[..end.unwrap_or(0)]
}

/// RFC 9309 §2.2: a robots.txt is text in UTF-8. Data in a content coding (RFC 9110 §8.4) is not
/// yet text in UTF-8, and neither is UTF-16.
fn is_text(body: &[u8]) -> bool {
    let is_control = |character: char| character.is_control() && !"\t\r\n".contains(character);
    std::str::from_utf8(body).is_ok_and(|text| !text.contains(is_control))
}

fn by_policy(policy: AccessPolicy) -> Meaning {
    match policy {
        AccessPolicy::Allow => Meaning::Open,
        AccessPolicy::Disallow => Meaning::Shut,
        AccessPolicy::Outage => Meaning::Outage,
    }
}

/// Host and path of a redirect's target.
fn target(hit: &Hit, location: &str) -> Option<(String, String)> {
    let base = url::Url::parse(&format!("http://{}{}", hit.host, hit.path)).ok()?;
    let target = base.join(location).ok()?;
    let is_http = matches!(target.scheme(), "http" | "https");
    is_http.then(|| {
        (
            target.host_str().unwrap_or_default().to_owned(),
            target.path().to_owned(),
        )
    })
}

// Types of ours: AccessPolicy, FreshnessPolicy, OverLimitPolicy, ParseErrorPolicy, Profile,
// RedirectPolicy; settings and plain data only.
