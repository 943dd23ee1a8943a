//! Hosts that share an address. Only if they are a group do their requests together keep the pace
//! of the address.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::time::Duration;

use polite_robots_client::hosts::Groups;
use polite_robots_client::network::StaticResolver;
use polite_robots_policy::Profile;
use reqwest::dns::{Name, Resolve, Resolving};

use super::answer::Answer;
use super::crawl::{client_by, crawl, quick, runtime};
use super::hit::Hit;
use super::judge::{Judge, Law};
use super::server::{Ground, Site, Zoo};

/// The number of names for each address.
const NAMES: usize = 6;

/// A crawl of two addresses with several names each. It asks for robots.txt and a page of each
/// name.
struct Crawl {
    hits: Vec<Hit>,
    urls: Vec<String>,
    judge: Judge,
}

impl Crawl {
    fn run(groups: Groups) -> Crawl {
        Crawl::run_by(groups, |names| names)
    }

    fn run_by<R: Resolve + 'static>(groups: Groups, by: fn(StaticResolver) -> R) -> Crawl {
        let ground = Ground::new(2, 0);
        let addresses = ground.names();
        let site = || {
            Site::default()
                .on(
                    "/robots.txt",
                    [Answer::ok("User-agent: *\nDisallow: /no\n")],
                )
                .on("/a", [Answer::ok("a")])
        };
        let sites = addresses.iter().map(|name| (name.clone(), site()));
        let zoo = ground.open(sites.collect());
        let mut profile = quick(Profile::rfc9309());
        profile.pace.group_starts = 2;
        profile.pace.group_window = Duration::from_secs(1);

        let mut judge = Judge::new(profile, "ExampleBot");
        let mut resolver = StaticResolver::new();
        let mut urls = Vec::new();
        for (number, address) in addresses.iter().enumerate() {
            for letter in ('a'..).take(NAMES) {
                let name = format!("{letter}{number}.test");
                resolver = resolver.host(&name, [zoo.address(address).ip()]);
                urls.push(format!("http://{name}:{}/a", zoo.address(address).port()));
                judge.groups.insert(name, address.clone());
            }
        }
        runtime().block_on(async {
            let client = client_by(StaticResolver::new(), profile, 32);
            let client = client.resolver(by(resolver)).groups(groups);
            judge.cuts = zoo.cuts(crawl(&client.build().unwrap(), urls.clone(), urls.len()).await);
        });
        Crawl {
            hits: named(&zoo),
            urls,
            judge,
        }
    }

    /// The number of violations of each law.
    fn violations(&self) -> HashMap<Law, usize> {
        let mut counts = HashMap::new();
        for violation in self.judge.violations(&self.hits) {
            *counts.entry(violation.law).or_default() += 1;
        }
        counts
    }

    #[track_caller]
    fn assert_grouped(&self) {
        let judge = Judge {
            notice: Judge::of_crawl(self.judge.profile, "ExampleBot").notice,
            ..self.judge.clone()
        };
        let violations = judge.violations(&self.hits);
        let violations: Vec<String> = violations.iter().map(ToString::to_string).collect();
        assert!(violations.is_empty(), "{violations:#?}");
        assert_eq!(
            self.judge.unfetched(&self.hits, &self.urls),
            [""; 0].map(String::from)
        );
    }

    /// Asserts that each host keeps its own pace, and that all of them together are too fast for a
    /// group.
    #[track_caller]
    fn assert_ungrouped(&self) {
        let violations = self.violations();
        assert!(violations.contains_key(&Law::Group), "{violations:?}");
        assert_eq!(violations.len(), 1, "{violations:?}");
        assert!(self.judge.unfetched(&self.hits, &self.urls).is_empty());
    }
}

/// A resolver that fails once for each name.
struct LateResolver {
    names: StaticResolver,
    asked: Mutex<HashSet<String>>,
}

impl LateResolver {
    fn new(names: StaticResolver) -> LateResolver {
        LateResolver {
            names,
            asked: Mutex::default(),
        }
    }
}

impl Resolve for LateResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let is_first = self.asked.lock().unwrap().insert(name.as_str().to_owned());
        match is_first {
            true => Box::pin(async { Err("not yet".into()) }),
            false => self.names.resolve(name),
        }
    }
}

/// The requests by the names that the client asked for, as the zoo knows only addresses.
fn named(zoo: &Zoo) -> Vec<Hit> {
    let mut hits = zoo.hits();
    for hit in &mut hits {
        let host = hit.header("host").unwrap_or_default();
        hit.host = host.split(':').next().unwrap_or_default().to_owned();
    }
    hits
}

#[test]
fn hosts_at_one_address_share_its_pace() {
    Crawl::run(Groups::by_address(&[])).assert_grouped();
}

#[test]
fn without_groups_each_host_has_its_own() {
    Crawl::run(Groups::none()).assert_ungrouped();
}

#[test]
fn a_content_network_groups_nobody() {
    let network = "127.1.0.0/16".parse().unwrap();
    Crawl::run(Groups::by_address(&[network])).assert_ungrouped();
}

/// The lookup for the group fails, but the connection for robots.txt finds the address, so the
/// hosts are a group from the pages on.
#[test]
fn a_group_is_learnt_from_a_connection() {
    let mut crawl = Crawl::run_by(Groups::by_address(&[]), LateResolver::new);
    assert!(crawl.violations().contains_key(&Law::Group));
    let groups = std::mem::take(&mut crawl.judge.groups);
    assert_eq!(crawl.violations(), HashMap::new());
    crawl.judge.groups = groups;
    crawl.hits.retain(|hit| hit.path == "/a");
    let mut violations = crawl.violations();
    // The log has no robots.txt left for these pages.
    violations.remove(&Law::RobotsFirst);
    assert_eq!(violations, HashMap::new());
    assert!(crawl.hits.len() >= crawl.urls.len());
}
