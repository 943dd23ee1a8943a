//! The hosts of a zoo: loopback addresses that answer as long as the zoo is open.

use std::collections::HashMap;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener as StdListener};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use polite_robots_client::network::StaticResolver;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use super::answer::{Answer, Connection};
use super::hit::{Cut, Ending, Hit, Log};
use super::stall;

/// Hosts whose addresses are bound but do not answer yet.
pub(crate) struct Ground {
    plots: Vec<Plot>,
}

struct Plot {
    name: String,
    address: SocketAddr,
    listener: StdListener,
}

/// The answers of one host.
#[derive(Debug, Default)]
pub(crate) struct Site {
    /// The answers by path, in the order of the requests. The last answer repeats. Any other path
    /// is a 404.
    answers: HashMap<String, Vec<Answer>>,
}

/// Hosts that answer until the zoo is dropped.
pub(crate) struct Zoo {
    addresses: HashMap<String, SocketAddr>,
    log: Log,
    close: Option<oneshot::Sender<()>>,
    keeper: Option<JoinHandle<()>>,
}

impl Ground {
    /// Hosts `h0001.test` … at 127.1.x.y, all at one port, and `six001.test` … at ports of `[::1]`;
    /// the latter are left out if the machine has no IPv6.
    pub(crate) fn new(hosts: usize, hosts_v6: usize) -> Ground {
        let mut plots = (0..20)
            .find_map(|_| plots_v4(hosts))
            .expect("a port for all");
        for number in 1..=hosts_v6 {
            if let Ok(listener) = StdListener::bind((Ipv6Addr::LOCALHOST, 0)) {
                plots.push(Plot {
                    name: format!("six{number:03}.test"),
                    address: listener.local_addr().unwrap(),
                    listener,
                });
            }
        }
        Ground { plots }
    }

    /// Hosts at 127.1.x.y that are named by their addresses, for programs with the system's
    /// resolver.
    pub(crate) fn of_addresses(hosts: usize) -> Ground {
        let mut ground = Ground::new(hosts, 0);
        for plot in &mut ground.plots {
            plot.name = plot.address.ip().to_string();
        }
        ground
    }

    /// The names of the hosts, in the order of their numbers.
    pub(crate) fn names(&self) -> Vec<String> {
        self.plots.iter().map(|plot| plot.name.clone()).collect()
    }

    pub(crate) fn url(&self, name: &str, path: &str) -> String {
        let plot = self.plots.iter().find(|plot| plot.name == name).unwrap();
        format!("http://{name}:{}{path}", plot.address.port())
    }

    /// Opens the zoo. A host without a site answers 404 to everything.
    pub(crate) fn open(self, mut sites: HashMap<String, Site>) -> Zoo {
        let log = Log::new();
        let addresses = self
            .plots
            .iter()
            .map(|plot| (plot.name.clone(), plot.address));
        let addresses = addresses.collect();
        let (close, closed) = oneshot::channel();
        let kept = log.clone();
        let keeper = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            let runtime = runtime.unwrap();
            runtime.block_on(async move {
                stall::watch();
                for plot in self.plots {
                    let site = sites.remove(&plot.name).unwrap_or_default();
                    let host = Host {
                        name: plot.name.into(),
                        answers: Arc::new(Mutex::new(site.answers)),
                        log: kept.clone(),
                    };
                    plot.listener.set_nonblocking(true).unwrap();
                    tokio::spawn(host.listen(TcpListener::from_std(plot.listener).unwrap()));
                }
                let _ = closed.await;
            });
        });
        Zoo {
            addresses,
            log,
            close: Some(close),
            keeper: Some(keeper),
        }
    }
}

fn plots_v4(hosts: usize) -> Option<Vec<Plot>> {
    let mut port = 0;
    let mut plots = Vec::new();
    for number in 1..=hosts {
        let [.., high, low] = u32::try_from(number).unwrap().to_be_bytes();
        let listener = StdListener::bind((Ipv4Addr::new(127, 1, high, low), port)).ok()?;
        let address = listener.local_addr().unwrap();
        port = address.port();
        plots.push(Plot {
            name: format!("h{number:04}.test"),
            address,
            listener,
        });
    }
    Some(plots)
}

