//! One HTTP request: sent to a checked address, bounded in time and size, its failures in the words
//! of the policy.

use std::collections::HashMap;
use std::iter;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, HOST, IF_MODIFIED_SINCE, IF_NONE_MATCH, RANGE,
};
use http::{HeaderMap, HeaderValue, StatusCode};
use polite_robots_policy::NetError;
use polite_robots_policy::fetch::{BodyEnd, Validators};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use rustls::crypto::CryptoProvider;
use tokio::time::Instant;
use url::{Host, Url};

use crate::egress::{Egress, Refusal};
use crate::error::Error;
#[cfg(feature = "sign")]
use crate::identity::sign::Signer;
use crate::net::coded_response::{CodedResponse, take_decoder};
use crate::net::idle_connections::IdleConnections;
use crate::net::net_error::{dns_error, net_error};
use crate::net::request::Request;
use crate::net::resolver::GuardedResolver;
use crate::net::still_clock::StillClock;

/// Sends each request exactly as it is given: no redirect is followed, nothing is sent twice.
#[derive(Debug, Clone)]
pub(crate) struct Transport {
    http: reqwest::Client,
    /// The names of the crawler, which each request carries.
    names: HeaderMap,
    #[cfg(feature = "sign")]
    signer: Option<Arc<Signer>>,
    resolver: GuardedResolver,
    pins: Arc<Pins>,
    idle: Arc<IdleConnections>,
    silence: Option<Duration>,
}

/// A response for robots.txt, as far as it was read.
#[derive(Debug)]
pub(crate) struct RobotsResponse {
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
    Net(NetError, Option<Error>),
}

impl Transport {
    /// Builds on an HTTP client, whose requests carry the names of the crawler: `User-Agent` and
    /// `From`.
    pub(crate) fn new(
        builder: reqwest::ClientBuilder,
        names: HeaderMap,
        egress: Egress,
        resolver: Arc<dyn Resolve>,
        most_idle: usize,
    ) -> Result<Transport, reqwest::Error> {
        if CryptoProvider::get_default().is_none() {
            // Fails if another thread was faster, which is as good.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        let pins = Arc::new(Pins::default());
        let resolver = PinnedResolver {
            names: resolver,
            pins: Arc::clone(&pins),
        };
        let resolver = GuardedResolver::over(egress, resolver);
        let builder = builder
            // A redirect has an origin with a robots.txt of its own, and a host with a turn of its
            // own.
            .redirect(reqwest::redirect::Policy::none())
            // A request that the HTTP client sends again by itself has no turn.
            .retry(reqwest::retry::never())
            .referer(false)
            // Codings are undone here: a decoder hides the bytes that came.
            .no_gzip()
            .no_deflate()
            .no_brotli()
            .no_zstd();
        let http = resolver.guard(builder).build()?;
        // The builder does not show it.
        let has_limit = format!("{http:#?}").contains("\n    read_timeout: ");
        Ok(Transport {
            http,
            names,
            #[cfg(feature = "sign")]
            signer: None,
            resolver,
            pins,
            idle: Arc::new(IdleConnections::new(most_idle)),
            silence: (!has_limit).then_some(LONGEST_SILENCE),
        })
    }

    /// Signs each request from now on.
    #[cfg(feature = "sign")]
    pub(crate) fn signing(mut self, signer: Option<Signer>) -> Transport {
        self.signer = signer.map(Arc::new);
        self
    }

    /// The longest pause of a server, where the HTTP client has no limit of its own.
    pub(crate) fn silence(&self) -> Option<Duration> {
        self.silence
    }

    /// Makes a request one of the crawler: with its names, for the host of the URL, signed. Call it
    /// directly before the request is sent.
    pub(crate) fn identify(&self, request: &mut reqwest::Request) -> Result<(), Error> {
        let headers = request.headers_mut();
        // Another host would get a request that its robots.txt was not asked about.
        headers.remove(HOST);
        for (name, value) in &self.names {
            headers.insert(name, value.clone());
        }
        self.sign(request)
    }

    /// Signs the request if there is a signer. A signature belongs to one request at one time, so
    /// it is made directly before the request is sent.
    #[cfg(feature = "sign")]
    fn sign(&self, request: &mut reqwest::Request) -> Result<(), Error> {
        match &self.signer {
            Some(signer) => Ok(signer.sign(request)?),
            None => Ok(()),
        }
    }

    #[cfg(not(feature = "sign"))]
    fn sign(&self, _request: &mut reqwest::Request) -> Result<(), Error> {
        Ok(())
    }

    /// Sends a request, whose body comes as it is on the wire.
    async fn execute(&self, mut request: reqwest::Request) -> Result<reqwest::Response, Failure> {
        let headers = request.headers_mut();
        // A part of a coded body cannot be decoded.
        if !headers.contains_key(ACCEPT_ENCODING) && !headers.contains_key(RANGE) {
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(CODINGS));
        }
        // A fault of this crate: nothing is sent, and the site is not to blame.
        self.identify(&mut request)
            .map_err(|error| Failure::Net(NetError::Local, Some(error)))?;
        if !self.idle.may_stay(request.url(), Instant::now()) {
            let close = HeaderValue::from_static("close");
            request.headers_mut().insert(CONNECTION, close);
        }
        self.http.execute(request).await.map_err(failure)
    }

