//! The machine of a crawl over random histories: callers that come, leave and end their requests in
//! any order, before and after the next poll, and clocks that jump.

use std::collections::BTreeMap;
use std::time::Duration;

use polite_robots_policy::cache::NextFetch;
use polite_robots_policy::crawl::{Busy, Crawl, Limits, PageRequest, Refusal, Step};
use polite_robots_policy::fetch::{BodyEnd, Event, Headers, RawResponse};
use polite_robots_policy::{Cache, NetError, Profile, Reply, RetryAfter, Timestamp};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

use super::laws::{START, at};
use super::together::law_cases::law_cases;

const HOSTS: usize = 3;
const PATHS: [&str; 3] = ["page", "private", "other"];
const MAX_WAIT: u64 = 300_000;

#[derive(Debug, Clone)]
enum Act {
    /// A page of a host, by its path, for as many milliseconds.
    Enter(usize, usize, Option<u64>, bool),
    Leave(usize),
    EndPage(usize, End),
    EndRound(usize, End),
    Poll,
    Pass(u64),
    /// The clock is set, by as many milliseconds.
    Set(i64),
}

#[derive(Debug, Clone, Copy)]
enum End {
    Status(u16, Option<u64>),
    Failed(NetError),
    /// To the robots.txt of another host.
    Moved(usize),
    BrokenOff,
}

/// A caller and the answers of the machine.
#[derive(Debug)]
struct Caller {
    host: usize,
    /// By the steady clock, in milliseconds.
    until: u64,
    is_patient: bool,
    is_sent: bool,
}

struct World {
    crawl: Crawl,
    wall: u64,
    steady: u64,
    callers: BTreeMap<u32, Caller>,
    /// The hosts of the rounds whose requests are under way.
    rounds: BTreeMap<u32, usize>,
    /// The wall time at which the last request of each host ended, if the clock was not set since.
    ended: [Option<u64>; HOSTS],
    /// The requests of each host that are under way, by their starts on the steady clock.
    running: [Vec<u64>; HOSTS],
}

impl World {
    fn new(in_flight: usize, line: usize) -> World {
        let cache = Cache::new(Profile::rfc9309(), &["ExampleBot"], 64 << 20).unwrap();
        let wait = Duration::from_millis(MAX_WAIT);
        let limits = Limits {
            wait,
            in_flight,
            line,
        };
        World {
            crawl: Crawl::over(cache, limits),
            wall: START + 1_000_000_000,
            steady: 0,
            callers: BTreeMap::new(),
            rounds: BTreeMap::new(),
            ended: [None; HOSTS],
            running: Default::default(),
        }
    }

    fn now(&self) -> Timestamp {
        at(self.wall)
    }

    fn since_start(&self) -> Duration {
        Duration::from_millis(self.steady)
    }

    fn act(&mut self, act: &Act) {
        match *act {
            Act::Enter(host, path, wait, is_patient) => self.enter(host, path, wait, is_patient),
            Act::Leave(number) => {
                let number = self.caller(number, |_| true);
                if let Some(number) = number {
                    let caller = self.callers.remove(&number).unwrap();
                    if caller.is_sent {
                        self.note_end(caller.host);
                    }
                    self.crawl.leave(number, self.now());
                }
            }
            Act::EndPage(number, end) => {
                if let Some(number) = self.caller(number, |caller| caller.is_sent) {
                    self.end_page(number, end);
                }
            }
            Act::EndRound(number, end) => {
                let count = self.rounds.len().max(1);
                if let Some(round) = self.rounds.keys().nth(number % count).copied() {
                    self.end_round(round, end);
                }
            }
            Act::Poll => self.drain(),
            Act::Pass(millis) => {
                self.drain();
                self.wall += millis;
                self.steady += millis;
            }
            Act::Set(millis) => {
                self.drain();
                self.wall = self.wall.saturating_add_signed(millis);
                self.ended = [None; HOSTS];
            }
        }
    }

    fn caller(&self, number: usize, is_meant: impl Fn(&Caller) -> bool) -> Option<u32> {
        let meant: Vec<u32> = self
            .callers
            .iter()
            .filter(|(_, caller)| is_meant(caller))
            .map(|(number, _)| *number)
            .collect();
        meant.get(number % meant.len().max(1)).copied()
    }

