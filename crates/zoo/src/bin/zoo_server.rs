//! The zoo as a process of its own, for clients in other languages: hosts on loopback, and the
//! judge of the requests that they see.
//!
//! `zoo_server HOSTS [WORKERS]` prints one line of JSON with the hosts' `addresses` by name, the
//! `urls` of all pages, and the `settings` of the profile by which the crawl is judged: the one of
//! RFC 9309 with a tenth of its gaps. WORKERS is the most requests at the same time. `zoo_server
//! HOSTS WORKERS machines` is for a crawler of several machines: each host has its own robots.txt
//! and is named by its address. Each line on stdin is a command, and is answered by a line of JSON:
//!
//! - `cut HOST` notes that a call for the host was cut off now: the client may not have read the
//!   answer of that time. `cut` without a host notes it for all, as the client was killed.
//! - `now` answers with the time in milliseconds since the zoo was opened.
//! - `hits` answers with the number of requests so far.
//! - `verdict STALL`, where STALL is the longest time in milliseconds for which a busy machine kept
//!   the client from reading, or nothing, answers with all `violations`, each with its `law`, the
//!   end of its `first` request and the start of its `second` request in milliseconds, the host and
//!   the path of the first one as its `url`, the `kind` of the host, and a `text`; with the pages
//!   among `urls` that are allowed and were `unfetched`; with the number of `requests`; and, by the
//!   `kinds` of hosts, with the numbers of `pages` that were asked for, of `violations`, and of
//!   `lost` pages.
//!
//! The zoo closes when stdin does.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    dead_code
)]

// Only Linux has every address of 127/8 at hand, so that each host has its own.
#[cfg(target_os = "linux")]
#[path = "../../tests/zoo"]
mod zoo {
    pub(crate) mod answer;
    pub(crate) mod hit;
    pub(crate) mod judge;
    pub(crate) mod kinds;
    #[path = "../../../policy/tests/suite/together/judge/reader.rs"]
    pub(crate) mod reader;
    pub(crate) mod readings;
    pub(crate) mod server;
    pub(crate) mod stall;
}

#[cfg(target_os = "linux")]
fn main() {
    serve::serve();
}

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
mod serve {
    use std::collections::{BTreeMap, HashMap};
    use std::io::{self, BufRead as _, Write as _};
    use std::time::Duration;

    use polite_robots_policy::Profile;
    use polite_robots_policy::settings::{Backoff, Levels};
    use serde_json::{Value, json};
    use url::Url;

    use crate::zoo::hit::Hit;
    use crate::zoo::judge::Judge;
    use crate::zoo::kinds::{Exhibit, Kind, populate};
    use crate::zoo::readings::Rounds;
    use crate::zoo::server::{Ground, Zoo};

