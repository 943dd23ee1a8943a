//! The crawlers of access logs, and whether they obeyed a robots.txt.
//!
//! A crawler is taken at its word: logs show names and not identities. It should obey the groups
//! and delays that its operator says it obeys, if that is known: Googlebot-Image reads the groups
//! of Googlebot if no group names it, AdsBot-Google none of `*`, and none of Google's crawlers a
//! `Crawl-delay`.
//!
//! ```
//! use polite_robots::RobotsTxt;
//! use polite_robots_audit::answer::{Reading, Readings};
//! use polite_robots_site::obedience::CrawlerRequests;
//!
//! let readings = Readings::new(&RobotsTxt::parse(b"User-agent: *\nDisallow: /cart"));
//! let log = r#"192.0.2.1 - - [20/Nov/2026:10:00:00 +0000] "GET /cart HTTP/1.1" 200 5 "-" "ExampleBot/1.0""#;
//! let mut requests = CrawlerRequests::new(&readings, Reading::Crawler, None);
//! requests.read(log.as_bytes())?;
//! let [bot] = &requests.crawlers()[..] else { panic!() };
//! assert_eq!((bot.name(), bot.requests(), bot.disallowed().disallowed()), ("ExampleBot", 1, 1));
//! # Ok::<(), std::io::Error>(())
//! ```

mod crawler_names;
mod crawler_record;
mod recent;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, Read};
use std::rc::Rc;

use polite_robots_audit::answer::{Answers, Reading, Readings};
use polite_robots_audit::known;

use crate::gzip::decoded;
use crate::host::{host, without_default_port};
use crate::log::lines::{Line, each_line};
use crate::log::{Columns, Directive, JsonUserAgent, LogTime, LoggedRequest};
use crate::obedience::crawler_names::CrawlerNames;
pub use crate::obedience::crawler_record::CrawlerRecord;
use crate::obedience::recent::Recent;

/// The requests of access logs, by crawler.
///
/// Memory is bounded: up to 1,024 crawlers are counted one by one, as far as their rules fit into
/// some dozen megabytes, and the record of each is a few numbers and examples.
#[derive(Debug)]
pub struct CrawlerRequests<'r> {
    readings: &'r Readings,
    reading: Reading,
    names: CrawlerNames,
    wanted_host: Option<String>,
    crawlers: Vec<CrawlerRecord<'r>>,
    by_name: HashMap<String, Client>,
    /// Agents with the same groups that are not known share the answers.
    answers: HashMap<Vec<u32>, Rc<Answers<'r>>>,
    /// The bytes of rules that may still be kept.
    left: usize,
    left_out: u64,
    by_user_agent: HashMap<Vec<u8>, Client>,
    recent: Recent<Client>,
    json_user_agent: Option<JsonUserAgent>,
    /// The columns of the log, if one of its lines names them.
    columns: Option<Box<Columns>>,
    /// The last time that was read, as the log writes it.
    last_time: (Vec<u8>, Option<LogTime>),
    lines: u64,
    unread: u64,
    directives: u64,
    first_unread: Option<u64>,
    others: u64,
    other_hosts: u64,
    hosts: Hosts,
}

/// The sender of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Client {
    /// The place of the crawler's record.
    Crawler(usize),
    Other,
}

/// The hosts that crawlers asked, as far as the log names them.
#[derive(Debug, Default)]
struct Hosts {
    first: Option<String>,
    second: Option<String>,
}

