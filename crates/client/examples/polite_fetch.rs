//! Fetches pages of one site, politely: what a script that asks a site now and then should do.
//!
//! `cargo run -p polite-robots-client --features examples --example polite_fetch -- https://example.com/ https://example.com/about`
//!
//! Each URL gets a line: the verdict of the site's robots.txt with its reason, and what the fetch gave. The client is
//! blocking and knows nothing of politeness; [`Fetch`], [`Entry`] and [`Pacer`] say what to do, and when.
//! For many sites see `polite_crawler`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::error::Error;
use std::io::Read as _;
use std::net::ToSocketAddrs as _;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser};
use polite_robots::{InvalidToken, Robot};
use polite_robots_policy::{
    Backoff, BodyEnd, Entry, Event, Fetch, Levels, NetError, NextFetch, Origin, Outcome, Pacer,
    Profile, Site, Step, Turn, Validators,
};
use url::{Host, Url};

use crate::common::answer::{Answer, conditions, now, of_io, reply};
use crate::common::{AGENT, USER_AGENT, duration, is_own_network, page_url};

mod common;

/// Fetch pages of one site, politely.
#[derive(Debug, Parser)]
#[command(name = "polite_fetch")]
struct Options {
    /// Pages of one site
    #[arg(required = true, value_parser = page_url)]
    urls: Vec<Url>,
    /// The least time between two requests; the site may ask for more
    #[arg(long, default_value = "1s", value_parser = duration)]
    min_delay: Duration,
    /// The longest time that a request may take
    #[arg(long, default_value = "30s", value_parser = duration)]
    timeout: Duration,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let options = Options::parse();
    let origins = options.urls.iter().map(|url| Origin::of(url.as_str()));
    let origins = origins.collect::<Result<Vec<_>, _>>()?;
    let origin = origins.first().ok_or("no URL")?;
    // A robots.txt speaks for one scheme, host and port.
    if let Some(other) = origins.iter().find(|other| *other != origin) {
        let problem = format!("{other} is not {origin}; polite_crawler takes many sites");
        Options::command()
            .error(ErrorKind::ValueValidation, problem)
            .exit();
    }

    let mut visit = Visit::new(origin.clone(), &options);
    let mut is_complete = true;
    for url in &options.urls {
        let page = visit.fetch_page(url)?;
        is_complete &= page.is_some();
        if let Some(page) = page {
            println!(
                "    {}, {} bytes ({:?})",
                page.status,
                page.body.len(),
                page.end
            );
            if let Some(location) = page.location() {
                // A page elsewhere: that is for the caller to ask for, and for the robots.txt there to allow.
                println!("    leads to {location}");
            }
        }
    }
    Ok(ExitCode::from(u8::from(!is_complete)))
}

/// What is remembered between the requests to one site. With the feature `serde`, `entry` and `pacer` can be saved, so
/// that the next run does not ask for robots.txt again.
struct Visit {
    client: ureq::Agent,
    profile: Profile,
    origin: Origin,
    entry: Entry,
    pacer: Pacer,
}

impl Visit {
    fn new(origin: Origin, options: &Options) -> Visit {
        // The back-off doubles from the same delay.
        let mut profile = Profile::rfc9309();
        profile.pace.min_delay = options.min_delay;
        profile.pace.backoff = Backoff::Levels(Levels::with_base(options.min_delay));
        let client = ureq::Agent::config_builder()
            .user_agent(USER_AGENT)
            // RedirectPolicy are ours: each hop is a request to some host, and a page elsewhere has another robots.txt.
            .max_redirects(0)
            // A 404 is an answer.
            .http_status_as_error(false)
            .timeout_connect(Some(options.timeout.min(Duration::from_secs(10))))
            .timeout_global(Some(options.timeout))
            .build();
        Visit {
            client: client.into(),
            profile,
            entry: Entry::for_origin(&origin),
            pacer: Pacer::for_host(origin.host()),
            origin,
        }
    }

