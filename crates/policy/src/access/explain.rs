use core::fmt;

use polite_robots::{Cause, RobotsTxt};

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

/// What applies to an origin at some moment.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Access<'e> {
    File(&'e RobotsTxt),
    Allow(Cause),
    Disallow(Cause),
}

impl Access<'_> {
    pub(crate) fn robots_txt(self) -> RobotsTxt {
        match self {
            Access::File(robots_txt) => robots_txt.clone(),
            Access::Allow(cause) => RobotsTxt::allow_all(cause),
            Access::Disallow(cause) => RobotsTxt::disallow_all(cause),
        }
    }

    /// Whether both give every verdict alike.
    pub(crate) fn is_same(self, other: Access<'_>) -> bool {
        match (self, other) {
            // An entry holds one file at most.
            (Access::File(_), Access::File(_)) => true,
            (Access::Allow(cause), Access::Allow(other))
            | (Access::Disallow(cause), Access::Disallow(other)) => cause == other,
            _ => false,
        }
    }
}

/// The facts behind an access, as sentences. All times are the caller's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Explanation<'e> {
    pub(crate) access: Access<'e>,
    /// When the answer that applies came or was confirmed, if one does.
    pub(crate) answered: Option<Timestamp>,
    /// When the lifetime of the last answer ended, if it has.
    pub(crate) expired: Option<Timestamp>,
    /// When the outage began, if there is one.
    pub(crate) outage_since: Option<Timestamp>,
    pub(crate) failures: u32,
    /// When the access changes if nothing comes in.
    pub(crate) until: Option<Timestamp>,
    pub(crate) next: NextFetch,
}

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.access, self.answered, self.expired) {
            (Access::File(robots_txt), Some(answered), _) => {
                write!(f, "the rules of robots.txt as of {answered}")?;
                if holds_no_record(robots_txt) {
                    f.write_str(" (it holds no record of a robots.txt, so it may be none)")?;
                }
            }
            (Access::File(_), None, _) => f.write_str("the rules of robots.txt")?,
            (Access::Allow(cause), _, _) => write!(f, "allowed: {cause}")?,
            (Access::Disallow(Cause::NotFetched), _, Some(expired)) => write!(
                f,
                "disallowed: robots.txt not fetched again since its answer expired at {expired}"
            )?,
            (Access::Disallow(cause), _, _) => write!(f, "disallowed: {cause}")?,
        }
        match (self.outage_since, self.answered, self.access) {
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
            (None, Some(answered), Access::Allow(_) | Access::Disallow(_)) => {
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

/// A page of HTML, most likely, or some other file that never was a robots.txt.
fn holds_no_record(robots_txt: &RobotsTxt) -> bool {
    !robots_txt.as_bytes().trim_ascii().is_empty()
        && robots_txt.groups().next().is_none()
        && robots_txt.extensions().next().is_none()
}
