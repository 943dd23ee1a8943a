//! Runs the scenarios of testdata/policy/, whose format testdata/README.md documents, in every profile that they name.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::path::Path;
use std::time::{Duration, SystemTime};

use polite_robots::policy::{
    BodyEnd, Entry, Event, Fetch, Headers, HostId, IpGroup, NetError, NextFetch, Origin, Pacer,
    PageSignal, Profile, Reply, Response, RetryAfter, Scheduler, Site, Step, Timestamp, Turn,
};
use polite_robots::{Reason, Robot};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    #[serde(default)]
    case: Vec<Case>,
    #[serde(default)]
    origins: Vec<Origins>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    why: String,
    #[serde(default = "all_profiles")]
    profiles: Vec<String>,
    #[serde(default)]
    set: BTreeMap<String, toml::Value>,
    steps: Vec<TestStep>,
}

/// URLs: those of one inner list have one origin, those of two lists have two.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Origins {
    name: String,
    why: String,
    classes: Vec<Vec<String>>,
    /// The host of all of them, which is the key of their one pace.
    host: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct TestStep {
    at: Option<String>,
    // What happens.
    fetch: Option<Vec<ServerAnswer>>,
    addresses: Option<Vec<IpAddr>>,
    reset: bool,
    reload: bool,
    lost: bool,
    crawl_delay: Option<String>,
    start: u32,
    reply: Option<PageReply>,
    replies: u32,
    run: Option<Run>,
    day_of_starts: Option<PerProfile<u32>>,
    hosts: Option<NewHosts>,
    host_crawl_delay: BTreeMap<String, String>,
    start_ready: Option<u32>,
    host_replies: BTreeMap<String, PageReply>,
    drive: Option<Drive>,
    // What is expected then.
    gets: Option<PerProfile<usize>>,
    urls: Option<Vec<String>>,
    waits: Option<String>,
    site: Option<String>,
    access: Option<PerProfile<String>>,
    denies: Vec<String>,
    allows: Vec<String>,
    next: Option<PerProfile<String>>,
    failures: Option<PerProfile<u32>>,
    fresh_until: Option<PerProfile<String>>,
    robots_date: Option<String>,
    explains: Option<PerProfile<String>>,
    turn: Option<PerProfile<String>>,
    host_turns: BTreeMap<String, String>,
    level: Option<PerProfile<u8>>,
    long_crawl_delay: Option<String>,
    wakeup: Option<String>,
}

#[derive(Deserialize, Clone)]
#[serde(untagged)]
enum PerProfile<T> {
    All(T),
    Each(BTreeMap<String, T>),
}

#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields, default)]
struct ServerAnswer {
    status: u16,
    body: String,
    repeat: usize,
    end: Option<String>,
    error: Option<String>,
    refused: bool,
    headers: BTreeMap<String, String>,
}

#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields, default)]
struct PageReply {
    status: Option<u16>,
    error: Option<String>,
    started: Option<String>,
    retry_after: Option<String>,
    signal: Option<String>,
}

/// So many requests, each as soon as it may start.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
struct Run {
    count: u32,
    reply: PageReply,
    takes: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewHosts {
    count: u32,
    group: Option<u64>,
}

/// All hosts, each as soon as it may start, for so long.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Drive {
    lasts: String,
    starts: u32,
}

fn all_profiles() -> Vec<String> {
    PROFILES.map(str::to_string).to_vec()
}

const PROFILES: [&str; 3] = ["rfc9309", "google", "ibm"];

