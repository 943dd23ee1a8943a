//! The requests for one robots.txt: which belong to one round, and whether each was due.

use polite_robots_policy::settings::{AccessPolicy, AccessSettings, AttemptPlan, RedirectPolicy};

use super::super::evidence::{Permission, Round, RoundResult, lifetime};
use super::super::world::{Authority, HOUR, Path, Robots, World, millis};
use super::{Exchange, Memory, Reply, Terms, Violations};

/// A request for a robots.txt, with the hop that it led to.
pub(super) struct Attempt {
    start: u64,
    status: Reply,
    /// The round that the request ended, or none if the crawler gave the round up.
    pub(super) round: Option<Round>,
}

impl Terms {
    /// The requests for one robots.txt, each with the round that it ended.
    pub(super) fn attempts(
        &self,
        world: &World,
        site: usize,
        number: u8,
        log: &[Vec<Exchange>],
    ) -> Vec<Attempt> {
        let authority = world.authority(site, number);
        let hops = match &authority.robots {
            Robots::Moved { to, .. } => log[*to].as_slice(),
            _ => &[],
        };
        let path = Path::RobotsOf {
            site: site as u32,
            authority: number,
        };
        let mut hops = hops.iter().filter(|hop| hop.path == path).peekable();
        let own = log[site].iter();
        let own: Vec<&Exchange> = own
            .filter(|exchange| exchange.path == Path::Robots && exchange.authority == number)
            .collect();
        let mut attempts = Vec::new();
        for (place, exchange) in own.iter().enumerate() {
            let next = own.get(place + 1).map_or(u64::MAX, |next| next.start);
            let mut last = *exchange;
            let is_moved = exchange.reply == Reply::Status(302)
                && self.profile.access.redirects == RedirectPolicy::Follow;
            let mut is_over = !is_moved;
            // The hop of this round comes before the next round.
            while let Some(hop) = hops.next_if(|hop| hop.start < next) {
                if is_moved && hop.start >= exchange.end {
                    last = hop;
                    is_over = true;
                }
            }
            let result = self.meaning(authority, last.reply).filter(|_| is_over);
            attempts.push(Attempt {
                start: exchange.start,
                status: last.reply,
                round: result.map(|result| Round {
                    at: last.end,
                    result,
                }),
            });
        }
        attempts
    }

    /// The meaning of the last reply of a round, or none if the crawler gave the round up. RFC 9309
    /// §2.3.1.1: the rules of a file that came count; §2.3.1.3: 4xx is "unavailable"; §2.3.1.4: 5xx
    /// and no response are "unreachable". IBM: 404 and 410 mean that there are no rules, and any
    /// other status but 2xx disqualifies. "Crawl politeness": 429 belongs to the family of 5xx.
    fn meaning(&self, authority: &Authority, reply: Reply) -> Option<RoundResult> {
        let access = &self.profile.access;
        let by_policy = |policy| match policy {
            AccessPolicy::Allow => RoundResult::Answered(Permission::Open, None),
            AccessPolicy::Disallow => RoundResult::Answered(Permission::Closed, None),
            AccessPolicy::Outage => RoundResult::Failed,
        };
        let max_age = match &authority.robots {
            Robots::File { max_age, .. } => *max_age,
            _ => None,
        };
        Some(match reply {
            Reply::Dropped => return None,
            Reply::NoResponse => RoundResult::Failed,
            Reply::Status(200) => RoundResult::Answered(Permission::File, max_age),
            Reply::Status(404 | 410) => by_policy(AccessPolicy::Allow),
            Reply::Status(403) => by_policy(access.forbidden),
            Reply::Status(429) => by_policy(access.too_many_requests),
            Reply::Status(_) => RoundResult::Failed,
        })
    }

    /// Judges whether robots.txt was asked for only when it was due. RFC 9309 §2.4: a copy counts
    /// for up to 24 hours, and HTTP may say less. Our own rule: an outage has one early retry,
    /// which never follows a 429. IBM: the file is checked again when its interval or the retry
    /// interval has elapsed. A round goes through all addresses twice, and goes on to the next
    /// address after a status of 500 or higher.
    pub(super) fn judge_robots(
        &self,
        name: &str,
        attempts: &[Attempt],
        given_up: &[u64],
        found: &mut Violations,
    ) {
        let mut not_before = 0;
        let requests = requests_of_a_round(&self.profile.access);
        // Failed requests of the round that is not over.
        let mut failures = 0;
        let mut earlier = 0;
        // Whether the last round that ended had no answer.
        let mut is_outage = false;
        for attempt in attempts {
            // A date that lies an hour ahead is not believed, so a large step back makes everything
            // due.
            let is_reset = self
                .steps_back
                .iter()
                .any(|(at, step)| *step > HOUR && (earlier..=attempt.start).contains(at));
            let is_since = |at: &u64| (earlier..=attempt.start).contains(at);
            if given_up.iter().any(is_since) {
                (not_before, failures) = (0, 0);
            }
            earlier = attempt.start;
            if attempt.start < not_before && !is_reset {
                found.robots_too_soon += 1;
                found.tell(format!(
                    "{name}: robots.txt at {}, not before {not_before}",
                    attempt.start
                ));
            }
            let Some(round) = attempt.round else {
                // The crawler gave the round up, so it is due again at once, from the first address
                // on.
                (not_before, failures) = (0, 0);
                continue;
            };
            // A round goes on to the next address after an error of the server or the network.
            let is_last = match attempt.status {
                Reply::Status(status) if status < 500 => true,
                _ => failures + 1 == requests,
            };
            failures = if is_last { 0 } else { failures + 1 };
            if !is_last {
                not_before = 0;
                continue;
            }
            let pause = self.pause(round.result, attempt.status);
            let is_failure = matches!(round.result, RoundResult::Failed);
            let is_early = is_failure && !is_outage && attempt.status != Reply::Status(429);
            not_before = round.at
                + match millis(self.profile.access.retry_early) {
                    early @ 1.. if is_early => early,
                    _ => pause,
                };
            is_outage = is_failure;
        }
    }

    /// The least time from the end of a round to the next one.
    fn pause(&self, result: RoundResult, reply: Reply) -> u64 {
        let access = &self.profile.access;
        match result {
            RoundResult::Answered(_, given) => {
                let due = lifetime(access, given) * u64::from(access.refresh_percent) / 100;
                match self.memory {
                    Memory::Unbounded => due,
                    Memory::Bounded => due.min(millis(access.min_ttl)),
                }
            }
            RoundResult::Failed if reply == Reply::Status(503) => millis(access.retry_first_503),
            RoundResult::Failed => millis(access.retry_first),
        }
    }
}

fn requests_of_a_round(access: &AccessSettings) -> u32 {
    match access.attempts {
        AttemptPlan::Once => 1,
        // The sites have one address each.
        AttemptPlan::EveryAddress { rounds, .. } => u32::from(rounds.max(1)),
    }
}

// Types of ours: AccessPolicy, AccessSettings, AttemptPlan, RedirectPolicy; settings and plain data
// only.
