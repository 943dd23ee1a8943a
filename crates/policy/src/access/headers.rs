//! The header fields that matter for robots.txt and for the pace.

#[cfg(feature = "http")]
use http::HeaderMap;

/// The header fields of a response that matter for robots.txt and for the pace; the rest is left out.
///
/// Values are taken as they came, without decoding. Fill it from the client's own header map, or convert a
/// `http::HeaderMap` with the feature `http`:
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
    /// `Cache-Control`, RFC 9111 §5.2.
    pub cache_control: Option<&'a str>,
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
}

impl<'a> Headers<'a> {
    /// Takes the field if it matters, whatever the case of its name. Of a field that comes twice the first counts.
    pub fn insert(&mut self, name: &str, value: &'a str) {
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
}

/// Converts the header map of a response. Values that are not UTF-8 are left out.
#[cfg(feature = "http")]
impl<'a> From<&'a HeaderMap> for Headers<'a> {
    fn from(map: &'a HeaderMap) -> Headers<'a> {
        let mut headers = Headers::default();
        for (name, value) in map {
            if let Ok(value) = core::str::from_utf8(value.as_bytes()) {
                headers.insert(name.as_str(), value);
            }
        }
        headers
    }
}
