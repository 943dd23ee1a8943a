//! The robots.txt of many origins: compiled once, fetched one at a time, bounded in memory.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::{Arc, Weak};
use alloc::vec::Vec;

use polite_robots::{Access, Cause, InvalidToken, Robot, RobotsTxt};

use crate::access::entry::{Entry, Site};
use crate::access::explain::NextFetch;
use crate::access::outcome::{Outcome, Validators};
use crate::origin::Origin;
use crate::profile::Profile;
use crate::settings::access::AccessSettings;
use crate::time::{Clock, Timestamp};

/// The robots.txt of many origins, as one crawler sees them: compiled once, fetched when due, by one fetch at a time.
///
/// Bounded in memory: when it is full, the origin that was asked for longest ago is forgotten and starts closed the
/// next time. An origin with a fetch on its way is kept.
///
/// ```
/// use polite_robots_policy::{Cache, Lookup, Origin, Outcome, Profile, Timestamp};
/// use polite_robots::Cause;
///
/// let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 64 << 20)?;
/// let origin = Origin::of("https://example.com/page")?;
/// let now = Timestamp::from_millis(1_767_225_600_000);
///
/// let Lookup::Fetch(ticket) = cache.poll(&origin, now) else { panic!() };
/// assert!(matches!(cache.poll(&origin, now), Lookup::Pending));
/// // Run a Fetch for ticket.origin() with ticket.validators(); say that it gave a 404.
/// cache.handle(ticket, Outcome::Unavailable(Cause::Status(404)), now);
///
/// let Lookup::Ready(robot) = cache.poll(&origin, now) else { panic!() };
/// assert!(robot.allowed("https://example.com/page"));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Cache {
    settings: AccessSettings,
    agents: Vec<Box<str>>,
    capacity: usize,
    weight: usize,
    clock: Clock,
    slots: BTreeMap<Origin, Slot>,
    /// Origins that can be forgotten, by the last time that they were asked for.
    used: BTreeMap<u64, Origin>,
    /// Those with a fetch on its way, likewise; apart, or a full cache would go through all of them each time.
    fetching: BTreeMap<u64, Origin>,
    /// Where among them the search for abandoned ones goes on.
    search_from: u64,
    uses: u64,
    /// Origins without a fetch on its way, by the time of their next, in the cache's time.
    due: BTreeSet<(Timestamp, Origin)>,
}

#[derive(Debug, Default)]
struct Slot {
    entry: Entry,
    site: Site,
    /// Compiled from the entry's file.
    robot: Option<Robot>,
    /// Broken when the ticket is gone.
    fetching: Option<Weak<()>>,
    grace: Grace,
    used: u64,
    due: Option<Timestamp>,
    weight: usize,
}

/// How long an answer counts beyond its lifetime.
///
/// The gap of a host may be longer than that, as with `Crawl-delay: 600` and `max-age=0`. In each of its turns
/// robots.txt would be due again, and no page would ever be fetched.
#[derive(Debug, Clone, Copy, Default)]
enum Grace {
    #[default]
    Over,
    /// Until the page asks that it was fetched for.
    UntilAsked,
    /// It has asked. Those behind it in the queue may too: it may have been disallowed.
    Until(Timestamp),
}

/// What the cache has for an origin.
#[derive(Debug)]
#[non_exhaustive]
pub enum Lookup {
    /// The rules in force, or a blanket value with its cause.
    Ready(Robot),
    /// robots.txt is due: run a [`Fetch`](crate::Fetch) and give its outcome to [`Cache::handle`]. Until then
    /// the next [`Cache::poll`] says what is in force.
    Fetch(Ticket),
    /// The first fetch is on its way, and nothing is known before.
    Pending,
    /// Nothing may be fetched now, and no rule says so: keep the URL for [`Closed::retry`].
    Closed(Closed),
    /// The origin is new, the cache is full, and nothing in it may be forgotten: come back when another host is
    /// finished.
    Full,
}

/// An origin that is closed although no rule says so: an outage, or robots.txt could not be fetched yet.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Closed {
    /// Disallows everything, with the cause.
    pub robot: Robot,
    /// The reason.
    pub cause: Cause,
    /// The beginning of the outage, or the last try.
    pub since: Timestamp,
    /// When robots.txt is due again; no page before.
    pub retry: NextFetch,
}

