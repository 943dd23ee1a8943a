//! The end of a wait: the permission to send one request, or the reason why there is none.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use crate::access::cache::RobotsCheck;
use crate::headers::Headers;
use crate::net_error::NetError;
use crate::pace::reply::Reply;
use crate::robots_cache::shared::Place;

/// The answer of [`RobotsCache::wait`](crate::RobotsCache::wait): a [`RobotsCheck`], and if that is
/// `allowed`, the turn of the host for one request.
///
/// The turn ends by [`Permit::finish`] with the status and the headers of the response, best after
/// its body; by [`Permit::fail`], if none came; or by the drop of the permit, which counts as a
/// request that was broken off. The gap to the next request begins then. A permit that is kept for
/// longer than [`request_lease`](crate::settings::PaceSettings::request_lease), ten minutes, frees
/// its host all the same.
///
/// It owns its part of the cache, so that a task of its own can end it.
#[must_use = "a permit that is dropped gives its turn back"]
pub struct Permit {
    check: RobotsCheck,
    place: Option<Place>,
}

impl Permit {
    pub(super) fn new(check: RobotsCheck, place: Option<Place>) -> Permit {
        Permit { check, place }
    }

    /// Asks the rules about the request that the client sends for the URL too, as
    /// [`RobotsCheck::and_sent`]; if it is disallowed, the turn is given back.
    ///
    /// ```
    /// use core::time::Duration;
    /// use polite_robots_policy::{Cache, Profile, RobotsCache, RobotsResponse, block_on};
    ///
    /// // A site of our own needs no gaps.
    /// let mut profile = Profile::rfc9309();
    /// profile.pace.min_delay = Duration::ZERO;
    /// let cache = Cache::new(profile, &["ExampleBot"], 8 << 20)?;
    /// let robots = RobotsCache::over(cache, |_url| async {
    ///     Ok(RobotsResponse::new(200, [("Server", "example")], "User-agent: *\nDisallow: /private"))
    /// });
    /// let permit = block_on(robots.wait("http://example.com/..//private"))?;
    /// assert!(permit.allowed);
    /// // The `requests` of Python sends another path than other clients.
    /// assert!(!permit.and_sent(b"/private").allowed);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn and_sent(self, target: &[u8]) -> Permit {
        let check = self.check.and_sent(target);
        let place = self.place.filter(|_| check.allowed);
        Permit { check, place }
    }

    /// Ends the request by the status and the headers of its response, whatever they are: the pace
    /// of the host follows from them. It takes the headers as
    /// [`RobotsResponse::new`](crate::RobotsResponse::new) does.
    pub fn finish<N: AsRef<str>, V: AsRef<[u8]>>(
        self,
        status: u16,
        headers: impl IntoIterator<Item = (N, V)>,
    ) {
        let owned: Vec<(N, V)> = headers.into_iter().collect();
        let mut headers = Headers::default();
        for (name, value) in &owned {
            headers.insert_bytes(name.as_ref(), value.as_ref());
        }
        if let Some(place) = self.place {
            place.finish(|now| Reply::of_headers(status, &headers, now, now));
        }
    }

    /// Like [`Permit::finish`], for a reply that the caller made, as with a
    /// [`PageSignal`](crate::PageSignal). Its [`Reply::started`] does not matter.
    pub fn finish_with(self, reply: Reply) {
        if let Some(place) = self.place {
            place.finish(|_| reply);
        }
    }

    /// Ends the request by the failure that came in place of a response.
    /// [`NetError::Local`] is no evidence against the host.
    pub fn fail(self, error: impl Into<NetError>) {
        let result = Err(error.into());
        if let Some(place) = self.place {
            place.finish(|now| Reply::new(result, now));
        }
    }
}

impl Deref for Permit {
    type Target = RobotsCheck;

    fn deref(&self) -> &RobotsCheck {
        &self.check
    }
}

/// The sentence of the [`RobotsCheck`].
impl fmt::Display for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.check.fmt(f)
    }
}

impl fmt::Debug for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Permit");
        debug.field("check", &self.check);
        debug.field("has_turn", &self.place.is_some()).finish()
    }
}
