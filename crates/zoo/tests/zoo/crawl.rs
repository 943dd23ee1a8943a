//! The client in the zoo: workers fetch all pages, a third of the calls is cut off, and the judge
//! counts the violations.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use polite_robots_client::network::StaticResolver;
use polite_robots_client::store::MemoryStore;
use polite_robots_client::{Egress, Error, PoliteClient, PoliteClientBuilder};
use polite_robots_policy::Profile;
use polite_robots_policy::settings::{Backoff, Levels};
use tokio::task::JoinSet;

use super::answer::Answer;
use super::hit::{Cut, Hit};
use super::judge::{Judge, Law};
use super::kinds::{KINDS, populate};
use super::server::{Ground, Site, Zoo};
use super::stall;

/// A xorshift generator: the same calls are cut off in each run.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

struct Call {
    url: String,
    attempts: u8,
    /// The number of times that the site was closed for a while.
    closed: u8,
    /// The number of times that the client had no turn, memory or place for it in time.
    busy: u8,
    due: Instant,
}

pub(super) fn client(zoo: &Zoo, profile: Profile, workers: usize) -> PoliteClientBuilder {
    client_by(zoo.resolver(), profile, workers)
}

pub(super) fn client_by(
    resolver: StaticResolver,
    profile: Profile,
    workers: usize,
) -> PoliteClientBuilder {
    PoliteClient::builder("ExampleBot")
        .version("1.0")
        .contact("https://example.com/bot", "bot@example.com")
        .profile(profile)
        .egress(Egress::any())
        .resolver(resolver)
        .page_limit(1 << 20)
        .max_in_flight(workers)
}

/// Sets time limits for hosts that never answer. They are far beyond the time that a busy machine
/// needs for an answer, so that a host that answers does not seem silent.
pub(super) fn impatient(client: PoliteClientBuilder) -> PoliteClientBuilder {
    let http = reqwest::Client::builder();
    let http = http.connect_timeout(PATIENCE).read_timeout(PATIENCE);
    client.http(http).robots_timeout(PATIENCE)
}

pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Fetches `urls` with `workers` workers. One call in three is dropped at a random time. Returns
/// the dropped calls.
pub(super) async fn crawl(client: &PoliteClient, urls: Vec<String>, workers: usize) -> Vec<Cut> {
    stall::watch();
    let calls = urls.into_iter().map(|url| Call {
        url,
        attempts: 0,
        closed: 0,
        busy: 0,
        due: Instant::now(),
    });
    let queue: Arc<Mutex<VecDeque<Call>>> = Arc::new(Mutex::new(calls.collect()));
    let next = |queue: &Mutex<VecDeque<Call>>| {
        let mut queue = queue.lock().unwrap();
        let due = (0..queue.len()).min_by_key(|&place| queue[place].due)?;
        queue.remove(due)
    };
    let mut set = JoinSet::new();
    for worker in 0..workers {
        let (client, queue) = (client.clone(), Arc::clone(&queue));
        set.spawn(async move {
            let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ (worker as u64 + 1));
            let mut cuts = Vec::new();
            while let Some(mut call) = next(&queue) {
                tokio::time::sleep_until(call.due.into()).await;
                call.attempts += 1;
                let patience = match dice.roll(3) {
                    0 if call.attempts < 6 => Duration::from_millis(dice.roll(3_000)),
                    _ => Duration::from_secs(120),
                };
                let get = async {
                    let page = client.get(&call.url).await?;
                    page.bytes().await
                };
                let again = match tokio::time::timeout(patience, get).await {
                    // Closed sites are counted apart from dropped calls and retried when the site
                    // says: on a busy machine more calls are dropped, and a round takes longer.
                    Ok(Err(error @ Error::Closed { .. })) => {
                        call.closed += 1;
                        let is_soon = |wait: &Duration| *wait <= PATIENCE && call.closed < 6;
                        error.retry_in().filter(is_soon)
                    }
                    // On a busy machine a call may wait too long for memory or a place of the
                    // client. The site answers, so the page is asked for again.
                    Ok(Err(error @ Error::Busy { .. })) => {
                        call.busy += 1;
                        error.retry_in().filter(|_| call.busy < 12)
                    }
                    Ok(_) => None,
                    Err(_) => {
                        cuts.push(Cut::of(&call.url));
                        Some(Duration::ZERO)
                    }
                };
                if let Some(wait) = again {
                    call.due = Instant::now() + wait;
                    queue.lock().unwrap().push_back(call);
                }
            }
            cuts
        });
    }
    set.join_all().await.concat()
}

