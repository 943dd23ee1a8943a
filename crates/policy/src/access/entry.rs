//! The memory of one origin's robots.txt, and what applies by it at a given time.

use core::fmt;

use polite_robots::{Access, Cause, Robot, RobotsTxt};

use crate::access::explain::{Explanation, NextFetch};
use crate::access::facts::Facts;
use crate::access::outage::Site;
use crate::access::outcome::{Outcome, Validators};
use crate::access::ruling::Ruling;
use crate::origin::Origin;
use crate::profile::Profile;
use crate::settings::access::Obedience;
use crate::time::Timestamp;

/// The memory of one origin's robots.txt: the last answer, the outage since, and when to ask again.
///
/// It holds facts. Their meaning follows from the facts, a profile and the time, so that 12 hours
/// or 30 days need no timer, and a saved entry means the same elsewhere. An origin whose entry was
/// lost starts closed: nothing may be fetched before robots.txt is.
///
/// Access opens by evidence, never by time alone. An outage has an age only if
/// [`outage_rounds`](crate::settings::AccessSettings::outage_rounds) rounds failed in it, none of
/// them more than [`outage_gap`](crate::settings::AccessSettings::outage_gap) after the one before,
/// and nothing opens while a retry is due.
///
/// ```
/// use core::time::Duration;
/// use polite_robots::Cause;
/// use polite_robots_policy::{Entry, Outcome, Profile, Timestamp};
/// use polite_robots_policy::cache::{NextFetch, Site};
///
/// let profile = Profile::google();
/// let start = Timestamp::from_millis(1_767_225_600_000);
/// let failed = Outcome::Unreachable { cause: Cause::Status(503), retry_after: None };
/// let mut entry = Entry::new();
/// assert_eq!(entry.next_fetch(&profile, start), NextFetch::Now);
///
/// entry.handle(failed.clone(), &profile, start);
/// let robot = entry.robots_txt(&profile, Site::Unknown, start).robot("ExampleBot")?;
/// assert!(!robot.allowed("https://example.com/"));
/// assert_eq!(
///     entry.explain(&profile, Site::Unknown, start).to_string(),
///     "disallowed: robots.txt answered with status 503, unreachable since 2026-01-01T00:00:00Z \
///      (1 failed round in a row), until 2026-01-01T12:00:00Z if no fetch succeeds; next fetch: 2026-01-01T00:00:02Z",
/// );
///
/// // Google: no copy after 12 hours in which each retry failed, so no restrictions.
/// let later = start.saturating_add(Duration::from_secs(12 * 3600));
/// let mut now = start;
/// while let NextFetch::At(retry) = entry.next_fetch(&profile, now) {
///     if retry > later {
///         break;
///     }
///     now = retry;
///     entry.handle(failed.clone(), &profile, now);
/// }
/// let robot = entry.robots_txt(&profile, Site::Unknown, later).robot("ExampleBot")?;
/// assert!(robot.allowed("https://example.com/"));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "stored::Stored"))]
pub struct Entry {
    /// The key of the jitter.
    key: u64,
    facts: Facts,
    /// The content of the file, if the last answer was one.
    content: Option<Content>,
}

/// The content of a file.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Content {
    /// The whole file.
    Document(RobotsTxt),
    /// The rules of one crawler.
    Compiled {
        robot: Robot,
        /// A hash of the agents and the dialect that the rules were compiled for.
        reader: u64,
    },
}

impl Entry {
    /// An entry that knows nothing yet.
    #[must_use]
    pub fn new() -> Entry {
        Entry::default()
    }

    /// Like [`Entry::new`], with the jitter of this origin; see
    /// [`AccessSettings::jitter_percent`](crate::settings::AccessSettings::jitter_percent).
    #[must_use]
    pub fn for_origin(origin: &Origin) -> Entry {
        Entry {
            key: origin.partition_key(),
            ..Entry::default()
        }
    }

    /// Takes the outcome of a round. `robots_txt` of [`Outcome::Parsed`] should have been read in
    /// the profile's dialect.
    pub fn handle(&mut self, outcome: Outcome, profile: &Profile, now: Timestamp) {
        self.facts.take(&outcome, self.key, &profile.access, now);
        if let Outcome::Parsed { robots_txt, .. } = outcome {
            self.content = Some(Content::Document(robots_txt));
        }
        if !self.facts.has_file() {
            self.content = None;
        }
    }

