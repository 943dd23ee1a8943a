//! The robots.txt of many origins: compiled once, fetched one at a time, bounded in memory.

mod check;
mod kept_places;
mod lookup;
mod lost_files;
mod room;
pub(crate) mod saving;
mod shared_files;
mod slot;
mod slots;
mod ticket;
mod tombstones;
mod weight;

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;
use core::hash::Hasher as _;

use polite_robots::{Access, Cause, Dialect, InvalidToken, RobotsTxt};
use siphasher::sip::SipHasher24;

pub use self::check::RobotsCheck;
use self::kept_places::KeptPlaces;
pub use self::lookup::{Closed, Lookup};
use self::shared_files::SharedFiles;
use self::slot::{Grace, Queue, Slot};
use self::slots::Slots;
use self::ticket::Lease;
pub use self::ticket::Ticket;
pub use self::tombstones::Tombstones;
use self::weight::weight_of_slot;
use crate::access::entry::Content;
use crate::access::explain::{Explanation, NextFetch};
use crate::access::fetch::{Fetch, Step};
use crate::access::outage::Site;
use crate::access::outcome::Outcome;
use crate::access::ruling::Ruling;
use crate::origin::Origin;
use crate::profile::Profile;
use crate::settings::access::{AccessSettings, ConditionalRequests, Obedience};
use crate::settings::pace::PaceSettings;
use crate::time::{Clock, Timestamp};

/// The robots.txt of many origins, as one crawler sees them: compiled once, fetched when due, by
/// one fetch at a time.
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
/// // Run the Fetch that Cache::begin gives; say that it gave a 404.
/// let outcome = Outcome::Unavailable(Cause::Status(404));
/// cache.handle(ticket, outcome, now);
///
/// let Lookup::Ready(robot) = cache.poll(&origin, now) else { panic!() };
/// assert!(robot.allowed("https://example.com/page"));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Capacity
///
/// The capacity is in bytes of memory. An origin counts for about 300 bytes, plus its validators. A
/// file counts for about 500 bytes, 48 for each rule, twice its patterns, and its other records;
/// origins with equal rules on equal lines share one. So
///
/// ```text
/// capacity = 300 × origins + (500 + 48 × rules + 2 × pattern bytes) × different files
/// ```
///
/// | to crawl at a time | rules of a file | files that differ | capacity |
/// |---|---|---|---|
/// | 100,000 origins, half of them with a file | 20 of 20 bytes | all | 30 MB + 50,000 × 2.3 kB = 145 MB |
/// | 1,000,000 origins, each with a file | 20 of 20 bytes | three quarters | 300 MB + 750,000 × 2.3 kB = 2.0 GB |
///
/// Each fetch for an origin without an answer counts for 4 KiB more while it is under way.
///
/// When the cache is full it forgets origins, in this order: those whose pages are done, because
/// the crawler called [`Cache::release`] or nobody has asked for the origin during
/// [`min_ttl`](crate::settings::AccessSettings::min_ttl); those whose answer waits for a turn that
/// is far away, the farthest first; and those with pages, which the crawler [holds](Cache::hold) or
/// has asked for lately. No origin stays for ever, so that no stranger can hold memory:
///
/// | an origin stays | until |
/// |---|---|
/// | while its robots.txt is fetched | the ticket is back |
/// | while its answer waits for the page that it was fetched for, in half of the capacity | the page asks, for [`default_ttl`](crate::settings::AccessSettings::default_ttl) and [`max_ttl`](crate::settings::AccessSettings::max_ttl) at most |
/// | with pages | its time is over: `min_ttl` × 16 KiB ÷ its bytes, 12 × `min_ttl` at most |
///
/// If all of them stay, a new origin gets [`Lookup::Full`], and the known ones go on. Only files
/// that turn out larger than expected take the cache beyond its capacity, and no new origin is let
/// in until it is below. A crawler that gives a host up [forgoes](Cache::forgo) the answer and
/// [releases](Cache::release) the origin.
///
/// A forgotten origin leaves a tombstone of about 170 bytes: its outage, its failures, its next
/// retry, and the date of its last round. So forgetting an origin neither opens its site nor
/// forgives its failures, and robots.txt is not asked for within `min_ttl` of the last time; this
/// is the promise of the tombstone. Tombstones take a quarter of the capacity at most. Beyond that,
/// tombstones whose promise is kept are dropped, dates before outages. While all promises are open,
/// an origin that would leave a tombstone is not forgotten, and new origins wait. A sixteenth of
/// that quarter notes for ever which sites had a file: a mebibyte of 64. Beyond a million forgotten
/// files, more and more other sites are taken for sites with a file. This opens none of them: a
/// site that had a file stays closed in an outage.
///
/// # What strangers can cost
///
/// An attacker with N hosts can make a crawler wait that has URLs of all of them; one wildcard name
/// in the DNS is enough for N hosts. In a cache of C bytes:
///
/// - Large files: an origin with pages and a file of b bytes stays for `min_ttl` × 16 KiB ÷ b. A
///   file of 500 kB, which counts for 1.4 MB, stays for 4 seconds, so N of them hold 64 MiB for 4 s
///   × N ÷ 48 in all, and only if the crawler asks for them that fast.
/// - Small files: C ÷ 16 KiB hosts with files of 16 KiB (4,096 hosts for 64 MiB) hold the capacity
///   for `min_ttl`, 5 minutes, each time that the crawler comes to that many new ones.
/// - Long gaps: half of the capacity, for the time of one gap, a day at most. The other hosts with
///   long gaps then wait for their turns among themselves, and hosts with short gaps use the other
///   half. With [`Cache::group_by`] the hosts of one group have a sixteenth of the capacity there.
/// - Promises: an outage with `Retry-After: 86400` leaves a promise for a day. C ÷ 4 ÷ 170 bytes,
///   98,000 hosts of 64 MiB, fill the room for them; new sites then wait only until an origin that
///   leaves no promise can be forgotten, such as one whose answer is 5 minutes old.
#[derive(Debug)]
pub struct Cache {
    settings: AccessSettings,
    /// The half of the profile that says how a `Crawl-delay` is read.
    pace: PaceSettings,
    agents: Vec<Box<str>>,
    /// A hash of the agents and the dialect, to recognize rules that were compiled for others.
    reader: u64,
    documents: Documents,
    capacity: usize,
    clock: Clock,
    slots: Slots,
    files: SharedFiles,
    tombstones: Tombstones,
    kept: KeptPlaces,
    /// The operator's decisions for single hosts.
    exceptions: BTreeMap<Box<str>, Obedience>,
}

