//! A day's trouble in six hours: a million hosts in one scheduler, with outages, storms of 429, an
//! address that a hundred thousand hosts share, requests that are dropped or hang, a clock that
//! steps, and workers that go and come back.
//!
//! A separate ledger, which knows only the answers, checks that no start comes twice, too early,
//! inside a block, or beyond the limit of its address. Its bounds are lower bounds: the tests show
//! that the pace is exactly right, and the simulation shows that scale and trouble do not break it.
//!
//! The bench then runs whole crawls with the cache, the scheduler and the fetch: up to 60,000 hosts
//! with a cache for a part of them. A judge that knows only the requests checks each crawl; a
//! violation is an error.
//!
//! With `ENFORCE=1`, more than 30 seconds of processor time for the million hosts are an error.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr,
    missing_docs
)]

#[path = "simulation/crawls.rs"]
mod crawls;
#[path = "simulation/ledger.rs"]
mod ledger;
// Shared with the tests, which use all of it.
#[allow(dead_code, unused_imports)]
#[path = "../tests/suite/together/mod.rs"]
mod together;
#[path = "simulation/wheel.rs"]
mod wheel;
#[path = "simulation/world.rs"]
mod world;
// Shared with the benches of the core, which use all of it.
#[allow(dead_code, unreachable_pub)]
#[path = "../../../benches/inputs/xorshift.rs"]
mod xorshift;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use allocation_counter::{AllocationInfo, measure};
use polite_robots_policy::{HostId, Pacer, Profile, Reply, Scheduler, Timestamp};

use crate::ledger::Ledger;
use crate::wheel::Wheel;
use crate::world::{Fate, HOUR, MINUTE, World};

