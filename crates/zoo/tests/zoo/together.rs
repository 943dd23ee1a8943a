//! All parts at once: two clients with stores and groups, retries, calls that are cut off, and
//! hosts that move between them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use polite_robots_client::hosts::{Groups, HostState};
use polite_robots_client::store::MemoryStore;
use polite_robots_client::{Error, PoliteClient};
use polite_robots_policy::Profile;
use polite_robots_policy::settings::{Backoff, Levels};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::answer::Answer;
use super::crawl::{Dice, client, quick, runtime};
use super::hit::Cut;
use super::judge::Judge;
use super::server::{Ground, Site, Zoo};
use super::stall;

const HOSTS: usize = 14;
const PAGES: usize = 3;

fn site(number: usize, next: &str) -> Site {
    let robots = match number % 6 {
        0 => Answer::status(404),
        1 => Answer::ok("User-agent: *\nDisallow: /no\nCrawl-delay: 0.4"),
        2 => Answer::redirect(302, "/rules.txt"),
        3 => Answer::ok("User-agent: *\nDisallow: /no").max_age(1),
        _ => Answer::ok("User-agent: *\nDisallow: /no").delayed(Duration::from_millis(100)),
    };
    let rules = Answer::ok("User-agent: *\nDisallow: /no");
    let mut site = Site::default()
        .on("/robots.txt", [robots])
        .on("/rules.txt", [rules]);
    for page in 0..PAGES {
        let ok = Answer::ok("a page");
        let answers = match (number + page) % 7 {
            0 => vec![Answer::status(429).retry_after(1), ok],
            1 => vec![Answer::status(503), ok],
            2 => vec![Answer::reset(), ok],
            3 => vec![Answer::redirect(302, format!("{next}/{page}"))],
            4 => vec![ok.delayed(Duration::from_millis(300))],
            _ => vec![ok],
        };
        site.add(&format!("/{page}"), answers);
    }
    site
}

fn profile() -> Profile {
    let mut profile = quick(Profile::rfc9309());
    profile.access.min_ttl = Duration::from_secs(1);
    profile.pace.backoff = Backoff::Levels(Levels::with_base(Duration::from_millis(50)));
    profile.pace.refusals = 0;
    profile.pace.group_starts = 3;
    profile.pace.group_window = Duration::from_millis(600);
    profile
}

fn one(zoo: &Zoo, groups: &Groups) -> PoliteClient {
    client(zoo, profile(), 16)
        .store(MemoryStore::new())
        .groups(groups.clone())
        .retries(2)
        .max_wait(Duration::from_secs(60))
        .build()
        .unwrap()
}

/// The clients, and the one that owns each host.
#[derive(Clone)]
struct Machines {
    clients: [PoliteClient; 2],
    owners: Arc<Mutex<HashMap<String, usize>>>,
}

type Queue = Arc<Mutex<VecDeque<(String, u8)>>>;

impl Machines {
    fn owner(&self, host: &str) -> usize {
        self.owners.lock().unwrap()[host]
    }

    /// Fetches pages through the owners of their hosts until the queue is empty. Returns the pages
    /// that failed for good, and the calls that were cut off.
    async fn work(self, queue: Queue, seed: u64) -> (Vec<String>, Vec<Cut>) {
        let mut dice = Dice(seed);
        let (mut lost, mut cuts) = (Vec::new(), Vec::new());
        loop {
            let next = queue.lock().unwrap().pop_front();
            let Some((url, attempts)) = next else {
                return (lost, cuts);
            };
            let client = &self.clients[self.owner(host(&url))];
            let patience = match dice.roll(3) {
                0 if attempts < 6 => Duration::from_millis(dice.roll(1_500)),
                _ => Duration::from_secs(120),
            };
            let get = async { client.get(&url).await?.bytes().await };
            let fetched = timeout(patience, get).await;
            if fetched.is_err() {
                cuts.push(Cut::of(&url));
            }
            let again = match fetched {
                Ok(Ok(_)) => continue,
                Ok(Err(Error::NotOwned { url })) => (url, attempts),
                Ok(Err(Error::Http(_) | Error::Busy { .. })) | Err(_) if attempts < 9 => {
                    (url, attempts + 1)
                }
                failed => {
                    lost.push(format!("{url}: {failed:?}"));
                    continue;
                }
            };
            sleep(Duration::from_millis(20)).await;
            queue.lock().unwrap().push_back(again);
        }
    }

