//! Any sequence of events: rounds end, a closed site stays closed, the scheduler equals the naive
//! model.
#![no_main]

use std::time::Duration;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use polite_robots_policy::cache::{NextFetch, Site};
use polite_robots_policy::fetch::{BodyEnd, Event, Fetch, Headers, RawResponse, Step};
use polite_robots_policy::settings::{CrawlDelayPolicy, GapAnchor, GroupPace, RedirectPolicy};
use polite_robots_policy::{
    Entry, HostId, IpGroup, NetError, Origin, Outcome, Pacer, PageSignal, Profile, Reply,
    RetryAfter, Scheduler, Timestamp, Turn,
};

#[allow(dead_code)]
#[path = "../../crates/policy/tests/suite/naive.rs"]
mod naive;

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    preset: u8,
    knobs: u8,
    acts: Vec<Act<'a>>,
}

#[derive(Debug, Arbitrary)]
enum Act<'a> {
    Pass(u16),
    PassLong(u32),
    Insert(u8),
    Start,
    Reply {
        host: u8,
        answer: u8,
        retry_after: Option<u16>,
        signal: u8,
    },
    CrawlDelay {
        host: u8,
        origin: u8,
        seconds: Option<u16>,
    },
    Cancel(u8),
    Defer {
        host: u8,
        seconds: u16,
    },
    Block {
        host: u8,
        seconds: u16,
    },
    Unblock(u8),
    Waiting {
        host: u8,
        waits: bool,
    },
    Remove(u8),
    Save,
    Round(Vec<Answer<'a>>),
    /// A reply from any time, for one pacer and one entry.
    Page {
        now: u64,
        started: u64,
        answer: u8,
        retry_after: &'a str,
    },
}

#[derive(Debug, Arbitrary)]
struct Answer<'a> {
    kind: u8,
    status: u16,
    body: &'a [u8],
    location: Option<&'a str>,
    cache_control: Option<&'a str>,
    expires: Option<&'a str>,
    retry_after: Option<&'a str>,
    etag: Option<&'a str>,
}

/// Limits on simultaneous hosts and on acts, as the naive model is slow.
const MAX_HOSTS: usize = 5;
const MAX_ACTS: usize = 48;
const START: u64 = 1_767_225_600_000;

fuzz_target!(|input: Input<'_>| {
    let profile = profile(input.preset, input.knobs);
    let mut world = World {
        profile,
        now: START,
        schedulers: vec![Scheduler::new(profile)],
        hosts: Vec::new(),
        slowest: [0; 2],
        replies: 0,
        entry: Entry::new(),
        failed_since: None,
        has_answer: false,
        pacer: Pacer::new(),
    };
    for act in input.acts.iter().take(MAX_ACTS) {
        world.act(act);
        world.compare();
    }
});

fn profile(preset: u8, knobs: u8) -> Profile {
    let mut profile = match preset % 3 {
        0 => Profile::rfc9309(),
        1 => Profile::google(),
        _ => naive::with(Profile::ibm(), |profile| {
            profile.access.redirects = RedirectPolicy::Follow
        }),
    };
    if knobs & 1 > 0 {
        profile.pace.max_in_flight = 3;
        profile.pace.gap_from = GapAnchor::Start;
    }
    if knobs & 2 > 0 {
        let (min, max) = (Duration::from_secs(1), Duration::from_secs(30));
        profile.pace.crawl_delay = CrawlDelayPolicy::Window { min, max };
    }
    if knobs & 4 > 0 {
        profile.pace.group_pace = GroupPace::Slowest;
        profile.pace.group_starts = 2;
    }
    if knobs & 8 > 0 {
        profile.pace.latency_factor = 10;
        profile.pace.min_delay = Duration::ZERO;
    }
    profile
}

struct World {
    profile: Profile,
    now: u64,
    /// The original, and possibly its copy from the stored form; both must behave the same.
    schedulers: Vec<Scheduler>,
    hosts: Vec<(HostId, naive::Host)>,
    /// The largest crawl delay of each group.
    slowest: [u64; 2],
    replies: usize,
    entry: Entry,
    failed_since: Option<u64>,
    has_answer: bool,
    pacer: Pacer,
}

