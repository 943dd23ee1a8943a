//! The judge: reads the log of the servers and lists every request that a polite crawler would not
//! have sent.
//!
//! Each rule is stated anew from its source. The project starts from the essay "Crawl politeness"
//! and from a course on pace, "the lesson". "IBM" is the documentation of IBM's Web crawler.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::time::Duration;

use polite_robots_policy::settings::{
    AttemptPlan, CrawlDelayPolicy, GapAnchor, LongDelayPolicy, Obedience,
};
use polite_robots_policy::{HostRule, Profile};
use url::Url;

use super::hit::{Ending, Hit};
use super::readings::{Meaning, Rounds};
use super::stall;

/// The rules by which a crawl is judged.
#[derive(Debug, Clone)]
pub(crate) struct Judge {
    pub(crate) profile: Profile,
    /// The exceptions for single hosts, each with the pattern of its hosts.
    pub(crate) rules: Vec<(&'static str, HostRule)>,
    /// The product token: groups of robots.txt are chosen by it, and each User-Agent contains it.
    pub(crate) agent: String,
    /// The group of each host, by the name of its address. A host that is not listed is in no
    /// group.
    pub(crate) groups: HashMap<String, String>,
    /// The hosts whose calls were cut off, and the times. The client may not have read the answer
    /// of that time, though the host sent all of it.
    pub(crate) cuts: Vec<(String, Duration)>,
    /// The times at which the client was killed. The next one does not know of rounds that were
    /// between two redirects.
    pub(crate) kills: Vec<Duration>,
    /// Whether a request for robots.txt ends with the call that sends it, and another caller sends
    /// it anew: so does a cache whose callers fetch for one another.
    pub(crate) hands_over: bool,
    /// Requests to all hosts at the same time.
    pub(crate) most_at_once: Option<usize>,
    /// The tolerance for the client's clock, which counts milliseconds.
    pub(crate) slack: Duration,
    /// The longest time that a server needs to notice a request, or a client that hung up.
    pub(crate) notice: Duration,
}

/// A request that a polite crawler would not have sent.
#[derive(Debug, Clone)]
pub(crate) struct Violation {
    pub(crate) law: Law,
    /// The request that forbids the second one, if it is one request.
    pub(crate) first: Option<Hit>,
    pub(crate) second: Hit,
    pub(crate) detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Law {
    /// The gap between two requests to a host.
    Gap,
    /// Requests to a host at the same time.
    Concurrency,
    /// The number of requests that a group starts in a window of time.
    Group,
    /// Requests to all hosts at the same time.
    Total,
    /// No request to the host before `Retry-After` is over.
    RetryAfter,
    /// No page before robots.txt.
    RobotsFirst,
    /// No page that the rules disallow.
    Rules,
    /// No page while robots.txt cannot be fetched.
    Outage,
    /// One request for robots.txt in its lifetime, and retries with their pauses.
    Lifetime,
    /// The name of the crawler in each request.
    Identity,
}

impl Judge {
    pub(crate) fn new(profile: Profile, agent: &str) -> Judge {
        Judge {
            profile,
            rules: Vec::new(),
            agent: agent.to_owned(),
            groups: HashMap::new(),
            cuts: Vec::new(),
            kills: Vec::new(),
            hands_over: false,
            most_at_once: None,
            slack: Duration::from_millis(5),
            notice: NOTICE,
        }
    }

    /// The judge of a crawl that is over. A busy machine may have stalled the crawl, so `notice` is
    /// longer by the longest stall.
    pub(crate) fn of_crawl(profile: Profile, agent: &str) -> Judge {
        Judge {
            notice: NOTICE + stall::longest(),
            ..Judge::new(profile, agent)
        }
    }

    /// All violations in a log, which is in the order of its starts.
    pub(crate) fn violations(&self, hits: &[Hit]) -> Vec<Violation> {
        assert!(hits.is_sorted_by_key(|hit| hit.start));
        let rounds = Rounds::of(hits, &self.profile, &self.agent);
        let mut of_host: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, hit) in hits.iter().enumerate() {
            of_host.entry(&hit.host).or_default().push(number);
        }
        let mut violations = Vec::new();
        for (host, numbers) in &of_host {
            let of_host: Vec<&Hit> = numbers.iter().map(|number| &hits[*number]).collect();
            self.judge_pace(&of_host, &rounds, &mut violations);
            self.judge_rounds(host, hits, &rounds, &mut violations);
            for number in numbers {
                if !rounds.is_part[*number] {
                    violations.extend(self.page(&hits[*number], hits, &rounds));
                }
            }
        }
        self.judge_groups(hits, &mut violations);
        self.judge_total(hits, &mut violations);
        violations.extend(hits.iter().filter_map(|hit| self.identity(hit)));
        violations.sort_by_key(|violation| (violation.second.start, violation.law));
        violations
    }

