//! Requests per second of the client, against bare reqwest in the same run.
//!
//! The server has 2,000 hosts of 20 pages on loopback, and the clients leave no gaps. The server is
//! a process of its own, on another core if `taskset` is installed to place both. Both clients
//! first fetch the robots.txt of each host and then all pages, in two orders: host by host, and one
//! page of each host in turn. They have the same workers, time limits, headers and resolver; the
//! bare client follows no redirects either, but it parses no robots.txt and takes no turns.
//!
//! Build it without the feature `test-util`: with that feature each request takes a thread.
//!
//! The rounds alternate, so that a busy machine slows both. With `ENFORCE=1` a ratio below 0.80 of
//! the fastest rounds is an error. `ROUNDS=9` takes more rounds.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    missing_docs
)]

use std::collections::VecDeque;
use std::env;
use std::fmt;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{IpAddr, Ipv4Addr};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use polite_robots_client::network::{GuardedResolver, StaticResolver};
use polite_robots_client::{Egress, HostRule, PoliteClient};
use polite_robots_policy::Profile;
use reqwest::redirect::Policy;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

fn main() -> ExitCode {
    if env::args().any(|argument| argument == SERVE) {
        serve();
        return ExitCode::SUCCESS;
    }
    let (hosts, pages, rounds) = match is_measured() {
        true => (2_000, 20, number("ROUNDS").unwrap_or(5)),
        false => (20, 2, 1),
    };
    let server = Server::start();
    let placing = match place(std::process::id(), 0) && place(server.process.id(), 1) {
        true => "one core for the clients, one for the server",
        false => "client and server share the cores",
    };
    let world = World::new(hosts, pages, server.port);
    println!("\n{hosts} hosts of {pages} pages, {WORKERS} workers, {rounds} rounds; {placing}\n");
    println!("| order | client | requests/s: best | median | processor time of a request |");
    println!("|---|---|---|---|---|");
    let mut is_fast = true;
    for order in [Order::ByHost, Order::ByPage] {
        let mut bare = Vec::new();
        let mut polite = Vec::new();
        for _ in 0..rounds {
            bare.push(world.measure(Kind::Bare, order));
            polite.push(world.measure(Kind::Polite, order));
        }
        let (bare, polite) = (Summary::of(bare), Summary::of(polite));
        println!("| {order} | bare reqwest | {bare} |");
        println!("| {order} | `PoliteClient` | {polite} |");
        let ratio = polite.best / bare.best;
        println!(
            "| {order} | ratio | **{ratio:.3}** | {:.3} | {:.3} |",
            polite.median / bare.median,
            bare.processor.as_secs_f64() / polite.processor.as_secs_f64()
        );
        is_fast &= ratio >= 0.80;
    }
    let is_enforced = env::var("ENFORCE").is_ok_and(|value| value == "1");
    match is_fast || !is_enforced || !is_measured() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// The hosts, and the number of pages to fetch from each.
struct World {
    hosts: usize,
    pages: usize,
    port: u16,
    resolver: StaticResolver,
}

#[derive(Clone, Copy)]
enum Kind {
    Bare,
    Polite,
}

/// The order in which the pages are fetched.
#[derive(Clone, Copy)]
enum Order {
    /// A worker fetches all pages of a host and takes the next host.
    ByHost,
    /// The first page of each host, then the second of each.
    ByPage,
}

#[derive(Clone)]
enum Client {
    Bare(reqwest::Client),
    Polite(PoliteClient),
}

/// Pages of one host that a worker fetches one after the other.
struct Job {
    host: usize,
    first: usize,
    end: usize,
}

struct Measurement {
    requests: usize,
    wall: Duration,
    processor: Duration,
}

impl World {
    fn new(hosts: usize, pages: usize, port: u16) -> World {
        let resolver = (0..hosts).fold(StaticResolver::new(), |resolver, host| {
            let [.., high, low] = u32::try_from(host).unwrap().to_be_bytes();
            let address = IpAddr::V4(Ipv4Addr::new(127, 1, high, low));
            resolver.host(&name(host), [address])
        });
        World {
            hosts,
            pages,
            port,
            resolver,
        }
    }

    fn measure(&self, kind: Kind, order: Order) -> Measurement {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let client = self.client(kind);
            let jobs = Arc::new(Mutex::new(self.jobs(order)));
            let (wall, processor) = (Instant::now(), processor_time());
            let mut workers = JoinSet::new();
            for _ in 0..WORKERS {
                workers.spawn(work(client.clone(), Arc::clone(&jobs), self.port));
            }
            let requests: usize = workers.join_all().await.into_iter().sum();
            let measurement = Measurement {
                requests: requests + self.hosts,
                wall: wall.elapsed(),
                processor: processor_time() - processor,
            };
            assert_eq!(requests, self.hosts * self.pages);
            if let Client::Polite(client) = client {
                let metrics = client.metrics();
                assert_eq!(metrics.robots_requests, self.hosts as u64);
                assert_eq!(metrics.pages, requests as u64);
            }
            measurement
        })
    }

    fn client(&self, kind: Kind) -> Client {
        // The defaults of reqwest, with the time limits of the polite client.
        let limits = |http: reqwest::ClientBuilder| {
            http.connect_timeout(Duration::from_secs(30))
                .read_timeout(Duration::from_secs(30))
                .pool_max_idle_per_host(usize::MAX)
                .pool_idle_timeout(Duration::from_secs(90))
        };
        let loopback = Egress::only(["127.0.0.0/8".parse().unwrap()]);
        match kind {
            Kind::Bare => {
                let _ = rustls::crypto::ring::default_provider().install_default();
                let resolver = GuardedResolver::over(loopback, self.resolver.clone());
                let from = ("From".parse().unwrap(), "bot@example.com".parse().unwrap());
                let builder = limits(reqwest::Client::builder())
                    .user_agent(USER_AGENT)
                    .default_headers([from].into_iter().collect())
                    .redirect(Policy::none());
                Client::Bare(resolver.guard(builder).build().unwrap())
            }
            Kind::Polite => {
                let polite = PoliteClient::builder("ExampleBot")
                    .http(limits(reqwest::Client::builder()))
                    .version("1.0")
                    .contact("https://example.com/bot", "bot@example.com")
                    .profile(Profile::rfc9309())
                    .host("*", HostRule::new().min_delay(Duration::ZERO))
                    .egress(loopback)
                    .resolver(self.resolver.clone())
                    .max_in_flight(WORKERS);
                Client::Polite(polite.build().unwrap())
            }
        }
    }

    fn jobs(&self, order: Order) -> VecDeque<Job> {
        let hosts = 0..self.hosts;
        match order {
            Order::ByHost => hosts.map(|host| Job::new(host, 0, self.pages)).collect(),
            Order::ByPage => (0..self.pages)
                .flat_map(|page| {
                    hosts
                        .clone()
                        .map(move |host| Job::new(host, page, page + 1))
                })
                .collect(),
        }
    }
}