impl<'r> CrawlerRequests<'r> {
    /// An empty record. If `host` is given and a log names the host of each request, only requests
    /// to that host count.
    #[must_use]
    pub fn new(
        readings: &'r Readings,
        reading: Reading,
        host: Option<&str>,
    ) -> CrawlerRequests<'r> {
        CrawlerRequests {
            readings,
            reading,
            names: CrawlerNames::new(readings.in_dialect(reading.dialect("*"))),
            wanted_host: host.map(|host| without_default_port(host).to_owned()),
            crawlers: Vec::new(),
            by_name: HashMap::new(),
            answers: HashMap::new(),
            left: MOST_BYTES,
            left_out: 0,
            by_user_agent: HashMap::new(),
            recent: Recent::new(),
            json_user_agent: None,
            columns: None,
            last_time: (Vec::new(), None),
            lines: 0,
            unread: 0,
            directives: 0,
            first_unread: None,
            others: 0,
            other_hosts: 0,
            hosts: Hosts::default(),
        }
    }

    /// Adds the requests of a log, plain or as gzip.
    ///
    /// # Errors
    ///
    /// If the log cannot be read or decompressed; the requests before the error count. Lines that
    /// are no requests are counted.
    pub fn read(&mut self, log: impl Read) -> io::Result<()> {
        self.columns = None;
        each_line(decoded(log)?, |line| self.add(&line))
    }

    fn add(&mut self, line: &Line<'_>) {
        self.lines = self.lines.saturating_add(1);
        let Line::Text(text) = line else {
            return self.pass_over();
        };
        if let Some(directive) = Directive::parse(text) {
            self.directives = self.directives.saturating_add(1);
            if let Directive::Fields(columns) = directive {
                self.columns = Some(columns);
            }
            return;
        }
        // Most lines are of browsers, and need not be read whole.
        let user_agent = self.json_user_agent.as_ref();
        let user_agent = user_agent.and_then(|form| form.find(text));
        if user_agent.and_then(|agent| self.recent.find(agent)) == Some(Client::Other) {
            self.others = self.others.saturating_add(1);
            return;
        }
        let columns = self.columns.take();
        let request = match &columns {
            Some(columns) => LoggedRequest::in_columns(columns, text),
            None => LoggedRequest::parse(text),
        };
        self.columns = columns;
        let Some(request) = request else {
            return self.pass_over();
        };
        let raw = request.raw_user_agent();
        if text.starts_with(b"{") && user_agent.is_none() {
            let plain = request.plain_json_user_agent();
            self.json_user_agent = plain.and_then(|plain| JsonUserAgent::learn(text, plain));
        }
        let client = match self.recent.find(raw) {
            Some(client) => client,
            None => {
                let client = self.looked_up(raw, &request);
                self.recent.keep(raw, client);
                client
            }
        };
        let Client::Crawler(place) = client else {
            self.others = self.others.saturating_add(1);
            return;
        };
        let target = request.target();
        if !self.is_wanted(&request, &target) {
            self.other_hosts = self.other_hosts.saturating_add(1);
            return;
        }
        let time = self.time(&request);
        // A request that was given up has no target, and CONNECT has no path.
        let has_path = target.starts_with(b"/") || target.starts_with(b"http");
        match self.crawlers.get_mut(place).filter(|_| has_path) {
            Some(crawler) => crawler.add(&target, time),
            None => self.others = self.others.saturating_add(1),
        }
    }

    fn pass_over(&mut self) {
        self.unread = self.unread.saturating_add(1);
        self.first_unread.get_or_insert(self.lines);
    }

    fn looked_up(&mut self, raw: &[u8], request: &LoggedRequest<'_>) -> Client {
        if let Some(client) = self.by_user_agent.get(raw) {
            return *client;
        }
        let client = self.client(&request.user_agent());
        if raw.len() <= LONGEST_USER_AGENT && self.by_user_agent.len() < MOST_USER_AGENTS {
            self.by_user_agent.insert(raw.to_owned(), client);
        }
        client
    }

    fn time(&mut self, request: &LoggedRequest<'_>) -> Option<LogTime> {
        let Some(raw) = request.raw_time() else {
            return request.time();
        };
        if self.last_time.0 != raw {
            self.last_time = (raw.to_owned(), request.time());
        }
        self.last_time.1
    }

    fn is_wanted(&mut self, request: &LoggedRequest<'_>, target: &[u8]) -> bool {
        let of_target = || host(std::str::from_utf8(target).ok()?);
        let host = request.host().or_else(|| match target.first() {
            Some(b'/') => None,
            _ => of_target(),
        });
        let Some(host) = host.map(without_default_port) else {
            return true;
        };
        match &self.wanted_host {
            Some(wanted) => wanted.eq_ignore_ascii_case(host),
            None => {
                self.hosts.add(host);
                true
            }
        }
    }

    /// The client with that header; a record is made for a crawler that is new.
    fn client(&mut self, user_agent: &[u8]) -> Client {
        let Some(name) = self.names.find(user_agent) else {
            return Client::Other;
        };
        let key = name.to_ascii_lowercase();
        if let Some(client) = self.by_name.get(&key) {
            return *client;
        }
        let answers = match self.crawlers.len() < MOST_CRAWLERS {
            true => self.answers(&name),
            false => None,
        };
        let client = match answers {
            Some(answers) => {
                self.crawlers.push(CrawlerRecord::new(name, answers));
                Client::Crawler(self.crawlers.len().saturating_sub(1))
            }
            None => Client::Other,
        };
        if self.by_name.len() < MOST_USER_AGENTS {
            self.by_name.insert(key, client);
            let is_left_out = client == Client::Other;
            self.left_out = self.left_out.saturating_add(u64::from(is_left_out));
        }
        client
    }

    /// The answers about a crawler; `None` for a name that is not a product token, and for rules
    /// that are too long to be kept beside those of the others.
    fn answers(&mut self, name: &str) -> Option<Rc<Answers<'r>>> {
        // To find the rules of each further name takes milliseconds, and a log has thousands.
        if self.left == 0 && self.names.is_in_file(name) {
            return None;
        }
        if known::find(name).is_some() {
            return self.new_answers(name);
        }
        let robot = self.readings.robot(name, self.reading).ok()?;
        let lines: Vec<u32> = robot.group_lines().collect();
        if let Some(answers) = self.answers.get(&lines) {
            return Some(answers.clone());
        }
        let answers = self.new_answers(name)?;
        self.answers.insert(lines, answers.clone());
        Some(answers)
    }

    fn new_answers(&mut self, name: &str) -> Option<Rc<Answers<'r>>> {
        let answers = self.readings.answers(name, self.reading).ok()?;
        let left = self.left.checked_sub(answers.bytes());
        self.left = left.unwrap_or_default();
        left.map(|_| Rc::new(answers))
    }

    /// The crawlers that sent a request: first those with the most disallowed requests, then those
    /// with the most requests too soon, then those with the most requests.
    #[must_use]
    pub fn crawlers(&self) -> Vec<&CrawlerRecord<'r>> {
        let came = |crawler: &&CrawlerRecord<'r>| {
            crawler.requests() > 0 || crawler.robots_txt_fetches() > 0
        };
        let mut crawlers: Vec<&CrawlerRecord<'r>> = self.crawlers.iter().filter(came).collect();
        crawlers.sort_by_key(|crawler| {
            let disallowed = crawler.disallowed().disallowed();
            let counts = (disallowed, crawler.too_soon(), crawler.requests());
            (Reverse(counts), crawler.name())
        });
        crawlers
    }

    /// The number of crawlers that have no record of their own, because there are too many or their
    /// rules are too long. Their requests count as those of [others](CrawlerRequests::others).
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The lines that were read.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// The lines that are neither requests in a known form nor directives such as `#Fields`.
    #[must_use]
    pub fn unread(&self) -> u64 {
        self.unread
    }

    /// The lines that begin with `#` and a name, such as `#Fields:`.
    #[must_use]
    pub fn directives(&self) -> u64 {
        self.directives
    }

    /// Whether lines were read and none of them is a request.
    #[must_use]
    pub fn is_no_log(&self) -> bool {
        self.unread > 0 && self.lines == self.unread.saturating_add(self.directives)
    }

    /// The first of those lines, counted from 1 through all logs.
    #[must_use]
    pub fn first_unread(&self) -> Option<u64> {
        self.first_unread
    }

    /// The requests of browsers and of others that do not call themselves crawlers.
    #[must_use]
    pub fn others(&self) -> u64 {
        self.others
    }

    /// The requests of crawlers for other hosts than the wanted one.
    #[must_use]
    pub fn other_hosts(&self) -> u64 {
        self.other_hosts
    }

    /// Two hosts that crawlers asked, if the logs name several and none was wanted: one robots.txt
    /// does not hold for both.
    #[must_use]
    pub fn several_hosts(&self) -> Option<(&str, &str)> {
        Some((self.hosts.first.as_deref()?, self.hosts.second.as_deref()?))
    }
}

impl Hosts {
    fn add(&mut self, host: &str) {
        let first = self.first.get_or_insert_with(|| host.to_owned());
        if !first.eq_ignore_ascii_case(host) && self.second.is_none() {
            self.second = Some(host.to_owned());
        }
    }
}

/// The most crawlers with a record of their own; a robots.txt rarely names more than 300.
const MOST_CRAWLERS: usize = 1024;

/// Enough for a thousand crawlers with groups of 16 KB, or forty with groups of 450 KB.
const MOST_BYTES: usize = 1 << 26;

/// The most headers that are recognised without being read again.
const MOST_USER_AGENTS: usize = 65_536;

/// In bytes.
const LONGEST_USER_AGENT: usize = 1024;

#[cfg(test)]
mod tests;
