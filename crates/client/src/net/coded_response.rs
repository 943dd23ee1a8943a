//! A response whose body is read piece by piece, with its coding undone.

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use http::{HeaderMap, StatusCode};
use url::Url;

use crate::net::brotli::{Brotli, Undecodable};

/// A response of the HTTP client, which undoes gzip, deflate and zstd; here br is undone. The
/// fields about a coding that is undone are removed.
#[derive(Debug)]
pub(crate) struct CodedResponse {
    response: reqwest::Response,
    brotli: Option<Brotli>,
}

/// The reason why the next piece of a body cannot be read.
#[derive(Debug)]
pub(crate) enum BodyError {
    Http(reqwest::Error),
    Undecodable,
}

impl CodedResponse {
    /// Takes a response whose decoder may have `most_bytes` of memory.
    pub(crate) fn new(mut response: reqwest::Response, most_bytes: usize) -> CodedResponse {
        let mut codings = response.headers().get_all(CONTENT_ENCODING).iter();
        let first = codings.next().map(|coding| coding.as_bytes().trim_ascii());
        let is_brotli = first.is_some_and(|coding| coding.eq_ignore_ascii_case(b"br"));
        let brotli = (is_brotli && codings.next().is_none()).then(|| Brotli::new(most_bytes));
        if brotli.is_some() {
            response.headers_mut().remove(CONTENT_ENCODING);
            response.headers_mut().remove(CONTENT_LENGTH);
        }
        CodedResponse { response, brotli }
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.response.status()
    }

    pub(crate) fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    pub(crate) fn url(&self) -> &Url {
        self.response.url()
    }

    /// The next piece of the body; `None` at the end.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, BodyError> {
        let Some(brotli) = &mut self.brotli else {
            return Ok(self.response.chunk().await?);
        };
        loop {
            if let Some(piece) = brotli.read()? {
                return Ok(Some(piece));
            }
            match self.response.chunk().await? {
                Some(input) => brotli.push(input),
                None => {
                    brotli.end()?;
                    return Ok(None);
                }
            }
        }
    }
}

impl From<reqwest::Error> for BodyError {
    fn from(error: reqwest::Error) -> BodyError {
        BodyError::Http(error)
    }
}

impl From<Undecodable> for BodyError {
    fn from(_: Undecodable) -> BodyError {
        BodyError::Undecodable
    }
}
