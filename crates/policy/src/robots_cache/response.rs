//! The answer of a fetch function: a response as any HTTP client has it.

use alloc::string::String;
use alloc::vec::Vec;
use std::io::{self, Read};

use crate::access::response::RawResponse;
use crate::access::response::body_end::BodyEnd;
use crate::headers::Headers;
use crate::net_error::NetError;

/// The response to a request for a robots.txt, as the fetch function of a
/// [`RobotsCache`](crate::RobotsCache) returns it.
///
/// ```
/// use polite_robots_policy::RobotsResponse;
///
/// let headers = [("Content-Type", "text/plain"), ("Cache-Control", "max-age=3600")];
/// let response = RobotsResponse::new(200, headers, "User-agent: *\nDisallow: /private/");
/// assert_eq!(response.as_response().headers.cache_control, Some("max-age=3600"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsResponse {
    status: u16,
    headers: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
    end: BodyEnd,
}

impl RobotsResponse {
    /// The bytes of a body to read at most: one more than the profiles'
    /// [`max_bytes`](crate::settings::AccessSettings::max_bytes), by which the machine sees that
    /// more follows.
    pub const READ_LIMIT: usize = 512_001;

    /// A response whose body was read to its end, or up to [`RobotsResponse::READ_LIMIT`].
    ///
    /// Every status is taken, also that of a redirect, which must not have been followed. The
    /// header map of a client on the crate `http` fits as it is. The client may have undone the
    /// content coding of the body, with or without its field, and may leave it, see
    /// [`RawResponse::file`].
    pub fn new<N: AsRef<str>, V: AsRef<[u8]>>(
        status: u16,
        headers: impl IntoIterator<Item = (N, V)>,
        body: impl Into<Vec<u8>>,
    ) -> RobotsResponse {
        let owned = |(name, value): (N, V)| (name.as_ref().into(), value.as_ref().into());
        RobotsResponse {
            status,
            headers: headers.into_iter().map(owned).collect(),
            body: body.into(),
            end: BodyEnd::Complete,
        }
    }

    /// Like [`RobotsResponse::new`] for a client that blocks: reads the body here, up to the limit.
    ///
    /// ```
    /// use polite_robots_policy::RobotsResponse;
    ///
    /// // Stands for the body of a response that never ends.
    /// let body = std::io::repeat(b'\n');
    /// let response = RobotsResponse::read(200, [("Server", "example")], body)?;
    /// assert_eq!(response.as_response().body.len(), RobotsResponse::READ_LIMIT);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// A body that breaks off, or that a decoder of the client cannot read, is no error: it opens
    /// nothing, and the answer says why.
    ///
    /// # Errors
    ///
    /// A fault of the crawler itself, as [`NetError::of`] knows it, and an error that neither the
    /// system nor a `Content-Encoding` explains.
    pub fn read<N: AsRef<str>, V: AsRef<[u8]>>(
        status: u16,
        headers: impl IntoIterator<Item = (N, V)>,
        body: impl Read,
    ) -> io::Result<RobotsResponse> {
        let mut text = Vec::new();
        let read = body
            .take(RobotsResponse::READ_LIMIT as u64)
            .read_to_end(&mut text);
        let response = RobotsResponse::new(status, headers, text);
        match read.map_err(|error| (NetError::of(&error), error)) {
            Ok(_) => Ok(response),
            Err((NetError::Local, error)) => Err(error),
            // Some clients take the field away when they undo the coding.
            Err((NetError::Other, error)) if !response.names_coding() => Err(error),
            Err((kind, _)) => Ok(response.broken_off(kind)),
        }
    }

    /// Like [`RobotsResponse::read`], for a client with futures: `next` gets the source of the body
    /// and returns its next chunk and the source, until there is no more or the limit is reached.
    ///
    /// ```
    /// use polite_robots_policy::{NetError, RobotsResponse, block_on};
    ///
    /// // Stands for a response that never ends.
    /// struct Answer;
    /// impl Answer {
    ///     async fn chunk(&mut self) -> Result<Option<&[u8]>, std::io::Error> { Ok(Some(b"Allow: /\n")) }
    /// }
    ///
    /// let response = RobotsResponse::new(200, [("Server", "example")], "");
    /// let next = |mut answer: Answer| async { Ok((answer.chunk().await?.map(Vec::from), answer)) };
    /// let response = block_on(response.with_chunks(Answer, next))?;
    /// assert_eq!(response.as_response().body.len(), RobotsResponse::READ_LIMIT);
    /// # Ok::<(), NetError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`RobotsResponse::read`].
    // If `next` borrowed the source, nobody could prove `Send` of its futures.
    pub async fn with_chunks<S, C, R>(
        mut self,
        mut source: S,
        mut next: impl FnMut(S) -> R,
    ) -> Result<RobotsResponse, NetError>
    where
        C: AsRef<[u8]>,
        R: Future<Output = Result<(Option<C>, S), NetError>>,
    {
        while self.body.len() < RobotsResponse::READ_LIMIT {
            let (chunk, rest) = match next(source).await {
                Ok(next) => next,
                Err(NetError::Local) => return Err(NetError::Local),
                Err(error) => return Ok(self.broken_off(error)),
            };
            let Some(chunk) = chunk else { break };
            self.body.extend_from_slice(chunk.as_ref());
            source = rest;
        }
        self.body.truncate(RobotsResponse::READ_LIMIT);
        Ok(self)
    }

    /// The response after an error in its body. An error without a known cause is the decoder's, if
    /// the body has a coding.
    fn broken_off(self, error: NetError) -> RobotsResponse {
        let end = match error {
            NetError::Encoded => BodyEnd::Undecodable,
            NetError::Other if self.names_coding() => BodyEnd::Undecodable,
            _ => BodyEnd::CutShort,
        };
        self.with_end(end)
    }

    fn names_coding(&self) -> bool {
        self.as_response().headers.content_encoding.is_some()
    }

    /// Notes how the reading of the body ended, for a client that gives the part that came before
    /// the connection broke: that is [`BodyEnd::CutShort`] and opens nothing.
    #[must_use]
    pub fn with_end(self, end: BodyEnd) -> RobotsResponse {
        RobotsResponse { end, ..self }
    }

    /// The response in the form that a [`Fetch`](crate::fetch::Fetch) takes.
    #[must_use]
    pub fn as_response(&self) -> RawResponse<'_> {
        let mut headers = Headers::default();
        for (name, value) in &self.headers {
            headers.insert_bytes(name, value);
        }
        RawResponse {
            status: self.status,
            headers,
            body: &self.body,
            end: self.end,
        }
    }
}