    pub(crate) fn serve() {
        let mut arguments = std::env::args().skip(1);
        let hosts = arguments.next().map_or(306, |hosts| hosts.parse().unwrap());
        let workers = arguments.next().map(|workers| workers.parse().unwrap());
        let has_machines = arguments.next().is_some_and(|word| word == "machines");
        let ground = match has_machines {
            true => Ground::of_addresses(hosts),
            false => Ground::new(hosts, 0),
        };
        let names = ground.names();
        let (exhibits, sites) = populate(&ground);
        let kind = |host: &Exhibit| (host.name.clone(), format!("{:?}", host.kind));
        let kinds: HashMap<String, String> = exhibits.iter().map(kind).collect();
        let zoo = ground.open(sites);
        // Clients differ in the content codings that they decode, and some refuse a response with
        // bytes after its length.
        let exhibits = exhibits
            .into_iter()
            .filter(|host| !matches!(host.kind, Kind::Undecodable | Kind::Damaged | Kind::Short))
            // A machine does not know the turns of another machine's hosts.
            .filter(|host| {
                !has_machines || !matches!(host.kind, Kind::MovedRobots | Kind::MovedFar)
            });
        let urls: Vec<String> = exhibits.flat_map(|host| host.urls).collect();
        let address = |name: &String| (name.clone(), zoo.address(name).ip().to_string());
        let addresses: HashMap<String, String> = names.iter().map(address).collect();
        answer(&json!({"addresses": addresses, "urls": urls, "settings": {
            "min_delay": 0.1,
            "retry_first_503": 1,
            "retry_first": 2,
            "backoff": {"levels": {"base": 0.1}},
        }}));
        let (mut cuts, mut kills) = (Vec::new(), Vec::new());
        for line in io::stdin().lock().lines() {
            let line = line.unwrap();
            let (command, host) = line.split_once(' ').unwrap_or((&line, ""));
            answer(&match command {
                "cut" => {
                    let now = zoo.now();
                    let is_meant = |name: &&String| host.is_empty() || *name == host;
                    let cut = names.iter().filter(is_meant);
                    cuts.extend(cut.map(|name| (name.clone(), now)));
                    kills.extend(host.is_empty().then_some(now));
                    json!(millis(now))
                }
                "now" => json!(millis(zoo.now())),
                "hits" => json!(zoo.hits().len()),
                "verdict" => {
                    let stall = Duration::from_millis(host.parse().unwrap_or_default());
                    verdict(&zoo, (&cuts, &kills, stall), workers, &urls, &kinds)
                }
                other => panic!("no command `{other}`"),
            });
        }
    }

    fn verdict(
        zoo: &Zoo,
        (cuts, kills, stall): (&[(String, Duration)], &[Duration], Duration),
        workers: Option<usize>,
        urls: &[String],
        kinds: &HashMap<String, String>,
    ) -> Value {
        let hits = zoo.hits();
        let mut judge = Judge::of_crawl(profile(), "ExampleBot");
        judge.cuts = cuts.to_vec();
        judge.kills = kills.to_vec();
        judge.notice += stall;
        judge.most_at_once = workers;
        // The path of a redirect's target names the host that redirects.
        let kind = |hit: &Hit| {
            let mut names = hit.path.split('/').chain([&*hit.host]);
            &**names.find_map(|name| kinds.get(name)).unwrap()
        };
        let mut by_kind: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
        let mut count = |kind, what, more| {
            *by_kind.entry(kind).or_default().entry(what).or_default() += more;
        };
        let rounds = Rounds::of(&hits, &judge.profile, &judge.agent);
        for (hit, is_part) in hits.iter().zip(rounds.is_part) {
            count(kind(hit), "pages", usize::from(!is_part));
        }
        let unfetched = judge.unfetched(&hits, urls);
        for url in &unfetched {
            let url = Url::parse(url).unwrap();
            count(&*kinds[url.host_str().unwrap()], "lost", 1);
        }
        let mut violations = Vec::new();
        for violation in judge.violations(&hits) {
            let (first, second) = (violation.first.as_ref(), &violation.second);
            count(kind(second), "violations", 1);
            violations.push(json!({
                "law": format!("{:?}", violation.law),
                "first": first.map(|hit| millis(hit.end)),
                "second": millis(second.start),
                "url": first.map(|hit| format!("{}{}", hit.host, hit.path)),
                "kind": kind(second),
                "text": violation.to_string(),
            }));
        }
        json!({
            "violations": violations,
            "unfetched": unfetched,
            "requests": hits.len(),
            "kinds": by_kind,
        })
    }

    /// The settings that are printed.
    fn profile() -> Profile {
        let mut profile = Profile::rfc9309();
        profile.pace.min_delay = Duration::from_millis(100);
        profile.access.retry_first_503 = Duration::from_secs(1);
        profile.access.retry_first = Duration::from_secs(2);
        profile.pace.backoff = Backoff::Levels(Levels::with_base(Duration::from_millis(100)));
        profile
    }

    fn millis(time: Duration) -> u64 {
        u64::try_from(time.as_millis()).unwrap()
    }

    fn answer(value: &Value) {
        println!("{value}");
        io::stdout().flush().unwrap();
    }
}
