//! A response, which holds the turn of its host until its body is read or dropped.

use std::sync::OnceLock;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::Stream;
use http::{HeaderMap, StatusCode};
use polite_robots::{Robot, Verdict};
use polite_robots_policy::cache::Evidence;
use url::Url;

use crate::error::Error;
use crate::net::coded_response::{BodyError, CodedResponse};
use crate::net::request::Request;
use crate::net::still_clock::StillClock;
use crate::pages::request_time::RequestTime;
use crate::turns::turn_guard::TurnGuard;

/// A page that was fetched, with the evidence that it was permitted.
///
/// The request lasts until the body is read to its end or the response is dropped; until then the
/// host gets no other request, unless it takes several at a time. So read it or drop it soon. A
/// response that is kept for longer than the profile's
/// [`request_lease`](polite_robots_policy::settings::PaceSettings::request_lease), 10 minutes by
/// default, counts as ended, and a wait for its next piece ends with [`Error::Overdue`].
#[derive(Debug)]
pub struct Response {
    pub(crate) inner: CodedResponse,
    /// `None` once the body is read. Declared after `inner`, so that the connection is free before
    /// the turn is over.
    pub(crate) turn: Option<TurnGuard>,
    pub(crate) time: RequestTime,
    pub(crate) robot: Robot,
    /// The evidence, made when it is first read.
    pub(crate) evidence: OnceLock<Evidence>,
    /// The request that was answered.
    pub(crate) request: Box<Request>,
    pub(crate) hops: Vec<Url>,
    pub(crate) turn_waited: Duration,
    pub(crate) retries: u32,
    pub(crate) limit: usize,
    pub(crate) read: usize,
}

impl Response {
    /// The HTTP status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.inner.status()
    }

    /// The header fields.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        self.inner.headers()
    }

    /// The URL that answered: after redirects not the one that was asked for.
    #[must_use]
    pub fn url(&self) -> &Url {
        self.inner.url()
    }

    /// The robots.txt that permitted the request, and the URL that it was asked about.
    #[must_use]
    pub fn evidence(&self) -> &Evidence {
        let Request { origin, url, .. } = &*self.request;
        self.evidence
            .get_or_init(|| Evidence::new(self.robot.clone(), url.as_str(), origin.robots_url()))
    }

    /// The verdict of robots.txt about [`Response::url`].
    #[must_use]
    pub fn verdict(&self) -> Verdict<'_> {
        self.evidence().verdict()
    }

    /// The URLs that redirected here, the first one first; each was checked and fetched in its own
    /// turn.
    #[must_use]
    pub fn hops(&self) -> &[Url] {
        &self.hops
    }

    /// The time that the caller waited for robots.txt and for turns, in all hops together.
    #[must_use]
    pub fn turn_waited(&self) -> Duration {
        self.turn_waited
    }

    /// The requests of this call that were sent again after a failure that might pass, in all hops
    /// together: 0 unless [`PoliteClientBuilder::retries`](crate::PoliteClientBuilder::retries) is
    /// set.
    ///
    /// ```no_run
    /// # use polite_robots_client::{Error, PoliteClient};
    /// # async fn example(client: &PoliteClient) -> Result<(), Error> {
    /// let page = client.get("https://example.com/a").await?;
    /// if page.status() == 503 {
    ///     println!("still unavailable at try {}", page.retries() + 1);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn retries(&self) -> u32 {
        self.retries
    }

    /// The next piece of the body, after decoding; `None` at the end.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] above the page limit of the client, [`Error::Http`] if the transfer
    /// breaks, [`Error::Undecodable`] if it is not in its coding, [`Error::Overdue`] if it takes
    /// longer than a request may, [`Error::Silent`] if the server sends nothing for too long,
    /// [`Error::Crowded`] if it takes long and other hosts wait.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Error> {
        let received = {
            let _still = StillClock::hold();
            match &self.turn {
                Some(turn) => self.time.wait(turn.way(), self.inner.chunk()).await,
                None => Ok(self.inner.chunk().await),
            }
        };
        let chunk = match received {
            Ok(Ok(Some(chunk))) => chunk,
            Ok(Ok(None)) => {
                self.turn = None;
                return Ok(None);
            }
            Ok(Err(error)) => {
                self.turn = None;
                let url = || self.inner.url().to_string();
                return Err(match error {
                    BodyError::Http(error) => Error::Http(error),
                    BodyError::Undecodable => Error::Undecodable { url: url() },
                });
            }
            Err(why) => {
                self.turn = None;
                return Err(self.time.error(self.inner.url(), &why));
            }
        };
        self.read = self.read.saturating_add(chunk.len());
        if self.read > self.limit {
            self.turn = None;
            return Err(Error::TooLarge {
                url: self.inner.url().to_string(),
                limit: self.limit as u64,
            });
        }
        Ok(Some(chunk))
    }

    /// The whole body, after decoding.
    ///
    /// # Errors
    ///
    /// The same as [`Response::chunk`].
    pub async fn bytes(mut self) -> Result<Bytes, Error> {
        let Some(first) = self.chunk().await? else {
            return Ok(Bytes::new());
        };
        let Some(second) = self.chunk().await? else {
            // Nearly all small pages come in one piece, which needs no copy.
            return Ok(first);
        };
        let mut body = BytesMut::from(first);
        body.extend_from_slice(&second);
        while let Some(chunk) = self.chunk().await? {
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    }

    /// The body as a stream of its pieces, which holds the turn of the host as long as it lives.
    pub fn bytes_stream(self) -> impl Stream<Item = Result<Bytes, Error>> + Send {
        futures_util::stream::try_unfold(self, |mut response| async move {
            let chunk = response.chunk().await?;
            Ok(chunk.map(|chunk| (chunk, response)))
        })
    }
}