    /// Never asked for, about to expire, or failed a while ago.
    fn is_robots_txt_due(&self) -> bool {
        self.entry.next_fetch(&self.profile, now()) == NextFetch::Now
    }

    /// Asks for robots.txt if it is due. Whether it was asked for.
    fn refresh_robots_txt(&mut self) -> Result<bool, InvalidToken> {
        if !self.is_robots_txt_due() {
            return Ok(false);
        }
        let outcome = self.fetch_robots_txt();
        self.entry.handle(outcome, &self.profile, now());
        let explanation = self.entry.explain(&self.profile, Site::Unknown, now());
        eprintln!("{}: {explanation}", self.origin.robots_url());
        let crawl_delay = self.robot()?.crawl_delay();
        self.pacer.set_crawl_delay(crawl_delay);
        Ok(true)
    }

    fn robot(&self) -> Result<Robot, InvalidToken> {
        let robots_txt = self.entry.robots_txt(&self.profile, Site::Unknown, now());
        robots_txt.robot(AGENT)
    }

    /// One round: the first request, and up to five redirects.
    fn fetch_robots_txt(&mut self) -> Outcome {
        let mut fetch = Fetch::new(
            &self.origin,
            self.entry.validators().clone(),
            &self.profile,
            now(),
        );
        // The other steps belong to profiles that go through the addresses of a host.
        while let Step::Get(request) = fetch.poll(now()) {
            let url = request.url.to_string();
            let answer = match self.leads_astray(&url) {
                Ok(false) => self.get(&url, request.validators, request.max_bytes),
                Ok(true) => {
                    fetch.handle(Event::Refused, now());
                    continue;
                }
                Err(error) => Err(error),
            };
            let event = match &answer {
                Ok(answer) => Event::Response(answer.response()),
                Err(error) => Event::Failed(*error),
            };
            fetch.handle(event, now());
        }
        fetch.into_outcome()
    }

    /// Whether a redirect leads into the own network. The site itself was named by who runs this; where it redirects to
    /// was not.
    ///
    /// The client looks the name up again, and a name server that means harm can answer otherwise then; `polite_crawler`
    /// connects to the addresses that were checked.
    fn leads_astray(&self, url: &str) -> Result<bool, NetError> {
        let url = Url::parse(url).map_err(|_| NetError::Other)?;
        if url.host_str() == Some(self.origin.host()) {
            return Ok(false);
        }
        match url.host().ok_or(NetError::Dns)? {
            Host::Ipv4(v4) => Ok(is_own_network(v4.into())),
            Host::Ipv6(v6) => Ok(is_own_network(v6.into())),
            Host::Domain(name) => {
                let mut addresses = (name, 0).to_socket_addrs().map_err(|_| NetError::Dns)?;
                Ok(addresses.any(|address| is_own_network(address.ip())))
            }
        }
    }

    /// A page, again if the site is busy. `None` if it must not be asked for, or does not come.
    fn fetch_page(&mut self, url: &Url) -> Result<Option<Answer>, InvalidToken> {
        let mut last_verdict = String::new();
        for _ in 0..MOST_ATTEMPTS {
            // By the rules as they are when the request is sent: a turn may be a day away, and the rules others by then.
            if !self.wait_with_robots_txt(url)? {
                eprintln!(
                    "{url}: given up; the site wants longer waits than its robots.txt counts"
                );
                return Ok(None);
            }
            let robot = self.robot()?;
            let verdict = robot.check(url.as_str());
            if verdict.to_string() != last_verdict {
                last_verdict = verdict.to_string();
                println!("{url}\n    {verdict}");
            }
            if !verdict.is_allowed() {
                return Ok(None);
            }
            match self.get(url.as_str(), &Validators::default(), MOST_PAGE_BYTES) {
                // The pacer knows how long to leave it alone: Retry-After, or longer each time.
                Ok(answer) if matches!(answer.status, 429 | 503) => {
                    eprintln!("{url}: {}; trying again", answer.status);
                }
                Ok(answer) => return Ok(Some(answer)),
                Err(error) => eprintln!("{url}: no response ({error:?}); trying again"),
            }
        }
        eprintln!("{url}: given up after {MOST_ATTEMPTS} attempts");
        Ok(None)
    }

