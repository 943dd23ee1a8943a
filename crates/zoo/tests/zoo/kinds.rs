//! The kinds of hosts in a zoo.

use std::collections::HashMap;
use std::sync::LazyLock;
use std::time::Duration;

use super::answer::Answer;
use super::server::{Ground, Site};

/// The kind of a host. The zoo has several hosts of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// robots.txt is a 404.
    Missing,
    /// robots.txt disallows `/private`.
    Rules,
    /// robots.txt disallows `/private` in a group for the crawler, beside a group that disallows
    /// everything.
    OwnGroup,
    /// `Disallow: /`.
    Disallowed,
    /// robots.txt is a 403.
    Forbidden,
    /// `Crawl-delay: 2`.
    CrawlDelay,
    /// robots.txt is a 503 with `Retry-After` once, and rules later.
    Unavailable,
    /// robots.txt is a 429 with `Retry-After` once, and rules later.
    BusyRobots,
    /// A page is a 429 with `Retry-After` once, and is served later.
    BusyPage,
    /// robots.txt is at another host.
    MovedRobots,
    /// robots.txt is at the end of three redirects over as many hosts.
    MovedFar,
    /// robots.txt is at the end of six redirects.
    MovedTooFar,
    /// robots.txt redirects in a circle.
    Circle,
    /// A page is at the end of three redirects over as many hosts.
    MovedPage,
    /// A page redirects to one that another host disallows.
    MovedToDisallowed,
    /// Each answer takes 300 ms.
    Slow,
    /// Each answer is a 500.
    Broken,
    /// robots.txt has 660 kB, and a rule after the first 512,000 bytes.
    Long,
    /// robots.txt ends before its length.
    Cut,
    /// A page ends before its length.
    CutPage,
    /// robots.txt claims to be shorter than it is.
    Short,
    /// robots.txt in chunks.
    Chunked,
    /// Interim responses before each answer.
    Interim,
    /// robots.txt comes a byte at a time and never ends.
    Loris,
    /// A page comes a byte at a time and never ends.
    LorisPage,
    /// robots.txt never begins.
    Silent,
    /// The connection is reset instead of robots.txt.
    Reset,
    /// The connection is reset inside of a page.
    ResetPage,
    /// The connection ends instead of robots.txt.
    Empty,
    /// robots.txt comes in another protocol.
    NotHttp,
    /// The URLs are https, but the host has no TLS.
    Tls,
    /// robots.txt of 100 kB that decodes to 20 MB.
    Bomb,
    /// A page decodes to far more bytes than were sent.
    BombPage,
    /// `Cache-Control: max-age=0` for robots.txt.
    Stale,
    /// robots.txt is in another coding than its header says.
    Undecodable,
    /// robots.txt is in gzip that is damaged.
    Damaged,
    /// robots.txt is a 503 for ever.
    Down,
    /// A page redirects to one that its own host disallows.
    MovedToPrivate,
    /// robots.txt and all pages redirect to a form for a password.
    Login,
}

/// A host of a zoo and the pages that a crawler wants of it.
#[derive(Debug, Clone)]
pub(crate) struct Exhibit {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) urls: Vec<String>,
}

pub(crate) const KINDS: &[Kind] = &[
    Kind::Missing,
    Kind::Rules,
    Kind::OwnGroup,
    Kind::Disallowed,
    Kind::Forbidden,
    Kind::CrawlDelay,
    Kind::Unavailable,
    Kind::BusyRobots,
    Kind::BusyPage,
    Kind::MovedRobots,
    Kind::MovedFar,
    Kind::MovedTooFar,
    Kind::Circle,
    Kind::MovedPage,
    Kind::MovedToDisallowed,
    Kind::Slow,
    Kind::Broken,
    Kind::Long,
    Kind::Cut,
    Kind::CutPage,
    Kind::Short,
    Kind::Chunked,
    Kind::Interim,
    Kind::Loris,
    Kind::LorisPage,
    Kind::Silent,
    Kind::Reset,
    Kind::ResetPage,
    Kind::Empty,
    Kind::NotHttp,
    Kind::Tls,
    Kind::Bomb,
    Kind::BombPage,
    Kind::Stale,
    Kind::Undecodable,
    Kind::Damaged,
    Kind::Down,
    Kind::MovedToPrivate,
    Kind::Login,
];

