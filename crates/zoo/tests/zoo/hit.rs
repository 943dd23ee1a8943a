//! A request as its host saw it, and the log of all of them.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use url::Url;

/// One request to one host. Times are since the start of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The name that the zoo gave the host, not the name in the request.
    pub(crate) host: String,
    /// Empty if no request could be read, as in a connection that begins with TLS.
    pub(crate) path: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    /// The moment after the head of the request was read, so no earlier than the client began.
    pub(crate) start: Duration,
    /// The moment before the client could have all of the answer; for a client that hung up, the
    /// moment at which the host noticed.
    pub(crate) end: Duration,
    pub(crate) ending: Ending,
    /// `None` if the answer has none.
    pub(crate) status: Option<u16>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) max_age: Option<Duration>,
    /// The target of a redirect, as it was sent.
    pub(crate) location: Option<String>,
    /// The body that a client decodes, shared by all hits of the answer.
    pub(crate) body: Arc<[u8]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The host sent a whole answer.
    Complete,
    /// The host broke the answer off, or sent none.
    Broken,
    /// The client hung up first.
    Aborted,
    /// The answer is still under way.
    Open,
}

/// The requests to all hosts of a zoo.
#[derive(Debug, Clone)]
pub(crate) struct Log {
    epoch: Instant,
    hits: Arc<Mutex<Vec<Hit>>>,
}

impl Hit {
    /// A request at `start`, whose answer is not known yet.
    pub(crate) fn new(host: &str, path: &str, start: Duration) -> Hit {
        Hit {
            host: host.to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            start,
            end: start,
            ending: Ending::Open,
            status: None,
            retry_after: None,
            max_age: None,
            location: None,
            body: Arc::default(),
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let header = headers.find(|(header, _)| header == name);
        header.map(|(_, value)| value.as_str())
    }
}

/// A call of the client that was cut off.
#[derive(Debug, Clone)]
pub(crate) struct Cut {
    pub(crate) host: String,
    pub(crate) at: Instant,
}

impl Cut {
    /// Notes that a call for `url` is cut off now.
    pub(crate) fn of(url: &str) -> Cut {
        let url = Url::parse(url).unwrap();
        let host = url.host_str().unwrap().to_owned();
        let at = Instant::now();
        Cut { host, at }
    }
}

impl Log {
    pub(crate) fn new() -> Log {
        Log {
            epoch: Instant::now(),
            hits: Arc::default(),
        }
    }

    pub(crate) fn now(&self) -> Duration {
        self.epoch.elapsed()
    }

    pub(crate) fn time_of(&self, moment: Instant) -> Duration {
        moment.saturating_duration_since(self.epoch)
    }

    /// Notes a request and returns its number.
    pub(crate) fn begin(&self, hit: Hit) -> usize {
        let mut hits = self.hits.lock().unwrap();
        hits.push(hit);
        hits.len() - 1
    }

    /// Notes the end of a request, now.
    pub(crate) fn end(&self, number: usize, ending: Ending) {
        let now = self.now();
        let mut hits = self.hits.lock().unwrap();
        hits[number].end = now;
        hits[number].ending = ending;
    }

    /// The requests in the order of their starts. An answer that is still under way ends now.
    pub(crate) fn hits(&self) -> Vec<Hit> {
        let now = self.now();
        let mut hits = self.hits.lock().unwrap().clone();
        for hit in hits.iter_mut().filter(|hit| hit.ending == Ending::Open) {
            hit.end = now;
        }
        hits.sort_by_key(|hit| hit.start);
        hits
    }
}

// Types of ours: none.
