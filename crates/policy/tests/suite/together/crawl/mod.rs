//! A crawler in virtual time. It uses the cache, the scheduler and the fetch as the front page of
//! the crate says.

mod rounds;
mod troubles;
mod turns;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use polite_robots_policy::cache::Ticket;
use polite_robots_policy::fetch::Fetch;
use polite_robots_policy::{Cache, HostId, IpGroup, Origin, Profile, Scheduler, Timestamp};

pub(crate) use self::troubles::{Guard, Trouble, load, save};
use super::judge::{Exchange, Memory, Terms, Violations};
use super::world::{Answer, Path, START, World};

/// The choices of one crawl.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setup {
    pub(crate) profile: Profile,
    /// The capacity of the cache, in bytes.
    pub(crate) capacity: usize,
    /// The limit of simultaneous requests to all hosts.
    pub(crate) workers: usize,
    pub(crate) documents: Documents,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Documents {
    Kept,
    Dropped,
}

#[derive(Debug)]
pub(crate) struct Crawl<'w> {
    world: &'w World,
    setup: Setup,
    cache: Cache,
    scheduler: Scheduler,
    hosts: Vec<Host>,
    /// Queues that still have pages, waiting or under way.
    open_queues: usize,
    /// The site of each [`HostId::index`].
    owners: Vec<usize>,
    rounds: BTreeMap<u64, Round>,
    flights: BTreeMap<u64, Flight>,
    events: BinaryHeap<Reverse<(u64, u64, Happening)>>,
    last_number: u64,
    /// Queues whose origin the cache had no room for.
    room: VecDeque<(usize, u8)>,
    is_room_planned: bool,
    /// Milliseconds of true time since the start.
    now: u64,
    ahead: u64,
    back: u64,
    steps_back: Vec<(u64, u64)>,
    given_up: Vec<(usize, u8, u64)>,
    down_until: u64,
    /// Tickets of tasks that hang for ever.
    hung: Vec<Ticket>,
    log: Vec<Vec<Exchange>>,
    pub(crate) tally: Tally,
}

#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) admissions: u64,
    pub(crate) full: u64,
    pub(crate) turns: u64,
    pub(crate) most_bytes: usize,
    pub(crate) restarts: u64,
}

#[derive(Debug)]
struct Host {
    id: HostId,
    queues: Vec<Queue>,
    /// The queue whose turn is next.
    next: usize,
    /// Rounds of any origin whose next request goes to this host.
    hops: VecDeque<u64>,
}