/// The right to fetch the robots.txt of one origin, once. One that is dropped, because a task panicked or was
/// cancelled, counts as a failed round.
#[derive(Debug)]
pub struct Ticket {
    origin: Origin,
    validators: Validators,
    fetching: Arc<()>,
}

impl Ticket {
    /// Whose robots.txt to fetch.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What makes the request conditional, for [`Fetch::new`](crate::Fetch::new).
    #[must_use]
    pub fn validators(&self) -> &Validators {
        &self.validators
    }
}

impl Cache {
    /// Empty. The rules are those of the first of `agents` that a file names, or else of `*`, as
    /// [`RobotsTxt::robot_first`] has it. `capacity` is in bytes of memory: an origin counts for 1.25 KiB, for its
    /// name and its validators, and for four times its file, which is what files with rules for the agent take, hostile
    /// ones apart. The last one asked for is kept whatever its size.
    ///
    /// # Errors
    ///
    /// [`InvalidToken`] for the first of `agents` that is no product token.
    pub fn new(profile: Profile, agents: &[&str], capacity: usize) -> Result<Cache, InvalidToken> {
        RobotsTxt::parse(b"").robot_first(agents)?;
        Ok(Cache {
            settings: profile.access,
            agents: agents.iter().map(|agent| Box::from(*agent)).collect(),
            capacity,
            weight: 0,
            clock: Clock::default(),
            slots: BTreeMap::new(),
            used: BTreeMap::new(),
            fetching: BTreeMap::new(),
            search_from: 0,
            uses: 0,
            due: BTreeSet::new(),
        })
    }

    /// The settings of all origins: [`Profile::access`].
    #[must_use]
    pub fn settings(&self) -> &AccessSettings {
        &self.settings
    }

    /// What is in force for the origin, or that a fetch is due.
    ///
    /// A fetch is due some time before the copy expires; the copy counts while it is on its way.
    ///
    /// What a fetch gave counts until it is asked for, and [`AccessSettings::min_ttl`](crate::AccessSettings::min_ttl) longer, so that a host whose gap is
    /// longer than the lifetime of its robots.txt gets its pages too; but not for more than [`AccessSettings::default_ttl`](crate::AccessSettings::default_ttl)
    /// and [`AccessSettings::max_ttl`](crate::AccessSettings::max_ttl) in all. A gap that is longer than these leaves no turn for a page. After a fetch that failed
    /// the next one lets a page go first, if pages may be fetched all the same.
    pub fn poll(&mut self, origin: &Origin, now: Timestamp) -> Lookup {
        self.clock.advance(now);
        let mut slot = self.take_out(origin);
        if slot.is_abandoned() {
            slot.fetching = None;
            let outcome = Outcome::Unreachable {
                cause: Cause::Unreachable,
                retry_after: None,
            };
            slot.entry.take(outcome, &self.settings, now);
        }
        let is_held = slot.is_held(&self.settings, now);
        let lookup = if slot.fetching.is_none()
            && !is_held
            && !slot.has_page_to_let_through(&self.settings, now)
            && slot.entry.next_round(&self.settings, now) == NextFetch::Now
        {
            let fetching = Arc::new(());
            slot.fetching = Some(Arc::downgrade(&fetching));
            slot.grace = Grace::Over;
            Lookup::Fetch(Ticket {
                origin: origin.clone(),
                validators: slot.entry.validators().clone(),
                fetching,
            })
        } else {
            if matches!(slot.grace, Grace::UntilAsked) {
                slot.grace = Grace::Until(now.saturating_add(self.settings.min_ttl));
            }
            let held = slot.entry.last_answer().filter(|_| is_held).cloned();
            let robots_txt =
                held.unwrap_or_else(|| slot.entry.in_force(&self.settings, slot.site, now));
            match robots_txt.blanket() {
                Some((Access::Disallow, Cause::NotFetched)) if slot.fetching.is_some() => {
                    Lookup::Pending
                }
                Some(_) => Lookup::Ready(self.compile(&robots_txt)),
                None => {
                    let compiled = slot.robot.take();
                    let robot = compiled.unwrap_or_else(|| self.compile(&robots_txt));
                    slot.robot = Some(robot.clone());
                    Lookup::Ready(robot)
                }
            }
        };
        self.put_back(origin, slot, now);
        self.shrink();
        lookup
    }

