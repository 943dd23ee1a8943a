//! The lifetime that a server gives to its robots.txt (RFC 9111).

use core::time::Duration;

use crate::headers::Headers;
use crate::http_date::http_date;
use crate::retry_after::delta_seconds;
use crate::time::Timestamp;

/// The lifetime that a server gives to its answer (RFC 9111 §4.2), if it gives one.
///
/// The [`Profile`](crate::Profile) decides how long the answer *is* kept.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_policy::Timestamp;
/// use polite_robots_policy::fetch::{Freshness, Headers};
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
    /// The lifetime by the headers of an answer that came `now`.
    ///
    /// - `max-age` of `Cache-Control` if it is there, else `Expires` less `Date` (less `now`
    ///   without a `Date`), in both cases minus `Age` (§4.2.1, §4.2.3).
    /// - `no-store` and `no-cache` give zero, and so does a value that cannot be read, which §4.2.1
    ///   and §5.3 hold to be stale. A value too large saturates (§1.2.2).
    /// - Field names and arguments of `no-cache="…"` restrict single fields; a `no-cache` with them
    ///   is skipped (§5.2.2.4).
    #[must_use]
    pub fn of(headers: &Headers<'_>, now: Timestamp) -> Freshness {
        let lifetime = headers.all_cache_control().lifetime().or_else(|| {
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

    /// The rest of the lifetime; `None` if the server gave none.
    #[must_use]
    pub const fn lifetime(self) -> Option<Duration> {
        self.lifetime
    }
}

const BLANKS: [char; 2] = [' ', '\t'];
