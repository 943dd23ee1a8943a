//! The choices that access is made of: what an answer, a failure and an age mean.

use core::time::Duration;

/// What a kind of answer to the request for robots.txt means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Meaning {
    /// There is no robots.txt: everything may be fetched ("unavailable", RFC 9309 §2.3.1.3).
    Allow,
    /// The site wants no crawler: nothing may be fetched, until a later fetch says otherwise.
    Disallow,
    /// No answer to the question: an outage begins or goes on ("unreachable", RFC 9309 §2.3.1.4).
    Outage,
}

/// What to do with a robots.txt that is longer than [`Profile::max_bytes`](crate::Profile::max_bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OverLimit {
    /// Its first whole lines count.
    ReadStart,
    /// It counts as not read: an outage.
    Outage,
}

/// What to do with a robots.txt that has odd lines: any [`Diagnostic`](polite_robots::Diagnostic) above a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ParseErrors {
    /// What can be read counts (RFC 9309 §2.3.1.5).
    KeepRules,
    /// The site counts as one without rules.
    AllowAll,
}

/// Whether to ask for a robots.txt only if it has changed (RFC 9110 §13.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Conditional {
    /// `If-None-Match` and `If-Modified-Since`, when the last answer had something to compare with.
    Send,
    /// Always ask for the whole file; a 304 is then no answer.
    Omit,
}

/// How often one round asks for a robots.txt.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::{Attempts, Profile};
///
/// // Every address once, and no second round.
/// let attempts = Attempts::EveryAddress { rounds: 1, pause: Duration::ZERO };
/// let profile = Profile::rfc9309().with_attempts(attempts);
/// # let _ = profile;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Attempts {
    /// Once; the client resolves the host as it likes.
    Once,
    /// Every address of the host, until one answers with a status below 500. All again, `rounds` times in all.
    EveryAddress {
        /// How often to go through the addresses; 0 counts as 1.
        rounds: u8,
        /// To wait between two rounds.
        pause: Duration,
    },
}

/// Whether redirects of robots.txt are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Redirects {
    /// Up to [`Profile::max_redirects`](crate::Profile::max_redirects).
    Follow,
    /// A redirect is no answer: an outage.
    Outage,
}

/// Whether the server has a say in how long its robots.txt is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum HttpFreshness {
    /// `Cache-Control`, `Expires` and `Age` count, within the profile's bounds.
    Obey,
    /// Always [`Profile::default_ttl`](crate::Profile::default_ttl).
    Ignore,
}

/// Whether the last good copy counts in the middle of an outage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum StaleCopy {
    /// Its rules apply.
    Use,
    /// Nothing may be fetched.
    Disallow,
}

/// Access in the middle of an outage if there is no copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NoCopy {
    /// Everything may be fetched.
    Allow,
    /// Nothing may be fetched.
    Disallow,
}

/// Access after a long outage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LongOutage {
    /// The rules of the last good copy; without one everything may be fetched.
    CopyOrAllow,
    /// If the rest of the site answers everything may be fetched, else nothing.
    AllowIfSiteAvailable,
    /// Nothing may be fetched, for as long as it lasts.
    Disallow,
}

/// Whether robots.txt counts at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Obedience {
    /// It does.
    Obey,
    /// It is not fetched and everything may be; the pace is kept. For sites whose owner has agreed.
    Ignore,
}