/// Shortens the gaps of a profile for a test: a second becomes a tenth of one.
pub(super) fn quick(mut profile: Profile) -> Profile {
    profile.pace.min_delay = Duration::from_millis(100);
    profile.access.retry_first_503 = Duration::from_secs(1);
    profile.access.retry_first = Duration::from_secs(2);
    profile.pace.backoff = Backoff::Levels(Levels::with_base(Duration::from_millis(100)));
    profile
}

/// Crawls a zoo of `hosts` hosts by a profile, and asserts that the judge finds no violation and no
/// unfetched page. With `ZOO_TIMES=10` it has ten times the hosts and the workers.
fn crawl_a_zoo(hosts: usize, profile: Profile) {
    let times = std::env::var("ZOO_TIMES").map_or(1, |times| times.parse().unwrap());
    let (hosts, workers) = (hosts * times, WORKERS * times);
    let ground = Ground::new(hosts, 4 * times);
    let (exhibits, sites) = populate(&ground);
    let zoo = ground.open(sites);
    let profile = quick(profile);
    let urls: Vec<String> = exhibits
        .iter()
        .flat_map(|exhibit| exhibit.urls.clone())
        .collect();
    let began = zoo.now();
    let cuts = runtime().block_on(async {
        let client = impatient(client(&zoo, profile, workers)).build().unwrap();
        crawl(&client, urls.clone(), workers).await
    });
    let seconds = (zoo.now() - began).as_secs();
    println!("{} hosts, {workers} workers: {seconds} s", exhibits.len());
    judge(&zoo, profile, &urls, workers, cuts);
}

fn judge(zoo: &Zoo, profile: Profile, urls: &[String], workers: usize, cuts: Vec<Cut>) {
    let hits = zoo.hits();
    let mut judge = Judge::of_crawl(profile, "ExampleBot");
    judge.cuts = zoo.cuts(cuts);
    judge.most_at_once = Some(workers);
    let violations = judge.violations(&hits);
    let unfetched = judge.unfetched(&hits, urls);
    println!(
        "{} requests, {} violations, {} of {} pages missed",
        hits.len(),
        violations.len(),
        unfetched.len(),
        urls.len()
    );
    let listed: Vec<String> = violations
        .iter()
        .take(20)
        .map(ToString::to_string)
        .collect();
    assert!(violations.is_empty(), "{listed:#?}");
    assert!(unfetched.is_empty(), "{unfetched:#?}");
}

pub(super) fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().unwrap()
}

const WORKERS: usize = 32;

#[test]
fn no_request_is_rude_and_every_page_is_fetched() {
    crawl_a_zoo(306, Profile::rfc9309());
}

#[test]
fn nor_by_the_profile_of_google() {
    crawl_a_zoo(68, Profile::google());
}

#[test]
fn nor_by_the_profile_of_ibm() {
    crawl_a_zoo(68, Profile::ibm());
}

/// A client that is dropped saves everything: the next one asks for no robots.txt again and keeps
/// every gap.
#[test]
fn a_client_that_starts_again_asks_nobody_twice() {
    let ground = Ground::new(KINDS.len(), 0);
    let (exhibits, sites) = populate(&ground);
    let zoo = ground.open(sites);
    let profile = quick(Profile::rfc9309());
    let store = Arc::new(MemoryStore::new());
    let pages = |from: usize| -> Vec<String> {
        let urls = exhibits.iter().map(|exhibit| exhibit.urls[from].clone());
        urls.collect()
    };
    let rounds = [0, 1].map(|round| {
        runtime().block_on(async {
            let client = impatient(client(&zoo, profile, WORKERS));
            let client = client.store(Arc::clone(&store)).build().unwrap();
            crawl(&client, pages(round), WORKERS).await
        })
    });
    judge(&zoo, profile, &pages(1), WORKERS, rounds.concat());
}