impl World {
    fn act(&mut self, act: &Act<'_>) {
        let now = Timestamp::from_millis(self.now);
        match act {
            Act::Pass(time) => self.pass(u64::from(*time)),
            Act::PassLong(time) => self.pass(u64::from(*time)),
            Act::Insert(group) => self.insert(*group),
            Act::Start => {
                if let Some(ready) = self.next_ready() {
                    self.for_each_scheduler(|scheduler| scheduler.handle_start(ready, now));
                    let mut present = self.hosts.iter_mut().filter(|(_, host)| !host.is_removed);
                    let (_, host) = present.find(|(id, _)| *id == ready).unwrap();
                    assert!(host.is_waiting);
                    host.start(&self.profile, self.now);
                }
            }
            Act::Reply {
                host,
                answer,
                retry_after,
                signal,
            } => {
                if let Some(number) = self.under_way(*host) {
                    self.replies += 1;
                    let (id, host) = &mut self.hosts[number];
                    let reply = naive::Reply {
                        order: self.replies,
                        started: host.in_flight.remove(0).0,
                        at: self.now,
                        result: result(*answer),
                        retry_after: retry_after
                            .filter(|wait| *wait > 0)
                            .map(|wait| u64::from(wait) * 1000),
                        signal: match signal % 16 {
                            0 => Some(PageSignal::SoftBlock),
                            1 => Some(PageSignal::Challenge),
                            2 => Some(PageSignal::Honeypot),
                            _ => None,
                        },
                    };
                    let wait = reply.retry_after.map(Duration::from_millis);
                    let received = Reply::new(reply.result, Timestamp::from_millis(reply.started))
                        .with_retry_after(wait.map(RetryAfter::Delay))
                        .with_signal(reply.signal);
                    let id = *id;
                    host.replies.push(reply);
                    self.for_each_scheduler(|scheduler| scheduler.handle_reply(id, received, now));
                }
            }
            Act::CrawlDelay {
                host,
                origin,
                seconds,
            } => {
                if let Some(number) = self.pick(*host) {
                    let origin = usize::from(*origin) % 3;
                    let url = format!("https://example.com:{}", 8000 + origin);
                    let url = Origin::of(&url).unwrap();
                    let (id, host) = &mut self.hosts[number];
                    let id = *id;
                    host.delays[origin] = seconds.map(|seconds| u64::from(seconds) * 1000);
                    if let Some(group) = host.group {
                        let slowest = &mut self.slowest[group as usize];
                        *slowest = (*slowest).max(host.asked_gap(&self.profile));
                    }
                    let delay = seconds.map(|seconds| Duration::from_secs(u64::from(seconds)));
                    self.for_each_scheduler(|scheduler| {
                        scheduler.set_crawl_delay(id, &url, delay);
                    });
                }
            }
            Act::Cancel(host) => {
                if let Some(number) = self.under_way(*host) {
                    let (id, host) = &mut self.hosts[number];
                    let id = *id;
                    host.in_flight.remove(0);
                    host.ends.push(self.now);
                    self.for_each_scheduler(|scheduler| scheduler.handle_cancelled(id, now));
                }
            }
            Act::Defer { host, seconds } => {
                if let Some(number) = self.pick(*host) {
                    let until = self.now + u64::from(*seconds) * 1000;
                    let (id, host) = &mut self.hosts[number];
                    let id = *id;
                    host.deferred_until = until;
                    let until = Timestamp::from_millis(until);
                    self.for_each_scheduler(|scheduler| scheduler.defer(id, until));
                }
            }
            Act::Block { host, seconds } => {
                if let Some(number) = self.pick(*host) {
                    let until = self.now + u64::from(*seconds) * 1000;
                    let (id, host) = &mut self.hosts[number];
                    let id = *id;
                    host.blocked_until = host.blocked_until.max(until);
                    let until = Timestamp::from_millis(until);
                    self.for_each_scheduler(|scheduler| scheduler.block(id, until));
                }
            }
            Act::Unblock(host) => {
                if let Some(number) = self.pick(*host) {
                    let (id, host) = &mut self.hosts[number];
                    let id = *id;
                    host.blocked_until = 0;
                    self.for_each_scheduler(|scheduler| scheduler.unblock(id));
                }
            }
            Act::Waiting { host, waits } => {
                if let Some(number) = self.pick(*host) {
                    let (id, host) = &mut self.hosts[number];
                    let id = *id;
                    host.is_waiting = *waits;
                    self.for_each_scheduler(|scheduler| match *waits {
                        true => scheduler.set_waiting(id),
                        false => scheduler.set_idle(id),
                    });
                }
            }
            Act::Remove(host) => {
                if let Some(number) = self.pick(*host)
                    && naive::is_removable(&self.hosts[number].1, self.histories())
                {
                    let (id, host) = &mut self.hosts[number];
                    let id = *id;
                    host.is_removed = true;
                    self.for_each_scheduler(|scheduler| scheduler.remove(id));
                }
            }
            Act::Save => {
                self.next_ready();
                // Reading a scheduler back ends its requests.
                let scheduler = &mut self.schedulers[0];
                for (id, host) in &mut self.hosts {
                    if !host.in_flight.is_empty() {
                        host.ends.push(self.now);
                    }
                    for _ in host.in_flight.drain(..) {
                        scheduler.handle_cancelled(*id, now);
                    }
                }
                let stored = serde_json::to_vec(&self.schedulers[0]).unwrap();
                self.schedulers.truncate(1);
                self.schedulers
                    .push(serde_json::from_slice(&stored).unwrap());
            }
            Act::Round(answers) => self.round(answers),
            Act::Page {
                now,
                started,
                answer,
                retry_after,
            } => {
                let (now, started) = (
                    Timestamp::from_millis(*now),
                    Timestamp::from_millis(*started),
                );
                self.pacer.handle_start(now);
                let reply = Reply::new(result(*answer), started)
                    .with_retry_after(RetryAfter::parse(retry_after));
                self.pacer.handle_reply(reply, &self.profile, now);
                assert!(self.pacer.level(&self.profile) <= 8);
                // No time on the clock blocks a host forever.
                let mut time = now;
                for _ in 0..3 {
                    if let Turn::NotBefore(later) = self.pacer.poll(&self.profile, time) {
                        time = later;
                    }
                }
                assert_eq!(self.pacer.poll(&self.profile, time), Turn::Ready);
                let _ = self
                    .entry
                    .explain(&self.profile, Site::Available, now)
                    .to_string();
            }
        }
        if let Act::Pass(_) | Act::PassLong(_) = act {
            // The model assumes that a waiting host is polled whenever time has passed.
            self.next_ready();
        }
    }

