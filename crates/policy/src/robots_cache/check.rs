//! The answer about one URL, which a caller can keep and print.

use alloc::string::{String, ToString as _};
use core::fmt;

use polite_robots::{Cause, Reason, Verdict};

use crate::access::explain::NextFetch;
use crate::time::Timestamp;

/// Whether a URL may be fetched now, and why: the answer of
/// [`RobotsCache::check`](crate::RobotsCache::check). The default is no permission.
///
/// Its text is one sentence, such as `disallowed by line 2: Disallow: /private/ in the wildcard
/// group on line 1`, or `disallowed: robots.txt answered with status 503; next fetch:
/// 2026-01-01T00:01:00Z`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct RobotsCheck {
    /// Whether the URL may be fetched.
    pub allowed: bool,
    /// Whether nothing of the site may be fetched although no rule says so, as in an outage: keep
    /// the URL until [`RobotsCheck::retry_at`].
    pub closed: bool,
    /// The reason, if it is no rule of a file. `None` on a closed site means that the cache has no
    /// room for it, as too many promises of others are open.
    pub cause: Option<Cause>,
    /// When to ask again about a site that is closed; `None` if it was given up for good.
    pub retry_at: Option<Timestamp>,
    /// The line of the rule that decided, from 1.
    pub line: Option<u32>,
    /// The sentence of a verdict.
    sentence: String,
}

impl RobotsCheck {
    pub(super) fn of(verdict: &Verdict<'_>) -> RobotsCheck {
        RobotsCheck {
            allowed: verdict.is_allowed(),
            cause: match verdict.reason() {
                Reason::Blanket(cause) => Some(cause),
                _ => None,
            },
            line: verdict.rule().map(|rule| rule.line()),
            sentence: verdict.to_string(),
            ..RobotsCheck::default()
        }
    }

    pub(super) fn closed(cause: Option<Cause>, retry: NextFetch, now: Timestamp) -> RobotsCheck {
        RobotsCheck {
            closed: true,
            cause,
            retry_at: match retry {
                NextFetch::Now => Some(now),
                NextFetch::At(time) => Some(time),
                NextFetch::Never => None,
            },
            ..RobotsCheck::default()
        }
    }
}

impl fmt::Display for RobotsCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.closed, self.cause) {
            (false, _) => return f.write_str(&self.sentence),
            (true, Some(cause)) => write!(f, "disallowed: {cause}")?,
            (true, None) => f.write_str("disallowed: no room for another robots.txt")?,
        }
        let next = self.retry_at.map_or(NextFetch::Never, NextFetch::At);
        write!(f, "; next fetch: {next}")
    }
}