/// The pages of one origin.
#[derive(Debug)]
struct Queue {
    origin: Origin,
    pages: VecDeque<u32>,
    attempts: Vec<u8>,
    /// Pages under way.
    in_flight: usize,
    round: Option<u64>,
    not_before: Timestamp,
    state: QueueState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QueueState {
    New,
    WaitsForRoom,
    /// There may be room for it now.
    Called,
    Admitted,
    Finished,
}

/// A robots.txt that is being fetched.
#[derive(Debug)]
struct Round {
    ticket: Ticket,
    fetch: Fetch,
    site: usize,
    authority: u8,
}

/// A request under way.
#[derive(Debug)]
struct Flight {
    id: HostId,
    site: usize,
    authority: u8,
    path: Path,
    purpose: Purpose,
    /// The start by the clock of the crawler.
    started: Timestamp,
    /// The start by the clock of the judge.
    start: u64,
    answer: Answer,
    reach: Reach,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Page(u32),
    Round(u64),
}

/// Whether a request leaves the crawler's own network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Site,
    Nobody,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Happening {
    /// The end of a flight.
    End(u64),
    /// The host of a round is resolved.
    Resolved(u64),
    /// A round has waited.
    Waited(u64),
    /// The cache may have room again.
    Room,
}

impl<'w> Crawl<'w> {
    pub(crate) fn new(world: &'w World, setup: Setup) -> Crawl<'w> {
        let mut crawl = Crawl {
            world,
            setup,
            cache: setup.new_cache(),
            scheduler: Scheduler::new(setup.profile),
            hosts: Vec::with_capacity(world.sites.len()),
            open_queues: 0,
            owners: Vec::new(),
            rounds: BTreeMap::new(),
            flights: BTreeMap::new(),
            events: BinaryHeap::new(),
            last_number: 0,
            room: VecDeque::new(),
            is_room_planned: false,
            now: 0,
            ahead: 0,
            back: 0,
            steps_back: Vec::new(),
            given_up: Vec::new(),
            down_until: 0,
            hung: Vec::new(),
            log: vec![Vec::new(); world.sites.len()],
            tally: Tally::default(),
        };
        for number in 0..world.sites.len() {
            crawl.add_host(number);
        }
        crawl
    }

    fn add_host(&mut self, number: usize) {
        let site = &self.world.sites[number];
        let queues = site.authorities.iter();
        let queues = queues.map(|authority| Queue {
            origin: Origin::of(&format!("{}://{}", authority.scheme, site.host)).unwrap(),
            pages: (0..authority.pages).collect(),
            attempts: vec![0; authority.pages as usize],
            in_flight: 0,
            round: None,
            not_before: Timestamp::EPOCH,
            state: QueueState::New,
        });
        let queues: Vec<Queue> = queues.collect();
        self.open_queues += queues
            .iter()
            .filter(|queue| !queue.pages.is_empty())
            .count();
        let id = self.scheduler.insert(&site.host, site.address.map(IpGroup));
        self.hosts.push(Host {
            id,
            queues,
            next: 0,
            hops: VecDeque::new(),
        });
        self.own(id, number);
    }

    fn own(&mut self, id: HostId, site: usize) {
        self.hosts[site].id = id;
        if self.owners.len() <= id.index() {
            self.owners.resize(id.index() + 1, usize::MAX);
        }
        self.owners[id.index()] = site;
    }

    /// Crawls until everything is fetched or the time is `until`. Returns whether everything is
    /// fetched.
    pub(crate) fn run(&mut self, until: u64) -> bool {
        while self.now < until {
            while let Some(happening) = self.next_happening() {
                self.handle(happening);
            }
            let mut wakeup = None;
            let mut turns = 0;
            while self.flights.len() < self.setup.workers {
                let Some(id) = self.scheduler.next_ready(self.wall()) else {
                    wakeup = self.scheduler.next_wakeup();
                    break;
                };
                turns += 1;
                let host = self.scheduler.host(id);
                assert!(turns < MOST_TURNS, "{host} has turn after turn");
                self.take_turn(self.owners[id.index()]);
            }
            self.tally.most_bytes = self.tally.most_bytes.max(self.cache.bytes());
            if self.is_finished() {
                return true;
            }
            let wakeup = wakeup.map_or(u64::MAX, |wakeup| {
                assert!(wakeup > self.wall(), "a wake-up that does not lie ahead");
                self.now + wakeup.saturating_since(self.wall()).as_millis() as u64
            });
            let event = self.events.peek().map_or(u64::MAX, |Reverse((at, ..))| *at);
            self.now = event.min(wakeup).min(until);
        }
        false
    }

    fn is_finished(&self) -> bool {
        self.open_queues == 0 && self.flights.is_empty() && self.rounds.is_empty()
    }

    /// Judges the requests that reached each site.
    pub(crate) fn judge(&mut self) -> Violations {
        for exchanges in &mut self.log {
            exchanges.sort_by_key(|exchange| exchange.start);
        }
        let memory = match self.setup.capacity {
            usize::MAX => Memory::Unbounded,
            _ => Memory::Bounded,
        };
        let mut terms = Terms::new(self.setup.profile, memory);
        terms.steps_back.clone_from(&self.steps_back);
        terms.given_up.clone_from(&self.given_up);
        terms.judge(self.world, &self.log)
    }

    /// The number of rounds for a robots.txt that the crawler gave up.
    pub(crate) fn given_up(&self, host: &str, authority: u8) -> usize {
        let site = self.world.find(host);
        let rounds = self.given_up.iter();
        let is_its = |round: &&(usize, u8, u64)| (round.0, round.1) == (site, authority);
        rounds.filter(is_its).count()
    }

    /// Milliseconds since the start.
    pub(crate) fn time(&self) -> u64 {
        self.now
    }

    pub(crate) fn log(&self) -> &[Vec<Exchange>] {
        &self.log
    }

    /// The clock of the crawler.
    fn wall(&self) -> Timestamp {
        Timestamp::from_millis(START + self.now + self.ahead - self.back)
    }

    /// The clock of the judge: that of the crawler without its steps back.
    fn fair(&self) -> u64 {
        self.now + self.ahead
    }

    fn number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    fn plan(&mut self, at: u64, happening: Happening) {
        let number = self.number();
        self.events.push(Reverse((at, number, happening)));
    }

    fn next_happening(&mut self) -> Option<Happening> {
        let Reverse((at, ..)) = self.events.peek()?;
        if *at > self.now {
            return None;
        }
        self.events.pop().map(|Reverse((.., happening))| happening)
    }
}

/// The limit of turns in one moment; more would be an endless loop.
const MOST_TURNS: usize = 200_000;

impl Setup {
    /// One request at a time to each host, and a thousand in all.
    pub(crate) fn new(profile: Profile, capacity: usize) -> Setup {
        Setup {
            profile,
            capacity,
            workers: 1000,
            documents: Documents::Dropped,
        }
    }

    fn new_cache(&self) -> Cache {
        let cache = Cache::new(self.profile, &["ExampleBot"], self.capacity).unwrap();
        match self.documents {
            Documents::Kept => cache.keep_documents(),
            Documents::Dropped => cache,
        }
    }
}
