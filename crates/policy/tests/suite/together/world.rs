//! Virtual sites: their robots.txt, their pages, their addresses, and their outages.

use std::borrow::Cow;
use std::collections::HashMap;
use std::time::Duration;

use polite_robots_policy::{NetError, Profile};

/// All sites, found by the names of their hosts.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) sites: Vec<Site>,
    numbers: HashMap<String, usize>,
}

/// One host with its origins. Times are milliseconds since the start of the crawl.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) host: String,
    /// The number of the address that it shares, if the crawler knows it.
    pub(crate) address: Option<u64>,
    pub(crate) latency: u64,
    pub(crate) authorities: Vec<Authority>,
    pub(crate) outages: Vec<Outage>,
    /// Each page whose number is a multiple of this one answers 429 at its first request; 0: none.
    pub(crate) busy_every: u32,
}

/// One origin of a site.
#[derive(Debug, Clone)]
pub(crate) struct Authority {
    pub(crate) scheme: &'static str,
    pub(crate) robots: Robots,
    pub(crate) pages: u32,
}

/// The answer of an origin to the request for robots.txt, outages apart.
#[derive(Debug, Clone)]
pub(crate) enum Robots {
    File {
        body: Body,
        max_age: Option<u64>,
    },
    Status(u16),
    /// A redirect to a file of another site.
    Moved {
        to: usize,
        body: Body,
    },
}

/// The content of a robots.txt. Large ones are written when they are asked for.
#[derive(Debug, Clone)]
pub(crate) enum Body {
    Text(&'static str),
    /// A file of about `bytes` bytes, whose rules differ for each number.
    Generated {
        number: u32,
        bytes: usize,
    },
}

/// A time in which a site does not answer as it should.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outage {
    pub(crate) from: u64,
    pub(crate) until: u64,
    pub(crate) scope: Scope,
    pub(crate) failure: Failure,
}

/// The requests that an outage hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    Host,
    Robots,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A status, and a `Retry-After` in seconds; 0: none.
    Status(u16, u32),
    NoConnection,
}

/// The path of a request on its host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Path {
    Robots,
    /// The robots.txt of another authority, which redirects to this host.
    RobotsOf {
        site: u32,
        authority: u8,
    },
    Page(u32),
}

/// A response on the wire, or none.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) result: Result<u16, NetError>,
    /// In seconds; 0: none.
    pub(crate) retry_after: u32,
    pub(crate) max_age: Option<u64>,
    pub(crate) location: Option<String>,
    pub(crate) body: Vec<u8>,
}

impl World {
    pub(crate) fn new(sites: Vec<Site>) -> World {
        let numbers = sites.iter().enumerate();
        let numbers = numbers.map(|(number, site)| (site.host.clone(), number));
        World {
            numbers: numbers.collect(),
            sites,
        }
    }

    pub(crate) fn find(&self, host: &str) -> usize {
        self.numbers[host]
    }

    /// The authority and the path of a URL for robots.txt.
    pub(crate) fn resolve(&self, url: &str) -> (usize, u8, Path) {
        let (scheme, rest) = url.split_once("://").unwrap();
        let (host, path) = rest.split_once('/').unwrap();
        let site = self.find(host);
        let mut authorities = self.sites[site].authorities.iter();
        let authority = authorities
            .position(|authority| authority.scheme == scheme)
            .unwrap() as u8;
        let path = match path {
            "robots.txt" => Path::Robots,
            moved => {
                let (site, authority) = moved.split_once('/').unwrap();
                Path::RobotsOf {
                    site: site.parse().unwrap(),
                    authority: authority.parse().unwrap(),
                }
            }
        };
        (site, authority, path)
    }

    pub(crate) fn answer(
        &self,
        site: usize,
        authority: u8,
        path: Path,
        attempt: u32,
        at: u64,
    ) -> Answer {
        let found = &self.sites[site];
        let is_robots = !matches!(path, Path::Page(_));
        let mut outages = found.outages.iter();
        let outage = outages.find(|outage| {
            (outage.from..outage.until).contains(&at) && (is_robots || outage.scope == Scope::Host)
        });
        match outage.map(|outage| outage.failure) {
            Some(Failure::NoConnection) => Answer::without_response(NetError::Connect),
            Some(Failure::Status(status, retry_after)) => Answer {
                retry_after,
                ..Answer::of_status(status)
            },
            None => match path {
                Path::Page(page) if found.is_busy(page) && attempt == 0 => Answer {
                    retry_after: 5,
                    ..Answer::of_status(429)
                },
                Path::Page(_) => Answer::of_status(200),
                Path::Robots => self.robots(site, authority),
                Path::RobotsOf { site, authority } => {
                    let Robots::Moved { body, .. } =
                        &self.authority(site as usize, authority).robots
                    else {
                        return Answer::of_status(404);
                    };
                    Answer::of_file(body, None)
                }
            },
        }
    }

