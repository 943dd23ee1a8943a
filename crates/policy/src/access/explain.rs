//! The next fetch, and the reasons of the rules in force as a sentence.

use core::fmt;

use polite_robots::{Access, Cause};

use crate::time::Timestamp;

/// When robots.txt of an origin should be fetched next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NextFetch {
    /// It is due.
    Now,
    /// Not before this time.
    At(Timestamp),
    /// Not at all: the profile ignores robots.txt, or it failed too often.
    Never,
}

impl fmt::Display for NextFetch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NextFetch::Now => f.write_str("now"),
            NextFetch::At(time) => write!(f, "{time}"),
            NextFetch::Never => f.write_str("never"),
        }
    }
}

/// The facts from which the rules in force follow, as sentences. All times are the caller's.
#[derive(Debug, Clone)]
pub(crate) struct Explanation {
    /// One access for the whole site; `None` if the rules of a file apply.
    pub(crate) in_force: Option<(Access, Cause)>,
    /// Whether the file holds a record of a robots.txt.
    pub(crate) has_records: bool,
    /// When the answer that applies came or was confirmed, if one does.
    pub(crate) answered: Option<Timestamp>,
    /// When the lifetime of the last answer ended, if it has.
    pub(crate) expired: Option<Timestamp>,
    /// When the outage began, if there is one.
    pub(crate) outage_since: Option<Timestamp>,
    pub(crate) failures: u32,
    /// When the access changes if no fetch succeeds.
    pub(crate) until: Option<Timestamp>,
    pub(crate) next: NextFetch,
}

impl Explanation {
    /// The explanation where robots.txt does not count.
    pub(crate) const IGNORED: Explanation = Explanation {
        in_force: Some((Access::Allow, Cause::Configured)),
        has_records: true,
        answered: None,
        expired: None,
        outage_since: None,
        failures: 0,
        until: None,
        next: NextFetch::Never,
    };
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.in_force, self.answered, self.expired) {
            (None, Some(answered), _) => {
                write!(f, "the rules of robots.txt as of {answered}")?;
                if !self.has_records {
                    f.write_str(" (it holds no record of a robots.txt, so it may be none)")?;
                }
            }
            (None, None, _) => f.write_str("the rules of robots.txt")?,
            (Some((Access::Allow, cause)), _, _) => write!(f, "allowed: {cause}")?,
            (Some((Access::Disallow, Cause::NotFetched)), _, Some(expired)) => write!(
                f,
                "disallowed: robots.txt not fetched again since its answer expired at {expired}"
            )?,
            (Some((Access::Disallow, cause)), _, _) => write!(f, "disallowed: {cause}")?,
        }
        match (self.outage_since, self.answered, self.in_force) {
            (Some(since), _, _) => {
                let rounds = if self.failures == 1 {
                    "round"
                } else {
                    "rounds"
                };
                write!(
                    f,
                    ", unreachable since {since} ({} failed {rounds} in a row)",
                    self.failures
                )?;
            }
            (None, Some(answered), Some(_)) => {
                write!(f, ", since {answered}")?;
            }
            (None, _, _) => {}
        }
        if let Some(until) = self.until {
            write!(f, ", until {until} if no fetch succeeds")?;
        }
        write!(f, "; next fetch: {}", self.next)
    }
}
