//! The progress of a crawl: the hosts with pages that wait, and a summary of them.

use std::fmt;
use std::time::{Duration, SystemTime};

use polite_robots_policy::Timestamp;

/// A host with pages that wait: calls of [`PoliteClient`](crate::PoliteClient) that have not ended
/// and whose requests are not under way.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaitingHost {
    /// The host, as [`Origin::host`](crate::Origin::host) gives it.
    pub host: String,
    /// The pages that wait for it.
    pub pages: usize,
    /// The time of its next request, if nothing changes; `None` if there will be none.
    pub next_turn: Option<Timestamp>,
    /// The cause of the wait.
    pub cause: WaitCause,
}

impl fmt::Display for WaitingHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WaitingHost {
            host, pages, cause, ..
        } = self;
        write!(
            f,
            "{host}: {pages} pages wait {cause}{}",
            In(self.next_turn)
        )
    }
}

/// The cause for which the pages of a host wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum WaitCause {
    /// No memory is free for the robots.txt of its site.
    Memory,
    /// The robots.txt of its site is not there yet.
    RobotsTxt,
    /// Another request to the host is under way.
    Request,
    /// Requests to other hosts fill the limit of the client.
    Place,
    /// The gap of the host, or the `Crawl-delay` that it asks for.
    Gap,
    /// The back-off of the host, after a 429, a 503, a `Retry-After` or repeated errors.
    Backoff,
    /// The pace that the hosts of its address share.
    Address,
    /// The `Crawl-delay` of the host is longer than the profile takes.
    LongCrawlDelay,
}

/// The figures of a crawl at one moment, for a progress bar. `Display` prints them on one line.
///
/// ```
/// use polite_robots_client::progress::Progress;
///
/// let line = Progress::default().to_string();
/// assert_eq!(line, "0 in flight, 0 pages wait for 0 hosts, 0 sites closed");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Progress {
    /// Hosts with pages that wait.
    pub hosts: usize,
    /// Pages that wait, for robots.txt, for a turn or for memory.
    pub pages: usize,
    /// Requests under way, and turns that are granted.
    pub in_flight: usize,
    /// Sites that the last round for their robots.txt found unreachable, among those in memory.
    pub closed: usize,
    /// The earliest next turn of a host with pages that wait.
    pub next_turn: Option<Timestamp>,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress {
            hosts,
            pages,
            in_flight,
            closed,
            next_turn,
        } = self;
        let turn = In(*next_turn);
        write!(
            f,
            "{in_flight} in flight, {pages} pages wait for {hosts} hosts, {closed} sites closed{turn}"
        )
    }
}

impl fmt::Display for WaitCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WaitCause::Memory => "until memory is free for its robots.txt",
            WaitCause::RobotsTxt => "for its robots.txt",
            WaitCause::Request => "for the end of its last request",
            WaitCause::Place => "for a place beside other hosts",
            WaitCause::Gap => "for its gap",
            WaitCause::Backoff => "for its back-off",
            WaitCause::Address => "for the others at its address",
            WaitCause::LongCrawlDelay => "for ever, as its Crawl-delay is too long",
        })
    }
}

/// The time until a turn, if it is a second or more.
struct In(Option<Timestamp>);

impl fmt::Display for In {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let now = Timestamp::from(SystemTime::now());
        match self.0.map(|turn| turn.saturating_since(now)) {
            Some(wait) if wait >= Duration::from_secs(1) => {
                write!(f, ", next turn in {} s", wait.as_secs())
            }
            _ => Ok(()),
        }
    }
}
