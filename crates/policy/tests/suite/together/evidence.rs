//! The access that a history of rounds for robots.txt permits, worked out from the whole history
//! each time.

use polite_robots_policy::settings::{
    AccessSettings, FreshnessPolicy, LongOutagePolicy, NoCopyPolicy, StaleCopyPolicy,
};

use super::world::millis;

/// One round for a robots.txt that came to its end. Times in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Round {
    pub(crate) at: u64,
    pub(crate) result: RoundResult,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RoundResult {
    /// A content, and the lifetime that the server gave it.
    Answered(Permission, Option<u64>),
    Failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    /// The rules of the last file decide.
    File,
    Open,
    Closed,
}

/// The permission at `now`. RFC 9309 §2.4: an answer counts for its lifetime. §2.3.1.4: an
/// unreachable robots.txt means complete disallow. After a reasonably long time, for example 30
/// days, the site may count as one without robots.txt, or a copy may still count. Google: 12 hours
/// of disallow, then the copy. IBM: after a maximum of failures the site is disqualified. `slack`
/// is the time that a clock which was set back hides from the crawler.
pub(crate) fn permission(
    settings: &AccessSettings,
    rounds: &[Round],
    slack: u64,
    now: u64,
) -> Permission {
    let mut failures = Vec::new();
    let mut answer = None;
    for round in rounds {
        match round.result {
            RoundResult::Answered(content, lifetime) => {
                failures.clear();
                answer = Some((content, round.at, lifetime));
            }
            RoundResult::Failed => failures.push(round.at),
        }
    }
    if let Some((content, at, given)) = answer {
        let own = lifetime(settings, given);
        // An answer that no page has used yet counts longer, unless a later round failed.
        let longest = if failures.is_empty() {
            own.max(millis(settings.default_ttl))
        } else {
            own
        };
        if now < at + longest + slack {
            return content;
        }
    }
    if settings
        .max_failures
        .is_some_and(|most| failures.len() >= most as usize)
    {
        return Permission::Closed;
    }
    // The last stretch of failures without a long pause is the evidence.
    let mut stretch: &[u64] = &failures;
    for number in (1..failures.len()).rev() {
        if failures[number] - failures[number - 1] > millis(settings.outage_gap) {
            stretch = &failures[number..];
            break;
        }
    }
    let (Some(first), Some(last)) = (stretch.first(), stretch.last()) else {
        return Permission::Closed;
    };
    let longest_wait =
        millis(settings.retry_late.max(settings.retry_max)).max(millis(settings.max_retry_after));
    if stretch.len() < settings.outage_rounds as usize || now > last + longest_wait + slack {
        return Permission::Closed;
    }
    let age = (now + slack).saturating_sub(*first);
    let copy = answer
        .map(|(content, ..)| content)
        .filter(|content| *content != Permission::Open);
    if age < millis(settings.outage_stop) {
        Permission::Closed
    } else if age < millis(settings.long_outage) {
        match (copy, settings.stale_copy, settings.no_copy) {
            (Some(copy), StaleCopyPolicy::Use, _) => copy,
            (None, _, NoCopyPolicy::Allow) => Permission::Open,
            _ => Permission::Closed,
        }
    } else {
        match settings.after_long_outage {
            LongOutagePolicy::CopyOrAllow => copy.unwrap_or(Permission::Open),
            LongOutagePolicy::AllowIfSiteAvailable => Permission::Open,
            LongOutagePolicy::Disallow => Permission::Closed,
        }
    }
}

/// The time for which an answer is kept. RFC 9309 §2.4: HTTP caching may say how long. IBM: an
/// interval of its own.
pub(crate) fn lifetime(settings: &AccessSettings, given: Option<u64>) -> u64 {
    match (settings.http_freshness, given) {
        (FreshnessPolicy::Obey, Some(given)) => {
            given.clamp(millis(settings.min_ttl), millis(settings.max_ttl))
        }
        _ => millis(settings.default_ttl),
    }
}

// Types of ours: AccessSettings, FreshnessPolicy, LongOutagePolicy, NoCopyPolicy, StaleCopyPolicy;
// settings and plain data only.
