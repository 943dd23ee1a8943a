//! The connections that may be idle, so that a crawl of many sites does not use up the files that a
//! process may open.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use url::Url;

/// The servers to which an idle connection may be open.
///
/// The HTTP client keeps one idle connection for each server, without a limit for all of them. At a
/// thousand new sites a second that would leave ten thousand open beside 32 requests under way, and
/// a process may often open 1,024 files. While this list is full, the connection to any other
/// server is closed after the response.
///
/// A server is listed from its last request on, for [`KEPT`]. A longer response may leave an idle
/// connection to a server that is no longer listed; within [`KEPT`] there are at most as many of
/// them as places. So with n places at most `most + 2 n` connections are open.
#[derive(Debug)]
pub(crate) struct IdleConnections {
    most: usize,
    servers: Mutex<Servers>,
}

#[derive(Debug, Default)]
struct Servers {
    /// When the last request to each was sent.
    sent: HashMap<String, Instant>,
    /// All of them, in the order in which they may be forgotten.
    line: VecDeque<(String, Instant)>,
}

impl IdleConnections {
    pub(crate) fn new(most: usize) -> IdleConnections {
        IdleConnections {
            most,
            servers: Mutex::default(),
        }
    }

    /// Notes a request, and returns whether its connection may stay open after the response.
    pub(crate) fn may_stay(&self, url: &Url, now: Instant) -> bool {
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        servers.forget(now);
        let is_full = servers.sent.len() >= self.most;
        // Scheme, host and port.
        let server = &url[..url::Position::BeforePath];
        if let Some(sent) = servers.sent.get_mut(server) {
            *sent = now;
            return true;
        }
        if is_full {
            return false;
        }
        servers.sent.insert(server.to_owned(), now);
        servers.line.push_back((server.to_owned(), now));
        true
    }
}

impl Servers {
    /// Forgets the servers whose connections are closed by now.
    fn forget(&mut self, now: Instant) {
        while let Some((_, since)) = self.line.front() {
            if now.saturating_duration_since(*since) < KEPT {
                return;
            }
            let Some((server, since)) = self.line.pop_front() else {
                return;
            };
            let Entry::Occupied(known) = self.sent.entry(server) else {
                continue;
            };
            if *known.get() > since {
                self.line.push_back((known.key().clone(), *known.get()));
            } else {
                known.remove();
            }
        }
    }
}

/// The number of idle connections that leaves a quarter of the process's file descriptors free,
/// beside two for each request under way. It has an upper limit, as a connection with TLS takes
/// tens of kilobytes.
pub(crate) fn most_by_open_files(places: usize) -> usize {
    #[cfg(unix)]
    let files = rlimit::Resource::NOFILE.get_soft().unwrap_or(MOST_FILES);
    #[cfg(not(unix))]
    let files = MOST_FILES;
    idle_of(files, places)
}

/// Like [`most_by_open_files`], for a given number of files.
pub(crate) fn idle_of(files: u64, places: usize) -> usize {
    let files = usize::try_from(files.min(MOST_FILES)).unwrap_or_default();
    (files - files / 4).saturating_sub(places.saturating_mul(2))
}

const MOST_FILES: u64 = 8_192;

/// The time for which the HTTP client keeps an idle connection.
pub(crate) const IDLE_TIMEOUT: Duration = Duration::from_secs(5);

/// The longest time of an idle connection: the HTTP client looks for expired ones as often as that.
const KEPT: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use super::*;

    fn url(number: usize) -> Url {
        Url::parse(&format!("http://h{number}.test/page")).unwrap()
    }

    #[test]
    fn so_many_servers_have_an_idle_connection() {
        const MOST: usize = 256;

        let idle = IdleConnections::new(MOST);
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        for number in 0..MOST {
            assert!(idle.may_stay(&url(number), at(0)));
        }
        assert!(!idle.may_stay(&url(MOST), at(0)));
        // One of them is asked again.
        assert!(idle.may_stay(&url(0), at(9)));
        assert!(!idle.may_stay(&url(MOST), at(9)));
        for number in MOST..2 * MOST - 1 {
            assert!(idle.may_stay(&url(number), at(10)), "{number}");
        }
        assert!(!idle.may_stay(&url(2 * MOST), at(10)));
        assert!(idle.may_stay(&url(0), at(18)));
        assert!(idle.may_stay(&url(2 * MOST), at(20)));
        let servers = idle.servers.lock().unwrap();
        assert_eq!((servers.sent.len(), servers.line.len()), (2, 2));
    }
}
