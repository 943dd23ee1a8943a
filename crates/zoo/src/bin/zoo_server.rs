//! The zoo as a process of its own, for clients in other languages: hosts on loopback, and the
//! judge of the requests that they see.
//!
//! `zoo_server HOSTS [WORKERS]` prints one line of JSON with the hosts' `addresses` by name, the
//! `urls` of all pages, and the `settings` of the profile by which the crawl is judged: the one of
//! RFC 9309 with a tenth of its gaps. WORKERS is the most requests at the same time. `zoo_server
//! HOSTS WORKERS machines` is for a crawler of several machines: each host has its own robots.txt
//! and is named by its address. Each line on stdin is a command, and is answered by a line of JSON:
//!
//! - `cut HOST` notes that a call for the host was cut off now, or for all hosts if none is named:
//!   the client may not have read the answer of that time.
//! - `now` answers with the time in milliseconds since the zoo was opened.
//! - `hits` answers with the number of requests so far.
//! - `verdict` answers with all `violations`, each with its `law`, the end of its `first` request
//!   and the start of its `second` request in milliseconds, and a `text`; with the pages among
//!   `urls` that are allowed and were `unfetched`; and with the number of `requests`.
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
    use std::collections::HashMap;
    use std::io::{self, BufRead as _, Write as _};
    use std::time::Duration;

    use polite_robots_policy::Profile;
    use polite_robots_policy::settings::{Backoff, Levels};
    use serde_json::{Value, json};

    use crate::zoo::hit::Hit;
    use crate::zoo::judge::Judge;
    use crate::zoo::kinds::{Kind, populate};
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
        let mut cuts = Vec::new();
        for line in io::stdin().lock().lines() {
            let line = line.unwrap();
            let (command, host) = line.split_once(' ').unwrap_or((&line, ""));
            answer(&match command {
                "cut" => {
                    let now = zoo.now();
                    let is_meant = |name: &&String| host.is_empty() || *name == host;
                    let cut = names.iter().filter(is_meant);
                    cuts.extend(cut.map(|name| (name.clone(), now)));
                    json!(millis(now))
                }
                "now" => json!(millis(zoo.now())),
                "hits" => json!(zoo.hits().len()),
                "verdict" => verdict(&zoo, &cuts, workers, &urls),
                other => panic!("no command `{other}`"),
            });
        }
    }

    fn verdict(
        zoo: &Zoo,
        cuts: &[(String, Duration)],
        workers: Option<usize>,
        urls: &[String],
    ) -> Value {
        let hits = zoo.hits();
        let mut judge = Judge::of_crawl(profile(), "ExampleBot");
        judge.cuts = cuts.to_vec();
        judge.most_at_once = workers;
        let violations = judge.violations(&hits).into_iter().map(|violation| {
            let first = violation.first.as_ref();
            json!({
                "law": format!("{:?}", violation.law),
                "first": first.map(|hit: &Hit| millis(hit.end)),
                "second": millis(violation.second.start),
                "text": violation.to_string(),
            })
        });
        json!({
            "violations": violations.collect::<Vec<Value>>(),
            "unfetched": judge.unfetched(&hits, urls),
            "requests": hits.len(),
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
