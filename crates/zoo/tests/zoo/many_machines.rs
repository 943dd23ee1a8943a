//! A crawler of two machines, each a process with a part of the hosts; one host is handed over in
//! the middle.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{env, fs, process};

use polite_robots_client::hosts::HostState;
use polite_robots_client::network::StaticResolver;
use polite_robots_client::store::{Key, RedbStore, Store as _};
use polite_robots_client::{Egress, Error, PoliteClient};
use polite_robots_policy::settings::{Backoff, Levels};
use polite_robots_policy::{Origin, Profile};
use tokio::task::JoinSet;

use super::answer::Answer;
use super::judge::Judge;
use super::kinds::RULES;
use super::server::{Ground, Site};

const HOSTS: &str = "MACHINE_HOSTS";
const PART: &str = "MACHINE_PART";
const MOVED: &str = "MACHINE_MOVED";
const FOLDER: &str = "MACHINE_FOLDER";

/// One partition for each of the two machines; a real table has more partitions than machines.
const PARTS: u64 = 2;
const PAGES: [&str; 4] = ["/", "/a", "/b", "/private/x"];

fn part(url: &str) -> u64 {
    Origin::of(url).unwrap().partition_key() % PARTS
}

fn profile() -> Profile {
    let mut profile = Profile::rfc9309();
    profile.pace.min_delay = Duration::from_millis(100);
    profile.pace.backoff = Backoff::Levels(Levels::with_base(Duration::from_millis(100)));
    profile
}

/// One machine. The environment says which one.
struct Machine {
    part: u64,
    folder: PathBuf,
    /// The URLs of all hosts but the one that moves.
    urls: Vec<String>,
    /// The prefix of the URLs of the host that moves.
    moved: String,
    has_moved: Arc<AtomicBool>,
    client: PoliteClient,
}

#[test]
#[ignore = "is run by the test below, in processes of its own"]
fn machine() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let machine = Machine::new();
        let others = tokio::spawn(fetch_all(machine.client.clone(), machine.urls.clone()));
        match machine.part {
            0 => machine.give_away().await,
            _ => machine.take_over().await,
        }
        // Redirects led to these URLs of the other machine.
        let elsewhere = others.await.unwrap();
        assert_eq!(elsewhere.len(), 1, "{elsewhere:?}");
        machine.write(&format!("{}.outbox", machine.part), elsewhere[0].as_bytes());
        let inbox = machine.read(&format!("{}.outbox", 1 - machine.part)).await;
        let inbox = String::from_utf8(inbox).unwrap();
        assert_eq!(
            fetch_all(machine.client.clone(), vec![inbox]).await,
            Vec::<String>::new()
        );
    });
}

/// Fetches pages at the same time, and returns the URLs that belong to another machine.
async fn fetch_all(client: PoliteClient, urls: Vec<String>) -> Vec<String> {
    let mut calls = JoinSet::new();
    for url in urls {
        let client = client.clone();
        calls.spawn(async move { client.get(&url).await?.bytes().await });
    }
    let mut elsewhere = Vec::new();
    while let Some(call) = calls.join_next().await {
        match call.unwrap() {
            Ok(_) | Err(Error::Disallowed(_)) => {}
            Err(Error::NotOwned { url }) => elsewhere.push(url),
            Err(error) => panic!("{error}"),
        }
    }
    elsewhere
}

