//! One round for one robots.txt: redirects, addresses, and the meaning of the response.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::IpAddr;
use core::time::Duration;

use polite_robots::{Access, Cause, Dialect, Options, RobotsTxt};
use url::Url;

use crate::access::freshness::Freshness;
use crate::access::outcome::{Outcome, Validators};
use crate::access::response::RawResponse;
use crate::access::response::body_end::BodyEnd;
use crate::net_error::NetError;
use crate::origin::Origin;
use crate::profile::Profile;
use crate::retry_after::RetryAfter;
use crate::settings::access::{
    AccessPolicy, AccessSettings, AttemptPlan, ConditionalRequests, ParseErrorPolicy,
    RedirectPolicy,
};
use crate::time::{Timestamp, latest_believed};

/// One round of fetching a robots.txt: redirects, addresses, and the meaning of the answer.
///
/// [`Fetch::poll`] gives the next step, [`Fetch::handle`] takes its result. Nothing happens in
/// between.
///
/// ```
/// use polite_robots_policy::{Origin, Outcome, Profile, Timestamp};
/// use polite_robots_policy::fetch::{
///     BodyEnd, Event, Fetch, Headers, RawResponse, Step, Validators,
/// };
///
/// let origin = Origin::of("https://example.com/page")?;
/// let now = Timestamp::from_millis(1_000);
/// let mut fetch = Fetch::new(&origin, Validators::default(), &Profile::rfc9309(), now);
/// let Step::Get(request) = fetch.poll(now) else { panic!() };
/// assert_eq!(request.url, "https://example.com/robots.txt");
///
/// let headers = Headers::default();
/// let response = RawResponse { status: 404, headers, body: b"", end: BodyEnd::Complete };
/// fetch.handle(Event::Response(response), now);
/// assert!(matches!(fetch.poll(now), Step::Done(Outcome::Unavailable(_))));
/// # Ok::<(), polite_robots::InvalidUrl>(())
/// ```
#[derive(Debug, Clone)]
pub struct Fetch {
    settings: AccessSettings,
    now: Timestamp,
    host: String,
    /// The URLs asked so far, the current one last.
    urls: Vec<String>,
    /// Empty after a redirect: they belong to the answer of another URL, and its date may be newer.
    validators: Validators,
    plan: Plan,
    /// The longest wait that a failed attempt asked for.
    retry_after: Option<RetryAfter>,
    state: State,
}

/// The addresses of [`AttemptPlan::EveryAddress`].
#[derive(Debug, Clone, Default)]
struct Plan {
    addresses: Vec<IpAddr>,
    next: usize,
    round: u8,
    wait_until: Timestamp,
    pause: Duration,
}

#[derive(Debug, Clone)]
enum State {
    Resolve,
    Get,
    Done(Outcome),
}

