use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::time::Duration;

use polite_robots::InvalidToken;
use polite_robots_policy::cache::{NextFetch, Site, Ticket};
use polite_robots_policy::fetch::{BodyEnd, Event, Fetch, Headers, RawResponse, Step};
use polite_robots_policy::{
    Cache, HostId, Lookup, NetError, Origin, Profile, Reply, RetryAfter, Scheduler, Timestamp, Turn,
};

/// The world outside of the machines: a clock, a resolver of names, and an HTTP client that follows
/// no redirects and has time limits.
pub(crate) trait Outside {
    fn now(&self) -> Timestamp;
    fn sleep_until(&mut self, moment: Timestamp);
    fn resolve(&mut self, host: &str) -> Result<Vec<IpAddr>, NetError>;
    /// Asks at `address`, if there is one. The error is [`NetError::Local`] if this machine has no
    /// network, and anything else only if it is the site's.
    fn get(&mut self, url: &str, address: Option<IpAddr>) -> Result<Answer, NetError>;
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    /// The first
    /// [`RobotsRequest::max_bytes`](polite_robots_policy::fetch::RobotsRequest::max_bytes) of it
    /// are enough for a robots.txt, with [`BodyEnd::LimitReached`].
    pub(crate) body: Vec<u8>,
    pub(crate) end: BodyEnd,
}

impl Answer {
    fn headers(&self) -> Headers<'_> {
        let mut headers = Headers::default();
        for (name, value) in &self.headers {
            headers.insert(name, value);
        }
        headers
    }
}

pub(crate) struct Crawler<O> {
    cache: Cache,
    scheduler: Scheduler,
    /// The jobs of each host.
    jobs: HashMap<HostId, VecDeque<Job>>,
    pub(crate) outside: O,
    pub(crate) fetched: Vec<String>,
}

enum Job {
    Page(Origin, String),
    Robots(Ticket, Box<Fetch>),
}

impl<O: Outside> Crawler<O> {
    pub(crate) fn new(agent: &str, profile: Profile, outside: O) -> Result<Self, InvalidToken> {
        Ok(Crawler {
            cache: Cache::new(profile, &[agent], 64 << 20)?,
            scheduler: Scheduler::new(profile),
            jobs: HashMap::new(),
            outside,
            fetched: Vec::new(),
        })
    }

    pub(crate) fn add(&mut self, origin: Origin, url: String) {
        let host = self.scheduler.insert(origin.host(), None);
        self.put_last(host, Job::Page(origin, url));
    }

    pub(crate) fn run(&mut self) {
        loop {
            // 1. The next host.
            let Some(host) = self.scheduler.next_ready(self.outside.now()) else {
                match self.scheduler.next_wakeup() {
                    Some(wakeup) => self.outside.sleep_until(wakeup),
                    None => return,
                }
                continue;
            };
            match self.jobs.entry(host).or_default().pop_front() {
                None => {
                    self.jobs.remove(&host);
                    self.scheduler.remove(host);
                }
                Some(Job::Robots(ticket, fetch)) => self.robots(host, ticket, fetch),
                Some(Job::Page(origin, url)) => self.page(host, origin, url),
            }
        }
    }

    /// 2. The next request of a robots.txt.
    fn robots(&mut self, host: HostId, ticket: Ticket, mut fetch: Box<Fetch>) {
        match fetch.poll(self.outside.now()) {
            Step::Get(request) if request.host == self.scheduler.host(host) => {
                let answer = self.send(host, request.url, request.address);
                let event = match &answer {
                    Ok(answer) => Event::Response(RawResponse {
                        status: answer.status,
                        headers: answer.headers(),
                        body: &answer.body,
                        end: answer.end,
                    }),
                    Err(error) => Event::Failed(*error),
                };
                fetch.handle(event, self.outside.now());
            }
            // The clock was set back: the round waits again.
            _ => {}
        }
        self.advance(ticket, fetch);
    }