/// Whether the files are kept beside the compiled rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Documents {
    Dropped,
    Kept,
}

/// How the page that asks is sent: now in its turn, later from a line, or without any queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Page {
    InTurn,
    InLine,
    Alone,
}

impl Cache {
    /// An empty cache. The rules are those of the first of `agents` that a file names, or else of
    /// `*`, as [`RobotsTxt::robot_first`] has it. `capacity` is in bytes; see
    /// [Capacity](Cache#capacity).
    ///
    /// # Errors
    ///
    /// [`InvalidToken`] for the first of `agents` that is not a product token.
    pub fn new(profile: Profile, agents: &[&str], capacity: usize) -> Result<Cache, InvalidToken> {
        RobotsTxt::parse(b"").robot_first(agents)?;
        let mut cache = Cache {
            settings: profile.access,
            pace: profile.pace,
            agents: agents.iter().map(|agent| Box::from(*agent)).collect(),
            reader: reader(agents, profile.access.dialect),
            documents: Documents::Dropped,
            capacity,
            clock: Clock::default(),
            slots: Slots::default(),
            files: SharedFiles::default(),
            tombstones: Tombstones::default(),
            kept: KeptPlaces::new(capacity),
            exceptions: BTreeMap::new(),
        };
        let most_bytes = cache.most_tombstone_bytes();
        cache.tombstones.size_lost_files(most_bytes);
        Ok(cache)
    }

    /// Keeps the files too, for [`Cache::document`] and for entries that other crawlers can read.
    /// Each takes three times its length more.
    #[must_use]
    pub fn keep_documents(mut self) -> Cache {
        self.documents = Documents::Kept;
        self
    }