    /// Sends a request for a page and returns when the header of its response is there.
    pub(crate) async fn send(&self, request: &Request) -> Result<CodedResponse, Failure> {
        self.check(&request.url)?;
        let _still = StillClock::hold();
        let mut sent = reqwest::Request::new(request.method.clone(), request.url.clone());
        *sent.headers_mut() = request.headers.clone();
        *sent.body_mut() = request.body.clone().map(reqwest::Body::from);
        let response = self.execute(sent).await?;
        Ok(CodedResponse::new(response, PAGE_DECODER))
    }

    /// Sends a request for a robots.txt and reads `max_bytes` of its body at most.
    pub(crate) async fn get_robots_txt(
        &self,
        url: &str,
        address: Option<IpAddr>,
        validators: &Validators,
        max_bytes: usize,
    ) -> Result<RobotsResponse, Failure> {
        let url = Url::parse(url).map_err(|_| Failure::Net(NetError::Other, None))?;
        self.check(&url)?;
        let _still = StillClock::hold();
        let _pin = address.map(|address| Pin::new(&self.pins, &url, address));
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
        let request = request.build().map_err(failure)?;
        let mut response = self.execute(request).await?;
        let mut body = Vec::new();
        let end = loop {
            match response.chunk().await {
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => break BodyEnd::Complete,
                Err(_) => break BodyEnd::CutShort,
            }
            if body.len() > max_bytes {
                body.truncate(max_bytes + 1);
                break BodyEnd::LimitReached;
            }
        };
        let received = RobotsResponse {
            status: response.status(),
            headers: response.headers().clone(),
            body,
            end: match is_broken_off(response) {
                true if end == BodyEnd::Complete => BodyEnd::CutShort,
                _ => end,
            },
        };
        Ok(received.without_brotli(max_bytes))
    }

    /// The permitted addresses of a host, or the address that the host is.
    pub(crate) async fn resolve(&self, host: &str) -> Result<Vec<IpAddr>, Failure> {
        let unwrapped = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = unwrapped.parse::<IpAddr>() {
            return Ok(vec![address]);
        }
        let found = self.resolver.look_up(host).await;
        found.map_err(|error| match Refusal::of(&*error) {
            Some(refusal) => Failure::Refused(refusal),
            None => Failure::Net(dns_error(&*error), None),
        })
    }

    /// The refusal of a URL, if all addresses of its host are refused.
    pub(crate) async fn refusal(&self, url: &Url) -> Option<Refusal> {
        let refused = match (self.check(url), url.domain()) {
            (Err(refused), _) => Err(refused),
            (Ok(()), Some(name)) => self.resolve(name).await.map(drop),
            (Ok(()), None) => Ok(()),
        };
        match refused {
            Err(Failure::Refused(refusal)) => Some(refusal),
            _ => None,
        }
    }

    /// Checks an address in the URL, which is connected to without a resolver.
    pub(crate) fn check(&self, url: &Url) -> Result<(), Failure> {
        self.resolver
            .egress()
            .check_url(url)
            .map_err(Failure::Refused)
    }
}

impl RobotsResponse {
    /// The response with brotli or zstd undone, for which the policy has no decoder. A body that is
    /// not in its coding stays as it came: it may be text.
    fn without_brotli(mut self, max_bytes: usize) -> RobotsResponse {
        let mut headers = self.headers.clone();
        let most_memory = max_bytes.saturating_mul(ROBOTS_DECODER);
        let coding = headers
            .get(CONTENT_ENCODING)
            .map(|coding| coding.as_bytes().trim_ascii());
        if !coding.is_some_and(|coding| {
            [&b"br"[..], b"zstd"]
                .iter()
                .any(|name| coding.eq_ignore_ascii_case(name))
        }) {
            return self;
        }
        let Some(mut decoder) = take_decoder(&mut headers, most_memory) else {
            return self;
        };
        decoder.push(Bytes::copy_from_slice(&self.body));
        let mut body = Vec::new();
        loop {
            match decoder.read() {
                Ok(Some(piece)) => body.extend_from_slice(&piece),
                Ok(None) if decoder.end().is_ok() => break,
                // The body was cut, so a part of it is all there is.
                Ok(None) if !body.is_empty() => {
                    self.end = match self.end {
                        BodyEnd::Complete => BodyEnd::CutShort,
                        end => end,
                    };
                    break;
                }
                _ => return self,
            }
            if body.len() > max_bytes {
                self.end = BodyEnd::LimitReached;
                break;
            }
        }
        RobotsResponse {
            headers,
            body,
            ..self
        }
    }
}

