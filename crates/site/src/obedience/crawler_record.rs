//! The requests of one crawler, held against the rules that it should obey.

use std::rc::Rc;
use std::time::Duration;

use polite_robots::{AgentMatch, Dialect, Target};
use polite_robots_audit::answer::Answers;
use polite_robots_audit::known::{self, KnownCrawler};

use crate::by_rule::DisallowedByRule;
use crate::log::LogTime;

/// The requests of one crawler.
#[derive(Debug)]
pub struct CrawlerRecord<'r> {
    name: String,
    crawler: Option<&'static KnownCrawler>,
    answers: Rc<Answers<'r>>,
    crawl_delay: Option<Duration>,
    disallowed: DisallowedByRule,
    robots_txt_fetches: u64,
    last_fetch: Option<LogTime>,
    oldest_copy: Option<Duration>,
    first: Option<LogTime>,
    last: Option<LogTime>,
    too_soon: u64,
}

impl<'r> CrawlerRecord<'r> {
    pub(super) fn new(name: String, answers: Rc<Answers<'r>>) -> CrawlerRecord<'r> {
        let delay = answers.robot().crawl_delay();
        CrawlerRecord {
            crawler: known::find(&name),
            name,
            crawl_delay: delay.filter(|delay| !delay.is_zero()),
            answers,
            disallowed: DisallowedByRule::new(MOST_EXAMPLES).with_most_rules(MOST_RULES),
            robots_txt_fetches: 0,
            last_fetch: None,
            oldest_copy: None,
            first: None,
            last: None,
            too_soon: 0,
        }
    }

    pub(super) fn add(&mut self, target: &[u8], time: Option<LogTime>) {
        // A target with dot segments was sent so: the crawler left it to the server to resolve
        // them.
        let target = Target::sent(target);
        if is_robots_txt(&target) {
            self.robots_txt_fetches = self.robots_txt_fetches.saturating_add(1);
            self.last_fetch = self.last_fetch.max(time);
            return;
        }
        self.disallowed.add(&self.answers, &target);
        let Some(time) = time else { return };
        if let Some(fetch) = self.last_fetch {
            self.oldest_copy = self.oldest_copy.max(Some(time.since(fetch)));
        }
        let delay = self.crawl_delay.filter(|_| !self.ignores_crawl_delay());
        if let (Some(delay), Some(last)) = (delay, self.last) {
            let is_too_soon = time.at_most_from(last) <= delay;
            self.too_soon = self.too_soon.saturating_add(u64::from(is_too_soon));
        }
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        // A log is written when answers end, so that a line may be earlier than the one above it.
        self.last = self.last.max(Some(time));
    }

    /// The product token.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The crawler with this token, if it is known.
    #[must_use]
    pub fn crawler(&self) -> Option<&'static KnownCrawler> {
        self.crawler
    }

    /// How the groups that it should obey were found in the robots.txt.
    #[must_use]
    pub fn agent_match(&self) -> AgentMatch {
        self.answers.robot().agent_match()
    }

    /// The dialect of the answers about its requests.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.answers.dialect()
    }

    /// The number of requests, without those for `/robots.txt`.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.disallowed.urls()
    }

    /// Its disallowed requests, by rule.
    #[must_use]
    pub fn disallowed(&self) -> &DisallowedByRule {
        &self.disallowed
    }

    /// The number of requests for `/robots.txt`.
    #[must_use]
    pub fn robots_txt_fetches(&self) -> u64 {
        self.robots_txt_fetches
    }

    /// The longest time from a request for `/robots.txt` to a later request, so the age of the
    /// oldest copy that it can have used. `None` if the log shows no request for `/robots.txt`
    /// before another one.
    #[must_use]
    pub fn oldest_copy(&self) -> Option<Duration> {
        self.oldest_copy
    }

    /// The delay between two requests that the robots.txt asks for.
    #[must_use]
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// Whether the operator says that the crawler ignores such delays, as Google does.
    #[must_use]
    pub fn ignores_crawl_delay(&self) -> bool {
        self.crawler
            .is_some_and(|crawler| crawler.ignores_crawl_delay())
    }

    /// The number of requests that came sooner after the previous one than the delay permits, as
    /// surely as the times of the log show it; none if the crawler
    /// [ignores](CrawlerRecord::ignores_crawl_delay) the delay.
    #[must_use]
    pub fn too_soon(&self) -> u64 {
        self.too_soon
    }

    /// The time of its first request.
    #[must_use]
    pub fn first(&self) -> Option<LogTime> {
        self.first
    }

    /// The time of its last request.
    #[must_use]
    pub fn last(&self) -> Option<LogTime> {
        self.last
    }

    /// Whether it sent a disallowed request, or one too soon.
    #[must_use]
    pub fn disobeyed(&self) -> bool {
        self.disallowed.disallowed() > 0 || self.too_soon > 0
    }
}

/// Whether the target is the file itself, with or without a query.
fn is_robots_txt(target: &Target<'_>) -> bool {
    let path = target.path(Dialect::Rfc9309);
    path.strip_prefix(b"/robots.txt")
        .is_some_and(|rest| matches!(rest, [] | [b'?', ..]))
}

/// The examples of each rule.
const MOST_EXAMPLES: usize = 3;

/// The most rules that are counted one by one. A log is written by those who ask, so memory needs a
/// bound.
const MOST_RULES: usize = 200;