    /// Moves hosts from one client to the other, again and again.
    async fn shuffle(self, hosts: Vec<String>) {
        let mut dice = Dice(77);
        for _ in 0..4 * hosts.len() {
            sleep(Duration::from_millis(30)).await;
            let side = usize::try_from(dice.roll(hosts.len() as u64)).unwrap();
            let name = &hosts[side];
            let from = self.owner(name);
            let url = format!("http://{name}/");
            let state = self.clients[from].hand_over(&url).await.unwrap();
            let state = HostState::from_bytes(&state.to_bytes().unwrap()).unwrap();
            self.clients[1 - from].take_over(state).await.unwrap();
            self.owners.lock().unwrap().insert(name.clone(), 1 - from);
        }
    }
}

/// Host and port of a URL.
fn host(url: &str) -> &str {
    url.split('/').nth(2).unwrap()
}

fn crawl(groups: &Groups) {
    let ground = Ground::new(HOSTS, 0);
    let names = ground.names();
    let urls: Vec<String> = names.iter().map(|name| ground.url(name, "")).collect();
    let sites = names.iter().enumerate().map(|(number, name)| {
        let next = &urls[(number + 1) % urls.len()];
        (name.clone(), site(number, next))
    });
    let zoo = ground.open(sites.collect());
    let hosts: Vec<String> = urls.iter().map(|url| host(url).to_owned()).collect();
    let pages = (0..PAGES).flat_map(|page| urls.iter().map(move |url| format!("{url}/{page}")));
    let pages: Vec<String> = pages.collect();
    let queue: VecDeque<(String, u8)> = pages.iter().map(|url| (url.clone(), 0)).collect();
    let queue = Arc::new(Mutex::new(queue));
    let (lost, cuts) = runtime().block_on(async {
        stall::watch();
        let machines = Machines {
            clients: [one(&zoo, groups), one(&zoo, groups)],
            owners: Arc::default(),
        };
        for (number, host) in hosts.iter().enumerate() {
            let other = &machines.clients[1 - number % 2];
            other.hand_over(&format!("http://{host}/")).await.unwrap();
            let mut owners = machines.owners.lock().unwrap();
            owners.insert(host.clone(), number % 2);
        }
        let mut set = JoinSet::new();
        for worker in 1..=24 {
            let seed = 0x9E37_79B9_7F4A_7C15 ^ worker;
            set.spawn(machines.clone().work(Arc::clone(&queue), seed));
        }
        let mover = tokio::spawn(machines.clone().shuffle(hosts));
        let (lost, cuts): (Vec<_>, Vec<_>) = set.join_all().await.into_iter().unzip();
        // If the mover panicked, the test fails. A host that the mover still moves is no failure.
        if mover.is_finished() {
            mover.await.unwrap();
        }
        (lost.concat(), cuts.concat())
    });
    assert_eq!(lost, [""; 0].map(String::from));
    let hits = zoo.hits();
    let mut judge = Judge::of_crawl(profile(), "ExampleBot");
    judge.cuts = zoo.cuts(cuts);
    let violations = judge.violations(&hits);
    let violations: Vec<String> = violations.iter().map(ToString::to_string).collect();
    assert!(violations.is_empty(), "{violations:#?}");
    assert_eq!(judge.unfetched(&hits, &pages), [""; 0].map(String::from));
}

#[test]
fn hosts_that_move_in_the_middle_of_a_crawl_are_asked_politely() {
    crawl(&Groups::none());
}

#[test]
fn so_are_hosts_in_groups() {
    crawl(&Groups::by_address(&[]));
}

/// When the host is handed over, a round for robots.txt waits until a response ends and frees the
/// turn. The new owner must not take that wait for a failure of the site.
#[test]
fn a_host_that_moves_before_a_round_is_open() {
    let ground = Ground::new(1, 0);
    let name = ground.names().remove(0);
    // Its robots.txt lives for a second.
    let zoo = ground.open(HashMap::from([(name.clone(), site(3, ""))]));
    runtime().block_on(async {
        let [old, new] = [(), ()].map(|()| client(&zoo, profile(), 4).build().unwrap());
        let url = zoo.url(&name, "/2");
        let held = old.get(&url).await.unwrap();
        sleep(Duration::from_millis(2_500)).await;
        let calls = [(), ()].map(|()| (old.clone(), url.clone()));
        let [waiting, moving] = calls;
        let waiting = tokio::spawn(async move { waiting.0.get(&waiting.1).await.map(drop) });
        sleep(Duration::from_millis(200)).await;
        let moving = tokio::spawn(async move { moving.0.hand_over(&moving.1).await });
        sleep(Duration::from_millis(200)).await;
        drop(held);
        let state = moving.await.unwrap().unwrap();
        let error = waiting.await.unwrap().unwrap_err();
        assert!(matches!(error, Error::NotOwned { .. }), "{error}");
        new.take_over(state).await.unwrap();
        assert_eq!(new.get(&url).await.unwrap().status(), 200);
    });
    let violations = Judge::new(profile(), "ExampleBot").violations(&zoo.hits());
    assert!(violations.is_empty(), "{violations:?}");
}