impl Job {
    fn new(host: usize, first: usize, end: usize) -> Job {
        Job { host, first, end }
    }
}

/// Fetches pages until none is left, and counts them.
async fn work(client: Client, jobs: Arc<Mutex<VecDeque<Job>>>, port: u16) -> usize {
    let mut fetched = 0;
    loop {
        let Some(Job { host, first, end }) = jobs.lock().unwrap().pop_front() else {
            return fetched;
        };
        let site = format!("http://{}:{port}", name(host));
        if let (Client::Bare(_), 0) = (&client, first) {
            client
                .fetch(&format!("{site}/robots.txt"), ROBOTS.len())
                .await;
        }
        for page in first..end {
            let url = format!("{site}/articles/{page}/index.html?page={page}");
            client.fetch(&url, PAGE).await;
            fetched += 1;
        }
    }
}

impl Client {
    async fn fetch(&self, url: &str, bytes: usize) {
        let body = match self {
            Client::Bare(client) => {
                let response = client.get(url).send().await.unwrap();
                assert_eq!(response.status(), 200);
                response.bytes().await.unwrap()
            }
            Client::Polite(client) => {
                let response = client.get(url).await.unwrap();
                assert_eq!(response.status(), 200);
                response.bytes().await.unwrap()
            }
        };
        assert_eq!(body.len(), bytes);
    }
}

