//! The hosts that a client asks: all, or its part of them.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use polite_robots_policy::Origin;

use crate::error::Error;

/// The test of the caller: whether an origin is in the part of this client.
pub(crate) type Part = Box<dyn Fn(&Origin) -> bool + Send + Sync>;

/// The hosts that a client may ask.
#[derive(Default)]
pub(crate) struct Ownership {
    part: Option<Part>,
    handed_over: Mutex<HashSet<String>>,
}

impl Ownership {
    /// Owns the hosts of a part; without a part, all hosts.
    pub(crate) fn new(part: Option<Part>) -> Ownership {
        Ownership {
            part,
            handed_over: Mutex::default(),
        }
    }

    /// Whether the client may ask the host of an origin.
    pub(crate) fn owns(&self, origin: &Origin) -> bool {
        let is_in_part = self.part.as_ref().is_none_or(|is_in| is_in(origin));
        is_in_part && !self.is_handed_over(origin.host())
    }

    /// Fails for a URL whose host is another client's.
    pub(crate) fn check(&self, origin: &Origin, url: &str) -> Result<(), Error> {
        if self.owns(origin) {
            return Ok(());
        }
        let url = url.to_string();
        Err(Error::NotOwned { url })
    }

    /// Notes that a host is handed over. Returns whether it was not before.
    pub(crate) fn hand_over(&self, host: &str) -> bool {
        self.handed_over().insert(host.to_string())
    }

    /// Whether a host is handed over, and did not come back.
    pub(crate) fn is_handed_over(&self, host: &str) -> bool {
        self.handed_over().contains(host)
    }

    /// Notes that a host came back.
    pub(crate) fn take_over(&self, host: &str) {
        self.handed_over().remove(host);
    }

    /// The lock is never poisoned: no code panics under it.
    fn handed_over(&self) -> MutexGuard<'_, HashSet<String>> {
        self.handed_over
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Ownership {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ownership")
            .field("handed_over", &self.handed_over)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(host: &str) -> Origin {
        Origin::of(&format!("https://{host}")).unwrap()
    }

    #[test]
    fn a_host_is_owned_in_its_part_until_it_is_handed_over() {
        let all = Ownership::default();
        assert!(all.owns(&origin("a.example")));
        let part = Ownership::new(Some(Box::new(|origin| origin.host() != "b.example")));
        let (ours, other) = (origin("a.example"), origin("b.example"));
        assert!(part.check(&ours, "https://a.example/x").is_ok());
        let refused = part.check(&other, "https://b.example/x").unwrap_err();
        assert_eq!(
            refused.to_string(),
            "https://b.example/x belongs to another client"
        );
        assert!(part.hand_over("a.example"));
        assert!(!part.hand_over("a.example"));
        assert!(!part.owns(&ours));
        part.take_over("a.example");
        assert!(part.owns(&ours));
        // A host that was taken over is still asked only if it is in the part.
        part.take_over("b.example");
        assert!(!part.owns(&other));
    }
}