    /// The pages among `urls` that the rules permit but no request asked for. Hosts whose last
    /// answer permits no page do not count.
    pub(crate) fn unfetched(&self, hits: &[Hit], urls: &[String]) -> Vec<String> {
        let rounds = Rounds::of(hits, &self.profile, &self.agent);
        let asked: HashSet<(&str, &str)> = hits
            .iter()
            .map(|hit| (hit.host.as_str(), hit.path.as_str()))
            .collect();
        let is_due = |url: &&String| {
            let parsed = Url::parse(url).unwrap();
            let (host, path) = (parsed.host_str().unwrap(), parsed.path());
            let obedience = self.rule(host).obedience;
            let is_open = obedience == Some(Obedience::Ignore)
                || match rounds
                    .in_force(host, Duration::MAX)
                    .map(|round| &round.meaning)
                {
                    Some(Meaning::Open) => true,
                    Some(Meaning::Rules(file)) => file.permits(path),
                    Some(Meaning::Shut | Meaning::Outage) | None => false,
                };
            is_open && !asked.contains(&(host, path))
        };
        urls.iter().filter(is_due).cloned().collect()
    }

    /// Gaps, concurrency and `Retry-After` of one host. "Crawl politeness": one connection at a
    /// time for a host, and a gap between two requests to it; the profile says where the gap
    /// begins. RFC 9110 §10.2.3 and RFC 6585 §4: after a 429 or 503 with `Retry-After` a client
    /// waits for that time.
    fn judge_pace(&self, hits: &[&Hit], rounds: &Rounds, violations: &mut Vec<Violation>) {
        let settings = &self.profile.pace;
        let rule = self.rule(&hits[0].host);
        let most = rule.max_in_flight.unwrap_or(settings.max_in_flight);
        let most = usize::from(most.max(1));
        for (number, hit) in hits.iter().enumerate() {
            let before = &hits[..number];
            let open: Vec<&&Hit> = before
                .iter()
                .filter(|one| self.end(one) > hit.start)
                .collect();
            if open.len() >= most {
                let detail = format!("{} at once, {most} may be", open.len() + 1);
                violations.push(violation(Law::Concurrency, Some(open[0]), hit, detail));
            }
            let gap = self.gap(hit, rounds);
            let anchor = |one: &Hit| match settings.gap_from {
                // With several requests at once, the start of a request counts until it has ended.
                GapAnchor::Completion if self.end(one) <= hit.start => self.end(one),
                // A server may read a request late.
                GapAnchor::Completion | GapAnchor::Start => one.start.saturating_sub(self.notice),
            };
            // Each request is one violation at most: by the earlier request that forbids it
            // longest.
            let last = before.iter().max_by_key(|one| anchor(one));
            let too_soon = |one: &&&Hit| hit.start + self.slack < anchor(one) + gap;
            // Two requests at once break `Law::Concurrency`, so they are not listed here, too.
            if let Some(one) = last.filter(too_soon).filter(|_| open.len() < most) {
                let waited = hit.start.saturating_sub(anchor(one));
                let detail = format!("after {waited:?} instead of {gap:?}");
                violations.push(violation(Law::Gap, Some(one), hit, detail));
            }
            let blocks = before.iter().filter_map(|one| {
                let is_signal = matches!(one.status, Some(429 | 503));
                let asked = one.retry_after.filter(|_| is_signal)?;
                // The host writes such an answer in one piece. If that failed, the client was gone
                // and has read nothing.
                let is_unread = one.ending == Ending::Aborted || self.was_cut(one);
                let asked = (!is_unread).then_some(asked)?;
                let until = self.end(one) + asked.min(settings.max_retry_after);
                // A request that was already under way could not know of the wait.
                (self.end(one) <= hit.start).then_some((one, until))
            });
            let longest = blocks.max_by_key(|(_, until)| *until);
            if let Some((one, until)) = longest.filter(|(_, until)| hit.start + self.slack < *until)
            {
                let early = until - hit.start;
                let detail = format!("{early:?} before Retry-After is over");
                violations.push(violation(Law::RetryAfter, Some(one), hit, detail));
            }
        }
    }

