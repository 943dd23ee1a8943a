//! The error of a call whose turn comes later than it waits: the reason, and when to come back.

use std::time::Duration;

use polite_robots_policy::{HostId, Origin, Timestamp, Turn};
use tokio::time::Instant;

use crate::error::{BusyReason, Error};
use crate::shared::Shared;

/// The error of a page whose host has its next turn at `until`.
pub(crate) fn busy(origin: &Origin, until: Option<Timestamp>, why: BusyReason) -> Error {
    Error::Busy {
        host: origin.host().to_string(),
        until,
        why,
    }
}

/// The error of a page whose turn comes later than the caller waits.
pub(crate) fn too_late(shared: &Shared, origin: &Origin, turn: Timestamp) -> Error {
    let max_wait = shared.settings.max_wait;
    busy(origin, Some(turn), BusyReason::Turn { max_wait })
}

/// The error of a call whose time is over; it names what the call waits for.
pub(crate) fn out_of_time(shared: &Shared, origin: &Origin) -> Error {
    let now = shared.clock.now();
    let state = shared.state();
    let soon = Some(now.saturating_add(SOON));
    if state.waiters.waits_for_memory(origin) {
        return busy(origin, soon, BusyReason::Memory);
    }
    let host = state.dispatcher.scheduler.find(origin.host());
    let turn = host.and_then(|host| state.dispatcher.turn_after_queue(host, now));
    if let Some(turn) = turn.filter(|turn| *turn > now) {
        return too_late(shared, origin, turn);
    }
    let entry = state.cache.entry(origin);
    let is_known = entry.and_then(|entry| entry.robots_date()).is_some();
    let why = match is_known {
        true => BusyReason::Requests,
        false => BusyReason::RobotsTxt,
    };
    busy(origin, soon, why)
}

/// The time after which a wait is worth another try that has no time of its own.
const SOON: Duration = Duration::from_secs(60);

/// The next turn of the host, if it comes later than the caller waits.
pub(crate) fn far_turn(shared: &Shared, host: HostId, deadline: Instant) -> Option<Timestamp> {
    let now = shared.clock.now();
    match shared.state().dispatcher.scheduler.turn(host, now) {
        Turn::NotBefore(turn) if shared.clock.instant(turn) > deadline => Some(turn),
        _ => None,
    }
}