impl Site {
    pub(crate) fn on(mut self, path: &str, answers: impl Into<Vec<Answer>>) -> Site {
        self.add(path, answers);
        self
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.answers.contains_key(path)
    }

    pub(crate) fn add(&mut self, path: &str, answers: impl Into<Vec<Answer>>) {
        self.answers.insert(path.to_owned(), answers.into());
    }
}

impl Zoo {
    /// The time on the clock of the hits.
    pub(crate) fn now(&self) -> Duration {
        self.log.now()
    }

    pub(crate) fn hits(&self) -> Vec<Hit> {
        self.log.hits()
    }

    /// The cuts with their times on the clock of the hits.
    pub(crate) fn cuts(&self, cuts: Vec<Cut>) -> Vec<(String, Duration)> {
        let timed = |cut: Cut| (cut.host, self.log.time_of(cut.at));
        cuts.into_iter().map(timed).collect()
    }

    pub(crate) fn address(&self, name: &str) -> SocketAddr {
        self.addresses[name]
    }

    pub(crate) fn url(&self, name: &str, path: &str) -> String {
        format!("http://{name}:{}{path}", self.address(name).port())
    }

    /// A resolver of the names of the zoo and no others.
    pub(crate) fn resolver(&self) -> StaticResolver {
        let hosts = self.addresses.iter();
        hosts.fold(StaticResolver::new(), |resolver, (name, address)| {
            resolver.host(name, [address.ip()])
        })
    }
}

impl Drop for Zoo {
    fn drop(&mut self) {
        drop(self.close.take());
        if let Some(keeper) = self.keeper.take() {
            // A panic of the server fails the test, but it must not become a second panic.
            assert!(keeper.join().is_ok() || thread::panicking());
        }
    }
}

#[derive(Clone)]
struct Host {
    name: Arc<str>,
    answers: Arc<Mutex<HashMap<String, Vec<Answer>>>>,
    log: Log,
}

impl Host {
    async fn listen(self, listener: TcpListener) {
        loop {
            if let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(self.clone().serve(stream));
            }
        }
    }

    async fn serve(self, mut stream: TcpStream) {
        let _ = stream.set_nodelay(true);
        loop {
            let Some(head) = read_head(&mut stream).await else {
                return;
            };
            let start = self.log.now();
            let Head::Request { path, headers } = head else {
                let number = self.log.begin(Hit::new(&self.name, "", start));
                self.log.end(number, Ending::Broken);
                let _ = stream
                    .write_all(b"HTTP/1.1 400 Zoo\r\nContent-Length: 0\r\n\r\n")
                    .await;
                return;
            };
            let answer = self.next_answer(&path);
            let mut hit = Hit::new(&self.name, &path, start);
            hit.headers = headers;
            answer.describe(&mut hit);
            let is_last = hit.header("connection") == Some("close");
            let number = self.log.begin(hit);
            let connection = answer.send(&mut stream, &self.log, number).await;
            if is_last || connection == Connection::Closed {
                return;
            }
        }
    }

    fn next_answer(&self, path: &str) -> Answer {
        let mut answers = self.answers.lock().unwrap();
        match answers.get_mut(path) {
            Some(answers) if answers.len() > 1 => answers.remove(0),
            Some(answers) => answers[0].clone(),
            None => Answer::status(404),
        }
    }
}

enum Head {
    Request {
        path: String,
        headers: Vec<(String, String)>,
    },
    /// The client wants to talk TLS.
    Tls,
}

/// The head of the next request; `None` if the client has none.
async fn read_head(stream: &mut TcpStream) -> Option<Head> {
    let mut head = Vec::new();
    // No body follows a request of a crawler, so the head ends where the bytes end.
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read_buf(&mut head).await.ok()? == 0 {
            return None;
        }
        if head[0] == TLS_HANDSHAKE {
            return Some(Head::Tls);
        }
    }
    let text = String::from_utf8_lossy(&head);
    let mut lines = text.lines();
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()));
    Some(Head::Request {
        path,
        headers: headers.collect(),
    })
}

/// The type of the first TLS record of a connection (RFC 8446 §5.1).
const TLS_HANDSHAKE: u8 = 22;
