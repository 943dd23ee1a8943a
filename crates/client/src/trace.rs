//! Spans and events for `tracing`. Without the feature the same calls do nothing, and none of it is
//! compiled.

use std::future::Future;
use std::time::Duration;

use polite_robots_policy::cache::Evidence;
use polite_robots_policy::{Cache, HostId, Origin, Outcome, Reply, Scheduler, Timestamp};

use crate::error::Error;

/// The span `polite.get` of one request for a page: one for each hop of its redirects, and for each
/// retry.
///
/// `robots` is the URL of the robots.txt that decided, and `verdict` its answer, or the error that
/// came instead.
#[derive(Debug)]
pub(crate) struct PageSpan {
    #[cfg(feature = "tracing")]
    span: tracing::Span,
}

/// The robots.txt of an origin before its round has ended.
#[derive(Debug)]
pub(crate) struct RoundEnd {
    #[cfg(feature = "tracing")]
    outcome: Option<enabled::RoundSummary>,
}

/// The pace of a host before the end of its request.
#[derive(Debug)]
pub(crate) struct PaceChange {
    #[cfg(feature = "tracing")]
    level: Option<u8>,
}

#[cfg(not(feature = "tracing"))]
mod disabled {
    use super::*;

    impl PageSpan {
        pub(crate) fn new(_origin: &Origin, _hop: usize) -> PageSpan {
            PageSpan {}
        }

        pub(crate) fn cover<F: Future>(&self, future: F) -> F {
            future
        }

        pub(crate) fn admitted(&self, _evidence: impl FnOnce() -> Evidence, _waited: Duration) {}

        pub(crate) fn refused(&self, _error: &Error) {}
    }

    impl RoundEnd {
        pub(crate) fn of(_cache: &Cache, _origin: &Origin, _outcome: &Outcome) -> RoundEnd {
            RoundEnd {}
        }

        pub(crate) fn report(self, _origin: &Origin) {}
    }

    impl PaceChange {
        pub(crate) fn of(_scheduler: &Scheduler, _host: HostId) -> PaceChange {
            PaceChange {}
        }

        pub(crate) fn report(
            self,
            _scheduler: &Scheduler,
            _host: HostId,
            _reply: &Reply,
            _now: Timestamp,
        ) {
        }
    }
}

#[cfg(feature = "tracing")]
mod enabled {
    use polite_robots_policy::{Profile, Turn};
    use tracing::field::{Empty, display};
    use tracing::instrument::{Instrument as _, Instrumented};
    use tracing::{Level, debug, debug_span, enabled, info, warn};

    use super::*;

    impl PageSpan {
        pub(crate) fn new(origin: &Origin, hop: usize) -> PageSpan {
            PageSpan {
                span: debug_span!(
                    "polite.get",
                    host = origin.host(),
                    waited_ms = Empty,
                    robots = Empty,
                    verdict = Empty,
                    hop,
                ),
            }
        }

        /// Runs a part of the request in the span.
        pub(crate) fn cover<F: Future>(&self, future: F) -> Instrumented<F> {
            future.instrument(self.span.clone())
        }

        pub(crate) fn admitted(&self, evidence: impl FnOnce() -> Evidence, waited: Duration) {
            if !self.span.is_disabled() {
                let waited = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
                self.span.record("waited_ms", waited);
                self.decided(&evidence());
            }
        }

        pub(crate) fn refused(&self, error: &Error) {
            match error {
                Error::Disallowed(evidence) => self.decided(evidence),
                other => {
                    self.span.record("verdict", display(other));
                }
            }
        }

        fn decided(&self, evidence: &Evidence) {
            self.span.record("robots", evidence.robots_url());
            self.span.record("verdict", display(evidence.verdict()));
        }
    }

    /// A round that has ended.
    #[derive(Debug)]
    pub(super) struct RoundSummary {
        outcome: String,
        is_failed: bool,
        /// Rounds that failed in a row before it.
        failures: u32,
        is_local: bool,
    }

    impl RoundEnd {
        /// Call it before the cache takes the outcome.
        pub(crate) fn of(cache: &Cache, origin: &Origin, outcome: &Outcome) -> RoundEnd {
            let ended = enabled!(Level::WARN).then(|| RoundSummary {
                outcome: describe(outcome),
                is_failed: matches!(outcome, Outcome::Unreachable { .. }),
                failures: cache.entry(origin).map_or(0, |entry| entry.failures()),
                is_local: matches!(outcome, Outcome::Local),
            });
            RoundEnd { outcome: ended }
        }

        /// Reports the round, and the outage that it begins or ends. Call it without the lock.
        pub(crate) fn report(self, origin: &Origin) {
            let Some(ended) = self.outcome else {
                return;
            };
            let outcome = ended.outcome.as_str();
            debug!(name: "polite.round", %origin, outcome, "a round for robots.txt has ended");
            match (ended.is_failed, ended.failures) {
                (true, 0) => {
                    warn!(name: "polite.outage_begins", %origin, outcome, "robots.txt is in an outage");
                }
                (false, rounds @ 1..) if !ended.is_local => {
                    info!(name: "polite.outage_ends", %origin, rounds, "robots.txt is back");
                }
                _ => {}
            }
        }
    }

    fn describe(outcome: &Outcome) -> String {
        match outcome {
            Outcome::NotModified(_) => "not modified".to_string(),
            Outcome::Parsed { .. } => "rules".to_string(),
            Outcome::Unavailable(cause) => format!("no file: {cause}"),
            Outcome::Forbidden(cause) => format!("closed by the site: {cause}"),
            Outcome::Blanket { cause, .. } => format!("one answer for the site: {cause}"),
            Outcome::Unreachable { cause, .. } => format!("unreachable: {cause}"),
            Outcome::Local => "failed by the crawler's own fault".to_string(),
            _ => "another outcome".to_string(),
        }
    }

    impl PaceChange {
        /// Call it before the scheduler takes the reply.
        pub(crate) fn of(scheduler: &Scheduler, host: HostId) -> PaceChange {
            let level = enabled!(Level::WARN).then(|| level(scheduler, host));
            PaceChange {
                level: level.flatten(),
            }
        }

        /// Reports a new level of the back-off, and a block that the reply asks for.
        pub(crate) fn report(
            self,
            scheduler: &Scheduler,
            host: HostId,
            reply: &Reply,
            now: Timestamp,
        ) {
            let (Some(before), Some(level)) = (self.level, level(scheduler, host)) else {
                return;
            };
            let name = scheduler.host(host);
            if level != before {
                info!(name: "polite.level", host = name, before, level, "the back-off has another level");
            }
            let is_error = !matches!(reply.result, Ok(200..=299) | Err(_));
            let is_asked = is_error && reply.retry_after.is_some() || reply.rate_limit.is_some();
            if is_asked && let Turn::NotBefore(until) = scheduler.turn(host, now) {
                warn!(name: "polite.block", host = name, %until, "the host asks to be left alone");
            }
        }
    }

    fn level(scheduler: &Scheduler, host: HostId) -> Option<u8> {
        let mut profile = Profile::rfc9309();
        profile.pace = *scheduler.settings();
        Some(scheduler.pacer(host)?.level(&profile))
    }
}