fn name(host: usize) -> String {
    format!("www.h{host:04}.test")
}

/// The figures of several rounds.
struct Summary {
    /// Requests a second in the fastest round.
    best: f64,
    median: f64,
    /// The least processor time of a request.
    processor: Duration,
}

impl Summary {
    fn of(rounds: Vec<Measurement>) -> Summary {
        let mut rates: Vec<f64> = rounds
            .iter()
            .map(|round| round.requests as f64 / round.wall.as_secs_f64())
            .collect();
        rates.sort_by(f64::total_cmp);
        let processor = rounds
            .iter()
            .map(|round| round.processor / u32::try_from(round.requests).unwrap());
        Summary {
            best: *rates.last().unwrap(),
            median: rates[rates.len() / 2],
            processor: processor.min().unwrap(),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.processor.as_secs_f64() * 1e6;
        write!(f, "{:.0} | {:.0} | {micros:.1} µs", self.best, self.median)
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::ByHost => "host by host",
            Order::ByPage => "page by page",
        })
    }
}

/// The server, in a process of its own. The process ends when this is dropped.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    fn start() -> Server {
        let mut process = Command::new(env::current_exe().unwrap())
            .arg(SERVE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut port = String::new();
        let stdout = process.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut port).unwrap();
        Server {
            process,
            port: port.trim().parse().unwrap(),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Answers at all addresses of 127/8 until it is killed.
fn serve() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .unwrap();
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).await.unwrap();
        println!("{}", listener.local_addr().unwrap().port());
        std::io::stdout().flush().unwrap();
        let robots = response("text/plain", ROBOTS.as_bytes());
        let page = response("text/html", &[b'a'; PAGE]);
        let answers = Arc::new((robots, page));
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            tokio::spawn(answer(stream, Arc::clone(&answers)));
        }
    });
}

/// Answers the requests of a connection. The requests have no body and come one after the other, so
/// each read is one request.
async fn answer(mut stream: TcpStream, answers: Arc<(Vec<u8>, Vec<u8>)>) {
    let _ = stream.set_nodelay(true);
    let mut head = Vec::with_capacity(1024);
    while let Ok(1..) = stream.read_buf(&mut head).await {
        if !head.ends_with(b"\r\n\r\n") {
            continue;
        }
        let answer = match head.starts_with(b"GET /robots.txt ") {
            true => &answers.0,
            false => &answers.1,
        };
        if stream.write_all(answer).await.is_err() {
            return;
        }
        head.clear();
    }
}

fn response(kind: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nServer: bench\r\nContent-Type: {kind}\r\nCache-Control: max-age=86400\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// Pins a process to one core. Returns `false` if the machine has no such core or no `taskset`.
fn place(process: u32, core: usize) -> bool {
    let taskset = Command::new("taskset")
        .args(["-cp", &core.to_string(), &process.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    taskset.is_ok_and(|status| status.success())
}

/// The processor time of this process, in user and kernel mode; zero where there is no `/proc`.
fn processor_time() -> Duration {
    let stat = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanos = stat.split(' ').next().and_then(|nanos| nanos.parse().ok());
    Duration::from_nanos(nanos.unwrap_or_default())
}

fn number(variable: &str) -> Option<usize> {
    env::var(variable).ok()?.parse().ok()
}

/// Whether to measure, or only to run everything once: `cargo bench` passes `--bench`,
/// `cargo test --benches` does not.
fn is_measured() -> bool {
    env::args().any(|argument| argument == "--bench")
}

const WORKERS: usize = 64;
const PAGE: usize = 2_000;
const ROBOTS: &str = "User-agent: *\nDisallow: /private\nDisallow: /search\nAllow: /search/about\nSitemap: /sitemap.xml\n";
const USER_AGENT: &str = "ExampleBot/1.0 (+https://example.com/bot; bot@example.com)";
const SERVE: &str = "--serve";
