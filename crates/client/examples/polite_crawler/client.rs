//! HTTP: one request, bounded in time and size, and its failures in the words of the policy.

use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::io;
use std::iter;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::sync::Arc;
use std::time::Duration;

use polite_robots_policy::{BodyEnd, NetError, Validators};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect;
use url::{Host, Url};

use crate::common::answer::{Answer, conditions, of_io};
use crate::common::{USER_AGENT, is_own_network};

/// Cheap to clone; the clones share their connections.
#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    guard: Arc<Guard>,
}

/// Why there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It would lead into the crawler's own network.
    Refused,
    Net(NetError),
}

impl Client {
    /// `named` are the hosts that the user wants to be asked, wherever they are.
    pub(crate) fn new(
        named: HashSet<String>,
        connect_timeout: Duration,
        timeout: Duration,
    ) -> Result<Client, Box<dyn Error>> {
        // One provider for the process; it fails only if there is one already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let guard = Arc::new(Guard { named });
        let http = reqwest::Client::builder()
            .user_agent(USER_AGENT)
            // RedirectPolicy are the crawler's: the target has a host with a turn, and an origin with a robots.txt.
            .redirect(redirect::Policy::none())
            .dns_resolver(Arc::clone(&guard))
            .connect_timeout(connect_timeout)
            .timeout(timeout)
            .pool_max_idle_per_host(1)
            .build()?;
        Ok(Client { http, guard })
    }

    /// Sends a GET request and reads `max_bytes` of the body at most.
    pub(crate) async fn get(
        &self,
        url: &str,
        validators: &Validators,
        max_bytes: usize,
    ) -> Result<Answer, Failure> {
        let url = Url::parse(url).map_err(|_| Failure::Net(NetError::Other))?;
        if !self.guard.permits(&url) {
            return Err(Failure::Refused);
        }
        let mut request = self.http.get(url);
        for (name, value) in conditions(validators) {
            request = request.header(name, value);
        }
        let mut response = request.send().await.map_err(|error| failure(&error))?;
        let mut body = Vec::new();
        let end = loop {
            // gzip is undone on the way, so what counts are the bytes behind it: a small body may be a large one.
            match response.chunk().await {
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => break BodyEnd::Complete,
                // Half a robots.txt is not one. The policy takes it for an error of the server.
                Err(_) => break BodyEnd::CutShort,
            }
            if body.len() > max_bytes {
                body.truncate(max_bytes);
                break BodyEnd::LimitReached;
            }
        };
        Ok(Answer {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body,
            end,
        })
    }
}

/// Keeps redirects out of the crawler's own network.
struct Guard {
    named: HashSet<String>,
}

impl Guard {
    /// An address in the URL; those behind a name are seen when it is resolved.
    fn permits(&self, url: &Url) -> bool {
        let is_named = url.host_str().is_some_and(|host| self.named.contains(host));
        match url.host() {
            Some(Host::Ipv4(v4)) => is_named || !is_own_network(v4.into()),
            Some(Host::Ipv6(v6)) => is_named || !is_own_network(v6.into()),
            Some(Host::Domain(_)) | None => true,
        }
    }
}

impl Resolve for Guard {
    /// What is checked is what is connected to, so a name server cannot change its mind in between.
    fn resolve(&self, name: Name) -> Resolving {
        let is_named = self.named.contains(name.as_str());
        Box::pin(async move {
            let look_up = move || (name.as_str(), 0).to_socket_addrs();
            let addresses: Vec<SocketAddr> = tokio::task::spawn_blocking(look_up).await??.collect();
            if !is_named && addresses.iter().any(|address| is_own_network(address.ip())) {
                return Err(Box::new(OwnNetwork) as Box<dyn Error + Send + Sync>);
            }
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

#[derive(Debug)]
struct OwnNetwork;

impl fmt::Display for OwnNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it would lead into the crawler's own network")
    }
}

impl Error for OwnNetwork {}

fn failure(error: &reqwest::Error) -> Failure {
    let causes = || iter::successors(error.source(), |cause| (*cause).source());
    let io_kind = || {
        causes()
            .filter_map(|cause| cause.downcast_ref::<io::Error>())
            .map(io::Error::kind)
            .last()
    };
    if causes().any(|cause| cause.is::<OwnNetwork>()) {
        return Failure::Refused;
    }
    let is_tls = causes().any(|cause| {
        // rustls comes wrapped in an `io::Error`, which passes its own error over as a cause.
        let inner = cause
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        cause.is::<rustls::Error>() || inner.is_some_and(|inner| inner.is::<rustls::Error>())
    });
    Failure::Net(if error.is_dns() {
        NetError::Dns
    } else if is_tls {
        NetError::Tls
    } else if error.is_connect() {
        NetError::Connect
    } else if error.is_timeout() {
        NetError::Read
    } else {
        // Otherwise the connection is well; what came over it is not HTTP, or ended before it was a response.
        io_kind().map_or(NetError::InvalidResponse, of_io)
    })
}