    fn enter(&mut self, host: usize, path: usize, wait: Option<u64>, is_patient: bool) {
        let url = format!("https://host-{host}.test/{}", PATHS[path]);
        let mut request = PageRequest::new(&url).with_patience(is_patient);
        if let Some(wait) = wait {
            request = request.with_max_wait(Duration::from_millis(wait));
        }
        let (steady, now) = (self.since_start(), self.now());
        let number = self.crawl.enter(request, steady, now).unwrap();
        let caller = Caller {
            host,
            until: self.steady + wait.unwrap_or(MAX_WAIT),
            is_patient,
            is_sent: false,
        };
        assert!(self.callers.insert(number, caller).is_none());
    }

    fn end_page(&mut self, number: u32, end: End) {
        let caller = self.callers.remove(&number).unwrap();
        self.note_end(caller.host);
        let now = self.now();
        let mut reply = Reply::new(Ok(200), now);
        match end {
            End::Status(status, retry) => {
                reply.result = Ok(status);
                reply.retry_after =
                    retry.map(|seconds| RetryAfter::Delay(Duration::from_secs(seconds)));
            }
            End::Failed(error) => reply.result = Err(error),
            End::BrokenOff => return self.crawl.leave(number, now),
            End::Moved(_) => {}
        }
        self.crawl.finish(number, reply, now);
    }

    fn end_round(&mut self, round: u32, end: End) {
        let host = self.rounds.remove(&round).unwrap();
        self.note_end(host);
        let now = self.now();
        let mut headers = Headers::default();
        let (location, wait);
        let status = match end {
            End::Status(status, retry) => {
                wait = retry.map(|seconds| seconds.to_string());
                if let Some(wait) = &wait {
                    headers.insert("Retry-After", wait);
                }
                status
            }
            End::Moved(to) => {
                location = format!("https://host-{to}.test/robots.txt");
                headers.insert("Location", &location);
                301
            }
            End::Failed(error) => return self.crawl.handle(round, Event::Failed(error), now),
            End::BrokenOff => return self.crawl.break_off(round, now),
        };
        let response = RawResponse {
            status,
            headers,
            body: b"User-agent: *\nDisallow: /private\n",
            end: BodyEnd::Complete,
        };
        self.crawl.handle(round, Event::Response(response), now);
    }

    fn note_start(&mut self, host: usize) {
        let lease = 600_000;
        let running = &mut self.running[host];
        running.retain(|start| self.steady - start < lease);
        assert!(running.is_empty(), "two requests to one host at a time");
        if let Some(end) = self.ended[host] {
            assert!(self.wall - end >= 1_000, "{} ms", self.wall - end);
        }
        running.push(self.steady);
    }

    fn note_end(&mut self, host: usize) {
        // The last one that began: an earlier one is beyond its lease.
        self.running[host].pop();
        self.ended[host] = Some(self.wall);
    }

    /// Takes the steps that are due.
    fn drain(&mut self) {
        for _ in 0..10_000 {
            match self.crawl.poll(self.since_start(), self.now()) {
                Step::Turn(number, robot) => {
                    let caller = self.callers.get_mut(&number).expect("a caller waits");
                    assert!(!caller.is_sent && robot.allowed("/page"));
                    caller.is_sent = true;
                    let host = caller.host;
                    self.note_start(host);
                }
                Step::Refused(page, refusal) => {
                    let caller = self.callers.remove(&page.number()).expect("a caller waits");
                    assert!(!caller.is_sent);
                    self.regard(&caller, page.url(), &refusal);
                }
                Step::Get(round) => {
                    let request = self.crawl.request(round, self.now()).unwrap();
                    let name = request.host.strip_prefix("host-").unwrap();
                    let host = name.strip_suffix(".test").unwrap().parse().unwrap();
                    assert!(self.rounds.insert(round, host).is_none());
                    self.note_start(host);
                }
                Step::Wait(until) => {
                    assert!(until.is_none_or(|until| until > self.now()));
                    return;
                }
                step => panic!("{step:?}"),
            }
        }
        panic!("the steps have no end");
    }

