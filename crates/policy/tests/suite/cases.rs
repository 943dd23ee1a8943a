//! Runs the scenarios of testdata/policy/, whose format testdata/README.md documents, in every
//! profile that they name.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use polite_robots::{Reason, Robot};
use polite_robots_policy::cache::{NextFetch, Site};
use polite_robots_policy::fetch::{BodyEnd, Event, Fetch, Headers, RawResponse, Step, Validators};
use polite_robots_policy::{
    Entry, HostId, IpGroup, NetError, Origin, Outcome, Pacer, Profile, Reply, Scheduler, Timestamp,
    Turn,
};

use super::case_files::case_files;
use super::case_format::{
    Bodies, Case, CaseFile, Drive, Origins, PerProfile, START, ServerAnswer, TestStep, duration,
    header, in_json, moment, net_error, written,
};
use super::words::{ask, reload, respond};

#[test]
fn policy_scenarios() {
    let (mut names, mut runs, mut wrong) = (BTreeSet::new(), 0, Vec::new());
    for (_, parsed) in case_files::<CaseFile>("policy") {
        for case in &parsed.case {
            assert!(names.insert(case.name.clone()), "{} twice", case.name);
            assert!(case.name.starts_with("policy-") && !case.why.is_empty());
            for profile in &case.profiles {
                runs += 1;
                let mut world = World::new(case, profile);
                for (number, step) in case.steps.iter().enumerate() {
                    world.run(step);
                    let failures = world.failures.drain(..);
                    wrong.extend(failures.map(|failure| {
                        format!("{} in {profile}, step {}: {failure}", case.name, number + 1)
                    }));
                }
            }
        }
        let bodies = parsed
            .bodies
            .iter()
            .map(|all| (&all.name, &all.why, all.run()));
        let origins = parsed
            .origins
            .iter()
            .map(|all| (&all.name, &all.why, all.run()));
        for (name, why, failures) in bodies.chain(origins) {
            assert!(names.insert(name.clone()), "{name} twice");
            assert!(name.starts_with("policy-") && !why.is_empty());
            runs += 1;
            wrong.extend(failures.iter().map(|failure| format!("{name}: {failure}")));
        }
    }
    println!(
        "policy: {} scenarios, {runs} runs, {} wrong",
        names.len(),
        wrong.len()
    );
    assert!(wrong.is_empty() && runs > 100, "{wrong:#?}");
}

impl Origins {
    fn run(&self) -> Vec<String> {
        let mut failures = Vec::new();
        let mut all = Vec::new();
        for class in &self.classes {
            for url in class {
                let origin = Origin::of(url).unwrap();
                let host = origin.host();
                if self
                    .host
                    .as_deref()
                    .is_some_and(|expected| expected != host)
                {
                    failures.push(format!("the host of {url} is {host}"));
                }
                all.push((origin, class.as_ptr(), url));
            }
        }
        for (one, class, url) in &all {
            for (other, other_class, other_url) in &all {
                if (one == other) != (class == other_class) {
                    failures.push(format!("{url} and {other_url}"));
                }
                if self.host.is_some() && one.partition_key() != other.partition_key() {
                    failures.push(format!("{url} and {other_url} have two paces"));
                }
            }
        }
        failures
    }
}

impl Bodies {
    /// Runs each body in the profiles: a file has rules, and anything else is an outage.
    fn run(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for body in &self.bodies {
            let bytes = body.bytes();
            let mut headers = Headers::default();
            if let Some(coding) = &body.content_encoding {
                headers.insert("Content-Encoding", coding);
            }
            for profile in self.profiles.iter().map(|name| preset(name)) {
                let origin = Origin::of("https://example.com/").unwrap();
                let mut fetch = Fetch::new(&origin, Validators::default(), &profile, START);
                fetch.handle(Event::Resolved(&[[192, 0, 2, 1].into()]), START);
                respond(&mut fetch, 200, headers, &bytes, START);
                let outcome = fetch.into_outcome();
                let is_file = !matches!(outcome, Outcome::Unreachable { .. });
                let closes = match &outcome {
                    Outcome::Parsed { robots_txt, .. } => {
                        !robots_txt.robot("ExampleBot").unwrap().allowed("/x")
                    }
                    _ => false,
                };
                // Without `std` no content coding is undone, and an encoded body opens nothing.
                let is_read = cfg!(feature = "std") || !self.closes;
                if is_file != (self.is_file && is_read) || is_file && self.closes && !closes {
                    failures.push(format!("{body:?}: {outcome:?}"));
                }
            }
        }
        failures
    }
}

fn preset(name: &str) -> Profile {
    match name {
        "rfc9309" => Profile::rfc9309(),
        "google" => Profile::google(),
        "ibm" => Profile::ibm(),
        other => panic!("there is no profile {other}"),
    }
}