/// Only the rules of a few hosts fit at a time. The client still fetches all pages, without a storm
/// of requests: it may forget a host whose pages were all given up for a while, and ask for its
/// robots.txt anew, but not before `min_ttl`.
#[test]
fn a_small_memory_makes_no_storm() {
    let ground = Ground::new(68, 0);
    let (exhibits, sites) = populate(&ground);
    let zoo = ground.open(sites);
    let mut profile = quick(Profile::rfc9309());
    // Otherwise an answer stays for five minutes at least.
    profile.access.min_ttl = Duration::from_millis(500);
    let urls: Vec<String> = exhibits
        .iter()
        .flat_map(|exhibit| exhibit.urls.clone())
        .collect();
    let cuts = runtime().block_on(async {
        let client = impatient(client(&zoo, profile, WORKERS)).robots_capacity(12 << 10);
        let client = client.build().unwrap();
        let cuts = crawl(&client, urls.clone(), WORKERS).await;
        let metrics = client.metrics();
        assert!(metrics.origins < exhibits.len() / 2, "{metrics:?}");
        cuts
    });
    let hits = zoo.hits();
    let mut judge = Judge::of_crawl(profile, "ExampleBot");
    judge.cuts = zoo.cuts(cuts);
    let (anew, others): (Vec<_>, Vec<_>) = judge.violations(&hits).into_iter().partition(|found| {
        let first = found.first.as_ref();
        let is_late = |hit: &Hit| found.second.start >= hit.end + profile.access.min_ttl;
        found.law == Law::Lifetime && first.is_some_and(is_late)
    });
    let others: Vec<String> = others.iter().map(ToString::to_string).collect();
    assert!(others.is_empty(), "{others:#?}");
    assert!(
        anew.len() <= exhibits.len(),
        "{} rounds too many",
        anew.len()
    );
    let unfetched = judge.unfetched(&hits, &urls);
    assert!(unfetched.is_empty(), "{unfetched:#?}");
}

/// An address in the URL, a name, and a redirect of a page lead to the refused address. A refusal
/// is no outage of the site.
#[test]
fn nothing_is_asked_at_a_refused_address() {
    let ground = Ground::new(2, 0);
    let [open, inner] = ["h0001.test", "h0002.test"];
    let moved = Answer::redirect(302, ground.url(inner, "/a"));
    let sites = [(open.to_owned(), Site::default().on("/", [moved]))];
    let zoo = ground.open(sites.into());
    let network = format!("{}/32", zoo.address(open).ip());
    let builder = client(&zoo, quick(Profile::rfc9309()), 2);
    let refused = |result: Result<_, Error>| {
        let error = result
            .map(|_: polite_robots_client::Response| ())
            .unwrap_err();
        assert!(matches!(error, Error::Refused(_)), "{error:?}");
    };
    runtime().block_on(async {
        let egress = Egress::only([network.parse().unwrap()]);
        let client = builder.egress(egress).build().unwrap();
        let address = zoo.address(inner);
        refused(client.get(&format!("http://{address}/")).await);
        for _ in 0..2 {
            refused(client.get(&zoo.url(inner, "/")).await);
        }
        refused(client.get(&zoo.url(open, "/")).await);
        assert_eq!(client.metrics().rounds_failed, 0);
    });
    assert!(zoo.hits().iter().all(|hit| hit.host == open));
}

