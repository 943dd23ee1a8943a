//! The header fields that matter for robots.txt and for the pace.

pub(crate) mod cache_control;
pub(crate) mod coding;

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::Write as _;

#[cfg(feature = "http")]
use http::HeaderMap;

use crate::headers::cache_control::CacheControl;
use crate::headers::coding::{codings_of, names_coding};
use crate::retry_after::{RetryAfter, delta_seconds};
use crate::time::Timestamp;

/// The header fields of a response that matter for robots.txt and for the pace; the rest is left
/// out.
///
/// Values are taken as they came, without decoding. Fill it from the client's own header map, or
/// convert a `http::HeaderMap` with the feature `http`:
///
/// ```
/// use polite_robots_policy::fetch::Headers;
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
    /// `Content-Encoding`, RFC 9110 §8.4: the first field that names a coding. A second one that
    /// was inserted counts too.
    pub content_encoding: Option<&'a str>,
    /// `Content-Length`, RFC 9110 §8.6.
    pub content_length: Option<&'a str>,
    /// `Date`, RFC 9110 §6.6.1.
    pub date: Option<&'a str>,
    /// `ETag`, RFC 9110 §8.8.3.
    pub etag: Option<&'a str>,
    /// `Expires`, RFC 9111 §5.3.
    pub expires: Option<&'a str>,
    /// `Last-Modified`, RFC 9110 §8.8.2.
    pub last_modified: Option<&'a str>,
    /// The first `Location`, RFC 9110 §10.2.2.
    pub location: Option<&'a str>,
    /// `RateLimit`, draft-ietf-httpapi-ratelimit-headers.
    pub rate_limit: Option<&'a str>,
    /// `RateLimit-Remaining` of earlier drafts, or `X-RateLimit-Remaining`.
    pub rate_limit_remaining: Option<&'a str>,
    /// `RateLimit-Reset` of earlier drafts, or `X-RateLimit-Reset`.
    pub rate_limit_reset: Option<&'a str>,
    /// The first `Retry-After`, RFC 9110 §10.2.3. Of those that were inserted the longest counts.
    pub retry_after: Option<&'a str>,
    /// The `Cache-Control` fields after the first.
    further_cache_control: CacheControl,
    /// The second `Content-Encoding` that names a coding.
    second_content_encoding: Option<&'a str>,
    /// Whether the last of `Transfer-Encoding` is `chunked` (RFC 9112 §6.3).
    pub(crate) is_chunked: bool,
    /// A `Location` that is not UTF-8.
    location_bytes: Option<&'a [u8]>,
    /// Whether there is more than one `Location`.
    has_two_locations: bool,
    /// The longest of the `Retry-After` fields after the first.
    pub(crate) further_retry_after: Option<&'a str>,
}

impl<'a> Headers<'a> {
    /// Takes the field if it matters, whatever the case of its name.
    ///
    /// The first of two equal fields counts; all `Cache-Control` fields are one list (RFC 9110
    /// §5.3).
    pub fn insert(&mut self, name: &str, value: &'a str) {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        if self.cache_control.is_some() && is("cache-control") {
            self.further_cache_control.add(value);
        } else if is("content-encoding") && names_coding(value) {
            match self.content_encoding {
                Some(_) => self.second_content_encoding.get_or_insert(value),
                None => self.content_encoding.insert(value),
            };
        } else if is("transfer-encoding") {
            let last = value.rsplit(',').next().unwrap_or(value).trim();
            self.is_chunked = last.eq_ignore_ascii_case("chunked");
        } else if is("location") {
            self.note_location();
        } else if self.retry_after.is_some() && is("retry-after") {
            let known = self.further_retry_after.unwrap_or_default();
            self.further_retry_after = Some(longer(known, value));
        }
        let fields = [
            (&["age"][..], &mut self.age),
            (&["cache-control"], &mut self.cache_control),
            (&["content-length"], &mut self.content_length),
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

    /// Like [`Headers::insert`], for a value that need not be UTF-8, such as a `Location` with raw
    /// bytes. Other values that are not UTF-8 are left out.
    ///
    /// ```
    /// use polite_robots_policy::fetch::Headers;
    ///
    /// let mut headers = Headers::default();
    /// headers.insert_bytes("Location", "/größe".as_bytes());
    /// assert_eq!(headers.location, Some("/größe"));
    /// ```
    pub fn insert_bytes(&mut self, name: &str, value: &'a [u8]) {
        match core::str::from_utf8(value) {
            Ok(value) => self.insert(name, value),
            Err(_) if name.eq_ignore_ascii_case("location") => {
                self.note_location();
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

    /// The target of a redirect. `None` for two fields (RFC 9110 §5.3: such a field is no list),
    /// and for an empty one, which would be the URL that was asked. Some clients join two fields by
    /// a comma and a blank, and no URL has a blank. Bytes outside of UTF-8 are percent-encoded, one
    /// by one, as browsers send them.
    pub(crate) fn redirect_target(&self) -> Option<Cow<'a, str>> {
        if self.has_two_locations {
            return None;
        }
        if let Some(location) = self.location {
            let is_one = !location.trim_ascii().is_empty() && !location.contains(", ");
            return is_one.then_some(Cow::Borrowed(location));
        }
        let mut target = String::new();
        for byte in self.location_bytes? {
            match byte {
                0..=0x7F => target.push(char::from(*byte)),
                // Writing to a `String` never fails.
                _ => drop(write!(target, "%{byte:02X}")),
            }
        }
        Some(Cow::Owned(target))
    }

    /// The codings of the body, that which was applied last first.
    pub(crate) fn codings(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let fields = [self.second_content_encoding, self.content_encoding];
        fields.into_iter().flatten().flat_map(codings_of)
    }

    /// The length of the body that the header states: a number, or one that is repeated (RFC 9110
    /// §8.6).
    pub(crate) fn stated_length(&self) -> Option<u64> {
        let mut numbers = self
            .content_length?
            .split(',')
            .map(str::trim)
            .map(delta_seconds);
        let first = numbers.next()??;
        numbers.all(|number| number == Some(first)).then_some(first)
    }

    fn note_location(&mut self) {
        self.has_two_locations |= self.location.is_some() || self.location_bytes.is_some();
    }
}

/// The longer of two waits in `Retry-After`.
fn longer<'a>(one: &'a str, other: &'a str) -> &'a str {
    let until = |value| RetryAfter::parse(value).map(|asked| asked.until(Timestamp::EPOCH));
    if until(other) > until(one) {
        other
    } else {
        one
    }
}

/// Converts the header map of a response, with the feature `http`.
///
/// All `Cache-Control` fields count, and so does a `Location` with bytes outside of ASCII.
///
/// ```
/// use polite_robots_policy::fetch::Headers;
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
