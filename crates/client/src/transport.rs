//! One HTTP request: sent to a checked address, bounded in time and size, its failures in the words of the policy.

use std::collections::HashMap;
use std::error::Error as StdError;
use std::io;
use std::iter;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use http::header::{IF_MODIFIED_SINCE, IF_NONE_MATCH};
use http::{HeaderMap, StatusCode};
use polite_robots_policy::{BodyEnd, NetError, Validators};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use crate::egress::{Egress, Refusal};
use crate::request::Request;

/// Sends requests, each exactly as told: no redirect is followed, nothing is sent twice.
#[derive(Debug, Clone)]
pub(crate) struct Transport {
    http: reqwest::Client,
    guard: Arc<Guard>,
}

/// A response for robots.txt, as far as it was read.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    pub(crate) end: BodyEnd,
}

/// The reason why there is no response.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The address is not permitted; nothing was sent.
    Refused(Refusal),
    Net(NetError, Option<reqwest::Error>),
}

/// The client's resolver: it looks names up, lets permitted addresses pass, and so the checked address is the one that
/// is connected to.
#[derive(Debug)]
pub(crate) struct Guard {
    egress: Egress,
    lookup: Arc<dyn Lookup>,
    /// The one address to try, for the profiles that go through the addresses of a host.
    pinned: Mutex<HashMap<String, IpAddr>>,
}

/// Finds the addresses of a name.
pub trait Lookup: std::fmt::Debug + Send + Sync + 'static {
    /// The addresses, in the order in which to try them.
    fn lookup(&self, host: String) -> LookingUp;
}

