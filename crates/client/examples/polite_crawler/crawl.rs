//! The driving loop. Its five steps have the numbers that they have in the documentation of `polite_robots_policy`.

use std::collections::HashMap;
use std::error::Error;
use std::future;
use std::panic;
use std::pin::pin;

use polite_robots::{InvalidToken, InvalidUrl};
use polite_robots_policy::{
    BodyEnd, Cache, Event, Fetch, HostId, Lookup, NetError, Origin, Profile, Scheduler, Step,
    Timestamp, Turn, Validators,
};
use tokio::task::JoinSet;
use url::Url;

use crate::client::{Client, Failure};
use crate::common::answer::{Answer, now, reply};
use crate::common::{AGENT, page_url};
use crate::frontier::{Frontier, Page, Round, Task};
use crate::report::Report;

/// A crawl of many hosts. All decisions are made here, by one task; only the requests are tasks of their own.
pub(crate) struct Crawl {
    profile: Profile,
    scheduler: Scheduler,
    cache: Cache,
    frontier: Frontier,
    client: Client,
    requests: JoinSet<Finished>,
    /// What they are for: one for each host.
    on_their_way: HashMap<HostId, Task>,
    most_requests: usize,
    report: Report,
}

/// A request that came to its end.
struct Finished {
    host: HostId,
    started: Timestamp,
    answer: Result<Answer, Failure>,
}