    fn page(&mut self, host: HostId, origin: Origin, url: String) {
        let now = self.outside.now();
        // 3. The robots.txt of its origin.
        match self.cache.poll(&origin, now) {
            Lookup::Fetch(mut ticket) => {
                self.cache.hold(&origin);
                self.put_first(host, Job::Page(origin, url));
                let fetch = self.cache.begin(&mut ticket, now);
                self.advance(ticket, Box::new(fetch));
            }
            // An outage, not a rule: the URL is kept, and others can use the room in the cache.
            Lookup::Closed(closed) => {
                self.cache.release(&origin);
                if let NextFetch::At(time) = closed.retry {
                    self.put_first(host, Job::Page(origin, url));
                    self.scheduler.defer(host, time);
                }
            }
            Lookup::Ready(robot) => {
                self.cache.hold(&origin);
                // 4. The rules of its origin.
                self.scheduler
                    .set_crawl_delay(host, &origin, robot.crawl_delay());
                let may_start = self.scheduler.turn(host, now) == Turn::Ready;
                match robot.allowed(&*url) {
                    true if may_start => self.fetch(host, &origin, url),
                    true => self.put_first(host, Job::Page(origin.clone(), url)),
                    // A rule: the URL is dropped.
                    false => {}
                }
                if self.jobs.get(&host).is_none_or(VecDeque::is_empty) {
                    self.cache.release(&origin);
                }
            }
            // `Pending`: its robots.txt waits for another host. `Full`: hosts that are known come
            // first.
            _ => {
                self.put_first(host, Job::Page(origin, url));
                self.scheduler
                    .defer(host, now.saturating_add(Duration::from_secs(1)));
            }
        }
    }

    /// 5. A page, and what it says about its site.
    fn fetch(&mut self, host: HostId, origin: &Origin, url: String) {
        let (site, is_over) = match self.send(host, &url, None) {
            // A redirect is a URL of its own, to be added like any other.
            Ok(answer) => match answer.status {
                429 => (Some(Site::Available), false),
                500.. => (Some(Site::Unavailable), false),
                _ => (Some(Site::Available), true),
            },
            // The crawler's own network is down, which says nothing about any site.
            Err(NetError::Local) => (None, false),
            Err(_) => (Some(Site::Unavailable), false),
        };
        if let Some(site) = site {
            self.cache.set_site(origin, site, self.outside.now());
        }
        match is_over {
            true => self.fetched.push(url),
            // Give up after some tries. The back-off of the host is the scheduler's.
            false => self.put_last(host, Job::Page(origin.clone(), url)),
        }
    }

    /// 6. A request, from its start to its end.
    fn send(
        &mut self,
        host: HostId,
        url: &str,
        address: Option<IpAddr>,
    ) -> Result<Answer, NetError> {
        let started = self.outside.now();
        self.scheduler.handle_start(host, started);
        let answer = self.outside.get(url, address);
        let now = self.outside.now();
        let reply = match &answer {
            Ok(answer) => Reply::new(Ok(answer.status), started)
                .with_retry_after(RetryAfter::of(&answer.headers(), now))
                .with_rate_limit(RetryAfter::of_limit(&answer.headers(), now)),
            Err(error) => Reply::new(Err(*error), started),
        };
        self.scheduler.handle_reply(host, reply, now);
        answer
    }

    /// 7. The steps of a round that are not requests.
    fn advance(&mut self, ticket: Ticket, mut fetch: Box<Fetch>) {
        loop {
            let now = self.outside.now();
            let (name, turn) = match fetch.poll(now) {
                Step::Get(request) => (request.host, now),
                Step::Wait(until) => (ticket.origin().host(), until),
                Step::Resolve(host) => {
                    let found = self.outside.resolve(host);
                    let event = match &found {
                        Ok(addresses) => Event::Resolved(addresses),
                        Err(error) => Event::Failed(*error),
                    };
                    fetch.handle(event, self.outside.now());
                    continue;
                }
                _ => return self.cache.handle(ticket, fetch.into_outcome(), now),
            };
            // A host that is known keeps its pace; one that was deferred gets a turn for this
            // request.
            let host = self.scheduler.insert(name, None);
            self.scheduler.defer(host, turn);
            return self.put_first(host, Job::Robots(ticket, fetch));
        }
    }

    fn put_first(&mut self, host: HostId, job: Job) {
        self.jobs.entry(host).or_default().push_front(job);
    }

    fn put_last(&mut self, host: HostId, job: Job) {
        self.jobs.entry(host).or_default().push_back(job);
    }
}
