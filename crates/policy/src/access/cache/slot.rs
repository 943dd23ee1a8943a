//! One origin in the cache, and whether it may be forgotten.

use alloc::boxed::Box;
use core::time::Duration;

use crate::access::cache::ticket::Lease;
use crate::access::explain::NextFetch;
use crate::access::facts::Facts;
use crate::access::outage::Site;
use crate::access::ruling::Ruling;
use crate::origin::Origin;
use crate::settings::access::AccessSettings;
use crate::time::{Clock, Timestamp};

/// One origin: its facts, and how the crawler uses it.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) origin: Origin,
    pub(super) facts: Facts,
    /// The number of its file among the shared ones.
    pub(super) file: Option<u32>,
    /// The ticket that is out, or the round that pauses. Boxed, as few are at a time.
    pub(super) lease: Option<Box<Lease>>,
    pub(super) grace: Grace,
    pub(super) queue: Queue,
    /// When it was last polled, in the cache's time.
    pub(super) asked: Timestamp,
    /// The time by which the slot is queued among those that come due, in the cache's time;
    /// [`Timestamp::MAX`] if it is not queued.
    pub(super) due: Timestamp,
    /// The bytes that it counts for.
    pub(super) weight: u32,
    /// The seconds between two turns of its host, as its file asks for.
    pub(super) gap: u32,
    /// The bytes of its place among the answers that wait for a page; 0 without one.
    pub(super) kept: u32,
}

/// How long an answer counts beyond its lifetime.
///
/// The gap of a host may be longer than the lifetime, as with `Crawl-delay: 600` and `max-age=0`.
/// Without a grace, robots.txt would be due again in each turn of the host, and no page would ever
/// be fetched.
#[derive(Debug, Clone, Copy)]
pub(super) enum Grace {
    /// The lifetime alone counts.
    Over,
    /// The answer counts until it is asked for by the page for which it was fetched.
    UntilAsked,
    /// The page has asked. The next ones in its queue may too: it may have been disallowed.
    Until(Timestamp),
}

/// The state of an origin's queue of pages, as the crawler reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Queue {
    Unknown,
    /// Pages are queued.
    Held,
    /// None is left.
    Released,
}

impl Slot {
    pub(super) fn new(origin: Origin, asked: Timestamp) -> Slot {
        Slot {
            origin,
            facts: Facts::default(),
            file: None,
            lease: None,
            grace: Grace::Over,
            queue: Queue::Unknown,
            asked,
            due: Timestamp::MAX,
            weight: 0,
            gap: 0,
            kept: 0,
        }
    }

    fn gap(&self) -> Duration {
        Duration::from_secs(u64::from(self.gap))
    }

    /// When to begin the next round or to go on with one that pauses, if robots.txt counts at all.
    pub(super) fn next_round(&self, settings: &AccessSettings, now: Timestamp) -> NextFetch {
        match self.paused_until(now) {
            Some(until) => NextFetch::At(until),
            None => self.facts.next_round_in_turns(settings, self.gap(), now),
        }
    }

    /// The end of the pause of a round, unless it is over.
    pub(super) fn paused_until(&self, now: Timestamp) -> Option<Timestamp> {
        self.lease.as_ref()?.paused_until(now)
    }

    /// Whether a fetch of the robots.txt is under way.
    pub(super) fn is_fetching(&self) -> bool {
        self.lease.as_ref().is_some_and(|lease| lease.is_out())
    }

    /// The slot without its lease. A round that pauses counts as one that failed.
    pub(super) fn fail_paused(&mut self, settings: &AccessSettings, now: Timestamp) {
        let paused = self.lease.take().and_then(|lease| lease.into_paused());
        if let Some(fetch) = paused {
            let key = self.origin.partition_key();
            self.facts.take(&fetch.into_outcome(), key, settings, now);
        }
    }

    /// Whether the gap after the request for robots.txt itself is over. A page that asks before
    /// learns the delay, and has to wait for a later turn.
    pub(super) fn may_be_in_turn(&self, now: Timestamp) -> bool {
        let answered = self.facts.robots_date();
        answered.is_none_or(|date| now >= date.saturating_add(self.gap()) || date > now)
    }

    /// Whether the page for which the answer was fetched has not asked for it yet.
    pub(super) fn is_unused(&self) -> bool {
        matches!(self.grace, Grace::UntilAsked)
    }