impl Machine {
    fn new() -> Machine {
        let variable = |name: &str| env::var(name).unwrap();
        let (part, moved) = (variable(PART).parse().unwrap(), variable(MOVED));
        let folder = PathBuf::from(variable(FOLDER));
        let mut resolver = StaticResolver::new();
        let mut urls = Vec::new();
        for host in variable(HOSTS).split(' ') {
            let (start, address) = host.split_once('=').unwrap();
            let name = Origin::of(start).unwrap().host().to_string();
            resolver = resolver.host(&name, [address.parse::<IpAddr>().unwrap()]);
            if start != moved && self::part(start) == part {
                urls.extend(PAGES.map(|page| format!("{start}{page}")));
            }
        }
        let has_moved = Arc::new(AtomicBool::new(false));
        let (moved_host, table) = (Origin::of(&moved).unwrap(), Arc::clone(&has_moved));
        // The table of all machines: the rule of the partition, and the host that moves.
        let owner = move |origin: &Origin| match origin.host() == moved_host.host() {
            true => u64::from(table.load(Ordering::SeqCst)),
            false => origin.partition_key() % PARTS,
        };
        let client = PoliteClient::builder("ExampleBot")
            // The version shows the hosts which machine asks.
            .version(&format!("{part}.0"))
            .contact("https://example.com/bot", "bot@example.com")
            .profile(profile())
            .egress(Egress::any())
            .resolver(resolver)
            .part(move |origin| owner(origin) == part)
            .store(RedbStore::open(folder.join(format!("{part}.redb"))).unwrap())
            .build()
            .unwrap();
        Machine {
            part,
            folder,
            urls,
            moved,
            has_moved,
            client,
        }
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.moved)
    }

    /// Gives the host away in the middle of its crawl: a request whose answer asks for a pause is
    /// under way, and a caller waits.
    async fn give_away(&self) {
        let client = self.client.clone();
        client
            .get(&self.url("/0"))
            .await
            .unwrap()
            .bytes()
            .await
            .unwrap();
        let busy = client.get(&self.url("/1")).await.unwrap();
        assert_eq!(busy.status(), 429);
        let waiting = tokio::spawn(fetch_all(client.clone(), vec![self.url("/2")]));
        tokio::time::sleep(Duration::from_millis(50)).await;
        self.has_moved.store(true, Ordering::SeqCst);
        let (giver, url) = (client.clone(), self.url("/"));
        let given = tokio::spawn(async move { giver.hand_over(&url).await });
        assert_eq!(waiting.await.unwrap(), [self.url("/2")]);
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(!given.is_finished(), "a request is under way");
        drop(busy);
        let state = given.await.unwrap().unwrap();
        self.write("moved", &state.to_bytes().unwrap());
        // Another machine owns the host now, and this one gives only the careful answer.
        assert_eq!(
            fetch_all(client.clone(), vec![self.url("/3")]).await.len(),
            1
        );
        assert!(matches!(
            client.check(&self.url("/3")).await,
            Err(Error::NotOwned { .. })
        ));
    }

    async fn take_over(&self) {
        let client = &self.client;
        assert_eq!(
            fetch_all(client.clone(), vec![self.url("/0")]).await.len(),
            1
        );
        let state = HostState::from_bytes(&self.read("moved").await).unwrap();
        client.take_over(state).await.unwrap();
        self.has_moved.store(true, Ordering::SeqCst);
        let pages = ["/1", "/2", "/3"].map(|path| self.url(path));
        assert!(fetch_all(client.clone(), pages.into()).await.is_empty());
    }

    /// Writes a message between the machines: a file, which appears as a whole.
    fn write(&self, name: &str, bytes: &[u8]) {
        let draft = self.folder.join(format!("{name}.{}", self.part));
        fs::write(&draft, bytes).unwrap();
        fs::rename(draft, self.folder.join(name)).unwrap();
    }

    async fn read(&self, name: &str) -> Vec<u8> {
        loop {
            match fs::read(self.folder.join(name)) {
                Ok(bytes) => return bytes,
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }
}

/// The host that moves has a `Crawl-delay`, and a page that asks for a pause right before the host
/// moves. A page of each part redirects to the other part.
#[test]
fn two_machines_are_one_polite_crawler() {
    let ground = Ground::new(16, 0);
    let start = |name: &String| ground.url(name, "");
    let names = ground.names();
    let (of_first, of_second): (Vec<&String>, Vec<&String>) =
        names.iter().partition(|name| part(&start(name)) == 0);
    let [moved, first, ..] = of_first[..] else {
        panic!()
    };
    let [second, slow, ..] = of_second[..] else {
        panic!()
    };
    let sites = names.iter().map(|name| {
        let pages = PAGES.iter().fold(Site::default(), |site, page| {
            site.on(page, [Answer::ok(page)])
        });
        let site = pages.on("/robots.txt", [Answer::ok(RULES)]);
        let moved_to = |name| Answer::redirect(302, ground.url(name, "/moved"));
        let site = match name {
            name if name == first => site.on("/a", [moved_to(second)]),
            name if name == second => site.on("/b", [moved_to(first)]),
            name if name == slow => {
                site.on("/a", [Answer::ok("a").delayed(Duration::from_millis(300))])
            }
            name if name == moved => ["/0", "/2", "/3"]
                .iter()
                .fold(site, |site, page| site.on(page, [Answer::ok(page)]))
                .on(
                    "/robots.txt",
                    [Answer::ok(format!("{RULES}Crawl-delay: 1\n"))],
                )
                .on("/1", [Answer::status(429).retry_after(4), Answer::ok("1")]),
            _ => site,
        };
        (name.clone(), site)
    });
    let sites = sites.collect();
    let moved_start = start(moved);
    let mut urls: Vec<String> = ["/0", "/1", "/2", "/3"]
        .map(|page| format!("{moved_start}{page}"))
        .into();
    for name in names.iter().filter(|name| *name != moved) {
        urls.extend(PAGES.map(|page| ground.url(name, page)));
    }
    urls.extend([ground.url(first, "/moved"), ground.url(second, "/moved")]);
    let starts: Vec<String> = names.iter().map(start).collect();
    let (moved, zoo) = (moved.clone(), ground.open(sites));
    let hosts = names.iter().zip(starts);
    let hosts: Vec<String> = hosts
        .map(|(name, start)| format!("{start}={}", zoo.address(name).ip()))
        .collect();

    let folder = env::temp_dir().join(format!("machines-{}", process::id()));
    fs::create_dir_all(&folder).unwrap();
    let start = |part: u64| -> Child {
        let mut child = Command::new(env::current_exe().unwrap());
        child.args(["--ignored", "--exact", "zoo::many_machines::machine"]);
        child
            .env(HOSTS, hosts.join(" "))
            .env(PART, part.to_string());
        child.env(MOVED, &moved_start).env(FOLDER, &folder);
        child.spawn().unwrap()
    };
    for mut machine in [start(0), start(1)] {
        assert!(machine.wait().unwrap().success());
    }

    let hits = zoo.hits();
    let judge = Judge::of_crawl(profile(), "ExampleBot");
    let violations: Vec<String> = judge
        .violations(&hits)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(violations.is_empty(), "{violations:#?}");
    assert_eq!(judge.unfetched(&hits, &urls), Vec::<String>::new());
    // No host was asked for robots.txt twice. One machine asked the host that moved, and then the
    // other did.
    for name in &names {
        let of_host = || hits.iter().filter(|hit| hit.host == *name);
        assert_eq!(
            of_host().filter(|hit| hit.path == "/robots.txt").count(),
            1,
            "{name}"
        );
        let machines = of_host().map(|hit| hit.header("user-agent").unwrap().contains("/1.0"));
        let machines: Vec<bool> = machines.collect();
        assert!(machines.is_sorted(), "{name}: {machines:?}");
        assert_eq!(
            machines[0] != machines[machines.len() - 1],
            *name == moved,
            "{name}"
        );
    }
    assert_eq!(saved(&folder, &moved), [false, true]);
    fs::remove_dir_all(&folder).unwrap();
}

/// Whether the stores of the machines know a host.
fn saved(folder: &Path, host: &str) -> [bool; 2] {
    [0, 1].map(|part| {
        let store = RedbStore::open(folder.join(format!("{part}.redb"))).unwrap();
        store.load(&Key::pacer(host)).unwrap().is_some()
    })
}
