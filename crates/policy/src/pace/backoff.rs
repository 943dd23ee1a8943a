//! The last answers of a host, and the delay that they call for.

use core::time::Duration;

use crate::jitter::later;
use crate::settings::pace::{Backoff, LatencyPolicy, Levels, PaceSettings};
use crate::time::{Timestamp, whole_millis};

/// The last answers of a host, as a measure of its strength. Times are the machine's.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Memory {
    /// When the level last rose. Answers to older requests repeat the same event.
    raised_at: Timestamp,
    /// The latencies of the last answers, the newest first, in [`UNIT`]s.
    latencies: [u16; WINDOW],
    /// A bit for each of the last answers that is an error, the newest in the lowest bit.
    errors: u32,
    /// The delay of [`Backoff::AutoThrottle`] in [`UNIT`]s; 0 before the first answer.
    throttle: u16,
    /// The level of [`Backoff::Levels`], or the number of blocks of [`Backoff::Doubling`].
    level: u8,
    /// Errors in a row.
    streak: u8,
}

/// An answer as the memory sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Answer {
    /// `None` for an error of the network.
    pub(crate) status: Option<u16>,
    pub(crate) started: Timestamp,
    pub(crate) asked_to_wait: AskedToWait,
    /// When the host's last block ended, or will.
    pub(crate) blocked_until: Timestamp,
    /// Signs of a block beyond the status.
    pub(crate) block: Option<Block>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskedToWait {
    Yes,
    No,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Block {
    /// One refused connection too many.
    Refused,
    Soft,
}

impl Memory {
    pub(crate) const NEW: Memory = Memory {
        raised_at: Timestamp::EPOCH,
        latencies: [NOTHING; WINDOW],
        errors: 0,
        throttle: 0,
        level: 0,
        streak: 0,
    };

    /// Takes an answer that came `now`. Returns the end of the block that it calls for, if any.
    pub(crate) fn take(
        &mut self,
        answer: Answer,
        settings: &PaceSettings,
        key: u64,
        now: Timestamp,
    ) -> Option<Timestamp> {
        let is_error = match answer.status {
            Some(status) => status == 429 || status >= 500,
            None => true,
        };
        let latency = now.saturating_since(answer.started);
        self.push(latency, is_error);
        if self.raised_at > now {
            // The clock has gone back; no event would count as new until it has caught up.
            self.raised_at = Timestamp::EPOCH;
        }
        match settings.backoff {
            Backoff::Off => None,
            Backoff::Levels(levels) => {
                self.take_level(answer, is_error, &levels, now);
                None
            }
            Backoff::Doubling {
                first,
                max,
                forget_after,
                jitter_percent,
            } => {
                let is_throttled = matches!(answer.status, Some(429 | 503))
                    && answer.asked_to_wait == AskedToWait::No;
                if !is_throttled && answer.block.is_none() || answer.started < self.raised_at {
                    return None;
                }
                // A blocked host is quiet because it is blocked, which says nothing about its
                // strength.
                let quiet_from = self.raised_at.max(answer.blocked_until);
                if now.saturating_since(quiet_from) > forget_after {
                    self.level = 0;
                }
                let block = doubled(first, self.level).min(max);
                self.level = self.level.saturating_add(1);
                self.raised_at = now;
                let attempt = u32::from(self.level);
                Some(now.saturating_add(later(block, jitter_percent, key, attempt)))
            }
            Backoff::AutoThrottle { start, max } => {
                let old = match self.throttle {
                    0 => units(start),
                    known => known,
                };
                let target = units(latency);
                let new = old.midpoint(target).max(target).min(units(max)).max(1);
                if answer.status == Some(200) || new > old {
                    self.throttle = new;
                }
                None
            }
        }
    }

    pub(crate) fn moved(self, moved: impl Fn(Timestamp) -> Timestamp) -> Memory {
        Memory {
            raised_at: moved(self.raised_at),
            ..self
        }
    }

    /// Merges the memory that another machine had for the host: the higher level counts, and the
    /// answers that call for more.
    pub(crate) fn join(&mut self, other: &Memory, settings: &PaceSettings) {
        let weight = |memory: &Memory| (memory.delay(settings), memory.errors.count_ones());
        let heavier = if weight(other) > weight(self) {
            other
        } else {
            &*self
        };
        *self = Memory {
            raised_at: self.raised_at.max(other.raised_at),
            latencies: heavier.latencies,
            errors: heavier.errors,
            throttle: heavier.throttle,
            level: self.level.max(other.level),
            streak: self.streak.max(other.streak),
        };
    }

    fn take_level(&mut self, answer: Answer, is_error: bool, levels: &Levels, now: Timestamp) {
        let is_news = answer.started >= self.raised_at;
        let mut raised = 0;
        if is_error {
            self.streak = self.streak.saturating_add(1);
        }
        match answer.status {
            Some(429) => raised = levels.too_many_requests_levels,
            Some(503) => raised = levels.service_unavailable_levels,
            _ if is_error => {
                if self.streak >= levels.error_streak {
                    raised = levels.server_error_levels;
                }
            }
            // Any other answer shows that the server copes: a second crawl gets 304 nearly
            // everywhere.
            _ => {
                self.streak = 0;
                if self.is_healthy(levels) {
                    self.level = self.level.saturating_sub(1);
                }
            }
        }
        raised = raised.max(match answer.block {
            Some(Block::Refused) => levels.refused_levels,
            Some(Block::Soft) => levels.soft_block_levels,
            None => 0,
        });
        if raised > 0 && is_news {
            self.level = self.level.saturating_add(raised).min(levels.max_level);
            self.raised_at = now;
        }
        let is_slow = || {
            let latencies = self.known_latencies();
            latencies.sum > latencies.slow_sum(levels)
        };
        if levels.latency == LatencyPolicy::Accumulate && is_slow() {
            self.level = self.level.saturating_add(1).min(levels.max_level);
        }
    }

    /// The level of [`Backoff::Levels`], or the number of blocks of [`Backoff::Doubling`].
    pub(crate) fn level(&self, settings: &PaceSettings) -> u8 {
        match &settings.backoff {
            Backoff::Levels(levels) => self.level_of(levels),
            Backoff::Doubling { .. } => self.level,
            Backoff::Off | Backoff::AutoThrottle { .. } => 0,
        }
    }

    /// The level of the errors and that of the latency.
    fn level_of(&self, levels: &Levels) -> u8 {
        let latency = match levels.latency {
            LatencyPolicy::Level => self.latency_level(levels),
            LatencyPolicy::Ignore | LatencyPolicy::Accumulate => 0,
        };
        self.level.saturating_add(latency).min(levels.max_level)
    }

    /// The gap that the answers call for.
    pub(crate) fn delay(&self, settings: &PaceSettings) -> Duration {
        let adapted = match settings.backoff {
            Backoff::Off | Backoff::Doubling { .. } => Duration::ZERO,
            Backoff::Levels(levels) => match self.level_of(&levels) {
                0 => Duration::ZERO,
                level => doubled(levels.base, level),
            },
            Backoff::AutoThrottle { start, max } => match self.throttle {
                0 => start.min(max),
                throttle => UNIT.saturating_mul(u32::from(throttle)),
            },
        };
        let latency = match self.latencies.first() {
            Some(latency) if *latency != NOTHING => UNIT.saturating_mul(u32::from(*latency)),
            _ => Duration::ZERO,
        };
        adapted.max(latency.saturating_mul(settings.latency_factor))
    }

    /// Whether the pace is as it would be without these answers, now and after any others: the
    /// delay is no longer, and the level no higher.
    pub(crate) fn is_as_new(&self, settings: &PaceSettings) -> bool {
        let delay = Memory::NEW.delay(settings).max(settings.min_delay);
        let is_level = match &settings.backoff {
            Backoff::Off => true,
            Backoff::Levels(levels) => self.level == 0 && self.was_never_slow(levels),
            Backoff::Doubling { .. } => self.level == 0,
            Backoff::AutoThrottle { .. } => self.throttle == 0,
        };
        // No error among the last answers means that none is in a row, and that no connection was
        // refused.
        is_level && self.errors == 0 && self.delay(settings) <= delay
    }

    /// Whether the mean of the last answers is below the threshold however many of them count:
    /// further answers push the oldest out.
    fn was_never_slow(&self, levels: &Levels) -> bool {
        let slow = whole_millis(levels.slow_latency).div_ceil(UNIT_MILLIS);
        let mut spare: u64 = 0;
        let known = self.latencies.iter().filter(|latency| **latency != NOTHING);
        known.map(|latency| u64::from(*latency)).all(|latency| {
            spare = spare.saturating_add(slow);
            let is_quick = latency <= spare;
            spare = spare.saturating_sub(latency);
            is_quick
        })
    }

    pub(crate) fn mean_latency(&self) -> Duration {
        let latencies = self.known_latencies();
        let mean = latencies.sum / latencies.count.max(1);
        UNIT.saturating_mul(u32::try_from(mean).unwrap_or(u32::MAX))
    }

    /// 0 if the mean is not above the threshold, else 1, and one more each time that the mean
    /// doubles.
    fn latency_level(&self, levels: &Levels) -> u8 {
        let latencies = self.known_latencies();
        let (sum, slow) = (latencies.sum, latencies.slow_sum(levels));
        if sum <= slow || slow == 0 {
            return u8::from(sum > slow);
        }
        u8::try_from((sum / slow).ilog2() + 1).unwrap_or(u8::MAX)
    }

    fn is_healthy(&self, levels: &Levels) -> bool {
        let errors = u64::from(self.errors.count_ones());
        let latencies = self.known_latencies();
        errors * 100 < u64::from(levels.healthy_error_percent) * latencies.count
            && latencies.sum < latencies.slow_sum(levels)
    }

    fn push(&mut self, latency: Duration, is_error: bool) {
        self.latencies.rotate_right(1);
        if let Some(newest) = self.latencies.first_mut() {
            *newest = units(latency);
        }
        self.errors = (self.errors << 1 | u32::from(is_error)) & ((1 << WINDOW) - 1);
    }

    /// The known latencies, counted and added in one pass, because each poll asks for them.
    fn known_latencies(&self) -> Latencies {
        let (mut sum, mut count) = (0, 0);
        for latency in self.latencies {
            if latency != NOTHING {
                sum += u64::from(latency);
                count += 1;
            }
        }
        Latencies { sum, count }
    }
}

/// The latencies of the last answers, in [`UNIT`]s.
struct Latencies {
    sum: u64,
    count: u64,
}

impl Latencies {
    /// The sum that they have if their mean is the threshold.
    fn slow_sum(&self, levels: &Levels) -> u64 {
        let slow = whole_millis(levels.slow_latency).div_ceil(UNIT_MILLIS);
        slow.saturating_mul(self.count)
    }
}

fn doubled(base: Duration, times: u8) -> Duration {
    base.saturating_mul(1 << times.min(31))
}

fn units(duration: Duration) -> u16 {
    let units = whole_millis(duration).div_ceil(UNIT_MILLIS);
    u16::try_from(units).map_or(NOTHING - 1, |units| units.min(NOTHING - 1))
}

/// The number of answers that count. A constant, as each of a million hosts keeps that many
/// latencies.
const WINDOW: usize = 20;
const UNIT_MILLIS: u64 = 10;
/// The unit of stored delays: the 655 s of a `u16` reach beyond the highest level.
const UNIT: Duration = Duration::from_millis(UNIT_MILLIS);
const NOTHING: u16 = u16::MAX;
