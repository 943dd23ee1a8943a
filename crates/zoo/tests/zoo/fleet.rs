//! A crawler of several machines on one Redis. Machines die, and others join.

use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};

use polite_robots_client::store::{Key, RedisStore, Store as _};
use polite_robots_policy::{Origin, Profile};

use super::answer::Answer;
use super::engine::Engine;
use super::judge::{Judge, Law, Violation};
use super::kinds::RULES;
use super::redis_server::RedisServer;
use super::server::{Ground, Site, Zoo};

const MACHINES: usize = 4;

/// The time for which the hosts of a dead machine are left alone. The last second of the machine
/// may be lost, so the lease is longer than any wait that a site asks for here.
const LEASE: Duration = Duration::from_secs(3);
const CRAWL_DELAY: &str = "Crawl-delay: 1\n";
const RETRY_AFTER: u64 = 2;

struct Crawl {
    profile: Profile,
    zoo: Zoo,
    hosts: Vec<String>,
    urls: Vec<String>,
    redis: RedisServer,
    store: RedisStore,
    engine: Engine,
    /// The hosts of dead machines, each with the time of the death.
    orphans: Vec<(String, Duration)>,
    /// The orphans whose robots.txt was not saved.
    lost: Vec<(String, Duration)>,
}

impl Crawl {
    /// Begins a crawl of `hosts` hosts with `pages` pages each. Returns `None` if no Redis is
    /// installed.
    fn start(hosts: usize, pages: usize, min_delay: f64) -> Option<Crawl> {
        let redis = RedisServer::start()?;
        let ground = Ground::of_addresses(hosts);
        let hosts = ground.names();
        let mut sites = HashMap::new();
        for (number, name) in hosts.iter().enumerate() {
            let next = &hosts[(number + 1) % hosts.len()];
            let site = site(number, pages, || ground.url(next, "/there"));
            sites.insert(name.clone(), site);
        }
        let zoo = ground.open(sites);
        let mut profile = Profile::rfc9309();
        profile.pace.min_delay = Duration::from_secs_f64(min_delay);
        let delay = min_delay.to_string();
        let arguments = ["--network", "127.0.0.0/8", "--min-delay", &delay, "--redis"];
        let arguments = [&arguments[..], &[redis.address()]].concat();
        let store = RedisStore::new(redis.address(), "fleet").unwrap();
        let mut engine = Engine::start(MACHINES, &arguments, LEASE);
        let mut urls = vec![zoo.url(&hosts[0], "/private/x")];
        for page in 0..pages {
            let hosts = hosts.iter().enumerate();
            let hosts = hosts.filter(|(number, _)| page == 0 || !is_busy(*number));
            urls.extend(hosts.map(|(_, name)| zoo.url(name, &format!("/{page}"))));
        }
        urls.iter().for_each(|url| engine.add(url));
        Some(Crawl {
            profile,
            zoo,
            hosts,
            urls,
            redis,
            store,
            engine,
            orphans: Vec::new(),
            lost: Vec::new(),
        })
    }

    /// Crawls until a share of all pages is done.
    fn reach(&mut self, part: f64) {
        let pages = self.urls.len() as f64 * part;
        self.engine
            .run_until(|engine| engine.done() as f64 >= pages);
    }

    fn crawl_for(&mut self, time: Duration) {
        let until = Instant::now() + time;
        self.engine.run_until(|_| Instant::now() >= until);
    }

    /// Crawls until Redis has a host of the machine that is killed next.
    fn reach_a_save(&mut self) {
        let has_saved = |crawl: &Crawl| {
            let hosts = crawl.owned(crawl.engine.oldest());
            hosts.iter().any(|host| crawl.is_saved(host))
        };
        while !has_saved(self) {
            assert!(!self.engine.is_done(), "nothing was saved");
            self.crawl_for(Duration::from_millis(100));
        }
    }

    fn kill_one(&mut self) {
        let dead = self.engine.kill_one();
        let now = self.zoo.now();
        let orphans = self.owned(dead).into_iter();
        self.orphans.extend(orphans.map(|host| (host, now)));
    }

    /// The hosts of a machine.
    fn owned(&self, machine: usize) -> Vec<String> {
        let is_owned = |host: &&String| self.engine.owner(&self.zoo.url(host, "/")) == machine;
        self.hosts.iter().filter(is_owned).cloned().collect()
    }

    /// Notes which hosts of the last dead machine are not in Redis, before others get them.
    fn note_lost(&mut self) {
        let (_, last) = *self.orphans.last().unwrap();
        let of_last = self.orphans.iter().filter(|(_, died)| *died == last);
        let lost = of_last.filter(|(host, _)| !self.is_saved(host)).cloned();
        let lost: Vec<_> = lost.collect();
        self.lost.extend(lost);
    }

