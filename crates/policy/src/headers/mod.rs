//! The header fields that matter for robots.txt and for the pace.

pub(crate) mod cache_control;
pub(crate) mod coding;

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::Write as _;

#[cfg(feature = "http")]
use http::HeaderMap;

use crate::headers::cache_control::CacheControl;
use crate::headers::coding::names_coding;

/// The header fields of a response that matter for robots.txt and for the pace; the rest is left
/// out.
///
/// Values are taken as they came, without decoding. Fill it from the client's own header map, or
/// convert a `http::HeaderMap` with the feature `http`:
///
/// ```
/// use polite_robots_policy::Headers;
///
/// let response = [("Content-Type", "text/plain"), ("ETag", "\"v1\""), ("cache-control", "max-age=3600")];
/// let mut headers = Headers::default();
/// for (name, value) in response {
///     headers.insert(name, value);
/// }
/// assert_eq!(headers.etag, Some("\"v1\""));
/// assert_eq!(headers.cache_control, Some("max-age=3600"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Headers<'a> {
    /// `Age`, RFC 9111 §5.1.
    pub age: Option<&'a str>,
    /// The first `Cache-Control`, RFC 9111 §5.2. Further ones that were inserted count too.
    pub cache_control: Option<&'a str>,
    /// `Content-Encoding`, RFC 9110 §8.4: the first field that names a coding. Set it to `None`
    /// after undoing the coding.
    pub content_encoding: Option<&'a str>,
    /// `Date`, RFC 9110 §6.6.1.
    pub date: Option<&'a str>,
    /// `ETag`, RFC 9110 §8.8.3.
    pub etag: Option<&'a str>,
    /// `Expires`, RFC 9111 §5.3.
    pub expires: Option<&'a str>,
    /// `Last-Modified`, RFC 9110 §8.8.2.
    pub last_modified: Option<&'a str>,
    /// `Location`, RFC 9110 §10.2.2.
    pub location: Option<&'a str>,
    /// `RateLimit`, draft-ietf-httpapi-ratelimit-headers.
    pub rate_limit: Option<&'a str>,
    /// `RateLimit-Remaining` of earlier drafts, or `X-RateLimit-Remaining`.
    pub rate_limit_remaining: Option<&'a str>,
    /// `RateLimit-Reset` of earlier drafts, or `X-RateLimit-Reset`.
    pub rate_limit_reset: Option<&'a str>,
    /// `Retry-After`, RFC 9110 §10.2.3.
    pub retry_after: Option<&'a str>,
    /// The `Cache-Control` fields after the first.
    further_cache_control: CacheControl,
    /// A `Location` that is not UTF-8.
    location_bytes: Option<&'a [u8]>,
}

impl<'a> Headers<'a> {
    /// Takes the field if it matters, whatever the case of its name.
    ///
    /// The first of two equal fields counts; all `Cache-Control` fields are one list (RFC 9110
    /// §5.3).
    pub fn insert(&mut self, name: &str, value: &'a str) {
        if self.cache_control.is_some() && name.eq_ignore_ascii_case("cache-control") {
            self.further_cache_control.add(value);
        }
        if name.eq_ignore_ascii_case("content-encoding") && names_coding(value) {
            self.content_encoding.get_or_insert(value);
        }
        let fields = [
            (&["age"][..], &mut self.age),
            (&["cache-control"], &mut self.cache_control),
            (&["date"], &mut self.date),
            (&["etag"], &mut self.etag),
            (&["expires"], &mut self.expires),
            (&["last-modified"], &mut self.last_modified),
            (&["location"], &mut self.location),
            (&["ratelimit"], &mut self.rate_limit),
            (
                &["ratelimit-remaining", "x-ratelimit-remaining"],
                &mut self.rate_limit_remaining,
            ),
            (
                &["ratelimit-reset", "x-ratelimit-reset"],
                &mut self.rate_limit_reset,
            ),
            (&["retry-after"], &mut self.retry_after),
        ];
        for (names, field) in fields {
            if names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                field.get_or_insert(value);
            }
        }
    }

    /// The same for a value that need not be UTF-8, such as a `Location` with raw bytes. Other
    /// values that are not UTF-8 are left out.
    ///
    /// ```
    /// use polite_robots_policy::Headers;
    ///
    /// let mut headers = Headers::default();
    /// headers.insert_bytes("Location", "/größe".as_bytes());
    /// assert_eq!(headers.location, Some("/größe"));
    /// ```
    pub fn insert_bytes(&mut self, name: &str, value: &'a [u8]) {
        match core::str::from_utf8(value) {
            Ok(value) => self.insert(name, value),
            Err(_) if name.eq_ignore_ascii_case("location") => {
                self.location_bytes.get_or_insert(value);
            }
            Err(_) => {}
        }
    }

    /// The directives of all `Cache-Control` fields.
    pub(crate) fn all_cache_control(&self) -> CacheControl {
        let mut first = CacheControl::default();
        first.add(self.cache_control.unwrap_or_default());
        first.followed_by(self.further_cache_control)
    }

    /// The target of a redirect. Bytes outside of UTF-8 are percent-encoded, one by one, as
    /// browsers send them.
    pub(crate) fn redirect_target(&self) -> Option<Cow<'a, str>> {
        if let Some(location) = self.location {
            return Some(Cow::Borrowed(location));
        }
        let mut target = String::new();
        for byte in self.location_bytes? {
            match byte {
                0..=0x7F => target.push(char::from(*byte)),
                // Nothing can go wrong in a `String`.
                _ => drop(write!(target, "%{byte:02X}")),
            }
        }
        Some(Cow::Owned(target))
    }
}

/// Converts the header map of a response, with the feature `http`.
///
/// All `Cache-Control` fields count, and so does a `Location` with bytes outside of ASCII.
///
/// ```
/// use polite_robots_policy::Headers;
///
/// let mut map = http::HeaderMap::new();
/// map.append("cache-control", http::HeaderValue::from_static("public"));
/// map.append("retry-after", http::HeaderValue::from_static("120"));
/// let headers = Headers::from(&map);
/// assert_eq!(headers.retry_after, Some("120"));
/// ```
#[cfg(feature = "http")]
impl<'a> From<&'a HeaderMap> for Headers<'a> {
    fn from(map: &'a HeaderMap) -> Headers<'a> {
        let mut headers = Headers::default();
        for (name, value) in map {
            headers.insert_bytes(name.as_str(), value.as_bytes());
        }
        headers
    }
}