/// The next step of a round.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Step<'f> {
    /// Nothing more: give [`Fetch::into_outcome`] to the entry or the cache.
    Done(&'f Outcome),
    /// Send this request and report [`Event::Response`], [`Event::Failed`] or [`Event::Refused`].
    Get(RobotsRequest<'f>),
    /// Look up the addresses of this host and report [`Event::Resolved`] or [`Event::Failed`], or
    /// leave that to the client by [`Event::ByName`]. An address in brackets or in dotted form is
    /// its own.
    Resolve(&'f str),
    /// Come back at this time.
    Wait(Timestamp),
}

/// A GET request for a robots.txt. The client must not follow redirects itself: rules apply to the
/// first authority (RFC 9309 §2.3.1.2), and the targets are checked here.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct RobotsRequest<'f> {
    /// The URL to ask for; http or https.
    pub url: &'f str,
    /// The host whose turn the request needs, as [`Origin::host`] has it. After a redirect it may
    /// be another host than that of the round.
    pub host: &'f str,
    /// The address to connect to, if the profile goes through the addresses of the host.
    pub address: Option<IpAddr>,
    /// Bytes of the body, after decoding, to read at most; then stop with
    /// [`BodyEnd::LimitReached`].
    pub max_bytes: usize,
    /// The validators that make the request conditional; empty if it is not.
    pub validators: &'f Validators,
}

/// The result of a [`Step`].
// An event is made and taken within one call; a box would cost more than the copy.
#[expect(clippy::large_enum_variant)]
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Event<'a> {
    /// No response.
    Failed(NetError),
    /// The caller does not want to ask this URL, such as one that a redirect aims at its own
    /// network.
    Refused,
    /// The addresses of the host, in the order in which to try them. None is a failure.
    Resolved(&'a [IpAddr]),
    /// A response, whatever its status.
    Response(RawResponse<'a>),
    /// In place of [`Event::Resolved`]: the client looks names up by itself. The host counts as one
    /// with one address, and [`RobotsRequest::address`] is `None`.
    ByName,
}

impl Fetch {
    /// Begins a round. `validators` are those of [`Entry::validators`](crate::Entry::validators).
    #[must_use]
    pub fn new(
        origin: &Origin,
        validators: Validators,
        profile: &Profile,
        now: Timestamp,
    ) -> Fetch {
        let settings = &profile.access;
        let validators = match settings.conditional {
            ConditionalRequests::Send => validators,
            ConditionalRequests::Omit => Validators::default(),
        };
        Fetch {
            settings: *settings,
            now,
            host: origin.host().to_string(),
            urls: [origin.robots_url()].into(),
            validators,
            plan: Plan::default(),
            retry_after: None,
            state: State::first(settings),
        }
    }

    /// The next step. It stays the same until [`Fetch::handle`] is called or a wait is over.
    #[must_use]
    pub fn poll(&self, now: Timestamp) -> Step<'_> {
        // A wait further ahead than any pause means that the clock went back: ignore it.
        let latest = latest_believed(now).saturating_add(self.plan.pause);
        match &self.state {
            State::Done(outcome) => Step::Done(outcome),
            State::Resolve => Step::Resolve(&self.host),
            State::Get if now < self.plan.wait_until && self.plan.wait_until <= latest => {
                Step::Wait(self.plan.wait_until)
            }
            State::Get => Step::Get(RobotsRequest {
                url: self.urls.last().map_or("", |url| url.as_str()),
                host: &self.host,
                address: self.plan.addresses.get(self.plan.next).copied(),
                max_bytes: self.settings.max_bytes,
                validators: &self.validators,
            }),
        }
    }

    /// Takes the result of the last step. An event that does not belong to that step is ignored.
    /// Report each result once: a second report during the wait for the next attempt would count as
    /// the result of that attempt.
    pub fn handle(&mut self, event: Event<'_>, now: Timestamp) {
        self.now = now;
        match (&self.state, event) {
            (State::Done(_), _) => {}
            (_, Event::Failed(NetError::Local)) => self.finish(Outcome::Local),
            (_, Event::Refused) => self.finish_unreachable(Cause::Unreachable),
            (State::Resolve, Event::Resolved(addresses)) if !addresses.is_empty() => {
                self.plan.addresses = addresses.to_vec();
                self.state = State::Get;
            }
            (State::Resolve, Event::ByName) => self.state = State::Get,
            (State::Resolve, Event::Resolved(_) | Event::Failed(_)) => {
                self.finish_unreachable(Cause::Unreachable);
            }
            (State::Get, Event::Failed(NetError::Encoded)) => {
                self.finish_unreachable(Cause::Encoded);
            }
            (State::Get, Event::Failed(NetError::CutShort)) => {
                self.finish_unreachable(Cause::Truncated);
            }
            (State::Get, Event::Failed(_)) => self.attempt_failed(Cause::Unreachable),
            (State::Get, Event::Response(response)) => self.handle_response(&response),
            (State::Resolve, Event::Response(_))
            | (State::Get, Event::Resolved(_) | Event::ByName) => {}
        }
    }

    /// The outcome. A round that is given up before [`Step::Done`] counts as a failed one.
    #[must_use]
    pub fn into_outcome(self) -> Outcome {
        match self.state {
            State::Done(outcome) => outcome,
            State::Resolve | State::Get => Outcome::Unreachable {
                cause: Cause::Unreachable,
                retry_after: self.retry_after,
            },
        }
    }

    /// The bytes of memory of a round that is kept.
    pub(crate) fn bytes(&self) -> usize {
        let urls = self.urls.iter().map(String::capacity);
        let addresses = self.plan.addresses.capacity() * size_of::<IpAddr>();
        let texts = urls.fold(self.host.capacity(), usize::saturating_add);
        let urls = self.urls.capacity() * size_of::<String>();
        [texts, urls, addresses, self.validators.bytes()]
            .into_iter()
            .fold(size_of::<Fetch>(), usize::saturating_add)
    }

    fn handle_response(&mut self, response: &RawResponse<'_>) {
        let headers = &response.headers;
        let cause = Cause::Status(response.status);
        match response.status {
            304 if !self.validators.is_empty() => {
                return self.finish(Outcome::NotModified(self.freshness(response)));
            }
            // In a header that was cut, `Location: /r` may be the start of a longer target.
            300..=303 | 305..=399 if response.may_end_in_header() => {
                return self.finish_unreachable(Cause::Truncated);
            }
            300..=303 | 305..=399 if self.settings.redirects == RedirectPolicy::Follow => {
                if let Some(location) = headers.redirect_target() {
                    return self.redirect(&location, cause);
                }
            }
            500.. => {
                self.keep_longer(RetryAfter::of(headers, self.now));
                return self.attempt_failed(cause);
            }
            _ => {}
        }
        // The table of the core. A profile may be stricter, as IBM's is.
        match (
            RobotsTxt::from_status(response.status, b"").blanket(),
            response.status,
        ) {
            (None, _) => self.handle_body(response),
            (_, 401 | 403) => self.finish_as(self.settings.forbidden, cause, Some(response)),
            (_, 429) => self.finish_as(self.settings.too_many_requests, cause, Some(response)),
            (_, 400 | 404 | 410) => self.finish_as(AccessPolicy::Allow, cause, Some(response)),
            (Some((Access::Allow, _)), _) => {
                self.finish_as(self.settings.other_client_errors, cause, Some(response));
            }
            (Some((Access::Disallow, _)), _) => self.finish_unreachable(cause),
        }
    }

    fn handle_body(&mut self, response: &RawResponse<'_>) {
        let file = match response.file(&self.settings) {
            Ok(file) => file,
            Err(cause) => return self.finish_unreachable(cause),
        };
        let options = match self.settings.dialect {
            Dialect::Rfc9309 => Options::rfc9309(),
            Dialect::Google => Options::google(),
        };
        let options = options.with_max_bytes(file.max_bytes);
        let robots_txt = RobotsTxt::from_status_with(response.status, &file.text, &options);
        if self.settings.parse_errors == ParseErrorPolicy::AllowAll
            && robots_txt.unread_lines().next().is_some()
        {
            return self.finish_as(AccessPolicy::Allow, Cause::ParseErrors, Some(response));
        }
        let validators = if self.urls.len() == 1 {
            Validators::of(&response.headers)
        } else {
            Validators::default()
        };
        let end = match file.is_longer {
            true => BodyEnd::LimitReached,
            false => BodyEnd::Complete,
        };
        self.finish(Outcome::Parsed {
            robots_txt,
            freshness: self.freshness(response),
            validators,
            end,
        });
    }

    fn freshness(&self, response: &RawResponse<'_>) -> Freshness {
        Freshness::of(&response.headers, self.now)
    }

    fn redirect(&mut self, location: &str, cause: Cause) {
        let target = self.urls.last().and_then(|url| {
            let mut target = Url::parse(url).ok()?.join(location).ok()?;
            target.set_fragment(None);
            // A client would send them as `Authorization`: the site has no say in who the crawler
            // is.
            target.set_username("").ok()?;
            target.set_password(None).ok()?;
            let origin = Origin::of(target.as_str()).ok()?;
            Some((origin, String::from(target)))
        });
        let Some((origin, url)) = target else {
            // `ftp:`, no host, or no URL at all: the target is unknown, not absent.
            return self.finish_unreachable(cause);
        };
        let redirects = self.urls.len();
        if redirects > usize::from(self.settings.max_redirects) || self.urls.contains(&url) {
            let meaning = self.settings.too_many_redirects;
            return self.finish_as(meaning, Cause::TooManyRedirects, None);
        }
        self.host = origin.host().to_string();
        self.urls.push(url);
        self.validators = Validators::default();
        self.plan = Plan::default();
        self.state = State::first(&self.settings);
    }

    /// Goes on to the next address, or ends the round after the last.
    fn attempt_failed(&mut self, cause: Cause) {
        let AttemptPlan::EveryAddress { rounds, pause } = self.settings.attempts else {
            return self.finish_unreachable(cause);
        };
        self.plan.next += 1;
        if self.plan.next < self.plan.addresses.len() {
            return;
        }
        self.plan.round += 1;
        if self.plan.round >= rounds {
            return self.finish_unreachable(cause);
        }
        self.plan.next = 0;
        self.plan.wait_until = self.now.saturating_add(pause);
        self.plan.pause = pause;
    }

    fn keep_longer(&mut self, retry_after: Option<RetryAfter>) {
        // It is kept as a moment: a delay would begin again at the end of the round.
        let until = retry_after.map(|asked| RetryAfter::Date(asked.until(self.now)));
        self.retry_after = [self.retry_after, until]
            .into_iter()
            .flatten()
            .max_by_key(|asked| asked.until(Timestamp::EPOCH));
    }

    /// Ends the round without a file. `response` is the one that gave the reason, if one did.
    fn finish_as(
        &mut self,
        meaning: AccessPolicy,
        cause: Cause,
        response: Option<&RawResponse<'_>>,
    ) {
        let freshness = response.map(|response| self.freshness(response));
        let freshness = freshness.filter(|freshness| freshness.lifetime().is_some());
        let blanket = |access| {
            freshness.map(|freshness| Outcome::Blanket {
                access,
                cause,
                freshness,
            })
        };
        match meaning {
            AccessPolicy::Allow => {
                let outcome = blanket(Access::Allow);
                self.finish(outcome.unwrap_or(Outcome::Unavailable(cause)));
            }
            AccessPolicy::Disallow => {
                let outcome = blanket(Access::Disallow);
                self.finish(outcome.unwrap_or(Outcome::Forbidden(cause)));
            }
            AccessPolicy::Outage => {
                self.keep_longer(
                    response.and_then(|response| RetryAfter::of(&response.headers, self.now)),
                );
                self.finish_unreachable(cause);
            }
        }
    }

    fn finish_unreachable(&mut self, cause: Cause) {
        self.finish(Outcome::Unreachable {
            cause,
            retry_after: self.retry_after,
        });
    }

    fn finish(&mut self, outcome: Outcome) {
        self.state = State::Done(outcome);
    }
}

impl State {
    fn first(settings: &AccessSettings) -> State {
        match settings.attempts {
            AttemptPlan::Once => State::Get,
            AttemptPlan::EveryAddress { .. } => State::Resolve,
        }
    }
}