    fn pass(&mut self, time: u64) {
        self.now += time;
        for (_, host) in &mut self.hosts {
            host.step(time);
        }
    }

    fn for_each_scheduler(&mut self, call: impl Fn(&mut Scheduler)) {
        self.schedulers.iter_mut().for_each(call);
    }

    fn next_ready(&mut self) -> Option<HostId> {
        let now = Timestamp::from_millis(self.now);
        let schedulers = self.schedulers.iter_mut();
        let ready: Vec<_> = schedulers
            .map(|scheduler| (scheduler.next_ready(now), scheduler.next_wakeup()))
            .collect();
        assert!(ready.iter().all(|other| *other == ready[0]), "{ready:?}");
        ready[0].0
    }

    fn histories(&self) -> impl Iterator<Item = &naive::Host> {
        self.hosts.iter().map(|(_, host)| host)
    }

    /// Picks the host of a reply or a cancellation. A host that was removed is forgotten when its
    /// lease is over.
    fn under_way(&self, number: u8) -> Option<usize> {
        let number = usize::from(number) % self.hosts.len().max(1);
        let (_, host) = self.hosts.get(number)?;
        let (_, lease_end) = *host.in_flight.first()?;
        (!host.is_removed || self.now < lease_end).then_some(number)
    }

    /// Picks the host that an act is about, if there is any.
    fn pick(&self, number: u8) -> Option<usize> {
        let present: Vec<usize> = (0..self.hosts.len())
            .filter(|number| !self.hosts[*number].1.is_removed)
            .collect();
        present
            .get(usize::from(number) % present.len().max(1))
            .copied()
    }

    fn insert(&mut self, group: u8) {
        if self.histories().filter(|host| !host.is_removed).count() < MAX_HOSTS {
            let group = u64::from(group % 3).checked_sub(1);
            let name = self.hosts.len().to_string();
            let schedulers = self.schedulers.iter_mut();
            let ids: Vec<_> = schedulers
                .map(|scheduler| scheduler.insert(&name, group.map(IpGroup)))
                .collect();
            let id = ids[0];
            assert!(ids.iter().all(|other| *other == id));
            let host = naive::Host {
                group,
                is_waiting: true,
                ..naive::Host::default()
            };
            self.hosts.push((id, host));
        }
    }

