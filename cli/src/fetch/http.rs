//! Requests for a robots.txt, one by one: no redirect is followed, nothing is sent twice, addresses
//! are checked.

use std::cell::RefCell;
use std::collections::HashMap;
use std::net::IpAddr;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use polite_robots::Cause;
use polite_robots_client::Egress;
use polite_robots_client::network::GuardedResolver;
use polite_robots_policy::fetch::{BodyEnd, File, Headers, RawResponse};
use polite_robots_policy::settings::ForeignTextPolicy;
use polite_robots_policy::{Pacer, Profile, Reply, RetryAfter, Timestamp, Turn};
use reqwest::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue};
use reqwest::{Client, Url};
use rustls::crypto::CryptoProvider;

use crate::fetch::problem::{Problem, root};
use crate::terminal::printable;

/// A client for the requests that begin with one URL of the command line.
pub(super) struct Http {
    client: Client,
    egress: Egress,
    limit: Duration,
}

/// An answer, as far as it was read.
pub(super) struct Received {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    /// The body as it came. If it is longer than the limit, it has one byte beyond the limit.
    pub(super) body: Vec<u8>,
    pub(super) end: BodyEnd,
}

impl Http {
    /// A client whose redirects may lead to public addresses, and to those of the host that the
    /// user named.
    pub(super) async fn new(settings: &Settings, host: &str) -> Result<Http, NoClient> {
        if CryptoProvider::get_default().is_none() {
            // Nothing else installs a provider, so this cannot fail.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        let egress = match settings.reach {
            Reach::Any => Egress::any(),
            Reach::PublicAndNamed => {
                let own = addresses(host, settings.limit).await.into_iter();
                own.fold(Egress::public_only(), |egress, own| egress.also(own.into()))
            }
        };
        let builder = Client::builder()
            .user_agent(settings.user_agent.clone())
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            // The policy decodes the body, and the report states its coding.
            .no_gzip()
            .no_brotli()
            .no_deflate()
            .no_zstd()
            .connect_timeout(settings.limit);
        let client = GuardedResolver::new(egress.clone()).guard(builder).build();
        Ok(Http {
            client: client.map_err(|error| NoClient(root(&error).to_string()))?,
            egress,
            limit: settings.limit,
        })
    }

    /// Sends one request and reads up to `max_bytes` of the body, and a byte more.
    async fn get(&self, url: &str, max_bytes: usize) -> Result<Received, Problem> {
        let asked = self.receive(url, max_bytes);
        match tokio::time::timeout(self.limit, asked).await {
            Ok(answer) => answer,
            Err(_) => Err(Problem::silence(&server(url), self.limit)),
        }
    }

    async fn receive(&self, url: &str, max_bytes: usize) -> Result<Received, Problem> {
        // The client connects to an address in a URL without a resolver.
        if let Ok(url) = Url::parse(url) {
            self.egress.check_url(&url).map_err(Problem::Refused)?;
        }
        let problem = |error| Problem::of(&error, &server(url), self.limit);
        let request = self.client.get(url);
        let request = request.header(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        let mut response = request.send().await.map_err(problem)?;
        let mut body = Vec::new();
        let end = loop {
            match response.chunk().await {
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => break BodyEnd::Complete,
                Err(_) => break BodyEnd::CutShort,
            }
            if body.len() > max_bytes {
                break BodyEnd::LimitReached;
            }
        };
        body.truncate(max_bytes.saturating_add(1));
        Ok(Received {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body,
            end,
        })
    }
}

impl Received {
    pub(super) fn response(&self) -> RawResponse<'_> {
        RawResponse {
            status: self.status,
            headers: Headers::from(&self.headers),
            body: &self.body,
            end: self.end,
        }
    }

    /// The file in the body, without a content coding and otherwise as it came; `None` for an error
    /// page, whose body does not count.
    pub(super) fn file(&self) -> Option<Result<File<'_>, Cause>> {
        let mut settings = Profile::rfc9309().access;
        settings.foreign_text = ForeignTextPolicy::ReadAsUtf8;
        self.is_success().then(|| self.response().file(&settings))
    }

    /// A phrase for a body that cannot be read because of its coding.
    pub(super) fn unread_coding(&self) -> String {
        let coding = printable(&self.field("content-encoding").unwrap_or_default());
        match coding.to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" | "deflate" => format!("in no `{coding}` that can be read"),
            _ => format!("in the coding `{coding}`, which was not asked for"),
        }
    }

    /// A page, without its content coding if that can be undone, up to a limit and a byte more.
    pub(super) fn into_page(self, max_bytes: usize) -> Received {
        let mut settings = Profile::rfc9309().access;
        (settings.foreign_text, settings.max_bytes) = (ForeignTextPolicy::ReadAsUtf8, max_bytes);
        let unpacked = match self.response().file(&settings) {
            Ok(file) if file.is_unpacked => Ok(file.text.into_owned()),
            Ok(_) => return self,
            Err(_) => Err(BodyEnd::CutShort),
        };
        match unpacked {
            Ok(body) => Received { body, ..self },
            Err(end) => Received { end, ..self },
        }
    }

    /// Whether the body counts: that of an error page does not.
    pub(super) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// A field of the head as text. Bytes that are not UTF-8 are replaced.
    pub(super) fn field(&self, name: &str) -> Option<String> {
        let value = self.headers.get(name)?;
        Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
    }
}