/// Gives each host the next kind in turn. Every host has the pages `/`, `/a`, `/b` and
/// `/private/x`.
pub(crate) fn populate(ground: &Ground) -> (Vec<Exhibit>, HashMap<String, Site>) {
    let names = ground.names();
    let kinds = names.iter().zip(KINDS.iter().cycle());
    let mut population = Population {
        ground,
        sites: names.iter().map(|name| (name.clone(), pages())).collect(),
        // Redirects lead to hosts that answer correctly.
        guides: kinds
            .clone()
            .filter(|(_, kind)| matches!(kind, Kind::Missing | Kind::Rules))
            .map(|(name, _)| name.clone())
            .collect(),
    };
    assert!(population.guides.len() >= 2, "too few hosts");
    let mut exhibits = Vec::new();
    for (number, (name, kind)) in kinds.enumerate() {
        population.furnish(number, name, *kind);
        let url = |path: &str| {
            let url = ground.url(name, path);
            match kind {
                Kind::Tls => url.replacen("http:", "https:", 1),
                _ => url,
            }
        };
        exhibits.push(Exhibit {
            name: name.clone(),
            kind: *kind,
            urls: PAGES.iter().map(|path| url(path)).collect(),
        });
    }
    (exhibits, population.sites)
}

pub(crate) const PAGES: [&str; 4] = ["/", "/a", "/b", "/private/x"];
pub(crate) const RULES: &str = "User-agent: *\nDisallow: /private\n";

struct Population<'a> {
    ground: &'a Ground,
    sites: HashMap<String, Site>,
    /// The hosts that others redirect to.
    guides: Vec<String>,
}

/// Made once, as packing 40 MB takes a second.
static BODIES: LazyLock<Bodies> = LazyLock::new(Bodies::new);

/// Large answers, which their hosts share.
struct Bodies {
    long: Answer,
    bomb: Answer,
    bomb_page: Answer,
}