    /// Sets the groups of origins that may belong to one owner, such as those of one registrable
    /// domain: each group keeps an eighth of the places for answers that wait for a page, so that
    /// one name with endless hosts does not hold them all. While there is memory for all, nothing
    /// changes.
    ///
    /// ```
    /// use polite_robots_policy::{Cache, Origin, Profile};
    ///
    /// /// The last two labels, where nobody lists public suffixes.
    /// fn domain(origin: &Origin) -> u64 {
    ///     let host = origin.host();
    ///     let labels = host.rmatch_indices('.').nth(1);
    ///     let domain = labels.map_or(host, |(dot, _)| &host[dot..]);
    ///     Origin::of(&format!("https://x{domain}")).map_or(0, |origin| origin.partition_key())
    /// }
    /// let cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 64 << 20)?.group_by(domain);
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn group_by(mut self, group_of: fn(&Origin) -> u64) -> Cache {
        self.kept.group_by(group_of);
        self
    }

    /// Begins every round without validators, for a client that gets only URLs and so sends no
    /// conditional requests.
    #[must_use]
    pub fn without_conditions(mut self) -> Cache {
        self.settings.conditional = ConditionalRequests::Omit;
        self
    }

    /// The settings of all origins: [`Profile::access`].
    #[must_use]
    pub fn settings(&self) -> &AccessSettings {
        &self.settings
    }

    /// The access to the origin, or a ticket if a fetch is due.
    ///
    /// A fetch is due some time before the copy expires; the copy counts while the fetch is under
    /// way.
    ///
    /// The answer to a fetch counts until a page asks for it in a turn, and
    /// [`min_ttl`](crate::settings::AccessSettings::min_ttl) longer, so that a host whose gap is
    /// longer than the lifetime of its robots.txt gets its pages too. In all it counts for at most
    /// [`default_ttl`](crate::settings::AccessSettings::default_ttl) and
    /// [`max_ttl`](crate::settings::AccessSettings::max_ttl), and one gap of the file's own
    /// `Crawl-delay`: with a delay of a day the turn after robots.txt would otherwise come a moment
    /// too late. A poll within that gap cannot be in the turn of a page, so it does not use the
    /// answer up. If the gap leaves only one turn before the answer expires, that turn goes to a
    /// page and not to a refresh. After a fetch that failed, a page goes first and then the next
    /// fetch, while the answer is fresh.
    pub fn poll(&mut self, origin: &Origin, now: Timestamp) -> Lookup {
        self.poll_for(origin, Page::InTurn, now)
    }

    /// Like [`Cache::poll`], for a page whose host has no turn yet; the page asks again by
    /// [`Cache::poll`] in its turn. Until then the answer to a fetch goes on counting: a page that
    /// enters a long line must not use it up.
    pub fn poll_ahead(&mut self, origin: &Origin, now: Timestamp) -> Lookup {
        self.poll_for(origin, Page::InLine, now)
    }