/// One site and its crawler, and the hosts of a scheduler.
struct World {
    profile_name: String,
    profile: Profile,
    now: Timestamp,
    entry: Entry,
    pacer: Pacer,
    started: Timestamp,
    scheduler: Scheduler,
    hosts: BTreeMap<String, HostId>,
    host_started: BTreeMap<HostId, Timestamp>,
    group_starts: Vec<Timestamp>,
    failures: Vec<String>,
}

impl World {
    fn new(case: &Case, profile_name: &str) -> World {
        let preset = preset(profile_name);
        let mut fields = serde_json::to_value(preset).unwrap();
        for (name, value) in &case.set {
            let mut is_found = false;
            for half in ["/access", "/pace", "/pace/backoff/Levels"] {
                let half = fields.pointer_mut(half);
                if let Some(field) = half.and_then(|half| half.get_mut(name)) {
                    *field = in_json(value);
                    is_found = true;
                }
            }
            assert!(is_found, "{}: there is no field {name}", case.name);
        }
        let profile: Profile =
            serde_json::from_value(fields).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        World {
            profile_name: profile_name.to_string(),
            profile,
            now: START,
            entry: Entry::new(),
            pacer: Pacer::new(),
            started: START,
            scheduler: Scheduler::new(profile),
            hosts: BTreeMap::new(),
            host_started: BTreeMap::new(),
            group_starts: Vec::new(),
            failures: Vec::new(),
        }
    }

    fn run(&mut self, step: &TestStep) {
        if let Some(at) = &step.at {
            self.now = moment(at);
        }
        self.restart(step);
        if let Some(answers) = &step.fetch {
            self.fetch(answers, step);
            if let Some(until) = &step.retry_until {
                self.retry_until(moment(until), answers, step);
            }
        }
        self.page_requests(step);
        self.scheduler_events(step);
        self.check_entry(step);
        self.check_pace(step);
    }

    /// Compares the found value if the step expects one.
    fn expect<E: ToString>(&mut self, what: &str, found: impl ToString, expected: Option<E>) {
        let Some(expected) = expected else { return };
        let (found, expected) = (found.to_string(), expected.to_string());
        if found != expected {
            self.failures
                .push(format!("{what}: {found}, not {expected}"));
        }
    }

    fn of_profile<T: Clone>(&self, expected: &Option<PerProfile<T>>) -> Option<T> {
        match expected.as_ref()? {
            PerProfile::All(expected) => Some(expected.clone()),
            PerProfile::Each(each) => match each.get(&self.profile_name) {
                Some(expected) => Some(expected.clone()),
                None => panic!("nothing is expected of {}", self.profile_name),
            },
        }
    }

    fn restart(&mut self, step: &TestStep) {
        if step.reset {
            self.entry.reset();
        }
        if step.reload {
            self.entry = reload(&self.entry);
            self.pacer = reload(&self.pacer);
            self.scheduler = reload(&self.scheduler);
        }
        if step.lost {
            self.entry = Entry::new();
            self.pacer = Pacer::after_gap(self.now);
        }
    }

    /// One round against a server that gives the answers in order and repeats the last.
    fn fetch(&mut self, answers: &[ServerAnswer], step: &TestStep) {
        let origin = Origin::of("https://example.com/").unwrap();
        let validators = self.entry.validators().clone();
        let mut fetch = Fetch::new(&origin, validators, &self.profile, self.now);
        let (mut urls, mut waited, mut targets) = (Vec::new(), Vec::new(), BTreeSet::new());
        let default = ["192.0.2.1".parse().unwrap()];
        let addresses = step.addresses.as_deref().unwrap_or(&default);
        loop {
            match fetch.poll(self.now) {
                Step::Done(_) => break,
                Step::Resolve(host) => {
                    assert!(!host.is_empty());
                    let event = if addresses.is_empty() {
                        Event::Failed(NetError::Dns)
                    } else {
                        Event::Resolved(addresses)
                    };
                    fetch.handle(event, self.now);
                }
                Step::Wait(until) => {
                    waited.push(written(until.saturating_since(self.now)));
                    assert!(until > self.now);
                    self.now = until;
                }
                Step::Get(request) => {
                    let answer = &answers[urls.len().min(answers.len() - 1)];
                    let url = request.url.to_string();
                    targets.insert((url.clone(), request.address));
                    urls.push(url);
                    let body = answer.body.repeat(answer.repeat.max(1));
                    let body = &body.as_bytes()[..body.len().min(request.max_bytes)];
                    let values = answer.headers.iter();
                    let values: Vec<_> =
                        values.map(|(name, value)| (name, header(value))).collect();
                    let mut headers = Headers::default();
                    for (name, value) in &values {
                        headers.insert(name, value);
                    }
                    let event = match (&answer.error, answer.refused) {
                        (Some(error), _) => Event::Failed(net_error(error)),
                        (None, true) => Event::Refused,
                        (None, false) => Event::Response(RawResponse {
                            status: answer.status,
                            headers,
                            body,
                            end: match answer.end.as_deref() {
                                None if body.len() == request.max_bytes => BodyEnd::LimitReached,
                                None => BodyEnd::Complete,
                                Some("cut short") => BodyEnd::CutShort,
                                Some(other) => panic!("{other}"),
                            },
                        }),
                    };
                    fetch.handle(event, self.now);
                }
                other => panic!("{other:?}"),
            }
        }
        let outcome = fetch.into_outcome();
        self.entry.handle(outcome, &self.profile, self.now);
        self.expect("requests", urls.len(), self.of_profile(&step.gets));
        let expected = step.urls.as_ref().map(|expected| format!("{expected:?}"));
        self.expect("URLs", format!("{urls:?}"), expected);
        self.expect("waits", waited.join(", "), step.waits.as_ref());
    }