/// A crawl in a process of its own, which its parent kills.
mod killed {
    use std::net::IpAddr;
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command};
    use std::time::SystemTime;
    use std::{env, fs, thread};

    use polite_robots_client::store::RedbStore;

    use super::*;

    const HOSTS: &str = "ZOO_HOSTS";
    const URLS: &str = "ZOO_URLS";
    const STORE: &str = "ZOO_STORE";

    #[test]
    #[ignore = "is run by the test below, in a process of its own"]
    fn child() {
        let list = |name: &str| -> Vec<String> {
            let list = env::var(name).unwrap();
            list.split(' ').map(str::to_owned).collect()
        };
        let resolver = list(HOSTS)
            .iter()
            .fold(StaticResolver::new(), |resolver, host| {
                let (name, address) = host.split_once('=').unwrap();
                resolver.host(name, [address.parse::<IpAddr>().unwrap()])
            });
        let store = RedbStore::open(env::var(STORE).unwrap()).unwrap();
        runtime().block_on(async {
            let client = impatient(client_by(resolver, quick(Profile::rfc9309()), WORKERS));
            let client = client.store(store).build().unwrap();
            drop(crawl(&client, list(URLS), WORKERS).await);
        });
    }

    /// The saves of the child, as its parent sees them: writes to the file of the store.
    #[derive(Default)]
    struct Saves {
        written: Option<SystemTime>,
        /// The last write of each save, on the clock of the hits.
        ends: Vec<Duration>,
        looked: Duration,
    }

    impl Saves {
        fn look(&mut self, store: &Path, now: Duration) {
            self.looked = now;
            let written = fs::metadata(store).and_then(|file| file.modified());
            let Some(written) = written.ok().filter(|at| self.written != Some(*at)) else {
                return;
            };
            self.written = Some(written);
            let at = now.saturating_sub(written.elapsed().unwrap_or_default());
            match self.ends.last_mut() {
                // The client rests for half a second between two saves.
                Some(end) if at < *end + REST => *end = at,
                _ => self.ends.push(at),
            }
        }

        /// Whether at least `saves` saves are over and the next one has not begun.
        fn rest_after(&self, saves: usize) -> bool {
            let end = self.ends.last();
            self.ends.len() >= saves && end.is_some_and(|end| self.looked >= *end + REST)
        }

        /// Everything before this time is saved for sure: the last save began after the one before
        /// had ended.
        fn all_until(&self) -> Duration {
            self.ends[self.ends.len() - 2]
        }
    }

    const REST: Duration = Duration::from_millis(250);

    /// The client saves twice a second. Everything that it knew before its last save survives a
    /// kill: it asks no host for robots.txt again, and keeps every gap and `Retry-After` across the
    /// two lives.
    #[test]
    fn a_killed_client_loses_what_it_had_not_saved() {
        let ground = Ground::new(102, 0);
        let (exhibits, sites) = populate(&ground);
        let zoo = ground.open(sites);
        let urls: Vec<String> = exhibits
            .iter()
            .flat_map(|exhibit| exhibit.urls.clone())
            .collect();
        let store: PathBuf = env::temp_dir().join(format!("zoo-{}.redb", std::process::id()));
        let hosts: Vec<String> = exhibits
            .iter()
            .map(|exhibit| format!("{}={}", exhibit.name, zoo.address(&exhibit.name).ip()))
            .collect();
        let start = || -> Child {
            let mut child = Command::new(env::current_exe().unwrap());
            child.args(["--ignored", "--exact", "zoo::crawl::killed::child"]);
            child
                .env(HOSTS, hosts.join(" "))
                .env(URLS, urls.join(" "))
                .env(STORE, &store);
            child.spawn().unwrap()
        };
        let mut first = start();
        let mut saves = Saves::default();
        // The kill comes in the middle: some hosts are known, some are not, requests are under way,
        // and nothing is being saved.
        while zoo.hits().len() < 150 || !saves.rest_after(3) {
            assert!(first.try_wait().unwrap().is_none(), "it ended too early");
            thread::sleep(Duration::from_millis(20));
            saves.look(&store, zoo.now());
        }
        let killed = zoo.now();
        first.kill().unwrap();
        first.wait().unwrap();
        assert!(start().wait().unwrap().success());
        fs::remove_file(&store).unwrap();

        let hits = zoo.hits();
        let profile = quick(Profile::rfc9309());
        let mut judge = Judge::of_crawl(profile, "ExampleBot");
        let cuts = exhibits
            .iter()
            .map(|exhibit| (exhibit.name.clone(), killed));
        judge.cuts = cuts.collect();
        let violations = judge.violations(&hits).into_iter().filter(|violation| {
            let first = violation.first.as_ref();
            let was_lost = first.is_some_and(|hit| hit.end > saves.all_until());
            // If an answer is lost, its `Crawl-delay` is lost too.
            let needs_answer = matches!(violation.law, Law::Lifetime | Law::RetryAfter | Law::Gap);
            !(needs_answer && was_lost)
        });
        let violations: Vec<String> = violations.map(|violation| violation.to_string()).collect();
        assert!(violations.is_empty(), "{violations:#?}");
        assert!(judge.unfetched(&hits, &urls).is_empty());
    }
}
