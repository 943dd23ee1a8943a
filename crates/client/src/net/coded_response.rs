//! A response whose body is read piece by piece, with its coding undone.

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use http::{HeaderMap, StatusCode};
use url::Url;

use crate::net::brotli::Brotli;
use crate::net::decoder::{Decoder, Undecodable};
use crate::net::flate::Flate;
#[cfg(feature = "zstd")]
use crate::net::zstd::Zstd;

/// A response of the HTTP client, which undoes no coding. The fields about a coding that is undone
/// are removed.
#[derive(Debug)]
pub(crate) struct CodedResponse {
    response: reqwest::Response,
    decoder: Option<Box<dyn Decoder>>,
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
        let decoder = take_decoder(response.headers_mut(), most_bytes);
        CodedResponse { response, decoder }
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
        let Some(decoder) = &mut self.decoder else {
            return Ok(self.response.chunk().await?);
        };
        loop {
            if let Some(piece) = decoder.read()? {
                return Ok(Some(piece));
            }
            match self.response.chunk().await? {
                Some(input) => decoder.push(input),
                None => {
                    decoder.end()?;
                    return Ok(None);
                }
            }
        }
    }
}

/// The decoder of the one coding that a header names, if it is known; the fields that it makes
/// wrong are removed.
pub(crate) fn take_decoder(headers: &mut HeaderMap, most_bytes: usize) -> Option<Box<dyn Decoder>> {
    let mut codings = headers.get_all(CONTENT_ENCODING).iter();
    let coding = codings.next().filter(|_| codings.next().is_none())?;
    let decoder = decoder_of(coding.as_bytes().trim_ascii(), most_bytes)?;
    headers.remove(CONTENT_ENCODING);
    headers.remove(CONTENT_LENGTH);
    Some(decoder)
}

/// The decoder of a coding that is known. That of brotli may have `most_bytes` of memory, the
/// others need less than 64 KiB, and zstd 8 MiB.
fn decoder_of(coding: &[u8], most_bytes: usize) -> Option<Box<dyn Decoder>> {
    let is = |name: &[u8]| coding.eq_ignore_ascii_case(name);
    if is(b"gzip") || is(b"x-gzip") {
        Some(Box::new(Flate::gzip()))
    } else if is(b"deflate") {
        Some(Box::new(Flate::deflate()))
    } else if is(b"br") {
        Some(Box::new(Brotli::new(most_bytes)))
    } else {
        #[cfg(feature = "zstd")]
        if is(b"zstd") {
            return Some(Box::new(Zstd::new()?));
        }
        None
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