    /// Does each retry as soon as it is due.
    fn retry_until(&mut self, end: Timestamp, answers: &[ServerAnswer], step: &TestStep) {
        while let NextFetch::At(retry) = self.entry.next_fetch(&self.profile, self.now) {
            if retry >= end {
                break;
            }
            self.now = retry;
            self.fetch(answers, step);
        }
        self.now = end;
    }

    fn page_requests(&mut self, step: &TestStep) {
        if let Some(delay) = &step.crawl_delay {
            self.pacer.set_crawl_delay(crawl_delay(delay));
        }
        for _ in 0..step.start {
            self.started = self.now;
            self.pacer.handle_start(self.now);
        }
        if let Some(reply) = &step.reply {
            for _ in 0..step.replies.max(1) {
                let reply = reply.reply(self.started);
                self.pacer.handle_reply(reply, &self.profile, self.now);
            }
        }
        if let Some(run) = &step.run {
            for _ in 0..run.count {
                self.wait_for_turn();
                self.started = self.now;
                self.pacer.handle_start(self.now);
                self.now = self.now.saturating_add(duration(&run.takes));
                let reply = run.reply.reply(self.started);
                self.pacer.handle_reply(reply, &self.profile, self.now);
            }
        }
        for (lasts, expected) in [("1h", &step.hour_of_starts), ("1d", &step.day_of_starts)] {
            if let Some(expected) = self.of_profile(expected) {
                let starts = self.starts_within(duration(lasts));
                self.expect(&format!("starts in {lasts}"), starts, Some(expected));
            }
        }
    }

    /// Starts as many requests as fit into the time.
    fn starts_within(&mut self, time: Duration) -> u64 {
        let end = self.now.saturating_add(time);
        for starts in 0..=time.as_secs() {
            self.wait_for_turn();
            if self.now >= end {
                return starts;
            }
            self.pacer.handle_start(self.now);
            let reply = Reply::new(Ok(200), self.now);
            self.pacer.handle_reply(reply, &self.profile, self.now);
        }
        panic!("the pace has no gap");
    }

    fn wait_for_turn(&mut self) {
        match self.pacer.poll(&self.profile, self.now) {
            Turn::Ready => {}
            Turn::NotBefore(time) => {
                assert!(time > self.now);
                self.now = time;
            }
            other => panic!("{other:?}"),
        }
    }

    fn scheduler_events(&mut self, step: &TestStep) {
        if let Some(new) = &step.hosts {
            for _ in 0..new.count {
                let name = format!("h{}", self.hosts.len());
                let host = self.scheduler.insert(&name, new.group.map(IpGroup));
                self.hosts.insert(name, host);
            }
        }
        for (host, delay) in &step.host_crawl_delay {
            let origin = Origin::of(&format!("https://{host}")).unwrap();
            let delay = crawl_delay(delay);
            self.scheduler
                .set_crawl_delay(self.hosts[host], &origin, delay);
        }
        if let Some(expected) = step.start_ready {
            let mut found = 0;
            while let Some(host) = self.scheduler.next_ready(self.now) {
                found += 1;
                self.scheduler.handle_start(host, self.now);
                self.host_started.insert(host, self.now);
            }
            self.expect("ready hosts", found, Some(expected));
        }
        for (host, reply) in &step.host_replies {
            let host = self.hosts[host];
            let started = self.host_started.get(&host).copied().unwrap_or(self.now);
            let reply = reply.reply(started);
            self.scheduler.handle_reply(host, reply, self.now);
        }
        if let Some(drive) = &step.drive {
            self.drive(drive);
        }
    }