    fn round(&mut self, answers: &[Answer<'_>]) {
        let origin = Origin::of("https://example.com").unwrap();
        let validators = self.entry.validators().clone();
        let mut fetch = Fetch::new(
            &origin,
            validators,
            &self.profile,
            Timestamp::from_millis(self.now),
        );
        let mut gets = 0;
        loop {
            match fetch.poll(Timestamp::from_millis(self.now)) {
                Step::Done(_) => break,
                Step::Wait(until) => self.now = until.as_millis(),
                Step::Resolve(_) => {
                    let addresses = [[192, 0, 2, 1].into(), [192, 0, 2, 2].into()];
                    fetch.handle(
                        Event::Resolved(&addresses),
                        Timestamp::from_millis(self.now),
                    );
                }
                Step::Get(request) => {
                    assert!(request.url.starts_with("http"));
                    gets += 1;
                    let now = Timestamp::from_millis(self.now);
                    let Some(answer) = answers.get(gets - 1) else {
                        fetch.handle(Event::Failed(NetError::Other), now);
                        continue;
                    };
                    let mut headers = Headers::default();
                    headers.location = answer.location;
                    headers.cache_control = answer.cache_control;
                    headers.expires = answer.expires;
                    headers.retry_after = answer.retry_after;
                    headers.etag = answer.etag;
                    let response = RawResponse {
                        status: answer.status,
                        headers,
                        body: answer.body,
                        end: match answer.kind % 3 {
                            0 => BodyEnd::Complete,
                            1 => BodyEnd::CutShort,
                            _ => BodyEnd::LimitReached,
                        },
                    };
                    let event = match answer.kind {
                        0..3 => Event::Failed(NetError::Read),
                        3 => Event::Refused,
                        _ => Event::Response(response),
                    };
                    fetch.handle(event, now);
                }
                _ => unreachable!(),
            }
        }
        assert!(gets <= 6 * 4, "{gets} requests");
        let outcome = fetch.into_outcome();
        match &outcome {
            Outcome::Unreachable { .. } => {
                self.failed_since.get_or_insert(self.now);
            }
            _ => {
                self.failed_since = None;
                self.has_answer = true;
            }
        }
        let now = Timestamp::from_millis(self.now);
        self.entry.handle(outcome, &self.profile, now);
        if let NextFetch::At(next) = self.entry.next_fetch(&self.profile, now) {
            assert!(next > now && next <= now.saturating_add(Duration::from_secs(7 * 86_400)));
        }
    }

    fn compare(&mut self) {
        let now = Timestamp::from_millis(self.now);
        // Without any earlier answer, every profile closes the site for an outage of less than 12
        // hours.
        let robots_txt = self.entry.robots_txt(&self.profile, Site::Available, now);
        let is_allowed = robots_txt.robot("*").unwrap().allowed("/");
        if !self.has_answer
            && self
                .failed_since
                .is_none_or(|since| self.now < since + 12 * naive::HOUR)
        {
            assert!(!is_allowed);
        }
        let open_at = [0, 1].map(|group| {
            let members: Vec<&naive::Host> = self
                .histories()
                .filter(|host| host.group == Some(group))
                .collect();
            naive::group_open_at(&members, &self.profile, self.slowest[group as usize])
        });
        let mut is_any_ready = false;
        for (id, host) in self.hosts.iter().filter(|(_, host)| !host.is_removed) {
            let expected = match host.turn(&self.profile, self.now) {
                naive::Turn::Busy => Turn::Busy,
                naive::Turn::Skip => Turn::Skip,
                naive::Turn::From(from) => {
                    let open_at = host.group.map_or(0, |group| open_at[group as usize]);
                    let from = from.max(open_at);
                    is_any_ready |= host.is_waiting && from <= self.now;
                    if from <= self.now {
                        Turn::Ready
                    } else {
                        Turn::NotBefore(Timestamp::from_millis(from))
                    }
                }
            };
            for scheduler in &self.schedulers {
                assert_eq!(scheduler.turn(*id, now), expected);
            }
        }
        assert_eq!(self.next_ready().is_some(), is_any_ready);
        if !is_any_ready {
            assert!(
                self.schedulers[0]
                    .next_wakeup()
                    .is_none_or(|wakeup| wakeup > now),
                "it spins"
            );
        }
    }
}

fn result(answer: u8) -> Result<u16, NetError> {
    match answer % 12 {
        0..4 => Ok(200),
        4 => Ok(404),
        5 => Ok(429),
        6 => Ok(500),
        7 => Ok(503),
        8 => Err(NetError::Connect),
        9 => Err(NetError::Reset),
        10 => Err(NetError::Read),
        _ => Ok(301),
    }
}