    /// The gap before a request, by the robots.txt that was known at that time. "Crawl politeness":
    /// `Crawl-delay` is no part of RFC 9309; Yandex read it as the least seconds between two
    /// requests, and Google ignores it.
    fn gap(&self, hit: &Hit, rounds: &Rounds) -> Duration {
        let settings = &self.profile.pace;
        let rule = self.rule(&hit.host);
        let policy = rule.crawl_delay.unwrap_or(settings.crawl_delay);
        let known = rounds.in_force(&hit.host, hit.start);
        let asked = match known.map(|round| &round.meaning) {
            Some(Meaning::Rules(file)) if policy == CrawlDelayPolicy::Gap => file.crawl_delay,
            _ => Duration::ZERO,
        };
        let asked = match settings.over_max_crawl_delay {
            LongDelayPolicy::Clamp => asked.min(settings.max_crawl_delay),
            _ => asked,
        };
        rule.min_delay.unwrap_or(settings.min_delay).max(asked)
    }

    /// The operator's exception for a host: the one for its name, else the one with the longest
    /// pattern `*.parent` or `*`.
    fn rule(&self, host: &str) -> HostRule {
        let is_of_host = |pattern: &str| match pattern.strip_prefix('*') {
            Some(parent) => host.ends_with(parent),
            None => host == pattern,
        };
        let of_host = self.rules.iter().filter(|(pattern, _)| is_of_host(pattern));
        let nearest = of_host.max_by_key(|(pattern, _)| (*pattern == host, pattern.len()));
        nearest.map(|(_, rule)| *rule).unwrap_or_default()
    }

    /// Judges the time between the rounds of one host. IBM: a round goes through all addresses
    /// twice.
    fn judge_rounds(
        &self,
        host: &str,
        hits: &[Hit],
        rounds: &Rounds,
        violations: &mut Vec<Violation>,
    ) {
        let attempts = match self.profile.access.attempts {
            AttemptPlan::Once => 1,
            // A host of the zoo has one address.
            AttemptPlan::EveryAddress { rounds, .. } => rounds.max(1),
        };
        // Attempts of one round look like rounds to the server.
        let mut failed_in_a_row = 0;
        for two in rounds.of_host(host).windows(2) {
            let (one, next) = (&two[0], &two[1]);
            failed_in_a_row = match one.meaning {
                Meaning::Outage => failed_in_a_row + 1,
                _ => 0,
            };
            if failed_in_a_row % attempts != 0 {
                continue;
            }
            let (last, second) = (&hits[one.last], &hits[next.first]);
            if self.hands_over && last.ending == Ending::Aborted && self.was_cut(last) {
                continue;
            }
            let mut kills = self.kills.iter();
            if one.is_broken && kills.any(|at| (one.at..=second.start).contains(at)) {
                continue;
            }
            let rest = one.rest(hits, failed_in_a_row == 1, &self.profile);
            if second.start + self.slack < self.end(last) + rest {
                let waited = second.start.saturating_sub(self.end(last));
                let detail = format!("robots.txt again after {waited:?} instead of {rest:?}");
                violations.push(violation(Law::Lifetime, Some(last), second, detail));
            }
        }
    }

    /// Judges a page by the robots.txt that was known when the client asked for the page. RFC 9309
    /// §2.2.2: the rules are applied to each URL before it is fetched; §2.3.1.4: nothing may be
    /// fetched while robots.txt is unreachable.
    fn page(&self, hit: &Hit, hits: &[Hit], rounds: &Rounds) -> Option<Violation> {
        if self.rule(&hit.host).obedience == Some(Obedience::Ignore) {
            return None;
        }
        let Some(round) = rounds.in_force(&hit.host, hit.start) else {
            let detail = "before any robots.txt".to_owned();
            return Some(violation(Law::RobotsFirst, None, hit, detail));
        };
        let (law, detail) = match &round.meaning {
            Meaning::Open => return None,
            Meaning::Rules(file) => {
                if file.permits(&hit.path) {
                    return None;
                }
                (Law::Rules, file.reason(&hit.path))
            }
            Meaning::Shut => (Law::Rules, "the site wants no crawler".to_owned()),
            Meaning::Outage => (Law::Outage, "robots.txt could not be fetched".to_owned()),
        };
        Some(violation(law, Some(&hits[round.last]), hit, detail))
    }