    /// Waits for the host's turn, at which robots.txt counts. To ask for that takes a turn too, and another if it fails;
    /// `false` if it is out of date again by then. Nobody waits for a page that must not be asked for.
    fn wait_with_robots_txt(&mut self, url: &Url) -> Result<bool, InvalidToken> {
        for _ in 0..MOST_ATTEMPTS {
            if !self.is_robots_txt_due() && !self.robot()?.allowed(url.as_str()) {
                return Ok(true);
            }
            self.wait_for_turn();
            if !self.refresh_robots_txt()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn wait_for_turn(&mut self) {
        // One request at a time, and no host is left out by this profile: there is nothing else to wait for.
        while let Turn::NotBefore(time) = self.pacer.poll(&self.profile, now()) {
            let wait = time.saturating_since(now());
            if wait > WORTH_A_WORD {
                eprintln!("waiting for {} s", wait.as_secs());
            }
            thread::sleep(wait);
        }
    }

    /// One request, in the host's turn. Everything that is asked goes through here, or it would not be the host's pace.
    fn get(
        &mut self,
        url: &str,
        validators: &Validators,
        max_bytes: usize,
    ) -> Result<Answer, NetError> {
        self.wait_for_turn();
        let started = now();
        self.pacer.handle_start(started);
        let answer = self.send(url, validators, max_bytes);
        let reply = reply(answer.as_ref().map_err(|error| *error), started);
        self.pacer.handle_reply(reply, &self.profile, now());
        answer
    }

    /// Sends the request and reads `max_bytes` of the body at most.
    fn send(
        &self,
        url: &str,
        validators: &Validators,
        max_bytes: usize,
    ) -> Result<Answer, NetError> {
        let mut request = self.client.get(url);
        for (name, value) in conditions(validators) {
            request = request.header(name, value);
        }
        let response = request.call().map_err(|error| net_error(&error))?;
        let (parts, body) = response.into_parts();
        let mut read = Vec::new();
        // One more, to see whether there is more.
        let limit = max_bytes as u64 + 1;
        // The client undoes gzip, so what counts are the bytes behind it, and a small body may be a large one.
        let end = match body.into_reader().take(limit).read_to_end(&mut read) {
            Ok(_) if read.len() > max_bytes => BodyEnd::LimitReached,
            Ok(_) => BodyEnd::Complete,
            // Half a robots.txt is not one. The policy takes it for an error of the server.
            Err(_) => BodyEnd::CutShort,
        };
        read.truncate(max_bytes);
        Ok(Answer {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body: read,
            end,
        })
    }
}

fn net_error(error: &ureq::Error) -> NetError {
    match error {
        ureq::Error::HostNotFound | ureq::Error::Timeout(ureq::Timeout::Resolve) => NetError::Dns,
        ureq::Error::ConnectionFailed | ureq::Error::Timeout(ureq::Timeout::Connect) => {
            NetError::Connect
        }
        ureq::Error::Timeout(_) => NetError::Read,
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => NetError::Tls,
        ureq::Error::Protocol(_) | ureq::Error::Http(_) | ureq::Error::LargeResponseHeader(..) => {
            NetError::InvalidResponse
        }
        ureq::Error::Io(error) => of_io(error.kind()),
        _ => NetError::Other,
    }
}

const WORTH_A_WORD: Duration = Duration::from_secs(10);
const MOST_ATTEMPTS: u32 = 3;
const MOST_PAGE_BYTES: usize = 10 << 20;
