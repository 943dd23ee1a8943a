//! Sites whose robots.txt is answered in every way that there is, and the pages that may be asked
//! for then.

use std::net::Ipv4Addr;
use std::process::Output;
use std::time::Duration;

use super::answer::Answer;
use super::server::{Log, Site};

pub(crate) struct Exhibit {
    pub(crate) name: &'static str,
    pub(crate) site: Site,
    /// The pages that the crawler is asked to fetch, and whether it may.
    pub(crate) pages: Vec<(&'static str, Access)>,
    /// The requests that must come before the pages, in order.
    pub(crate) robots_txt: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Allowed,
    Disallowed,
}

use Access::{Allowed, Disallowed};

/// The exhibits, each with an address of its own, from 127.0.1.1 on.
pub(crate) fn exhibits(log: &Log) -> Vec<Exhibit> {
    let mut zoo = Zoo {
        exhibits: Vec::new(),
        log,
    };
    zoo.add_rules();
    zoo.add_without_rules();
    zoo.add_closed();
    zoo.add_redirects();
    zoo.exhibits
}

struct Zoo<'l> {
    exhibits: Vec<Exhibit>,
    log: &'l Log,
}

const OBEYED: [(&str, Access); 3] = [
    ("/", Allowed),
    ("/private", Disallowed),
    ("/public", Allowed),
];
const OPEN: [(&str, Access); 2] = [("/", Allowed), ("/private", Allowed)];
const CLOSED: [(&str, Access); 2] = [("/", Disallowed), ("/public", Disallowed)];

