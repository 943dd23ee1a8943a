//! The reward of a host that answers fast and without errors: a shorter least delay.

use core::time::Duration;

use crate::pace::reply::Reply;
use crate::settings::pace::{Backoff, PaceSettings, Reward};

/// The number of clean, fast answers in a row after one more answer.
pub(crate) fn counted(
    count: u8,
    reply: &Reply,
    latency: Duration,
    level: u8,
    settings: &PaceSettings,
) -> u8 {
    let is_earned = reward(settings).is_some_and(|reward| {
        let is_clean = matches!(reply.result, Ok(200..=399 | 404 | 410));
        is_clean && reply.signal.is_none() && level == 0 && latency <= reward.fast_latency
    });
    if is_earned {
        count.saturating_add(1)
    } else {
        0
    }
}

/// The least delay of a host after `count` clean, fast answers in a row.
pub(crate) fn least_delay(count: u8, settings: &PaceSettings) -> Duration {
    let Some(reward) = reward(settings) else {
        return settings.min_delay;
    };
    let halvings = count.checked_div(reward.after).unwrap_or(0);
    let shortened = settings.min_delay / 1_u32.checked_shl(halvings.into()).unwrap_or(u32::MAX);
    shortened.max(reward.floor.min(settings.min_delay))
}

fn reward(settings: &PaceSettings) -> Option<Reward> {
    match settings.backoff {
        Backoff::Levels(levels) => levels.reward,
        Backoff::Off | Backoff::Doubling { .. } | Backoff::AutoThrottle { .. } => None,
    }
}