    fn compile(&self, robots_txt: &RobotsTxt) -> Robot {
        let agents: Vec<&str> = self.agents.iter().map(|agent| &**agent).collect();
        // The agents were tried when the cache was made.
        robots_txt
            .robot_first(&agents)
            .unwrap_or_else(|_| Robot::disallow_all(Cause::Configured))
    }

    /// Takes what the fetch of a ticket gave. A ticket of another cache, or whose origin was forgotten, has no effect.
    pub fn handle(&mut self, ticket: Ticket, outcome: Outcome, now: Timestamp) {
        self.clock.advance(now);
        let is_its = |slot: &Slot| {
            let fetching = slot.fetching.as_ref();
            fetching.is_some_and(|fetching| fetching.as_ptr() == Arc::as_ptr(&ticket.fetching))
        };
        if !self.slots.get(&ticket.origin).is_some_and(is_its) {
            return;
        }
        let mut slot = self.take_out(&ticket.origin);
        slot.fetching = None;
        if !matches!(
            outcome,
            Outcome::NotModified(_) | Outcome::Unreachable { .. }
        ) {
            slot.robot = None;
        }
        slot.entry.take(outcome, &self.settings, now);
        slot.grace = Grace::UntilAsked;
        self.put_back(&ticket.origin, slot, now);
        self.shrink();
    }

    /// Whether the rest of the site answers; unknown until it is said. Only profiles with
    /// [`LongOutagePolicy::AllowIfSiteAvailable`](crate::LongOutagePolicy::AllowIfSiteAvailable) ask, and only of origins
    /// that are known.
    pub fn set_site(&mut self, origin: &Origin, site: Site) {
        if let Some(slot) = self.slots.get_mut(origin) {
            slot.site = site;
        }
    }

    /// What is remembered of an origin: to explain it, or to save it.
    #[must_use]
    pub fn entry(&self, origin: &Origin) -> Option<&Entry> {
        self.slots.get(origin).map(|slot| &slot.entry)
    }

    /// All that is remembered, to save it.
    pub fn entries(&self) -> impl Iterator<Item = (&Origin, &Entry)> {
        self.slots
            .iter()
            .map(|(origin, slot)| (origin, &slot.entry))
    }

    /// Takes an entry that was saved, in place of what is known. A fetch on its way loses its effect.
    pub fn insert(&mut self, origin: &Origin, entry: Entry, now: Timestamp) {
        self.clock.advance(now);
        let mut slot = self.take_out(origin);
        slot.entry = entry;
        slot.robot = None;
        slot.fetching = None;
        slot.grace = Grace::Over;
        self.put_back(origin, slot, now);
        self.shrink();
    }

    /// The earliest time at which an origin's robots.txt is due; it may be past. Nothing has to be done then: each
    /// fetch is asked for by the first [`Cache::poll`] that needs it. See [`Cache::due`].
    #[must_use]
    pub fn next_wakeup(&self) -> Option<Timestamp> {
        let (due, _) = self.due.first()?;
        Some(self.clock.outside(*due))
    }

    /// The origins whose robots.txt is due, longest first: to poll those that are still crawled before a page needs it.
    pub fn due(&self, now: Timestamp) -> impl Iterator<Item = &Origin> {
        let now = self.clock.read(now).now();
        self.due
            .iter()
            .take_while(move |(due, _)| *due <= now)
            .map(|(_, origin)| origin)
    }

    /// The slot of an origin, out of all tables.
    fn take_out(&mut self, origin: &Origin) -> Slot {
        let slot = self.slots.remove(origin).unwrap_or_else(|| Slot {
            entry: Entry::for_origin(origin),
            ..Slot::default()
        });
        self.used.remove(&slot.used);
        self.fetching.remove(&slot.used);
        if let Some(due) = slot.due {
            self.due.remove(&(due, origin.clone()));
        }
        self.weight = self.weight.saturating_sub(slot.weight);
        slot
    }

