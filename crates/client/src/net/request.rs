//! A request of the caller, over the types of the crate `http`.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use polite_robots_policy::Origin;
use url::Url;

use crate::error::Error;

/// A request for a page: method, URL, header fields and body.
///
/// The client sets `Host`, `User-Agent` and, with a contact, `From`, whatever the request has
/// there, and decides when it is sent.
///
/// ```
/// use polite_robots_client::Request;
/// use polite_robots_client::reqwest::header::{ACCEPT_LANGUAGE, HeaderValue};
///
/// let request = Request::get("https://example.com/a")?
///     .header(ACCEPT_LANGUAGE, HeaderValue::from_static("en"));
/// assert_eq!(request.url().path(), "/a");
/// # Ok::<(), polite_robots_client::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Request {
    pub(crate) method: Method,
    pub(crate) url: Url,
    /// The origin of `url`.
    pub(crate) origin: Origin,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Bytes>,
}

impl Request {
    /// A GET request.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUrl`] if `url` is no absolute http or https URL.
    pub fn get(url: &str) -> Result<Request, Error> {
        Request::new(Method::GET, url)
    }

    /// A request with any method. Crawlers need GET and HEAD; robots.txt speaks of the URL,
    /// whatever the method.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUrl`] if `url` is no absolute http or https URL.
    pub fn new(method: Method, url: &str) -> Result<Request, Error> {
        let parsed = Url::parse(url);
        let origin = match &parsed {
            Ok(parsed) if matches!(parsed.scheme(), "http" | "https") => Origin::of_url(parsed)?,
            // Its error names what is wrong with the URL, as it was given.
            _ => Origin::of(url)?,
        };
        let mut url = parsed.map_err(|why| Error::UnreadableUrl {
            url: url.to_string(),
            why,
        })?;
        if url.fragment().is_some() {
            url.set_fragment(None);
        }
        Ok(Request {
            method,
            origin,
            url,
            headers: HeaderMap::new(),
            body: None,
        })
    }

    /// Adds a header field.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Request {
        self.headers.append(name, value);
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Bytes>) -> Request {
        self.body = Some(body.into());
        self
    }

    /// The URL, without a fragment.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.url
    }
}