/// No client can be made on this machine, for example because it has no root certificates.
#[derive(Debug, thiserror::Error)]
#[error("no HTTP client can be set up on this machine: {0}")]
pub(super) struct NoClient(String);

/// The choices of the command line for all requests.
pub(super) struct Settings {
    pub(super) user_agent: HeaderValue,
    pub(super) limit: Duration,
    pub(super) reach: Reach,
}

/// The addresses that redirects may lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Public addresses, and those of the host that the user named. The user chose this host, so it
    /// may be anywhere; a stranger chose the target of a redirect.
    PublicAndNamed,
    Any,
}

/// The request rate of each host: one request a second, and the pause that a host asked for with
/// 429 or 503. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Paces(Rc<RefCell<HashMap<String, Pacer>>>);

impl Paces {
    /// Waits until the host may be asked, and takes its turn.
    async fn turn(&self, host: &str) -> Result<Timestamp, Problem> {
        loop {
            let now = now();
            let pause = match self.poll(host, now) {
                Turn::NotBefore(time) if time.saturating_since(now) > LONGEST_WAIT => {
                    let host = host.to_owned();
                    return Err(Problem::LeftAlone { host, until: time });
                }
                Turn::NotBefore(time) => time.saturating_since(now),
                // Another site, which redirects to this host, is asking it.
                Turn::Busy => BUSY_PAUSE,
                _ => return Ok(now),
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Asks the pacer of the host, and takes the turn if it is free.
    fn poll(&self, host: &str, now: Timestamp) -> Turn {
        let mut paces = self.0.borrow_mut();
        let pacer = paces.entry(host.to_owned());
        let pacer = pacer.or_insert_with(|| Pacer::for_host(host));
        let turn = pacer.poll(&Profile::rfc9309(), now);
        if !matches!(turn, Turn::NotBefore(_) | Turn::Busy) {
            pacer.handle_start(now);
        }
        turn
    }

    /// Notes the end of the request that began at `started`.
    fn ended(&self, host: &str, started: Timestamp, answer: &Result<Received, Problem>) {
        let now = now();
        let reply = match answer {
            Ok(received) => Reply::new(Ok(received.status), started)
                .with_retry_after(RetryAfter::of(&Headers::from(&received.headers), now)),
            Err(problem) => Reply::new(Err(problem.net_error()), started),
        };
        if let Some(pacer) = self.0.borrow_mut().get_mut(host) {
            pacer.handle_reply(reply, &Profile::rfc9309(), now);
        }
    }
}

/// Waits until the host may be asked, and asks it.
pub(super) async fn get_in_turn(
    http: &Http,
    paces: &Paces,
    host: &str,
    url: &str,
    max_bytes: usize,
) -> Result<Received, Problem> {
    let started = paces.turn(host).await?;
    let answer = http.get(url, max_bytes).await;
    paces.ended(host, started, &answer);
    answer
}

pub(super) fn now() -> Timestamp {
    SystemTime::now().into()
}

/// The addresses of a host that the user named. For a name without an address, the request itself
/// fails.
async fn addresses(host: &str, limit: Duration) -> Vec<IpAddr> {
    let unwrapped = host.trim_start_matches('[').trim_end_matches(']');
    if let Ok(address) = unwrapped.parse() {
        return vec![address];
    }
    let resolver = GuardedResolver::new(Egress::any());
    let found = tokio::time::timeout(limit, resolver.look_up(host)).await;
    found.ok().and_then(Result::ok).unwrap_or_default()
}

/// Host and port of a URL.
fn server(url: &str) -> String {
    match Url::parse(url) {
        Ok(url) => {
            let host = url.host_str().unwrap_or_default();
            match url.port() {
                Some(port) => format!("{host}:{port}"),
                None => host.to_owned(),
            }
        }
        Err(_) => url.to_owned(),
    }
}

/// The longest wait for a host. Nobody waits longer for a command.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

const BUSY_PAUSE: Duration = Duration::from_millis(50);