    /// Whether the robots.txt of a host is in Redis.
    fn is_saved(&self, host: &str) -> bool {
        let key = Key::entry(&Origin::of(&self.zoo.url(host, "/")).unwrap());
        loop {
            match self.store.load(&key) {
                Ok(record) => break record.is_some(),
                // Redis is slow on a busy machine.
                Err(_) => thread::sleep(Duration::from_millis(100)),
            }
        }
    }

    /// Crawls to the end, and judges the requests that the hosts saw.
    fn assert_polite(mut self) {
        self.engine.run_until(Engine::is_done);
        self.engine.end();
        let hits = self.zoo.hits();
        let mut judge = Judge::of_crawl(self.profile, "ExampleBot");
        judge.cuts.clone_from(&self.orphans);
        let (again, violations): (Vec<_>, Vec<_>) = judge
            .violations(&hits)
            .into_iter()
            .partition(|found| self.is_repetition_of_lost(found));
        let violations: Vec<String> = violations.iter().map(ToString::to_string).collect();
        println!(
            "{} hosts, {} requests, {:?}; {} hosts handed over; {} of dead machines, {} of them lost, \
             {} asked for robots.txt again; {} violations",
            self.hosts.len(),
            hits.len(),
            self.engine.ends,
            self.engine.handed_over,
            self.orphans.len(),
            self.lost.len(),
            again.len(),
            violations.len(),
        );
        assert!(violations.is_empty(), "{violations:#?}");
        assert_eq!(judge.unfetched(&hits, &self.urls), Vec::<String>::new());
        assert!(self.engine.handed_over > 0);
        assert!(self.lost.len() < self.orphans.len());
        let ends: Vec<&String> = self.engine.ends.keys().collect();
        assert_eq!(ends, ["disallowed", "fetched", "redirected"]);
    }

    /// Whether a violation is the repeated fetch of a robots.txt that was lost with a machine.
    fn is_repetition_of_lost(&self, found: &Violation) -> bool {
        let (Law::Lifetime, Some(first)) = (found.law, &found.first) else {
            return false;
        };
        let mut lost = self.lost.iter().filter(|(host, _)| *host == first.host);
        lost.any(|(_, died)| first.start <= *died && *died < found.second.start)
    }
}

/// Whether a host asks for a pause. Such a host has one page, as it then gets at most one in eight
/// seconds.
fn is_busy(number: usize) -> bool {
    number % 10 == 5
}

/// One host of ten asks for a `Crawl-delay`, one asks for a pause, and one redirects a page to
/// another host, mostly a host of another machine.
fn site(number: usize, pages: usize, elsewhere: impl Fn() -> String) -> Site {
    let rules = match number % 10 {
        0 => format!("{RULES}{CRAWL_DELAY}"),
        _ => RULES.to_owned(),
    };
    let page = || Answer::ok("a page");
    let site = Site::default().on("/robots.txt", [Answer::ok(rules)]);
    let mut site = site.on("/there", [page()]);
    for number in 0..pages {
        site.add(&format!("/{number}"), [page()]);
    }
    if is_busy(number) {
        let pause = Answer::status(429).retry_after(RETRY_AFTER);
        site.add("/0", [pause, page()]);
    }
    if number % 10 == 2 {
        site.add("/1", [Answer::redirect(302, elsewhere())]);
    }
    site
}

/// A machine joins, one dies, and Redis is away for a while.
#[test]
fn four_machines_are_one_polite_crawler() {
    let Some(mut crawl) = Crawl::start(24, 5, 0.2) else {
        return;
    };
    crawl.reach(0.1);
    crawl.engine.join();
    crawl.reach(0.3);
    crawl.reach_a_save();
    crawl.kill_one();
    crawl.note_lost();
    crawl.redis.kill();
    // The hosts of the other machines go on. The hosts of the dead machine wait for Redis.
    crawl.reach(0.5);
    crawl.redis.restart();
    crawl.assert_polite();
}

/// One machine dies each minute and another one joins, and Redis is away for a minute.
#[test]
#[ignore = "takes minutes; run it with --release"]
fn two_thousand_hosts_are_crawled_while_a_machine_dies_each_minute() {
    const MINUTE: Duration = Duration::from_secs(60);
    // The test needs a socket for each host, and one for each connection.
    rlimit::increase_nofile_limit(u64::MAX).unwrap();
    let Some(mut crawl) = Crawl::start(2_000, 30, 10.0) else {
        return;
    };
    for minute in 1..=4 {
        crawl.crawl_for(MINUTE);
        crawl.kill_one();
        if minute == 3 {
            // The machine died while nothing could be saved.
            crawl.redis.restart();
        }
        crawl.note_lost();
        if minute == 2 {
            crawl.redis.kill();
        }
        crawl.engine.join();
    }
    crawl.assert_polite();
}