    fn regard(&self, caller: &Caller, url: &str, refusal: &Refusal) {
        match refusal {
            Refusal::Disallowed(robot) => assert!(!robot.allowed(url)),
            Refusal::Closed(closed) => {
                let retry = match closed.retry {
                    NextFetch::At(time) => time,
                    _ => return,
                };
                let rest = retry.saturating_since(self.now()).as_millis() as u64;
                let is_in_time = self.steady + rest.max(1_000) <= caller.until;
                assert!(!(caller.is_patient && is_in_time), "{rest} ms");
            }
            Refusal::Busy {
                reason: Busy::Overdue,
                ..
            } => assert!(self.steady >= caller.until),
            Refusal::Busy { .. } => {}
            other => panic!("{other:?}"),
        }
    }

    /// Lets all callers come to their ends, with sites that answer.
    fn finish(&mut self) {
        while !self.callers.is_empty() {
            while let Some(round) = self.rounds.keys().next().copied() {
                self.end_round(round, End::Status(200, None));
                self.drain();
            }
            while let Some(number) = self.caller(0, |caller| caller.is_sent) {
                self.end_page(number, End::Status(200, None));
                self.drain();
            }
            let late = |caller: &Caller| !caller.is_sent && caller.until < self.steady;
            assert!(!self.callers.values().any(late), "{:?}", self.callers);
            let Step::Wait(until) = self.crawl.poll(self.since_start(), self.now()) else {
                panic!("the steps were taken");
            };
            if !self.callers.is_empty() {
                let until = until.expect("a caller waits, so there is an alarm");
                let pass = until.saturating_since(self.now()).as_millis() as u64;
                self.act(&Act::Pass(pass));
                self.drain();
            }
        }
    }
}

fn ends() -> impl Strategy<Value = End> {
    let retries = of(select(vec![0, 5, 90, 4_000]));
    prop_oneof![
        4 => select(vec![200, 404, 410]).prop_map(|status| End::Status(status, None)),
        2 => (select(vec![503, 500, 429, 403]), retries).prop_map(|(status, retry)| End::Status(status, retry)),
        2 => select(vec![NetError::Local, NetError::Reset, NetError::Connect]).prop_map(End::Failed),
        1 => (0..HOSTS).prop_map(End::Moved),
        1 => Just(End::BrokenOff),
    ]
}

fn acts() -> impl Strategy<Value = Act> {
    let waits = of(select(vec![0, 400, 3_000, 40_000, 7_200_000]));
    prop_oneof![
        6 => (0..HOSTS, 0..PATHS.len(), waits, any::<bool>())
            .prop_map(|(host, path, wait, is_patient)| Act::Enter(host, path, wait, is_patient)),
        1 => any::<usize>().prop_map(Act::Leave),
        4 => (any::<usize>(), ends()).prop_map(|(number, end)| Act::EndPage(number, end)),
        4 => (any::<usize>(), ends()).prop_map(|(number, end)| Act::EndRound(number, end)),
        8 => Just(Act::Poll),
        6 => select(vec![1, 200, 999, 1_000, 10_000, 60_000, 700_000]).prop_map(Act::Pass),
        1 => select(vec![-7_200_000, -5_000, 3_000, 7_200_000]).prop_map(Act::Set),
    ]
}

proptest! {
    #![proptest_config(law_cases(500))]

    /// Each caller gets one end. A host has one request at a time, with a gap after it. A patient
    /// caller is refused only if its site stays closed until the end of its wait. Steps end, and
    /// while callers wait there is an alarm that leads to their ends.
    #[test]
    fn callers_come_to_their_ends(
        acts in vec(acts(), 0..80),
        in_flight in select(vec![1, 2, 100]),
        line in select(vec![1, 3, 100]),
    ) {
        let mut world = World::new(in_flight, line);
        for act in &acts {
            world.act(act);
        }
        world.drain();
        world.finish();
        prop_assert_eq!(world.crawl.scheduler().hosts().count() <= HOSTS, true);
    }
}