    /// Like [`Cache::poll`], for a caller without a queue and without turns, such as a
    /// [`RobotsCache`](crate::RobotsCache). The caller takes the answer at once, so this call uses
    /// the answer up and [releases](Cache::release) the origin. The cache then forgets first the
    /// origin that was asked about longest ago. Where [`Cache::poll`] would answer
    /// [`Lookup::Full`], the origin is closed with [`Cause::Full`], and the caller asks again after
    /// [`retry_local`](crate::settings::AccessSettings::retry_local).
    ///
    /// ```
    /// use polite_robots::Cause;
    /// use polite_robots_policy::{Cache, Lookup, Origin, Outcome, Profile, Timestamp};
    ///
    /// // Room for one origin.
    /// let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 800)?;
    /// let [one, other] = [Origin::of("https://one.example")?, Origin::of("https://other.example")?];
    /// let now = Timestamp::from_millis(1_767_225_600_000);
    /// let Lookup::Fetch(ticket) = cache.poll_and_release(&one, now) else { panic!() };
    /// cache.handle(ticket, Outcome::Unavailable(Cause::Status(404)), now);
    /// assert!(matches!(cache.poll_and_release(&one, now), Lookup::Ready(_)));
    /// assert!(matches!(cache.poll_and_release(&other, now), Lookup::Fetch(_)));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn poll_and_release(&mut self, origin: &Origin, now: Timestamp) -> Lookup {
        self.poll_for(origin, Page::Alone, now)
    }

    fn poll_for(&mut self, origin: &Origin, page: Page, now: Timestamp) -> Lookup {
        let inside = self.clock.advance(now);
        if self.obedience(origin) == Obedience::Ignore {
            return Lookup::Ready(self.files.blanket(Access::Allow, Cause::Configured));
        }
        let Some(number) = self.find_or_admit(origin, now) else {
            return match page {
                Page::InTurn | Page::InLine => Lookup::Full,
                Page::Alone => self.closed_as_full(now),
            };
        };
        let settings = &self.settings;
        let Some(slot) = self.slots.get_mut(number) else {
            return Lookup::Full;
        };
        slot.asked = inside;
        slot.queue = match (page, slot.queue) {
            (Page::Alone, _) => Queue::Released,
            (_, Queue::Released) => Queue::Unknown,
            (_, queue) => queue,
        };
        let lease = slot.lease.take_if(|lease| lease.is_over(inside, now));
        let paused = lease.and_then(|lease| lease.into_paused());
        let is_in_grace = slot.is_in_grace(settings, now);
        if slot.lease.is_none()
            && !is_in_grace
            && !slot.lets_page_through(settings, now)
            && slot.next_round(settings, now) == NextFetch::Now
        {
            let until = inside.saturating_add(settings.ticket_lease);
            let validators = slot.facts.validators().clone();
            let (ticket, lease) = Ticket::new(slot.origin.clone(), validators, paused, until);
            slot.lease = Some(Box::new(lease));
            slot.grace = Grace::Over;
            self.update(number, now);
            return Lookup::Fetch(ticket);
        }
        // The clock was set back, so that the round is not due yet.
        if let Some(fetch) = paused {
            slot.lease = Some(Box::new(Lease::of_pause(*fetch, inside)));
        }
        let held = slot.facts.last_ruling().filter(|_| is_in_grace);
        let ruling = held.unwrap_or_else(|| slot.facts.ruling(settings, Site::Unknown, now));
        let lookup = lookup(ruling, slot, &mut self.files, settings, now);
        let is_asked = match page {
            Page::InTurn => slot.may_be_in_turn(now),
            Page::InLine => false,
            Page::Alone => true,
        };
        if is_asked && slot.is_unused() {
            slot.use_up(settings, now);
            self.update(number, now);
        }
        lookup
    }

    fn closed_as_full(&mut self, now: Timestamp) -> Lookup {
        let cause = Cause::Full;
        Lookup::Closed(Closed {
            robot: self.files.blanket(Access::Disallow, cause),
            cause,
            since: now,
            retry: NextFetch::At(now.saturating_add(self.settings.retry_local)),
        })
    }

    /// The round to run for a ticket: the one that paused, or a new one by the profile of the cache
    /// and the validators of the ticket. Afterwards give ticket and round to [`Cache::end`].
    #[must_use]
    pub fn begin(&self, ticket: &mut Ticket, now: Timestamp) -> Fetch {
        if let Some(fetch) = ticket.take_paused() {
            return *fetch;
        }
        let validators = ticket.validators().clone();
        Fetch::new(ticket.origin(), validators, &self.profile(), now)
    }

    pub(crate) fn profile(&self) -> Profile {
        Profile {
            access: self.settings,
            pace: self.pace,
        }
    }

    /// Takes a ticket back with its round from [`Cache::begin`], at whatever step the round is. The
    /// outcome of a round that is done counts. A round that waits is paused here, and a later poll
    /// gives out a ticket that goes on with it; until then its origin is closed, unless an earlier
    /// answer counts. Any other round counts as given up: no failure is counted, and robots.txt is
    /// due again at once.
    ///
    /// ```
    /// use polite_robots_policy::{Cache, Lookup, NetError, Origin, Profile, Timestamp};
    /// use polite_robots_policy::fetch::Event;
    ///
    /// // It goes through the addresses of a host again after two seconds.
    /// let mut cache = Cache::new(Profile::ibm(), &["ExampleBot"], 64 << 20)?;
    /// let origin = Origin::of("https://example.com/page")?;
    /// let now = Timestamp::from_millis(1_767_225_600_000);
    /// let Lookup::Fetch(mut ticket) = cache.poll(&origin, now) else { panic!() };
    /// let mut fetch = cache.begin(&mut ticket, now);
    /// fetch.handle(Event::ByName, now);
    /// fetch.handle(Event::Failed(NetError::Read), now);
    /// cache.end(ticket, fetch, now);
    /// assert!(matches!(cache.poll(&origin, now), Lookup::Closed(_)));
    ///
    /// let later = now.saturating_add(core::time::Duration::from_secs(2));
    /// let Lookup::Fetch(mut ticket) = cache.poll(&origin, later) else { panic!() };
    /// let mut fetch = cache.begin(&mut ticket, later);
    /// fetch.handle(Event::Failed(NetError::Read), later);
    /// cache.end(ticket, fetch, later);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// A paused round counts for its bytes. If its origin is forgotten meanwhile, the round has
    /// failed.
    pub fn end(&mut self, ticket: Ticket, fetch: Fetch, now: Timestamp) {
        let until = match fetch.poll(now) {
            Step::Done(_) => return self.handle(ticket, fetch.into_outcome(), now),
            Step::Get(_) | Step::Resolve(_) => return self.give_back(ticket, now),
            Step::Wait(until) => until,
        };
        self.pause(ticket, fetch, until, now);
    }

    /// Keeps a round as it stands. A poll from `until` on gives out a ticket that goes on with it.
    pub(crate) fn pause(&mut self, ticket: Ticket, fetch: Fetch, until: Timestamp, now: Timestamp) {
        let Some(number) = self.redeem(&ticket, now) else {
            return;
        };
        let lease = Lease::of_pause(fetch, self.clock.inside(until));
        if let Some(slot) = self.slots.get_mut(number) {
            slot.lease = Some(Box::new(lease));
        }
        self.update(number, now);
        self.make_room(0, now);
    }

    /// Takes the outcome of a ticket's fetch. A ticket has no effect if it is of another cache, if
    /// its lease is over and the next ticket is out, or if its origin was forgotten.
    pub fn handle(&mut self, ticket: Ticket, outcome: Outcome, now: Timestamp) {
        let Some(number) = self.redeem(&ticket, now) else {
            return;
        };
        let Some(slot) = self.slots.get_mut(number) else {
            return;
        };
        let key = slot.origin.partition_key();
        slot.facts.take(&outcome, key, &self.settings, now);
        // A round that says nothing about the site gave no answer for a page to wait for.
        if !matches!(outcome, Outcome::Local) {
            slot.grace = Grace::UntilAsked;
        }
        if let Outcome::Parsed { robots_txt, .. } = outcome {
            self.set_content(number, Content::Document(robots_txt));
        }
        self.update(number, now);
        self.make_room(0, now);
    }

    /// Takes a ticket back without an outcome: nothing is counted, and robots.txt is due again at
    /// once. Dropping the ticket has the same effect at the next poll.
    pub fn give_back(&mut self, ticket: Ticket, now: Timestamp) {
        if let Some(number) = self.redeem(&ticket, now) {
            self.update(number, now);
        }
    }

    /// Notes that the task of a ticket is alive: its lease begins anew. A round may have to wait
    /// for the turn of its host for longer than a lease, as with a `Retry-After` of a day; call it
    /// while the round waits, at least once in each
    /// [`ticket_lease`](crate::settings::AccessSettings::ticket_lease), or the next poll begins a
    /// second round. A ticket that was replaced stays without effect.
    ///
    /// ```
    /// use core::time::Duration;
    /// use polite_robots_policy::{Cache, Lookup, Origin, Profile, Timestamp};
    ///
    /// let mut cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 64 << 20)?;
    /// let origin = Origin::of("https://example.com/page")?;
    /// let now = Timestamp::from_millis(1_767_225_600_000);
    /// let after = |minutes: u64| now.saturating_add(Duration::from_secs(60 * minutes));
    /// let Lookup::Fetch(ticket) = cache.poll(&origin, now) else { panic!() };
    /// cache.renew(&ticket, after(9));
    /// assert!(matches!(cache.poll(&origin, after(18)), Lookup::Pending));
    /// assert!(matches!(cache.poll(&origin, after(19)), Lookup::Fetch(_)));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn renew(&mut self, ticket: &Ticket, now: Timestamp) {
        let until = self
            .clock
            .advance(now)
            .saturating_add(self.settings.ticket_lease);
        let number = self.slots.find(ticket.origin());
        let slot = number.and_then(|number| self.slots.get_mut(number));
        let lease = slot.and_then(|slot| slot.lease.as_mut());
        if let (Some(number), Some(lease)) = (number, lease.filter(|lease| lease.is_of(ticket))) {
            lease.renew(until);
            self.update(number, now);
        }
    }

    /// Notes that no page will ask for the answer at hand in a turn, because the page that it was
    /// fetched for was given up. The answer then counts for its lifetime, and for
    /// [`min_ttl`](crate::settings::AccessSettings::min_ttl) from now on.
    pub fn forgo(&mut self, origin: &Origin, now: Timestamp) {
        self.clock.advance(now);
        let Some(number) = self.slots.find(origin) else {
            return;
        };
        if let Some(slot) = self.slots.get_mut(number) {
            slot.use_up(&self.settings, now);
        }
        self.update(number, now);
    }

    /// Forgets the failures and the outage of an origin and makes its robots.txt due, so that a
    /// site that was given up is asked again. A fetch that is under way keeps its ticket.
    pub fn reset(&mut self, origin: &Origin) {
        // The clock is the caller's at each call; here nothing depends on it.
        let now = self.clock.outside(self.clock.now());
        match self.slots.find(origin) {
            Some(number) => {
                if let Some(slot) = self.slots.get_mut(number) {
                    slot.lease.take_if(|lease| lease.paused().is_some());
                    slot.facts.reset();
                    slot.grace = Grace::Over;
                }
                self.update(number, now);
            }
            None => self.tombstones.forgive(origin, &self.settings, now),
        }
    }

    /// Notes whether a page of the site came. It counts for 24 hours
    /// ([`site_ttl`](crate::settings::AccessSettings::site_ttl)), and only in an outage; it is
    /// saved with the entry.
    ///
    /// A page that came makes robots.txt due, as the site is back; but not within
    /// [`retry_first`](crate::settings::AccessSettings::retry_first) of the last round, and never
    /// before the end of a `Retry-After`. An origin that is not known is left out.
    pub fn set_site(&mut self, origin: &Origin, site: Site, now: Timestamp) {
        self.clock.advance(now);
        let Some(number) = self.slots.find(origin) else {
            return;
        };
        let slot = self.slots.get_mut(number);
        // A crawler calls this at each page, and few sites are in an outage.
        if let Some(slot) = slot.filter(|slot| slot.facts.is_in_outage()) {
            slot.facts.set_site(site, &self.settings, now);
            self.update(number, now);
        }
    }

    /// Makes an exception for all origins of a host, as [`Origin::host`] has it.
    ///
    /// [`Obedience::Ignore`] is for a site whose owner has agreed: its robots.txt is not fetched
    /// and everything is allowed.
    pub fn set_obedience(&mut self, host: &str, obedience: Obedience) {
        if obedience == self.settings.obedience {
            self.exceptions.remove(host);
        } else {
            self.exceptions.insert(host.into(), obedience);
        }
        let now = self.clock.outside(self.clock.now());
        for number in self.slots.numbers() {
            let slot = self.slots.get(number);
            if slot.is_some_and(|slot| slot.origin.host() == host) {
                self.update(number, now);
            }
        }
    }

    /// The reasons of the access to a known origin: since when, until when, and when the next fetch
    /// is.
    #[must_use]
    pub fn explain(&self, origin: &Origin, now: Timestamp) -> Option<impl fmt::Display + use<>> {
        if self.obedience(origin) == Obedience::Ignore {
            return Some(Explanation::IGNORED);
        }
        let slot = self.slots.get(self.slots.find(origin)?)?;
        let mut explanation = slot.facts.explanation(&self.settings, Site::Unknown, now);
        if let Some(until) = slot.paused_until(now) {
            explanation.next = NextFetch::At(until);
        }
        Some(explanation)
    }

    /// The earliest time at which an origin's robots.txt is due; it may be past. No call is needed
    /// at that time: the first [`Cache::poll`] that needs a fetch asks for it. See [`Cache::due`].
    #[must_use]
    pub fn next_wakeup(&self) -> Option<Timestamp> {
        let (due, _) = self.slots.due().next()?;
        Some(self.clock.outside(due))
    }

    /// The origins whose robots.txt is due, those first that have been due for longest. A crawler
    /// can poll those that it still crawls before a page needs them.
    pub fn due(&self, now: Timestamp) -> impl Iterator<Item = &Origin> {
        let now = self.clock.read(now).now();
        self.slots
            .due()
            .take_while(move |(due, _)| *due <= now)
            .map(|(_, slot)| &slot.origin)
    }

    fn obedience(&self, origin: &Origin) -> Obedience {
        if self.exceptions.is_empty() {
            return self.settings.obedience;
        }
        let exception = self.exceptions.get(origin.host());
        exception.copied().unwrap_or(self.settings.obedience)
    }

    /// Ends the lease of a ticket, and returns the slot that it was given out for; `None` if the
    /// ticket has no effect.
    fn redeem(&mut self, ticket: &Ticket, now: Timestamp) -> Option<u32> {
        self.clock.advance(now);
        let number = self.slots.find(ticket.origin())?;
        let slot = self.slots.get_mut(number)?;
        slot.lease.take_if(|lease| lease.is_of(ticket))?;
        Some(number)
    }

    /// Updates everything that depends on a slot, after the slot has changed.
    fn update(&mut self, number: u32, now: Timestamp) {
        let Some(slot) = self.slots.get(number) else {
            return;
        };
        if slot.file.is_some() && !slot.facts.has_file() {
            self.drop_file(number);
        }
        let Some(slot) = self.slots.get(number) else {
            return;
        };
        let due = match (&slot.lease, self.obedience(&slot.origin)) {
            (_, Obedience::Ignore) => None,
            // The ticket may be lost. Nothing else is due before.
            (Some(lease), Obedience::Obey) => Some(lease.until()),
            (None, Obedience::Obey) => match slot.next_round(&self.settings, now) {
                NextFetch::Now => Some(self.clock.now()),
                NextFetch::At(time) => Some(self.clock.inside(time)),
                NextFetch::Never => None,
            },
        };
        // A poll within the grace gives the answer at hand.
        let grace = slot.grace_until(&self.settings, now);
        let grace = grace.map_or(Timestamp::EPOCH, |until| self.clock.inside(until));
        let due = due.map(|due| due.max(grace));
        let weight = weight_of_slot(slot);
        self.slots.set_due(number, due.unwrap_or(Timestamp::MAX));
        self.slots.set_weight(number, weight);
        self.update_place(number);
    }
}

