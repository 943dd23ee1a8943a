//! The lifetime that a server gives to its robots.txt (RFC 9111).

use core::time::Duration;

use crate::access::headers::Headers;
use crate::http_date::http_date;
use crate::retry_after::delta_seconds;
use crate::time::Timestamp;

/// For how long the server says that an answer may be kept (RFC 9111 §4.2), if it says so.
///
/// How long it *is* kept is for the [`Profile`](crate::Profile) to decide.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::{Freshness, Headers, Timestamp};
///
/// let mut headers = Headers::default();
/// headers.insert("Cache-Control", "public, max-age=3600");
/// headers.insert("Age", "600");
/// let freshness = Freshness::of(&headers, Timestamp::EPOCH);
/// assert_eq!(freshness.lifetime(), Some(Duration::from_secs(3000)));
/// assert_eq!(Freshness::default().lifetime(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Freshness {
    lifetime: Option<Duration>,
}

impl Freshness {
    /// What the headers of an answer say that came `now`.
    ///
    /// - `max-age` of `Cache-Control` if it is there, else `Expires` less `Date` (less `now` without a `Date`); of that
    ///   the `Age` is taken off (§4.2.1, §4.2.3).
    /// - `no-store` and `no-cache` give zero, and so does a value that cannot be read, which §4.2.1 and §5.3 hold to be
    ///   stale. A value too large saturates (§1.2.2).
    /// - Field names and arguments of `no-cache="…"` restrict other things; such a `no-cache` is skipped (§5.2.2.4).
    #[must_use]
    pub fn of(headers: &Headers<'_>, now: Timestamp) -> Freshness {
        let lifetime = headers.cache_control.and_then(of_cache_control);
        let lifetime = lifetime.or_else(|| {
            let expires = headers.expires?.trim_matches(BLANKS);
            let date = headers
                .date
                .and_then(|date| http_date(date.trim_matches(BLANKS)));
            Some(
                http_date(expires)
                    .unwrap_or(Timestamp::EPOCH)
                    .saturating_since(date.unwrap_or(now)),
            )
        });
        let age = headers
            .age
            .and_then(|age| delta_seconds(age.trim_matches(BLANKS)))
            .map_or(Duration::ZERO, Duration::from_secs);
        Freshness {
            lifetime: lifetime.map(|lifetime| lifetime.saturating_sub(age)),
        }
    }

    /// A lifetime that is known from elsewhere.
    #[must_use]
    pub const fn given(lifetime: Duration) -> Freshness {
        Freshness {
            lifetime: Some(lifetime),
        }
    }

    /// What is left of the lifetime; `None` if the server gave none.
    #[must_use]
    pub const fn lifetime(self) -> Option<Duration> {
        self.lifetime
    }
}

/// The lifetime that a `Cache-Control` gives. Of several `max-age` the first counts, as §4.2.1 permits.
fn of_cache_control(value: &str) -> Option<Duration> {
    let mut max_age = None;
    for directive in directives(value) {
        let (name, argument) = match directive.split_once('=') {
            Some((name, argument)) => (
                name.trim_matches(BLANKS),
                Some(argument.trim_matches(BLANKS)),
            ),
            None => (directive, None),
        };
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        if (is("no-store") || is("no-cache")) && argument.is_none() {
            return Some(Duration::ZERO);
        }
        if is("max-age") && max_age.is_none() {
            let seconds = argument.map_or("", unquoted);
            max_age = Some(Duration::from_secs(delta_seconds(seconds).unwrap_or(0)));
        }
    }
    max_age
}

/// The members of a list; commas in quoted strings do not divide it.
///
/// ```text
/// Cache-Control   = #cache-directive
/// cache-directive = token [ "=" ( token / quoted-string ) ]
/// ```
fn directives(value: &str) -> impl Iterator<Item = &str> {
    let mut quoted = Quoted::No;
    value
        .split(move |character| {
            quoted = match (quoted, character) {
                (Quoted::No, '"') | (Quoted::Escape, _) => Quoted::Yes,
                (Quoted::Yes, '"') => Quoted::No,
                (Quoted::Yes, '\\') => Quoted::Escape,
                (Quoted::Yes | Quoted::No, _) => quoted,
            };
            character == ',' && quoted == Quoted::No
        })
        .map(|directive| directive.trim_matches(BLANKS))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoted {
    No,
    Yes,
    Escape,
}

/// `max-age="60"` is not valid, but §5.2 asks to take it.
fn unquoted(argument: &str) -> &str {
    argument
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(argument)
}

const BLANKS: [char; 2] = [' ', '\t'];

#[cfg(test)]
mod tests {
    use super::*;

    fn cache_control(value: &str) -> Option<u64> {
        of_cache_control(value).map(|lifetime| lifetime.as_secs())
    }

    #[test]
    fn rfc_9111_cache_control() {
        for (value, expected) in [
            ("max-age=60", Some(60)),
            ("public,MAX-AGE=\"60\"", Some(60)),
            ("max-age = 60", Some(60)),
            ("max-age=60, max-age=5", Some(60)),
            ("max-age=99999999999999999999", Some(u64::MAX)),
            ("max-age=1.5", Some(0)),
            ("max-age=-1", Some(0)),
            ("max-age", Some(0)),
            ("x=\"a, max-age=5\"", None),
            ("x=\"\\\", max-age=5\", max-age=7", Some(7)),
            ("max-age=60, no-cache", Some(0)),
            ("no-cache=\"set-cookie\", max-age=60", Some(60)),
            ("No-Store", Some(0)),
            ("s-maxage=5, must-revalidate", None),
            ("", None),
            (",,,", None),
        ] {
            assert_eq!(cache_control(value), expected, "{value}");
        }
    }
}
