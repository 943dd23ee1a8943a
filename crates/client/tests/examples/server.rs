//! A host on loopback, and the requests that it saw.

use std::collections::HashMap;
use std::io::{self, Read as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::answer::{Answer, Told};

/// One origin: a port of an address. Requests to it are answered as long as the test runs.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    address: Ipv4Addr,
    port: u16,
    answers: Arc<Mutex<HashMap<String, Vec<Answer>>>>,
    log: Log,
}

/// The requests to some sites.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<Seen>>>);

#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) address: Ipv4Addr,
    pub(crate) port: u16,
    pub(crate) path: String,
    pub(crate) head: String,
    /// A moment after the client had sent the request.
    pub(crate) at: Instant,
    /// A moment before the client had all of the answer; `at` if the client hung up before.
    pub(crate) until: Instant,
    pub(crate) blocked_until: Option<Instant>,
    /// The status was 200.
    pub(crate) is_ok: bool,
}

impl Site {
    /// Begins to listen.
    pub(crate) fn start(address: Ipv4Addr, log: &Log) -> Site {
        let listener = TcpListener::bind((address, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let site = Site {
            address,
            port,
            answers: Arc::default(),
            log: log.clone(),
        };
        let heard = site.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let site = heard.clone();
                // The tests provoke errors of the connection, so these do not matter here.
                thread::spawn(move || site.serve(stream).ok());
            }
        });
        site
    }

    /// Sets the answers to a path, in the order of the requests. The last answer repeats. Any other
    /// path is a 404.
    pub(crate) fn on(self, path: &str, answers: impl Into<Vec<Answer>>) -> Site {
        self.answers
            .lock()
            .unwrap()
            .insert(path.to_string(), answers.into());
        self
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}:{}{path}", self.address, self.port)
    }

    /// The paths that the site was asked for.
    pub(crate) fn paths(&self) -> Vec<String> {
        let seen = self.log.all().into_iter();
        let own = seen.filter(|seen| (seen.address, seen.port) == (self.address, self.port));
        own.map(|seen| seen.path).collect()
    }

    fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        let head = read_head(&mut stream)?;
        let at = Instant::now();
        let path = head.split(' ').nth(1).unwrap_or_default().to_string();
        let answer = self.next_answer(&path);
        let number = self.log.begin(Seen {
            address: self.address,
            port: self.port,
            path,
            head,
            at,
            until: at,
            blocked_until: None,
            is_ok: answer.is_ok(),
        });
        let told = answer.write(&mut stream)?;
        self.log.end(number, &told);
        Ok(())
    }

    fn next_answer(&self, path: &str) -> Answer {
        let mut answers = self.answers.lock().unwrap();
        match answers.get_mut(path).map(Vec::as_mut_slice) {
            Some([last]) => last.clone(),
            Some([..]) => answers.get_mut(path).unwrap().remove(0),
            None => Answer::status(404),
        }
    }
}

/// The head of a request but for its last byte.
fn read_head(stream: &mut TcpStream) -> io::Result<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r") {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        head.extend(byte);
    }
    Ok(String::from_utf8_lossy(&head).into_owned())
}

impl Log {
    /// The requests in the order in which they came.
    pub(crate) fn all(&self) -> Vec<Seen> {
        let mut seen = self.0.lock().unwrap().clone();
        seen.sort_by_key(|seen| seen.at);
        seen
    }

    fn begin(&self, seen: Seen) -> usize {
        let mut all = self.0.lock().unwrap();
        all.push(seen);
        all.len() - 1
    }

    fn end(&self, number: usize, told: &Told) {
        let mut all = self.0.lock().unwrap();
        all[number].until = told.until;
        all[number].blocked_until = told.blocked_until;
    }

    /// Asserts that no host gets two requests at once or one within its gap or its `Retry-After`,
    /// and that each request has the name of the crawler.
    pub(crate) fn assert_polite(&self, min_delay: Duration, crawl_delays: &[(Ipv4Addr, Duration)]) {
        let mut hosts: HashMap<Ipv4Addr, Vec<Seen>> = HashMap::new();
        for seen in self.all() {
            assert!(
                seen.head.to_lowercase().contains(
                    "user-agent: examplebot/1.0 (+https://example.com/bot; bot@example.com)"
                ),
                "{seen:?}"
            );
            hosts.entry(seen.address).or_default().push(seen);
        }
        for (host, requests) in &hosts {
            let crawl_delay = crawl_delays.iter().find(|(slow, _)| slow == host);
            let mut gap = min_delay;
            for two in requests.windows(2) {
                let [before, after] = two else { panic!() };
                if before.is_ok && before.path == "/robots.txt" {
                    gap = crawl_delay.map_or(min_delay, |(_, delay)| *delay);
                }
                assert!(
                    after.at >= before.until,
                    "two at once: {before:#?} {after:#?}"
                );
                let waited = after.at.duration_since(before.until);
                assert!(
                    waited + SLACK >= gap,
                    "{waited:?} instead of {gap:?}: {before:#?} {after:#?}"
                );
                if let Some(until) = before.blocked_until {
                    assert!(
                        after.at + SLACK >= until,
                        "within Retry-After: {before:#?} {after:#?}"
                    );
                }
            }
        }
    }
}

/// The tolerance for the clock of the examples, which counts milliseconds.
const SLACK: Duration = Duration::from_millis(5);