/// The answer for a page, by the access that its origin has now.
fn lookup(
    ruling: Ruling,
    slot: &Slot,
    files: &mut SharedFiles,
    settings: &AccessSettings,
    now: Timestamp,
) -> Lookup {
    match ruling {
        Ruling::Rules => match slot.file.and_then(|file| files.robot(file)) {
            Some(robot) => Lookup::Ready(robot.clone()),
            // Every answer that is a file has a robot.
            None => Lookup::Pending,
        },
        Ruling::Blanket(access, cause) => Lookup::Ready(files.blanket(access, cause)),
        Ruling::Closed(_) if slot.is_fetching() => Lookup::Pending,
        Ruling::Closed(cause) => Lookup::Closed(Closed {
            robot: files.blanket(Access::Disallow, cause),
            cause,
            since: slot.facts.closed_since(now),
            retry: slot.next_round(settings, now),
        }),
    }
}

fn reader(agents: &[&str], dialect: Dialect) -> u64 {
    let mut hasher = SipHasher24::new();
    hasher.write_u8(match dialect {
        Dialect::Rfc9309 => 0,
        Dialect::Google => 1,
    });
    for agent in agents {
        hasher.write(agent.as_bytes());
        hasher.write_u8(0xFF);
    }
    hasher.finish()
}