fn main() -> ExitCode {
    let world = World::new(if is_measured() { 1_000_000 } else { 2_000 });
    let hosts = u64::from(world.hosts);
    let start = Instant::now();
    let start_of_work = processor_time();

    let mut simulation = None;
    let filling = measure(|| simulation = Some(Scheduler::new(Profile::rfc9309())));
    let mut simulation = Simulation::new(world, simulation.unwrap());
    let mut memory = Memory::default();
    memory.add(filling);
    memory.add(measure(|| simulation.fill()));
    let filled = memory.live;

    for (until, trouble) in TROUBLE {
        memory.add(measure(|| simulation.run(until)));
        // A host on its way between two workers does not count as the scheduler's memory.
        memory.live += measure(|| simulation.suffer(trouble)).bytes_current;
    }
    memory.add(measure(|| simulation.run(END)));

    let elapsed = start.elapsed();
    let work = match (start_of_work, processor_time()) {
        (Some(start), Some(end)) => end.saturating_sub(start),
        _ => elapsed,
    };
    simulation.assert_progress();

    let tally = &simulation.tally;
    println!("\n| what | figure |\n|---|---|");
    println!("| hosts | {hosts} |");
    println!("| requests | {} |", tally.requests);
    println!(
        "| of them 429 or 503, with `Retry-After` | {} |",
        tally.blocks
    );
    println!("| of them without connection | {} |", tally.refused);
    println!("| of them dropped by the crawler | {} |", tally.dropped);
    println!("| of them without an end | {} |", tally.hung);
    println!("| of them to the shared address | {} |", tally.shared);
    println!("| wake-ups for nothing | {} |", tally.idle);
    println!("| time of the processor | {:.1} s |", work.as_secs_f64());
    println!("| time | {:.1} s |", elapsed.as_secs_f64());
    println!("| bytes per host, filled | {} |", filled / hosts as i64);
    println!(
        "| bytes per host, at the end | {} |",
        memory.live / hosts as i64
    );
    println!(
        "| bytes per host, at the peak | {} |",
        memory.peak / hosts as i64
    );

    // Polling each blocked host once a second would cause twenty times as many events.
    let events = tally.requests + tally.idle;
    assert!(events < 15 * hosts, "{events} events");
    assert!(memory.live <= 250 * hosts as i64 || !is_measured());
    crawls::run(if is_measured() { 1 } else { 500 });
    let is_enforced = std::env::var("ENFORCE").is_ok_and(|value| value == "1");
    if is_enforced && work > LONGEST {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// The end of the simulation, in milliseconds.
const END: u32 = 6 * HOUR;
const LONGEST: Duration = Duration::from_secs(30);
/// The lease of a request, as in the profile.
const LEASE: u32 = 10 * MINUTE;

/// Outages and storms are in [`World::answer`].
const TROUBLE: [(u32, Trouble); 6] = [
    (45 * MINUTE, Trouble::ClockBack(2 * MINUTE)),
    (150 * MINUTE, Trouble::ClockAhead(20 * MINUTE)),
    // After a step of more than an hour the scheduler moves its times along.
    (225 * MINUTE, Trouble::ClockBack(3 * HOUR)),
    (4 * HOUR, Trouble::Leave),
    (4 * HOUR + 10 * MINUTE, Trouble::Return),
    (5 * HOUR, Trouble::SaveAndLoad),
];

#[derive(Debug, Clone, Copy)]
enum Trouble {
    ClockBack(u32),
    ClockAhead(u32),
    /// One host in twenty goes to another worker, whole addresses at a time.
    Leave,
    /// These hosts come back, half of them with their saved state and half with nothing.
    Return,
    /// The whole scheduler is saved, and another process loads it.
    SaveAndLoad,
}

struct Simulation {
    world: World,
    scheduler: Scheduler,
    ids: Vec<HostId>,
    /// The host of each [`HostId::index`].
    hosts: Vec<u32>,
    states: Vec<State>,
    /// The start of the request under way, by the wall clock.
    started: Vec<Timestamp>,
    /// The times of replies and of new URLs; a host never waits for both.
    wheel: Wheel,
    ledger: Ledger,
    /// Milliseconds of true time since the start.
    now: u32,
    /// The milliseconds that the wall clock has stepped ahead and back.
    ahead: u64,
    back: u64,
    saved: Vec<u8>,
    tally: Tally,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The host has a URL and waits for its turn.
    Waiting,
    InFlight,
    /// A request is under way, and the crawler drops it before an answer comes.
    Dropped,
    /// A request is under way in a task that never reports its end; its lease expires next.
    Hung,
    /// The host gets a URL later.
    Resting,
    /// The host is with another worker. It has a URL, or it gets one later.
    AwayWaiting,
    AwayResting,
}

#[derive(Default)]
struct Tally {
    requests: u64,
    hourly: [u64; (END / HOUR) as usize],
    blocks: u64,
    refused: u64,
    dropped: u64,
    hung: u64,
    shared: u64,
    idle: u64,
}

impl Simulation {
    /// Allocates all tables, so that later measurements count only the scheduler.
    fn new(world: World, scheduler: Scheduler) -> Simulation {
        let hosts = world.hosts as usize;
        Simulation {
            scheduler,
            ids: Vec::with_capacity(hosts),
            hosts: vec![0; hosts],
            states: vec![State::Waiting; hosts],
            started: vec![Timestamp::EPOCH; hosts],
            wheel: Wheel::new(hosts, END as usize),
            ledger: Ledger::new(hosts, world.addresses as usize),
            world,
            now: 0,
            ahead: 0,
            back: 0,
            saved: Vec::new(),
            tally: Tally::default(),
        }
    }

    fn fill(&mut self) {
        for host in 0..self.world.hosts {
            let group = self.world.group(host);
            let id = self.scheduler.insert(&World::name(host), Some(group));
            self.scheduler
                .set_crawl_delay(id, &World::origin(host), self.world.crawl_delay(host));
            self.ids.push(id);
            self.hosts[id.index()] = host;
        }
    }

    fn run(&mut self, until: u32) {
        while self.now < until {
            while let Some(host) = self.wheel.take(self.now) {
                self.happen(host);
            }
            let mut is_idle = true;
            while let Some(id) = self.scheduler.next_ready(self.wall()) {
                self.start(id);
                is_idle = false;
            }
            let wakeup = self.scheduler.next_wakeup().map_or(u32::MAX, |wakeup| {
                assert!(wakeup > self.wall(), "a wake-up that does not lie ahead");
                let ahead = wakeup.saturating_since(self.wall()).as_millis();
                u32::try_from(ahead).map_or(u32::MAX, |ahead| self.now.saturating_add(ahead))
            });
            let had_event = self.wheel.had_event(self.now);
            self.tally.idle += u64::from(is_idle && !had_event);
            self.now = self.wheel.next(self.now + 1, wakeup.min(until));
        }
    }

    fn wall(&self) -> Timestamp {
        Timestamp::from_millis(START + u64::from(self.now) + self.ahead - self.back)
    }

    /// The time of the ledger: the wall clock without its steps back.
    fn fair(&self) -> u32 {
        DAY + self.now + self.ahead as u32
    }

    fn start(&mut self, id: HostId) {
        let host = self.hosts[id.index()];
        let index = host as usize;
        let address = self.world.address(host);
        self.ledger.start(index, address as usize, self.fair());
        assert_eq!(self.states[index], State::Waiting, "host {host}");
        let now = self.wall();
        self.scheduler.handle_start(id, now);
        if !self.world.is_deep(host) {
            // The host has no other URL. If the scheduler learned this later, the end of the gap
            // would wake it for nothing.
            self.scheduler.set_idle(id);
        }
        self.started[index] = now;
        let latency = self.world.latency(host);
        let (state, takes) = match self.world.fate(host) {
            Fate::Answered => (State::InFlight, latency),
            Fate::Dropped => (State::Dropped, latency),
            Fate::Hung => (State::Hung, LEASE),
        };
        self.states[index] = state;
        self.wheel.put(host, self.now.saturating_add(takes));
        self.tally.requests += 1;
        self.tally.hourly[(self.now / HOUR) as usize] += 1;
        self.tally.shared += u64::from(address == World::SHARED);
    }

    /// Handles the event that a host waited for.
    fn happen(&mut self, host: u32) {
        let index = host as usize;
        match self.states[index] {
            State::InFlight => self.reply(host),
            State::Dropped => {
                let now = self.wall();
                self.scheduler.handle_cancelled(self.ids[index], now);
                let crawl_delay = self.world.crawl_delay(host);
                self.ledger.cancel(index, crawl_delay, self.fair());
                self.states[index] = State::Waiting;
                self.scheduler.set_waiting(self.ids[index]);
                self.tally.dropped += 1;
            }
            State::Hung => {
                self.ledger.expire(index);
                self.states[index] = State::Waiting;
                self.scheduler.set_waiting(self.ids[index]);
                self.tally.hung += 1;
            }
            State::Resting => {
                self.states[index] = State::Waiting;
                self.scheduler.set_waiting(self.ids[index]);
            }
            State::AwayResting => self.states[index] = State::AwayWaiting,
            state @ (State::Waiting | State::AwayWaiting) => panic!("{state:?}"),
        }
    }

    fn reply(&mut self, host: u32) {
        let index = host as usize;
        let answer = self.world.answer(host, self.now);
        let reply =
            Reply::new(answer.result, self.started[index]).with_retry_after(answer.retry_after);
        let id = self.ids[index];
        self.scheduler.handle_reply(id, reply, self.wall());
        let address = self.world.address(host) as usize;
        let crawl_delay = self.world.crawl_delay(host);
        let fair = self.fair();
        self.ledger.reply(index, address, &reply, crawl_delay, fair);
        self.tally.blocks += u64::from(answer.retry_after.is_some());
        self.tally.refused += u64::from(answer.result.is_err());
        // After an error the same URL is tried again.
        let rest = match answer.result {
            Ok(200) if !self.world.is_deep(host) => self.world.rest(),
            _ => 0,
        };
        if rest == 0 {
            self.states[index] = State::Waiting;
            self.scheduler.set_waiting(id);
        } else {
            self.states[index] = State::Resting;
            self.wheel.put(host, self.now.saturating_add(rest));
        }
    }

    fn suffer(&mut self, trouble: Trouble) {
        match trouble {
            Trouble::ClockBack(step) => self.back += u64::from(step),
            Trouble::ClockAhead(step) => self.ahead += u64::from(step),
            Trouble::Leave => self.leave(),
            Trouble::Return => self.come_back(),
            Trouble::SaveAndLoad => {
                // The requests on their way are lost with their process; the same URLs are tried
                // again.
                self.scheduler.next_ready(self.wall());
                let saved = postcard::to_allocvec(&self.scheduler).unwrap();
                self.scheduler = Scheduler::new(Profile::rfc9309());
                self.scheduler = postcard::from_bytes(&saved).unwrap();
                self.lose_requests();
            }
        }
    }

    fn lose_requests(&mut self) {
        for host in 0..self.world.hosts {
            let index = host as usize;
            if let State::InFlight | State::Dropped | State::Hung = self.states[index] {
                let crawl_delay = self.world.crawl_delay(host);
                self.ledger.cancel(index, crawl_delay, self.fair());
                self.states[index] = State::Resting;
                self.scheduler.set_idle(self.ids[index]);
            }
        }
    }

    fn leave(&mut self) {
        let mut leaving: Vec<(u32, Pacer)> = Vec::new();
        for host in (0..self.world.hosts).filter(|host| self.world.is_leaving(*host)) {
            let state = &mut self.states[host as usize];
            *state = match *state {
                State::Waiting => State::AwayWaiting,
                State::Resting => State::AwayResting,
                // A host with a request under way stays: its worker would wait for the reply first,
                // and is lost before that.
                _ => continue,
            };
            let id = self.ids[host as usize];
            leaving.push((host, self.scheduler.pacer(id).unwrap()));
            self.scheduler.remove(id);
        }
        assert_eq!(self.scheduler.len() + leaving.len(), self.ids.len());
        self.saved = postcard::to_allocvec(&leaving).unwrap();
    }

    fn come_back(&mut self) {
        let saved = std::mem::take(&mut self.saved);
        let returning: Vec<(u32, Pacer)> = postcard::from_bytes(&saved).unwrap();
        assert!(!returning.is_empty());
        for (host, pacer) in returning {
            let index = host as usize;
            let crawl_delay = self.world.crawl_delay(host);
            let pacer = if host % 2 == 0 {
                pacer
            } else {
                self.ledger.lose(index, crawl_delay, self.fair());
                Pacer::after_gap(self.wall())
            };
            let name = World::name(host);
            let group = self.world.group(host);
            let id = self.scheduler.insert_with(&name, Some(group), pacer);
            self.scheduler
                .set_crawl_delay(id, &World::origin(host), crawl_delay);
            self.ids[index] = id;
            self.hosts[id.index()] = host;
            self.states[index] = if self.states[index] == State::AwayWaiting {
                State::Waiting
            } else {
                self.scheduler.set_idle(id);
                State::Resting
            };
        }
        assert_eq!(self.scheduler.len(), self.ids.len());
    }

    /// Asserts that hosts get their turns: a scheduler that starts nothing would keep every limit.
    fn assert_progress(&self) {
        let is_shared = |host: &u32| self.world.address(*host) == World::SHARED;
        let (shared, own): (Vec<u32>, Vec<u32>) = (0..self.world.hosts).partition(is_shared);
        let was_asked = |host: &&u32| self.started[**host as usize] != Timestamp::EPOCH;
        assert!(own.iter().all(|host| was_asked(&host)), "a host starves");
        // Whatever happened to the clock, most hosts go on.
        let fewest = self.tally.hourly.iter().min().copied().unwrap_or(0);
        assert!(
            2 * fewest >= u64::from(self.world.hosts),
            "{fewest} in an hour"
        );
        // The limit is ten a minute, apart from the steps of the clock, and each host starts once
        // before any starts twice. A small number of hosts needs fewer starts.
        let expected = (5 * shared.len() as u64).min(3_500);
        assert!(self.tally.shared >= expected, "{}", self.tally.shared);
        let asked = shared.iter().filter(was_asked).count();
        assert!(asked >= shared.len().min(3_500), "{asked}");
        assert!(self.tally.blocks > 0 && self.tally.refused > 0);
        assert!(self.tally.dropped > 0 && self.tally.hung > 0);
    }
}

/// 2026-01-01, in milliseconds.
const START: u64 = 1_767_225_600_000;
const DAY: u32 = 24 * HOUR;

#[derive(Default)]
struct Memory {
    live: i64,
    peak: i64,
}

impl Memory {
    fn add(&mut self, phase: AllocationInfo) {
        self.peak = self.peak.max(self.live + phase.bytes_max as i64);
        self.live += phase.bytes_current;
    }
}

/// The processor time of this process, on Linux; other processes run too.
fn processor_time() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds = told.split_ascii_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Whether to measure, or only to run everything once: `cargo bench` passes `--bench`, `cargo test
/// --benches` does not.
fn is_measured() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}