/// What becomes of a page.
enum Fate<'a> {
    Fetched(&'a Answer),
    Moved(&'a str),
    Failed(String),
    /// Worth another try.
    Again(String),
}

impl Crawl {
    pub(crate) fn new(
        profile: Profile,
        client: Client,
        most_requests: usize,
        report: Report,
    ) -> Result<Crawl, InvalidToken> {
        Ok(Crawl {
            profile,
            scheduler: Scheduler::new(profile),
            cache: Cache::new(profile, &[AGENT], ROBOTS_TXT_BYTES)?,
            frontier: Frontier::default(),
            client,
            requests: JoinSet::new(),
            on_their_way: HashMap::new(),
            most_requests,
            report,
        })
    }

    /// Adds a page, unless it was added before. A crawler that finds links calls this for each of them.
    pub(crate) fn add(&mut self, url: Url) -> Result<(), InvalidUrl> {
        if self.frontier.is_new(&url) {
            let page = Page::new(url, Vec::new())?;
            self.report.added();
            self.push_last(page);
        }
        Ok(())
    }

    /// Fetches all pages, and those that they redirect to; or until Ctrl-C, when it lets what is on its way come to its
    /// end. What was not fetched is told as left. Whether every page was fetched, or disallowed by a rule.
    pub(crate) async fn run(mut self) -> bool {
        let mut stop = pin!(interrupted());
        loop {
            let wakeup = self.start_requests();
            if self.requests.is_empty() && wakeup.is_none() {
                break;
            }
            tokio::select! {
                Some(finished) = self.requests.join_next() => self.finish(of_task(finished)),
                () = sleep_until(wakeup) => {}
                () = &mut stop => break self.drain().await,
            }
        }
        for (host, task) in self.on_their_way.drain() {
            self.frontier.push_first(host, task);
        }
        for page in self.frontier.into_pages() {
            self.report.left(&page.url, "not fetched yet");
        }
        self.report.end()
    }

    /// Lets what is on its way come to its end, or leaves it at a second Ctrl-C.
    async fn drain(&mut self) {
        self.report.stopping(self.requests.len());
        let mut stop = pin!(interrupted());
        while !self.requests.is_empty() {
            tokio::select! {
                Some(finished) = self.requests.join_next() => self.finish(of_task(finished)),
                () = &mut stop => return,
            }
        }
    }

    /// Starts what may start now, and tells when there may be more to start.
    fn start_requests(&mut self) -> Option<Timestamp> {
        while self.requests.len() < self.most_requests {
            // 1. Which host may be asked?
            let now = now();
            let Some(host) = self.scheduler.next_ready(now) else {
                return self.scheduler.next_wakeup();
            };
            match self.frontier.pop(host) {
                None => self.scheduler.set_waiting(host, false),
                Some(Task::RobotsTxt(round)) => self.request_robots_txt(host, round, now),
                Some(Task::Page(page)) => self.ask_for_page(host, page, now),
            }
        }
        // As many as are permitted are on their way; the end of one of them wakes the loop.
        None
    }

    fn ask_for_page(&mut self, host: HostId, page: Page, now: Timestamp) {
        // 2. What does the robots.txt of its origin say?
        match self.cache.poll(&page.origin, now) {
            // 3. It is due. The page waits, and its host may have to, as robots.txt may redirect to another host: each
            // of the requests is made in the turn of the host that it goes to.
            Lookup::Fetch(ticket) => {
                let fetch = Fetch::new(
                    ticket.origin(),
                    ticket.validators().clone(),
                    &self.profile,
                    now,
                );
                self.frontier.park(page);
                self.go_on_with(Round { ticket, fetch });
            }
            Lookup::Ready(robot) => {
                // 4. May the page be fetched, and how slowly?
                self.scheduler
                    .set_crawl_delay(host, &page.origin, robot.crawl_delay());
                let verdict = robot.check(page.url.as_str());
                if !verdict.is_allowed() {
                    self.report.disallowed(&page.url, verdict);
                } else if self.scheduler.turn(host, now) != Turn::Ready {
                    // The delay was news, and the request for robots.txt was one, too.
                    self.frontier.push_first(host, Task::Page(page));
                } else {
                    // 5. Fetch it.
                    let url = page.url.to_string();
                    self.start(
                        host,
                        Task::Page(page),
                        url,
                        Validators::default(),
                        MOST_PAGE_BYTES,
                    );
                }
            }
            // An outage: this example leaves the page out.
            Lookup::Closed(closed) => {
                let verdict = closed.robot.check(page.url.as_str());
                self.report.disallowed(&page.url, verdict);
            }
            // Its first fetch is on its way.
            _ => self.frontier.park(page),
        }
    }

    /// Brings a round to the host of its next request, or to its end.
    fn go_on_with(&mut self, round: Round) {
        let next_origin = match round.fetch.poll(now()) {
            Step::Get(request) => Origin::of(request.url).ok(),
            // The other steps belong to profiles that go through the addresses of a host.
            _ => None,
        };
        match next_origin {
            Some(origin) => {
                let host = self.scheduler.insert(origin.host(), None);
                self.frontier
                    .push_first(host, Task::RobotsTxt(Box::new(round)));
            }
            None => {
                let origin = round.ticket.origin().clone();
                self.cache
                    .handle(round.ticket, round.fetch.into_outcome(), now());
                let host = self.scheduler.insert(origin.host(), None);
                self.frontier.unpark(host, &origin);
            }
        }
    }

    fn request_robots_txt(&mut self, host: HostId, round: Box<Round>, now: Timestamp) {
        match round.fetch.poll(now) {
            Step::Get(request) => {
                let (url, validators) = (request.url.to_string(), request.validators.clone());
                let max_bytes = request.max_bytes;
                self.start(host, Task::RobotsTxt(round), url, validators, max_bytes);
            }
            _ => self.go_on_with(*round),
        }
    }

    /// 5. Every request, with its start told to the scheduler.
    fn start(
        &mut self,
        host: HostId,
        task: Task,
        url: String,
        validators: Validators,
        max_bytes: usize,
    ) {
        let started = now();
        self.scheduler.handle_start(host, started);
        let client = self.client.clone();
        self.on_their_way.insert(host, task);
        self.requests.spawn(async move {
            let answer = client.get(&url, &validators, max_bytes).await;
            Finished {
                host,
                started,
                answer,
            }
        });
    }

    /// 5. And with its end.
    fn finish(&mut self, finished: Finished) {
        let Finished {
            host,
            started,
            answer,
        } = finished;
        let problem = |failure: &Failure| match failure {
            Failure::Net(error) => *error,
            Failure::Refused => NetError::Other,
        };
        let reply = reply(answer.as_ref().map_err(problem), started);
        self.scheduler.handle_reply(host, reply, now());
        match self.on_their_way.remove(&host) {
            Some(Task::RobotsTxt(mut round)) => {
                tell(&mut round.fetch, &answer);
                self.go_on_with(*round);
            }
            Some(Task::Page(page)) => self.finish_page(page, &answer),
            None => {}
        }
    }

    fn finish_page(&mut self, mut page: Page, answer: &Result<Answer, Failure>) {
        match fate(answer) {
            // Here a crawler keeps the page and adds the links that it finds.
            Fate::Fetched(answer) => self.report.fetched(&page.url, answer),
            Fate::Moved(location) => {
                let url = page.url.clone();
                if let Err(error) = self.redirect(page, location) {
                    self.report.failed(&url, &error.to_string());
                }
            }
            Fate::Failed(problem) => self.report.failed(&page.url, &problem),
            // The scheduler knows when: by Retry-After, or by its back-off.
            Fate::Again(problem) => {
                page.failed_attempts += 1;
                if page.failed_attempts < MOST_ATTEMPTS {
                    self.push_last(page);
                } else {
                    let problem = format!("{problem}, {MOST_ATTEMPTS} times");
                    self.report.failed(&page.url, &problem);
                }
            }
        }
    }

    /// The target is a URL of its own origin, with its own robots.txt, in the turn of its own host.
    fn redirect(&mut self, page: Page, location: &str) -> Result<(), Box<dyn Error>> {
        let target = page_url(page.url.join(location)?.as_str())?;
        let mut chain = page.redirected_from;
        chain.push(page.url.clone());
        // Such as a site that sets a cookie and asks again. The target was seen before, so nothing would come of it.
        if chain.contains(&target) {
            return Err(format!("redirected in a loop, to {target}").into());
        }
        if chain.len() > MOST_REDIRECTS {
            return Err(format!("redirected more than {MOST_REDIRECTS} times").into());
        }
        let target = Page::new(target, chain)?;
        self.report.redirected(&page.url, &target.url);
        if self.frontier.is_new(&target.url) {
            self.report.added();
            self.push_last(target);
        }
        Ok(())
    }

    fn push_last(&mut self, page: Page) {
        // A host that is there already waits for its turn again.
        let host = self.scheduler.insert(page.origin.host(), None);
        self.frontier.push_last(host, Task::Page(page));
    }
}

fn fate(answer: &Result<Answer, Failure>) -> Fate<'_> {
    let answer = match answer {
        Ok(answer) => answer,
        Err(Failure::Refused) => {
            return Fate::Failed("it leads into the crawler's own network".to_string());
        }
        Err(Failure::Net(error)) => return Fate::Again(format!("no response ({error:?})")),
    };
    match (answer.status, answer.location()) {
        (_, Some(location)) => Fate::Moved(location),
        (200..=299, _) if answer.end == BodyEnd::CutShort => Fate::Again("cut short".to_string()),
        (200..=299, _) => Fate::Fetched(answer),
        (status @ (429 | 503), _) => Fate::Again(status.to_string()),
        (status, _) => Fate::Failed(status.to_string()),
    }
}

fn tell(fetch: &mut Fetch, answer: &Result<Answer, Failure>) {
    let event = match answer {
        Ok(answer) => Event::Response(answer.response()),
        Err(Failure::Refused) => Event::Refused,
        Err(Failure::Net(error)) => Event::Failed(*error),
    };
    fetch.handle(event, now());
}

/// A task that panicked takes the crawl with it: its host would count as busy for ever.
fn of_task<T>(finished: Result<T, tokio::task::JoinError>) -> T {
    finished.unwrap_or_else(|error| panic::resume_unwind(error.into_panic()))
}

async fn sleep_until(time: Option<Timestamp>) {
    match time {
        Some(time) => tokio::time::sleep(time.saturating_since(now())).await,
        None => future::pending().await,
    }
}

/// Ctrl-C.
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        future::pending().await
    }
}

const ROBOTS_TXT_BYTES: usize = 64 << 20;
const MOST_PAGE_BYTES: usize = 10 << 20;
const MOST_REDIRECTS: usize = 5;
const MOST_ATTEMPTS: u8 = 3;