impl Population<'_> {
    fn furnish(&mut self, number: usize, name: &str, kind: Kind) {
        let rules = || Answer::ok(RULES);
        match kind {
            Kind::Missing => {}
            Kind::Rules => self.robots(name, [rules()]),
            Kind::OwnGroup => {
                let file =
                    "User-agent: *\nDisallow: /\n\nUser-agent: ExampleBot\nDisallow: /private\n";
                self.robots(name, [Answer::ok(file)]);
            }
            Kind::Disallowed => self.robots(name, [Answer::ok("User-agent: *\nDisallow: /\n")]),
            Kind::Forbidden => self.robots(name, [Answer::status(403)]),
            Kind::CrawlDelay => {
                let file = format!("{RULES}Crawl-delay: 2\n");
                self.robots(name, [Answer::ok(file)]);
            }
            Kind::Unavailable => self.robots(name, [Answer::status(503).retry_after(2), rules()]),
            Kind::BusyRobots => self.robots(name, [Answer::status(429).retry_after(2), rules()]),
            Kind::BusyPage => {
                self.robots(name, [rules()]);
                let page = [Answer::status(429).retry_after(2), Answer::ok("a")];
                self.add(name, "/a", page);
            }
            Kind::MovedRobots => self.chain(number, name, "/robots.txt", 1, rules()),
            Kind::MovedFar => self.chain(number, name, "/robots.txt", 3, rules()),
            Kind::MovedTooFar => {
                for hop in 0..7 {
                    let path = match hop {
                        0 => "/robots.txt".to_owned(),
                        _ => format!("/hop{hop}"),
                    };
                    self.add(
                        name,
                        &path,
                        [Answer::redirect(302, format!("/hop{}", hop + 1))],
                    );
                }
                self.add(name, "/hop7", [rules()]);
            }
            Kind::Circle => {
                self.robots(name, [Answer::redirect(301, "/hop")]);
                self.add(name, "/hop", [Answer::redirect(301, "/robots.txt")]);
            }
            Kind::MovedPage => {
                self.robots(name, [rules()]);
                self.chain(number, name, "/a", 3, Answer::ok("a"));
            }
            Kind::MovedToDisallowed => {
                let closed = self.guides.iter().rfind(|guide| {
                    let answers = &self.sites[*guide];
                    answers.has("/robots.txt")
                });
                let target = self
                    .ground
                    .url(closed.unwrap(), &format!("/private/{name}"));
                self.add(name, "/a", [Answer::redirect(302, target)]);
            }
            Kind::Slow => {
                let delay = Duration::from_millis(300);
                self.robots(name, [rules().delayed(delay)]);
                for page in PAGES {
                    self.add(name, page, [Answer::ok(page).delayed(delay)]);
                }
            }
            Kind::Broken => {
                self.robots(name, [Answer::status(500)]);
                for page in PAGES {
                    self.add(name, page, [Answer::status(500)]);
                }
            }
            Kind::Long => self.robots(name, [BODIES.long.clone()]),
            Kind::Cut => self.robots(name, [rules().cut_to(20)]),
            Kind::CutPage => {
                self.robots(name, [rules()]);
                self.add(name, "/a", [Answer::ok("a page").cut_to(3)]);
            }
            Kind::Short => {
                let file = format!("{RULES}Disallow: /b\n");
                self.robots(name, [Answer::ok(file).claiming(RULES.len())]);
            }
            Kind::Chunked => self.robots(name, [rules().chunked()]),
            Kind::Interim => {
                self.robots(name, [rules().after_interim()]);
                for page in PAGES {
                    self.add(name, page, [Answer::ok(page).after_interim()]);
                }
            }
            Kind::Loris => self.robots(name, [rules().dripping()]),
            Kind::LorisPage => {
                self.robots(name, [rules()]);
                self.add(name, "/a", [Answer::ok("a").dripping()]);
            }
            Kind::Silent => self.robots(name, [Answer::silent()]),
            Kind::Reset => self.robots(name, [Answer::reset()]),
            Kind::ResetPage => {
                self.robots(name, [rules()]);
                self.add(name, "/a", [Answer::ok("a page").reset_inside()]);
            }
            Kind::Empty => self.robots(name, [Answer::empty()]),
            Kind::NotHttp => self.robots(name, [Answer::not_http()]),
            // Only the URLs of this kind differ.
            Kind::Tls => {}
            Kind::Bomb => self.robots(name, [BODIES.bomb.clone()]),
            Kind::BombPage => {
                self.robots(name, [rules()]);
                self.add(name, "/a", [BODIES.bomb_page.clone()]);
            }
            Kind::Stale => self.robots(name, [rules().max_age(0)]),
            Kind::Undecodable => self.robots(name, [Answer::coded(RULES, "br")]),
            Kind::Damaged => self.robots(name, [Answer::damaged(RULES)]),
            Kind::Down => self.robots(name, [Answer::status(503)]),
            Kind::MovedToPrivate => {
                self.robots(name, [rules()]);
                self.add(name, "/a", [Answer::redirect(302, "/private/a")]);
            }
            Kind::Login => {
                for path in PAGES.into_iter().chain(["/robots.txt"]) {
                    self.add(name, path, [Answer::redirect(302, "/login")]);
                }
                self.add(name, "/login", [Answer::ok("<!doctype html><form>")]);
            }
        }
    }

    fn robots(&mut self, name: &str, answers: impl Into<Vec<Answer>>) {
        self.add(name, "/robots.txt", answers);
    }

    fn add(&mut self, name: &str, path: &str, answers: impl Into<Vec<Answer>>) {
        self.sites.get_mut(name).unwrap().add(path, answers);
    }

    /// Adds redirects that lead from a path over other hosts to an answer, at paths that no other
    /// chain has.
    fn chain(&mut self, number: usize, name: &str, path: &str, hops: usize, end: Answer) {
        let (mut host, mut path) = (name.to_owned(), path.to_owned());
        for hop in 1..=hops {
            let next_host = self.guides[(number + hop) % self.guides.len()].clone();
            let next_path = format!("/chain/{name}/{hop}");
            let target = self.ground.url(&next_host, &next_path);
            let status = [301, 302, 307, 308][hop % 4];
            self.add(&host, &path, [Answer::redirect(status, target)]);
            (host, path) = (next_host, next_path);
        }
        self.add(&host, &path, [end]);
    }
}

impl Bodies {
    fn new() -> Bodies {
        let comment = "# a line of sixty-four bytes, which says nothing to any robot.\n";
        let long = format!("{RULES}{}Disallow: /b\n", comment.repeat(10_500));
        assert!(long.len() > 660_000);
        let bomb = format!("{RULES}{}", comment.repeat(320_000));
        assert!(bomb.len() > 20_000_000);
        Bodies {
            long: Answer::ok(long),
            bomb: Answer::gzip(bomb.as_bytes()),
            bomb_page: Answer::gzip(&vec![b'a'; 20_000_000]),
        }
    }
}

fn pages() -> Site {
    PAGES.iter().fold(Site::default(), |site, page| {
        site.on(page, [Answer::ok(page)])
    })
}