impl Zoo<'_> {
    fn add(
        &mut self,
        name: &'static str,
        answer: Answer,
        pages: &[(&'static str, Access)],
    ) -> &mut Exhibit {
        let address = address(self.exhibits.len());
        self.exhibits.push(Exhibit {
            name,
            site: Site::start(address, self.log).on("/robots.txt", [answer]),
            pages: pages.to_vec(),
            robots_txt: vec!["/robots.txt".to_string()],
        });
        for (path, _) in pages {
            self.exhibits
                .last()
                .unwrap()
                .site
                .clone()
                .on(path, [Answer::ok("<html>")]);
        }
        self.exhibits.last_mut().unwrap()
    }

    fn add_rules(&mut self) {
        self.add("rules", Answer::ok(RULES), &OBEYED);
        self.add("rules in gzip", Answer::ok(RULES).gzipped(), &OBEYED);
        self.add(
            "rules that come slowly",
            Answer::ok(RULES).slowly(),
            &OBEYED,
        );
        self.add(
            "rules with another 2xx",
            Answer::status(203).with_body(RULES),
            &OBEYED,
        );
        let others = "User-agent: OtherBot\nDisallow: /";
        self.add("rules for others", Answer::ok(others), &OPEN);
        let named = "User-agent: *\nDisallow: /\n\nUser-agent: examplebot\nDisallow: /private";
        self.add("rules by name", Answer::ok(named), &OBEYED);
        let start = [("/private", Disallowed), ("/late", Allowed)];
        self.add("600 KiB", Answer::ok(long_file()), &start);
        self.add("600 KiB in gzip", Answer::ok(long_file()).gzipped(), &start);
        // As far as a client can know, the body ends there.
        let short = Answer::ok(RULES).claiming(RULES.len() - 1);
        self.add(
            "a length too small",
            short,
            &[("/privat", Disallowed), ("/", Allowed)],
        );
    }

    fn add_without_rules(&mut self) {
        self.add(
            "HTML",
            Answer::ok("<!DOCTYPE html>\n<p>Disallow: /\n"),
            &OPEN,
        );
        self.add("an empty file", Answer::ok(""), &OPEN);
        for status in [204, 400, 401, 403, 404, 410, 451] {
            self.add("no file", Answer::status(status), &OPEN);
        }
    }

    fn add_closed(&mut self) {
        let date = Duration::from_secs(1);
        for (name, answer) in [
            ("429", Answer::status(429)),
            ("429 with seconds", Answer::status(429).retry_after(1)),
            ("500", Answer::status(500)),
            ("503", Answer::status(503)),
            (
                "503 with a date",
                Answer::status(503).retry_after_date(date),
            ),
            ("304 that nobody asked for", Answer::status(304)),
            ("a redirect to nowhere", Answer::status(301)),
            (
                "a redirect to another protocol",
                Answer::redirect(302, "ftp://example.com/robots.txt"),
            ),
            ("cut chunks", Answer::ok(RULES).in_cut_chunks()),
            (
                "a length too large",
                Answer::ok(RULES).claiming(RULES.len() + 1),
            ),
            ("cut gzip", Answer::ok(RULES).gzipped().cut_to(30)),
            ("a reset connection", Answer::reset()),
            ("no HTTP", Answer::not_http()),
        ] {
            self.add(name, answer, &CLOSED);
        }
    }

    /// RFC 9309 §2.3.1.2: five redirects are followed.
    fn add_redirects(&mut self) {
        for (name, redirects, asked, pages) in [
            ("five redirects", 5, 5, &OBEYED[..]),
            ("six redirects", 6, 5, &OPEN[..]),
        ] {
            let exhibit = self.add(name, Answer::redirect(301, "hop1"), pages);
            for (hop, status) in (1..redirects).zip([302, 303, 307, 308, 301]) {
                let next = format!("/hop{}", hop + 1);
                exhibit
                    .site
                    .clone()
                    .on(&format!("/hop{hop}"), [Answer::redirect(status, next)]);
            }
            exhibit
                .site
                .clone()
                .on(&format!("/hop{redirects}"), [Answer::ok(RULES)]);
            exhibit
                .robots_txt
                .extend((1..=asked).map(|hop| format!("/hop{hop}")));
        }
        let exhibit = self.add("a loop", Answer::redirect(302, "/hop"), &OPEN);
        exhibit
            .site
            .clone()
            .on("/hop", [Answer::redirect(302, "/robots.txt")]);
        exhibit.robots_txt.push("/hop".to_string());
    }
}

/// Repeats the crawl of a site that never answers until the site has seen a request: the timeout
/// may be over before the request is sent.
pub(crate) fn meet_silence(site: &Site, crawl: impl Fn(&[String]) -> Output) {
    let urls: Vec<String> = CLOSED.iter().map(|(path, _)| site.url(path)).collect();
    let mut crawls = 0;
    while site.paths().is_empty() {
        let output = crawl(&urls);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        crawls += 1;
    }
    assert!(site.paths().iter().all(|path| path == "/robots.txt"));
    assert!(site.paths().len() <= crawls);
}

impl Exhibit {
    pub(crate) fn urls(&self) -> Vec<String> {
        self.pages
            .iter()
            .map(|(path, _)| self.site.url(path))
            .collect()
    }

    /// Asserts that the crawler asked for robots.txt first, then for the allowed pages, and for
    /// nothing else.
    pub(crate) fn assert_obeyed(&self) {
        assert_eq!(
            self.site.paths(),
            self.expected(),
            "{}: {}",
            self.name,
            self.site.url("/")
        );
    }

    /// Asserts the same of a program that asks for all pages at once.
    pub(crate) fn assert_obeyed_in_any_order(&self) {
        let (mut paths, mut expected) = (self.site.paths(), self.expected());
        let first = self.robots_txt.len();
        assert_eq!(paths[..first], expected[..first], "{}", self.name);
        paths.sort_unstable();
        expected.sort_unstable();
        assert_eq!(paths, expected, "{}: {}", self.name, self.site.url("/"));
    }

    fn expected(&self) -> Vec<String> {
        let allowed = self.pages.iter().filter(|(_, access)| *access == Allowed);
        let pages = allowed.map(|(path, _)| (*path).to_string());
        self.robots_txt.iter().cloned().chain(pages).collect()
    }
}

const RULES: &str = "User-agent: *\nDisallow: /private";

pub(crate) fn address(number: usize) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 1, u8::try_from(number + 1).unwrap())
}

/// A file whose last rule is after the 512,000 bytes that count.
fn long_file() -> String {
    let filler = "# a line of sixty-four bytes, which says nothing to any robot.\n";
    format!(
        "User-agent: *\nDisallow: /private\n{}Disallow: /late\n",
        filler.repeat(9600)
    )
}