    /// Drives all hosts, and checks that any minute has at most ten starts and that no call is for
    /// nothing.
    fn drive(&mut self, drive: &Drive) {
        let end = self.now.saturating_add(duration(&drive.lasts));
        let (mut starts, mut calls) = (0, 0_u32);
        while self.now < end {
            calls += 1;
            if let Some(host) = self.scheduler.next_ready(self.now) {
                starts += 1;
                ask(&mut self.scheduler, host, Ok(200), self.now);
                self.group_starts.push(self.now);
                if let [.., tenth_before, _, _, _, _, _, _, _, _, _, last] = self.group_starts[..] {
                    assert!(last.saturating_since(tenth_before) >= Duration::from_secs(60));
                }
            } else {
                let Some(next) = self.scheduler.next_wakeup() else {
                    break;
                };
                assert!(next > self.now, "the scheduler spins");
                self.now = next;
            }
        }
        self.expect("starts", starts, Some(drive.starts));
        if calls > 3 * (starts + 10) {
            self.failures
                .push(format!("{calls} calls for {starts} starts"));
        }
    }

    fn check_entry(&mut self, step: &TestStep) {
        let site = match step.site.as_deref() {
            None => Site::Unknown,
            Some("available") => Site::Available,
            Some("unavailable") => Site::Unavailable,
            Some(other) => panic!("{other}"),
        };
        let robots_txt = self.entry.robots_txt(&self.profile, site, self.now);
        let robot = robots_txt.robot("ExampleBot").unwrap();
        self.expect("access", access(&robot), self.of_profile(&step.access));
        for (paths, expected) in [(&step.denies, false), (&step.allows, true)] {
            for path in paths {
                self.expect(path, robot.check(path).is_allowed(), Some(expected));
            }
        }
        if let Some(expected) = self.of_profile(&step.next) {
            let found = match self.entry.next_fetch(&self.profile, self.now) {
                NextFetch::Now => "now".to_string(),
                NextFetch::Never => "never".to_string(),
                NextFetch::At(time) if expected.starts_with('+') => {
                    format!("+{}", written(time.saturating_since(self.now)))
                }
                NextFetch::At(time) => written(time.saturating_since(START)),
                other => panic!("{other:?}"),
            };
            self.expect("next fetch", found, Some(expected));
        }
        self.expect(
            "failures",
            self.entry.failures(),
            self.of_profile(&step.failures),
        );
        let since = |time: Option<Timestamp>| {
            time.map_or("none".into(), |time| written(time.saturating_since(START)))
        };
        let found = [self.entry.fresh_until(), self.entry.robots_date()].map(since);
        self.expect("fresh until", &found[0], self.of_profile(&step.fresh_until));
        self.expect("robots date", &found[1], step.robots_date.as_ref());
        if let Some(expected) = self.of_profile(&step.explains) {
            let found = self
                .entry
                .explain(&self.profile, site, self.now)
                .to_string();
            if !found.contains(&expected) {
                self.expect("explanation", found, Some(expected));
            }
        }
    }

    fn check_pace(&mut self, step: &TestStep) {
        let found = turn(self.pacer.poll(&self.profile, self.now));
        self.expect("turn", found, self.of_profile(&step.turn));
        let found = self.pacer.level(&self.profile);
        self.expect("level", found, self.of_profile(&step.level));
        let found = self.pacer.long_crawl_delay(&self.profile);
        let found = found.map_or("none".into(), written);
        self.expect("long delay", found, step.long_crawl_delay.as_ref());
        for (host, expected) in &step.host_turns {
            let found = turn(self.scheduler.turn(self.hosts[host], self.now));
            self.expect(host, found, Some(expected));
        }
        if let Some(expected) = &step.wakeup {
            let found = self.scheduler.next_wakeup().unwrap();
            let found = written(found.saturating_since(START));
            self.expect("wakeup", found, Some(expected));
        }
    }
}

fn access(robot: &Robot) -> String {
    let verdict = robot.check("/");
    match verdict.reason() {
        Reason::Blanket(cause) if verdict.is_allowed() => format!("allow {cause:?}"),
        Reason::Blanket(cause) => format!("disallow {cause:?}"),
        _ => "rules".to_string(),
    }
}

fn turn(turn: Turn) -> String {
    match turn {
        Turn::Ready => "ready".to_string(),
        Turn::Busy => "busy".to_string(),
        Turn::Skip => "skip".to_string(),
        Turn::NotBefore(time) => written(time.saturating_since(START)),
        other => panic!("{other:?}"),
    }
}

/// Reads the delay through the parser, as a crawler does.
fn crawl_delay(value: &str) -> Option<Duration> {
    let robots_txt = format!("User-agent: *\nCrawl-delay: {value}\nDisallow: /x\n");
    Robot::new("ExampleBot", robots_txt.as_bytes())
        .unwrap()
        .crawl_delay()
}