    /// The lesson: rates are limited for a domain, for an IP address and in all. A group starts at
    /// most `group_starts` requests in a window, wherever the window begins.
    fn judge_groups(&self, hits: &[Hit], violations: &mut Vec<Violation>) {
        let settings = &self.profile.pace;
        let (most, window) = (usize::from(settings.group_starts), settings.group_window);
        let mut of_group: HashMap<&str, Vec<&Hit>> = HashMap::new();
        for hit in hits {
            if let Some(group) = self.groups.get(&hit.host) {
                of_group.entry(group).or_default().push(hit);
            }
        }
        for hits in of_group.values() {
            for hits in hits.windows(most + 1).filter(|_| most > 0) {
                let (first, last) = (hits[0], hits[most]);
                // A server may read the first request late.
                let began = first.start.saturating_sub(self.notice);
                if last.start + self.slack < began + window {
                    let within = last.start - began;
                    let detail = format!("{} starts within {within:?}, {most} may be", most + 1);
                    violations.push(violation(Law::Group, Some(first), last, detail));
                }
            }
        }
    }

    fn judge_total(&self, hits: &[Hit], violations: &mut Vec<Violation>) {
        let Some(most) = self.most_at_once else {
            return;
        };
        let mut open: Vec<&Hit> = Vec::new();
        for hit in hits {
            open.retain(|one| self.end(one) > hit.start);
            if open.len() >= most {
                let detail = format!("{} at once, {most} may be", open.len() + 1);
                violations.push(violation(Law::Total, Some(open[0]), hit, detail));
            }
            open.push(hit);
        }
    }

    /// RFC 9309 §2.2.1: the product token is part of the name that a crawler sends. The lesson: the
    /// name leads to a page about the crawler and to somebody who can be reached.
    fn identity(&self, hit: &Hit) -> Option<Violation> {
        if hit.path.is_empty() {
            return None;
        }
        let user_agent = hit.header("user-agent").unwrap_or_default();
        let is_named = user_agent.contains(&self.agent) && user_agent.contains("+http");
        let detail = format!("User-Agent {user_agent:?}, From {:?}", hit.header("from"));
        let is_violation = !is_named || hit.header("from").is_none();
        is_violation.then(|| violation(Law::Identity, None, hit, detail))
    }

    /// Whether a call was cut off after a request and before the client had surely read the answer.
    fn was_cut(&self, hit: &Hit) -> bool {
        let read_by = hit.end + self.notice;
        let is_around = |at: Duration| hit.start.saturating_sub(self.notice) <= at && at <= read_by;
        let mut cuts = self.cuts.iter();
        cuts.any(|(host, at)| *host == hit.host && is_around(*at))
    }

    /// The earliest moment at which the client can have counted the request as ended.
    fn end(&self, hit: &Hit) -> Duration {
        // A client hangs up when it has read its limit. The rest may be in the buffers of the
        // system by then.
        let is_long = hit.body.len() > self.profile.access.max_bytes;
        match hit.ending {
            Ending::Complete | Ending::Broken if !is_long => hit.end,
            Ending::Complete | Ending::Broken => hit.end.saturating_sub(self.notice),
            // The start may be noted late too, so this end may be before it.
            Ending::Aborted | Ending::Open => hit.end.saturating_sub(self.notice),
        }
    }
}

const NOTICE: Duration = Duration::from_millis(200);

fn violation(law: Law, first: Option<&Hit>, second: &Hit, detail: String) -> Violation {
    Violation {
        law,
        first: first.cloned(),
        second: second.clone(),
        detail,
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?}: {} ({})",
            self.law,
            line(&self.second),
            self.detail
        )?;
        match &self.first {
            Some(first) => write!(f, " after {}", line(first)),
            None => Ok(()),
        }
    }
}

/// A request in one line.
fn line(hit: &Hit) -> String {
    let Hit {
        host,
        path,
        start,
        end,
        status,
        ending,
        ..
    } = hit;
    format!("{host}{path} {start:?}..{end:?} {status:?} {ending:?}")
}

// Types of ours: AttemptPlan, CrawlDelayPolicy, GapAnchor, HostRule, LongDelayPolicy, Obedience,
// Profile; settings and plain data only.