    /// Notes that the page for which the answer was fetched has asked for it, or never will.
    pub(super) fn use_up(&mut self, settings: &AccessSettings, now: Timestamp) {
        if matches!(self.grace, Grace::UntilAsked) {
            self.grace = Grace::Until(now.saturating_add(settings.min_ttl));
        }
    }

    /// Whether the answer counts, even after its lifetime.
    pub(super) fn is_in_grace(&self, settings: &AccessSettings, now: Timestamp) -> bool {
        self.grace_until(settings, now)
            .is_some_and(|until| now < until)
    }

    pub(super) fn grace_until(
        &self,
        settings: &AccessSettings,
        now: Timestamp,
    ) -> Option<Timestamp> {
        let most = self.facts.held_until(settings, self.gap(), now)?;
        match self.grace {
            Grace::Over => None,
            Grace::UntilAsked => Some(most),
            Grace::Until(until) => Some(until.min(most)),
        }
    }

    /// Whether a round failed, a page may be fetched all the same, and none has asked since.
    /// Without this rule a host whose retries are due in each of its turns, as with a long
    /// `Retry-After` or gap, would have no turn for its pages.
    pub(super) fn lets_page_through(&self, settings: &AccessSettings, now: Timestamp) -> bool {
        matches!(self.grace, Grace::UntilAsked)
            && self.facts.failures() > 0
            && !matches!(
                self.facts.ruling(settings, Site::Unknown, now),
                Ruling::Closed(_)
            )
    }

    /// Whether the origin may be forgotten, and before which others; `None` if it may not.
    ///
    /// An answer with a [kept place](super::kept_places) stays until its page asks for it. An
    /// origin whose pages wait stays for as long as its size permits: [`AccessSettings::min_ttl`]
    /// for [`FAIR_BYTES`], half of it for twice as many, an hour at most. So no site holds memory
    /// for longer, and its pages may ask for robots.txt again afterwards. An origin whose
    /// robots.txt is being fetched stays too: there are only as many of these as the crawler has
    /// requests under way.
    pub(super) fn eviction(
        &self,
        settings: &AccessSettings,
        file_bytes: usize,
        clock: Clock,
        now: Timestamp,
    ) -> Option<Eviction> {
        let inside = clock.now();
        let is_over = |moment: Timestamp, time: Duration| {
            moment > inside || inside >= moment.saturating_add(time)
        };
        let date = self.facts.robots_date().map(|date| clock.inside(date));
        // A lease that is over counts too, or a second round would run beside the one that waits.
        let is_fetching = self.is_fetching();
        let is_queued = match self.queue {
            Queue::Held => true,
            Queue::Released => false,
            // A round may have taken longer than `min_ttl`.
            Queue::Unknown => !is_over(self.asked.max(date.unwrap_or_default()), settings.min_ttl),
        };
        let bytes = file_bytes.saturating_add(self.weight as usize).max(1);
        let share = FAIR_BYTES as f64 / bytes as f64;
        let time = settings.min_ttl.mul_f64(share.min(LONGEST_SHARE));
        let has_time = !is_over(date.unwrap_or(self.asked), time);
        let is_awaited = self.is_unused() && self.is_in_grace(settings, now);
        let is_kept = is_awaited && self.kept > 0;
        if is_fetching || is_kept || is_queued && has_time {
            return None;
        }
        let oldest_first = u64::MAX - self.asked.as_millis();
        Some(match (is_queued, is_awaited) {
            (false, false) => Eviction(3, oldest_first),
            // The newest goes first: the others keep their places until they are done.
            (false, true) => Eviction(2, date.map_or(0, Timestamp::as_millis)),
            (true, false) => Eviction(1, oldest_first),
            (true, true) => Eviction(0, date.map_or(0, Timestamp::as_millis)),
        })
    }
}

/// The order in which origins are forgotten, the greatest first: those whose pages are done, those
/// whose next turn is far away, and last those with pages that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Eviction(u8, u64);

impl Eviction {
    /// Whether only an older origin of the same kind would be forgotten sooner.
    pub(super) fn is_first(self) -> bool {
        self.0 == 3
    }
}

/// The bytes that an origin with pages may hold for [`AccessSettings::min_ttl`] while others wait:
/// a robots.txt of about 5 kB.
const FAIR_BYTES: usize = 16 << 10;

/// The longest time that an origin with pages stays, as a multiple of [`AccessSettings::min_ttl`].
const LONGEST_SHARE: f64 = 12.0;