#[test]
fn policy_scenarios() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/policy");
    let (mut names, mut runs, mut wrong) = (BTreeSet::new(), 0, Vec::new());
    for file in std::fs::read_dir(folder).unwrap() {
        let file = file.unwrap().path();
        let text = std::fs::read_to_string(&file).unwrap();
        let parsed: CaseFile =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
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
        for origins in &parsed.origins {
            assert!(names.insert(origins.name.clone()), "{} twice", origins.name);
            assert!(origins.name.starts_with("policy-") && !origins.why.is_empty());
            runs += 1;
            wrong.extend(
                origins
                    .run()
                    .map(|failure| format!("{}: {failure}", origins.name)),
            );
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
    fn run(&self) -> impl Iterator<Item = String> {
        let mut failures = Vec::new();
        let mut all = Vec::new();
        for class in &self.classes {
            for url in class {
                let origin = Origin::of(url).unwrap();
                if self
                    .host
                    .as_deref()
                    .is_some_and(|host| host != origin.host())
                {
                    failures.push(format!("the host of {url} is {}", origin.host()));
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
        failures.into_iter()
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

/// 2026-01-01.
const START: Timestamp = Timestamp::from_millis(1_767_225_600_000);

impl World {
    fn new(case: &Case, profile_name: &str) -> World {
        let preset = match profile_name {
            "rfc9309" => Profile::rfc9309(),
            "google" => Profile::google(),
            "ibm" => Profile::ibm(),
            other => panic!("{}: there is no profile {other}", case.name),
        };
        let mut fields = serde_json::to_value(preset).unwrap();
        for (name, value) in &case.set {
            assert!(
                fields.get(name).is_some(),
                "{}: there is no field {name}",
                case.name
            );
            fields[name] = in_json(value);
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
        }
        self.page_requests(step);
        self.scheduler_events(step);
        self.check_entry(step);
        self.check_pace(step);
    }

    fn compare(&mut self, what: &str, found: impl ToString, expected: impl ToString) {
        let (found, expected) = (found.to_string(), expected.to_string());
        if found != expected {
            self.failures
                .push(format!("{what}: {found}, not {expected}"));
        }
    }

    fn of_profile<T: Clone>(&self, expected: &Option<PerProfile<T>>) -> Option<T> {
        match expected.as_ref()? {
            PerProfile::All(expected) => Some(expected.clone()),
            PerProfile::Each(each) => Some(
                each.get(&self.profile_name)
                    .unwrap_or_else(|| panic!("nothing is expected of {}", self.profile_name))
                    .clone(),
            ),
        }
    }

    fn restart(&mut self, step: &TestStep) {
        if step.reset {
            self.entry.reset();
        }
        if step.reload {
            let text = serde_json::to_string(&self.entry).unwrap();
            self.entry = serde_json::from_str(&text).unwrap();
            let text = serde_json::to_string(&self.pacer).unwrap();
            self.pacer = serde_json::from_str(&text).unwrap();
            let text = serde_json::to_string(&self.scheduler).unwrap();
            self.scheduler = serde_json::from_str(&text).unwrap();
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
                    let values: Vec<(&String, String)> = answer
                        .headers
                        .iter()
                        .map(|(name, value)| (name, header(value)))
                        .collect();
                    let mut headers = Headers::default();
                    for (name, value) in &values {
                        headers.insert(name, value);
                    }
                    let event = match (&answer.error, answer.refused) {
                        (Some(error), _) => Event::Failed(net_error(error)),
                        (None, true) => Event::Refused,
                        (None, false) => Event::Response(Response {
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
        self.entry
            .handle(fetch.into_outcome(), &self.profile, self.now);
        if let Some(expected) = self.of_profile(&step.gets) {
            self.compare("requests", urls.len(), expected);
        }
        if let Some(expected) = &step.urls {
            self.compare("URLs", format!("{urls:?}"), format!("{expected:?}"));
        }
        if let Some(expected) = &step.waits {
            self.compare("waits", waited.join(", "), expected);
        }
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
        if let Some(expected) = self.of_profile(&step.day_of_starts) {
            let (mut starts, end) = (0, self.now.saturating_add(duration("1d")));
            loop {
                self.wait_for_turn();
                if self.now >= end {
                    break;
                }
                starts += 1;
                assert!(starts <= 86_400, "the pace has no gap");
                self.pacer.handle_start(self.now);
                let reply = Reply::new(Ok(200), self.now);
                self.pacer.handle_reply(reply, &self.profile, self.now);
            }
            self.compare("starts in a day", starts, expected);
        }
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
            self.scheduler
                .set_crawl_delay(self.hosts[host], crawl_delay(delay));
        }
        if let Some(expected) = step.start_ready {
            let mut found = 0;
            while let Some(host) = self.scheduler.next_ready(self.now) {
                found += 1;
                self.scheduler.handle_start(host, self.now);
                self.host_started.insert(host, self.now);
            }
            self.compare("ready hosts", found, expected);
        }
        for (host, reply) in &step.host_replies {
            let host = self.hosts[host];
            let started = self.host_started.get(&host).copied().unwrap_or(self.now);
            self.scheduler
                .handle_reply(host, reply.reply(started), self.now);
        }
        if let Some(drive) = &step.drive {
            self.drive(drive);
        }
    }

    /// Checks on the way that ten starts at most fall into any minute, and that no call is for nothing.
    fn drive(&mut self, drive: &Drive) {
        let end = self.now.saturating_add(duration(&drive.lasts));
        let (mut starts, mut calls) = (0, 0_u32);
        while self.now < end {
            calls += 1;
            if let Some(host) = self.scheduler.next_ready(self.now) {
                starts += 1;
                self.scheduler.handle_start(host, self.now);
                self.group_starts.push(self.now);
                if let [.., tenth_before, _, _, _, _, _, _, _, _, _, last] = self.group_starts[..] {
                    assert!(last.saturating_since(tenth_before) >= Duration::from_secs(60));
                }
                let reply = Reply::new(Ok(200), self.now);
                self.scheduler.handle_reply(host, reply, self.now);
            } else {
                let Some(next) = self.scheduler.next_wakeup() else {
                    break;
                };
                assert!(next > self.now, "the scheduler spins");
                self.now = next;
            }
        }
        self.compare("starts", starts, drive.starts);
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
        if let Some(expected) = self.of_profile(&step.access) {
            self.compare("access", access(&robot), expected);
        }
        for path in &step.denies {
            self.compare(path, robot.check(path).is_allowed(), false);
        }
        for path in &step.allows {
            self.compare(path, robot.check(path).is_allowed(), true);
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
            self.compare("next fetch", found, expected);
        }
        if let Some(expected) = self.of_profile(&step.failures) {
            self.compare("failures", self.entry.failures(), expected);
        }
        if let Some(expected) = self.of_profile(&step.fresh_until) {
            let found = self.entry.fresh_until().unwrap().saturating_since(START);
            self.compare("fresh until", written(found), expected);
        }
        if let Some(expected) = &step.robots_date {
            let found = self.entry.robots_date().unwrap().saturating_since(START);
            self.compare("robots date", written(found), expected);
        }
        if let Some(expected) = self.of_profile(&step.explains) {
            let found = self
                .entry
                .explain(&self.profile, site, self.now)
                .to_string();
            if !found.contains(&expected) {
                self.compare("explanation", found, expected);
            }
        }
    }

    fn check_pace(&mut self, step: &TestStep) {
        if let Some(expected) = self.of_profile(&step.turn) {
            let found = turn(self.pacer.poll(&self.profile, self.now));
            self.compare("turn", found, expected);
        }
        if let Some(expected) = self.of_profile(&step.level) {
            self.compare("level", self.pacer.level(&self.profile), expected);
        }
        if let Some(expected) = &step.long_crawl_delay {
            let found = self.pacer.long_crawl_delay(&self.profile);
            self.compare("long delay", found.map_or("none".into(), written), expected);
        }
        for (host, expected) in &step.host_turns {
            let found = turn(self.scheduler.turn(self.hosts[host], self.now));
            self.compare(host, found, expected);
        }
        if let Some(expected) = &step.wakeup {
            let found = self.scheduler.next_wakeup().unwrap();
            self.compare("wakeup", written(found.saturating_since(START)), expected);
        }
    }
}

impl PageReply {
    fn reply(&self, started: Timestamp) -> Reply {
        let result = match (self.status, &self.error) {
            (Some(status), None) => Ok(status),
            (None, Some(error)) => Err(net_error(error)),
            _ => panic!("want a status or an error"),
        };
        let started = self.started.as_deref().map_or(started, moment);
        let retry_after = self.retry_after.as_deref().map(header);
        let signal = self.signal.as_deref().map(|signal| match signal {
            "challenge" => PageSignal::Challenge,
            "soft block" => PageSignal::SoftBlock,
            "honeypot" => PageSignal::Honeypot,
            other => panic!("{other}"),
        });
        Reply::new(result, started)
            .with_retry_after(retry_after.as_deref().and_then(RetryAfter::parse))
            .with_signal(signal)
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

/// Through the parser, as a crawler gets it.
fn crawl_delay(value: &str) -> Option<Duration> {
    let robots_txt = format!("User-agent: *\nCrawl-delay: {value}\nDisallow: /x\n");
    Robot::new("ExampleBot", robots_txt.as_bytes())
        .unwrap()
        .crawl_delay()
}

fn net_error(name: &str) -> NetError {
    match name {
        "dns" => NetError::Dns,
        "connect" => NetError::Connect,
        "read" => NetError::Read,
        "reset" => NetError::Reset,
        "tls" => NetError::Tls,
        "invalid response" => NetError::InvalidResponse,
        "other" => NetError::Other,
        other => panic!("{other}"),
    }
}

/// A value of a header; `date 2h` is the HTTP-date two hours after the start.
fn header(value: &str) -> String {
    match value.strip_prefix("date ") {
        Some(at) => {
            let time = Duration::from_millis(moment(at).as_millis());
            httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + time)
        }
        None => value.to_string(),
    }
}

/// A time after the start of the scenario, or before it with a `-`.
fn moment(text: &str) -> Timestamp {
    match text.strip_prefix('-') {
        Some(before) => START.saturating_sub(duration(before)),
        None => START.saturating_add(duration(text)),
    }
}

/// `1d12h`, `11h59m59s`, `500ms`.
fn duration(text: &str) -> Duration {
    parse_duration(text).unwrap_or_else(|| panic!("`{text}` is no duration"))
}

fn parse_duration(text: &str) -> Option<Duration> {
    let mut sum = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: u64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let (unit, milliseconds) = UNITS.iter().find(|(unit, _)| rest.starts_with(unit))?;
        rest = &rest[unit.len()..];
        sum += Duration::from_millis(number * milliseconds);
    }
    Some(sum).filter(|_| !text.is_empty())
}

fn written(duration: Duration) -> String {
    let mut rest = duration.as_millis() as u64;
    let mut text = String::new();
    for (unit, milliseconds) in [UNITS[1], UNITS[2], UNITS[3], UNITS[4], UNITS[0]] {
        if rest >= milliseconds {
            text.push_str(&format!("{}{unit}", rest / milliseconds));
            rest %= milliseconds;
        }
    }
    if text.is_empty() {
        "0s".to_string()
    } else {
        text
    }
}

const UNITS: [(&str, u64); 5] = [
    ("ms", 1),
    ("d", 86_400_000),
    ("h", 3_600_000),
    ("m", 60_000),
    ("s", 1000),
];

/// A value of a profile as its serde form has it, durations from their short form.
fn in_json(value: &toml::Value) -> serde_json::Value {
    match value {
        toml::Value::String(text) => match parse_duration(text) {
            Some(duration) => serde_json::to_value(duration).unwrap(),
            None => text.as_str().into(),
        },
        toml::Value::Integer(number) => (*number).into(),
        toml::Value::Table(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), in_json(value)))
            .collect(),
        other => panic!("{other}"),
    }
}
