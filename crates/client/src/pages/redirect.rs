//! Redirects: their targets, and the requests for them.

use http::header::{
    AUTHORIZATION, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_LENGTH, CONTENT_LOCATION,
    CONTENT_TYPE, COOKIE, HeaderName, LOCATION, PROXY_AUTHORIZATION,
};
use http::{HeaderMap, Method, StatusCode};
use polite_robots_policy::Origin;
use url::Url;

use crate::error::{Error, RedirectProblem};
use crate::net::request::Request;

/// The target of a redirect (RFC 9110 §15.4), which may have raw UTF-8 in it.
pub(crate) fn redirect(status: StatusCode, headers: &HeaderMap) -> Option<&str> {
    let is_redirect = matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308);
    let location = headers.get(LOCATION).filter(|_| is_redirect)?;
    std::str::from_utf8(location.as_bytes()).ok()
}

impl Request {
    /// Turns the request into the one for the target of a redirect: with another method where RFC
    /// 9110 §15.4 says so, and without credentials for another origin.
    pub(crate) fn redirect(&mut self, status: StatusCode, origin: Origin, target: Url) {
        let is_rewritten = match status {
            StatusCode::SEE_OTHER => self.method != Method::HEAD,
            StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => self.method == Method::POST,
            _ => false,
        };
        if is_rewritten {
            self.method = Method::GET;
            self.body = None;
            self.remove(&OF_THE_BODY);
        }
        if self.url.origin() != target.origin() {
            self.remove(&[AUTHORIZATION, COOKIE, PROXY_AUTHORIZATION]);
        }
        self.url = target;
        self.origin = origin;
    }

    fn remove(&mut self, fields: &[HeaderName]) {
        for name in fields {
            self.headers.remove(name);
        }
    }
}

/// The fields of a body, which say nothing about a request without one (RFC 9110 §15.4).
const OF_THE_BODY: [HeaderName; 5] = [
    CONTENT_ENCODING,
    CONTENT_LANGUAGE,
    CONTENT_LENGTH,
    CONTENT_LOCATION,
    CONTENT_TYPE,
];

/// The target of a redirect as a server sees it: without a fragment. The site that redirects must
/// not choose who we are, so without credentials too.
pub(crate) fn plain(mut url: Url) -> Url {
    url.set_fragment(None);
    // Fails only for URLs without a host, which have no credentials.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

/// Names the redirects that led to a disallowed URL.
pub(crate) fn redirected(error: Error, hops: &[Url]) -> Error {
    match error {
        Error::Disallowed(evidence) => {
            Error::Disallowed(evidence.with_redirects(hops.iter().map(Url::to_string).collect()))
        }
        other => other,
    }
}

pub(crate) fn redirect_error(hops: &[Url], why: RedirectProblem) -> Error {
    let chain = hops.iter().map(Url::to_string).collect();
    Error::Redirect { chain, why }
}

/// The most redirects of a page. RFC 9309 §2.3.1.2 asks for five in the case of robots.txt.
pub(crate) const MOST_REDIRECTS: usize = 5;