/// The longest silence of a server that the client waits for, where the caller sets no limit.
pub(crate) const LONGEST_SILENCE: Duration = Duration::from_secs(30);

/// The codings that are undone.
const CODINGS: &str = match cfg!(feature = "zstd") {
    true => "gzip, deflate, br, zstd",
    false => "gzip, deflate, br",
};

/// The memory of a decoder of robots.txt, for each byte that is read of the file: 2 MB for 500 KiB.
/// The decoder holds a power of two, half of which may be empty, and half of it once more while it
/// grows; the rest is for its tables.
const ROBOTS_DECODER: usize = 4;

/// The memory of a decoder of pages: the greatest window, half of it once more while it grows, and
/// the tables.
const PAGE_DECODER: usize = 28 << 20;

/// The one address to try for a host, for profiles that go through its addresses.
#[derive(Debug, Default)]
struct Pins(Mutex<HashMap<String, IpAddr>>);

impl Pins {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, IpAddr>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Resolves a host that is pinned to its pin.
struct PinnedResolver {
    names: Arc<dyn Resolve>,
    pins: Arc<Pins>,
}

impl Resolve for PinnedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        match self.pins.lock().get(name.as_str()) {
            Some(address) => {
                let address = SocketAddr::new(*address, 0);
                Box::pin(async move { Ok(Box::new(iter::once(address)) as Addrs) })
            }
            None => self.names.resolve(name),
        }
    }
}

/// Keeps a host at one address while a request of a round is under way.
struct Pin<'p> {
    pins: &'p Pins,
    host: Option<String>,
}

impl Pin<'_> {
    fn new<'p>(pins: &'p Pins, url: &Url, address: IpAddr) -> Pin<'p> {
        let host = match url.host() {
            Some(Host::Domain(host)) => Some(host.to_string()),
            _ => None,
        };
        if let Some(host) = &host {
            pins.lock().insert(host.clone(), address);
        }
        Pin { pins, host }
    }
}

impl Drop for Pin<'_> {
    fn drop(&mut self) {
        if let Some(host) = &self.host {
            self.pins.lock().remove(host);
        }
    }
}

/// Whether the server ended a stream of HTTP/2 in the middle, though it seems to be complete: hyper
/// takes `RST_STREAM` with `NO_ERROR` for the end of a body.
fn is_broken_off(response: reqwest::Response) -> bool {
    let is_http2 = response.version() == http::Version::HTTP_2;
    let rest = http::Response::<reqwest::Body>::from(response).into_body();
    is_http2 && !http_body::Body::is_end_stream(&rest)
}

/// Reads an error of reqwest, whose kinds are all in its chain of causes.
fn failure(error: reqwest::Error) -> Failure {
    if let Some(refusal) = Refusal::of(&error) {
        return Failure::Refused(refusal);
    }
    let kind = net_error(&error);
    Failure::Net(kind, Some(Error::Http(error)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::resolver::StaticResolver;

    #[test]
    fn a_pause_has_a_limit_where_the_http_client_has_none() {
        let silence = |http| {
            let names = Arc::new(StaticResolver::new());
            let made = Transport::new(http, HeaderMap::new(), Egress::default(), names, 1);
            made.unwrap().silence()
        };
        let second = Duration::from_secs(1);
        let http = || reqwest::Client::builder();
        assert_eq!(silence(http()), Some(LONGEST_SILENCE));
        assert_eq!(
            silence(http().connect_timeout(second)),
            Some(LONGEST_SILENCE)
        );
        assert_eq!(silence(http().read_timeout(second)), None);
        let text = HeaderValue::from_static("read_timeout: 1s");
        let texts = [(HOST, text)].into_iter().collect();
        assert_eq!(
            silence(http().default_headers(texts)),
            Some(LONGEST_SILENCE)
        );
    }

    #[test]
    fn a_refusal_in_an_error_of_reqwest_is_found() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let names = StaticResolver::new().host("inner.test", [IpAddr::from([10, 0, 0, 1])]);
        let resolver = GuardedResolver::over(Egress::default(), names);
        let client = resolver.guard(reqwest::Client::builder()).build().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let failure = |url: &str| {
            let error = runtime
                .block_on(async { client.get(url).send().await })
                .unwrap_err();
            Error::from(error)
        };
        let refused = failure("http://inner.test/");
        assert!(matches!(&refused, Error::Refused(refusal) if refusal.host() == "inner.test"));
        assert!(matches!(failure("http://unknown.test/"), Error::Http(_)));
    }
}