/// The future of [`Lookup::lookup`].
pub type LookingUp = std::pin::Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// The resolver of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn lookup(&self, host: String) -> LookingUp {
        Box::pin(async move {
            let found = tokio::net::lookup_host((host, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

impl Transport {
    pub(crate) fn new(
        builder: reqwest::ClientBuilder,
        egress: Egress,
        lookup: Arc<dyn Lookup>,
    ) -> Result<Transport, reqwest::Error> {
        let is_restricted = egress.is_restricted();
        let guard = Arc::new(Guard {
            egress,
            lookup,
            pinned: Mutex::default(),
        });
        let builder = builder
            // A redirect has an origin with a robots.txt of its own, and a host with a turn of its own.
            .redirect(reqwest::redirect::Policy::none())
            // A request that the client sends again by itself has no turn.
            .retry(reqwest::retry::never())
            .referer(false)
            .dns_resolver(Arc::clone(&guard));
        // A proxy from the environment connects to addresses that nobody has checked.
        let builder = if is_restricted { builder.no_proxy() } else { builder };
        let http = builder.build()?;
        Ok(Transport { http, guard })
    }

    /// Sends a request for a page and returns when the header of its response is there.
    pub(crate) async fn send(&self, request: &Request) -> Result<reqwest::Response, Failure> {
        self.guard.check(&request.url)?;
        let mut sent = reqwest::Request::new(request.method.clone(), request.url.clone());
        *sent.headers_mut() = request.headers.clone();
        *sent.body_mut() = request.body.clone().map(reqwest::Body::from);
        self.http.execute(sent).await.map_err(failure)
    }

    /// Sends a request for a robots.txt and reads `max_bytes` of its body at most.
    pub(crate) async fn get_robots_txt(
        &self,
        url: &str,
        address: Option<IpAddr>,
        validators: &Validators,
        max_bytes: usize,
    ) -> Result<Received, Failure> {
        let url = Url::parse(url).map_err(|_| Failure::Net(NetError::Other, None))?;
        self.guard.check(&url)?;
        let _pin = address.map(|address| Pin::new(&self.guard, &url, address));
        let mut request = self.http.get(url);
        let conditions = [
            (IF_NONE_MATCH, &validators.etag),
            (IF_MODIFIED_SINCE, &validators.last_modified),
        ];
        for (name, value) in conditions {
            if let Some(value) = value {
                request = request.header(name, &**value);
            }
        }
        let mut response = request.send().await.map_err(failure)?;
        let mut body = Vec::new();
        let end = loop {
            // Content codings are undone on the way, so a small body of gzip may be a large one here.
            match response.chunk().await {
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => break BodyEnd::Complete,
                Err(_) => break BodyEnd::CutShort,
            }
            if body.len() > max_bytes {
                body.truncate(max_bytes);
                break BodyEnd::LimitReached;
            }
        };
        Ok(Received {
            status: response.status(),
            headers: response.headers().clone(),
            body,
            end,
        })
    }

    /// The permitted addresses of a host.
    pub(crate) async fn resolve(&self, host: &str) -> Result<Vec<IpAddr>, Failure> {
        let unwrapped = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = unwrapped.parse::<IpAddr>() {
            return Ok(vec![address]);
        }
        let found = self.guard.lookup.lookup(host.to_string()).await;
        let found = found.map_err(|_| Failure::Net(NetError::Dns, None))?;
        self.guard.permitted(host, found).map_err(Failure::Refused)
    }
}

impl Guard {
    /// Checks an address in the URL, which is connected to without a lookup.
    fn check(&self, url: &Url) -> Result<(), Failure> {
        self.egress.check_url(url).map_err(Failure::Refused)
    }

    /// The permitted ones; the first refusal if there is none.
    fn permitted(&self, host: &str, found: Vec<IpAddr>) -> Result<Vec<IpAddr>, Refusal> {
        let mut refusal = None;
        let mut permitted = Vec::new();
        for address in found {
            match self.egress.check(address) {
                Ok(()) => permitted.push(address),
                Err(kind) => refusal = refusal.or(Some(Refusal::new(host, address, kind))),
            }
        }
        match refusal {
            Some(refusal) if permitted.is_empty() => Err(refusal),
            _ => Ok(permitted),
        }
    }

    fn pinned(&self) -> std::sync::MutexGuard<'_, HashMap<String, IpAddr>> {
        self.pinned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_string();
        let pinned = self.pinned().get(&host).copied();
        let looking_up = self.lookup.lookup(host.clone());
        let guard = Guard {
            egress: self.egress.clone(),
            lookup: Arc::clone(&self.lookup),
            pinned: Mutex::default(),
        };
        Box::pin(async move {
            let found = match pinned {
                Some(address) => vec![address],
                None => looking_up.await?,
            };
            let permitted = guard.permitted(&host, found)?;
            let addresses = permitted.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

/// Keeps a host at one address while a request of a round is under way.
struct Pin<'g> {
    guard: &'g Guard,
    host: Option<String>,
}

impl Pin<'_> {
    fn new<'g>(guard: &'g Guard, url: &Url, address: IpAddr) -> Pin<'g> {
        let host = match url.host() {
            Some(Host::Domain(host)) => Some(host.to_string()),
            _ => None,
        };
        if let Some(host) = &host {
            guard.pinned().insert(host.clone(), address);
        }
        Pin { guard, host }
    }
}

impl Drop for Pin<'_> {
    fn drop(&mut self) {
        if let Some(host) = &self.host {
            self.guard.pinned().remove(host);
        }
    }
}

/// Reads an error of reqwest, whose kinds are all in its chain of causes.
fn failure(error: reqwest::Error) -> Failure {
    let causes = || iter::successors(error.source(), |cause| (*cause).source());
    if let Some(refusal) = causes().find_map(|cause| cause.downcast_ref::<Refusal>()) {
        return Failure::Refused(refusal.clone());
    }
    let io_kind = causes()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .map(io::Error::kind)
        .last();
    let is_tls = causes().any(|cause| {
        // rustls comes wrapped in an `io::Error`, which passes its own error over as a cause.
        let inner = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        cause.is::<rustls::Error>() || inner.is_some_and(|inner| inner.is::<rustls::Error>())
    });
    let is_local = matches!(
        io_kind,
        Some(io::ErrorKind::NetworkDown | io::ErrorKind::NetworkUnreachable | io::ErrorKind::AddrNotAvailable)
    );
    let kind = if is_local {
        NetError::Local
    } else if is_tls {
        NetError::Tls
    } else if error.is_connect() && io_kind.is_none() {
        NetError::Dns
    } else if error.is_timeout() {
        NetError::Read
    } else if error.is_connect() {
        NetError::Connect
    } else {
        io_kind.map_or(NetError::InvalidResponse, of_io)
    };
    Failure::Net(kind, Some(error))
}

fn of_io(kind: io::ErrorKind) -> NetError {
    match kind {
        io::ErrorKind::ConnectionRefused => NetError::Connect,
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::UnexpectedEof => NetError::Reset,
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => NetError::Read,
        _ => NetError::Other,
    }
}