    /// The document that applies now: the file, or one answer for the whole site with its cause. It
    /// depends only on the entry and the arguments.
    ///
    /// If `site` is [`Site::Unknown`], the note of [`Entry::set_site`] counts. An entry from a
    /// [`Cache`](crate::Cache) that keeps no documents has rules, but no document: the answer is
    /// then "not fetched".
    #[must_use]
    pub fn robots_txt(&self, profile: &Profile, site: Site, now: Timestamp) -> RobotsTxt {
        match self.ruling(profile, site, now) {
            Ruling::Rules => match &self.content {
                Some(Content::Document(robots_txt)) => robots_txt.clone(),
                Some(Content::Compiled { .. }) | None => RobotsTxt::disallow_all(Cause::NotFetched),
            },
            Ruling::Blanket(Access::Allow, cause) => RobotsTxt::allow_all(cause),
            Ruling::Blanket(Access::Disallow, cause) | Ruling::Closed(cause) => {
                RobotsTxt::disallow_all(cause)
            }
        }
    }

    fn ruling(&self, profile: &Profile, site: Site, now: Timestamp) -> Ruling {
        match profile.access.obedience {
            Obedience::Ignore => Ruling::Blanket(Access::Allow, Cause::Configured),
            Obedience::Obey => self.facts.ruling(&profile.access, site, now),
        }
    }

    /// When to begin the next round.
    #[must_use]
    pub fn next_fetch(&self, profile: &Profile, now: Timestamp) -> NextFetch {
        match profile.access.obedience {
            Obedience::Ignore => NextFetch::Never,
            Obedience::Obey => self.facts.next_round(&profile.access, now),
        }
    }

    /// Notes whether a page of the site came. It counts for
    /// [`AccessSettings::site_ttl`](crate::settings::AccessSettings::site_ttl), and only in an
    /// outage.
    ///
    /// A page that came makes robots.txt due, as the site is back; but not within
    /// [`AccessSettings::retry_first`](crate::settings::AccessSettings::retry_first) of the last
    /// round, and never before the end of a `Retry-After`.
    pub fn set_site(&mut self, site: Site, profile: &Profile, now: Timestamp) {
        self.facts.set_site(site, &profile.access, now);
    }

    /// Failed rounds in a row (IBM's robots failure count).
    #[must_use]
    pub fn failures(&self) -> u32 {
        self.facts.failures()
    }

    /// When the last round ended, well or not (IBM's robots date).
    #[must_use]
    pub fn robots_date(&self) -> Option<Timestamp> {
        self.facts.robots_date()
    }

    /// The end of the lifetime of the last answer, whatever later rounds give.
    #[must_use]
    pub fn fresh_until(&self) -> Option<Timestamp> {
        self.facts.fresh_until()
    }

    /// The validators for a conditional request of the next round.
    #[must_use]
    pub fn validators(&self) -> &Validators {
        self.facts.validators()
    }

    /// Forgets the failures and the outage, so that a site that was given up is asked again at
    /// once. The last answer stays as it is.
    pub fn reset(&mut self) {
        self.facts.reset();
    }

    /// The reasons of [`Entry::robots_txt`]: since when, until when, and when the next fetch is.
    pub fn explain(
        &self,
        profile: &Profile,
        site: Site,
        now: Timestamp,
    ) -> impl fmt::Display + use<> {
        match profile.access.obedience {
            Obedience::Ignore => Explanation::IGNORED,
            Obedience::Obey => self.facts.explanation(&profile.access, site, now),
        }
    }

    /// The stored form of the file alone, without its times. In a format that writes fields one
    /// after the other, the stored form of the entry ends with it. All origins with the same file
    /// have the same form, so a store can keep it once.
    #[cfg(feature = "serde")]
    pub fn content(&self) -> impl serde::Serialize + '_ {
        &self.content
    }

    pub(crate) fn from_parts(key: u64, mut facts: Facts, content: Option<Content>) -> Entry {
        if content.is_none() {
            facts.lose_file();
        }
        Entry {
            key,
            facts,
            content,
        }
    }

    pub(crate) fn into_parts(self) -> (Facts, Option<Content>) {
        (self.facts, self.content)
    }
}

/// The stored form. A file without content, as in a damaged store, counts as forgotten.
#[cfg(feature = "serde")]
mod stored {
    use super::{Content, Entry, Facts};

    #[derive(serde::Deserialize)]
    pub(super) struct Stored {
        key: u64,
        facts: Facts,
        content: Option<Content>,
    }

    impl From<Stored> for Entry {
        fn from(stored: Stored) -> Entry {
            Entry::from_parts(stored.key, stored.facts, stored.content)
        }
    }
}