    fn robots(&self, site: usize, authority: u8) -> Answer {
        match &self.authority(site, authority).robots {
            Robots::File { body, max_age } => Answer::of_file(body, *max_age),
            Robots::Status(status) => Answer::of_status(*status),
            Robots::Moved { to, .. } => {
                let target = &self.sites[*to];
                let scheme = target.authorities[0].scheme;
                let url = format!("{scheme}://{}/{site}/{authority}", target.host);
                Answer {
                    location: Some(url),
                    ..Answer::of_status(302)
                }
            }
        }
    }

    pub(crate) fn authority(&self, site: usize, authority: u8) -> &Authority {
        &self.sites[site].authorities[usize::from(authority)]
    }

    /// The end of the last outage.
    pub(crate) fn recovery(&self) -> u64 {
        let outages = self.sites.iter().flat_map(|site| &site.outages);
        outages.map(|outage| outage.until).max().unwrap_or(0)
    }
}

impl Site {
    /// A site of one origin that answers within 100 ms.
    pub(crate) fn new(host: String, robots: Robots, pages: u32) -> Site {
        let authority = Authority {
            scheme: "https",
            robots,
            pages,
        };
        Site {
            host,
            address: None,
            latency: 100,
            authorities: vec![authority],
            outages: Vec::new(),
            busy_every: 0,
        }
    }

    fn is_busy(&self, page: u32) -> bool {
        self.busy_every > 0 && page % self.busy_every == 0
    }
}

impl Robots {
    /// A file with a lifetime in milliseconds.
    pub(crate) fn text(text: &'static str, max_age: Option<u64>) -> Robots {
        let body = Body::Text(text);
        Robots::File { body, max_age }
    }
}

impl Authority {
    /// The file that decides about its pages.
    pub(crate) fn file(&self) -> Option<Cow<'_, [u8]>> {
        match &self.robots {
            Robots::File { body, .. } | Robots::Moved { body, .. } => Some(body.bytes()),
            Robots::Status(_) => None,
        }
    }
}

impl Body {
    pub(crate) fn bytes(&self) -> Cow<'static, [u8]> {
        let (number, bytes) = match self {
            Body::Text(text) => return Cow::Borrowed(text.as_bytes()),
            Body::Generated { number, bytes } => (*number, *bytes),
        };
        let mut text = String::from("User-agent: *\nDisallow: /private\n");
        for rule in 0.. {
            let line = format!("Disallow: /archive/{number}/section-{rule}/\n");
            if text.len() + line.len() > bytes {
                break;
            }
            text.push_str(&line);
        }
        Cow::Owned(text.into_bytes())
    }
}

impl Answer {
    fn of_status(status: u16) -> Answer {
        Answer {
            result: Ok(status),
            retry_after: 0,
            max_age: None,
            location: None,
            body: Vec::new(),
        }
    }

    fn of_file(body: &Body, max_age: Option<u64>) -> Answer {
        Answer {
            max_age,
            body: body.bytes().into_owned(),
            ..Answer::of_status(200)
        }
    }

    pub(crate) fn without_response(error: NetError) -> Answer {
        Answer {
            result: Err(error),
            ..Answer::of_status(0)
        }
    }
}

/// The path of a page as robots.txt sees it: one page in ten is private.
pub(crate) fn path_of_page(page: u32) -> String {
    if page % 10 == 9 {
        format!("/private/{page}")
    } else {
        format!("/page/{page}")
    }
}

/// A preset of the crate, named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preset {
    Rfc9309,
    Google,
    Ibm,
}

impl Preset {
    pub(crate) fn profile(self) -> Profile {
        match self {
            Preset::Rfc9309 => Profile::rfc9309(),
            Preset::Google => Profile::google(),
            Preset::Ibm => Profile::ibm(),
        }
    }
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The start of each crawl, 2026-01-01.
pub(crate) const START: u64 = 1_767_225_600_000;
pub(crate) const SECOND: u64 = 1_000;
pub(crate) const MINUTE: u64 = 60 * SECOND;
pub(crate) const HOUR: u64 = 60 * MINUTE;
pub(crate) const DAY: u64 = 24 * HOUR;

// Types of ours: NetError, Profile; settings and plain data only.