    /// Back into all of them, as the one that was used last.
    fn put_back(&mut self, origin: &Origin, mut slot: Slot, now: Timestamp) {
        self.uses = self.uses.saturating_add(1);
        slot.used = self.uses;
        let table = match slot.fetching {
            Some(_) => &mut self.fetching,
            None => &mut self.used,
        };
        table.insert(slot.used, origin.clone());
        slot.due = match slot.entry.next_round(&self.settings, now) {
            _ if slot.fetching.is_some() => None,
            NextFetch::Now => Some(self.clock.now()),
            NextFetch::At(time) => Some(self.clock.inside(time)),
            NextFetch::Never => None,
        };
        if let Some(until) = slot.held_until(&self.settings, now) {
            // A poll before that gives the answer at hand.
            let until = self.clock.inside(until);
            slot.due = slot.due.map(|due| due.max(until));
        }
        if let Some(due) = slot.due {
            self.due.insert((due, origin.clone()));
        }
        slot.weight = slot
            .entry
            .bytes()
            .saturating_mul(WEIGHT_OF_AN_BYTE)
            .saturating_add(slot.entry.validators().bytes())
            .saturating_add(origin.host().len())
            .saturating_add(WEIGHT_OF_AN_ORIGIN);
        self.weight = self.weight.saturating_add(slot.weight);
        self.slots.insert(origin.clone(), slot);
    }

    /// Forgets origins until the rest fits, but not the one that was used last.
    fn shrink(&mut self) {
        if self.weight > self.capacity {
            self.find_abandoned();
        }
        while self.weight > self.capacity {
            let oldest = self.used.first_key_value();
            let oldest = oldest.filter(|(used, _)| **used != self.uses);
            let Some(origin) = oldest.map(|(_, origin)| origin.clone()) else {
                return;
            };
            self.take_out(&origin);
        }
    }

    /// Looks at a few of the fetches, others each time. A ticket that is dropped tells nobody.
    fn find_abandoned(&mut self) {
        let from = core::mem::take(&mut self.search_from);
        let mut abandoned = Vec::new();
        for (count, (used, origin)) in (0..=FETCHES_LOOKED_AT).zip(self.fetching.range(from..)) {
            if count == FETCHES_LOOKED_AT {
                self.search_from = *used;
            } else if self.slots.get(origin).is_some_and(Slot::is_abandoned) {
                abandoned.push(*used);
            }
        }
        for used in abandoned {
            if let Some(origin) = self.fetching.remove(&used) {
                self.used.insert(used, origin);
            }
        }
    }
}

impl Slot {
    /// Whether a ticket was given out and dropped.
    fn is_abandoned(&self) -> bool {
        let fetching = self.fetching.as_ref();
        fetching.is_some_and(|ticket| ticket.strong_count() == 0)
    }

    /// Whether the answer counts, be its lifetime over or not.
    fn is_held(&self, settings: &AccessSettings, now: Timestamp) -> bool {
        self.held_until(settings, now)
            .is_some_and(|until| now < until)
    }

    /// Whether a round failed, a page may be fetched all the same, and none has asked since. Where retries are due in each
    /// turn of the host, as with a long `Retry-After` or gap, pages would get none.
    fn has_page_to_let_through(&self, settings: &AccessSettings, now: Timestamp) -> bool {
        matches!(self.grace, Grace::UntilAsked)
            && self.entry.failures() > 0
            && !matches!(
                self.entry.in_force(settings, self.site, now).blanket(),
                Some((Access::Disallow, _))
            )
    }

    fn held_until(&self, settings: &AccessSettings, now: Timestamp) -> Option<Timestamp> {
        let most = self.entry.held_until(settings, now)?;
        match self.grace {
            Grace::Over => None,
            Grace::UntilAsked => Some(most),
            Grace::Until(until) => Some(until.min(most)),
        }
    }
}

/// More than the one that a poll may add, so that the search comes to its end.
const FETCHES_LOOKED_AT: usize = 8;

/// The slot, in a table that may be half empty, three times the origin, and the nodes of the trees.
const WEIGHT_OF_AN_ORIGIN: usize = 1280;

/// The file, its records, the robot and what that builds to answer: 3 for all files of 3,756 sites, 4 for short rules.
const WEIGHT_OF_AN_BYTE: usize = 4;
