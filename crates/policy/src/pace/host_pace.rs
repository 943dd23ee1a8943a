//! The pace of one host in the time of its machine, shared by pacer and scheduler.

use core::time::Duration;

use crate::net_error::NetError;
use crate::pace::backoff::{Answer, AskedToWait, Block, Memory};
use crate::pace::reply::{PageSignal, Reply};
use crate::settings::pace::{Backoff, CrawlDelayPolicy, GapAnchor, LongDelayPolicy, PaceSettings};
use crate::time::{Clock, Timestamp, latest_believed, whole_millis};

/// The pace of one host, in the time of the machine that owns it. 80 bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Pace {
    /// [`Timestamp::MAX`] before the first.
    last_start: Timestamp,
    blocked_until: Timestamp,
    memory: Memory,
    /// From the last start to the last end behind it, in milliseconds.
    done_after: u32,
    in_flight: u8,
    refusals: u8,
}

/// A `Crawl-delay` in milliseconds, rounded up, at most a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct AskedDelay(u32);

/// When a host may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    /// From this time on.
    From(Timestamp),
    Busy,
    Skip,
}

impl AskedDelay {
    pub(crate) const NONE: AskedDelay = AskedDelay(u32::MAX);

    pub(crate) fn new(delay: Option<Duration>) -> AskedDelay {
        delay.map_or(AskedDelay::NONE, |delay| {
            let longest = u64::from(LONGEST_CRAWL_DELAY);
            AskedDelay(
                u32::try_from(whole_millis(delay).min(longest)).unwrap_or(LONGEST_CRAWL_DELAY),
            )
        })
    }

    pub(crate) fn get(self) -> Option<Duration> {
        (self != AskedDelay::NONE).then(|| Duration::from_millis(u64::from(self.0)))
    }

    /// The delay, if the profile reads it as a gap and finds it long.
    pub(crate) fn over_max(self, settings: &PaceSettings) -> Option<Duration> {
        let is_gap = settings.crawl_delay == CrawlDelayPolicy::Gap;
        self.get()
            .filter(|delay| is_gap && *delay > settings.max_crawl_delay)
    }

    /// The gap between two requests that it asks for.
    pub(crate) fn gap(self, settings: &PaceSettings) -> Duration {
        match (settings.crawl_delay, self.get()) {
            (CrawlDelayPolicy::Gap, Some(delay)) => match settings.over_max_crawl_delay {
                LongDelayPolicy::Clamp => delay.min(settings.max_crawl_delay),
                LongDelayPolicy::Honour | LongDelayPolicy::SkipHost => delay,
            },
            (CrawlDelayPolicy::Ignore | CrawlDelayPolicy::Window { .. }, _)
            | (CrawlDelayPolicy::Gap, None) => Duration::ZERO,
        }
    }

    /// The windows that it asks for, in milliseconds; at least 1.
    fn window(self, settings: &PaceSettings) -> Option<u64> {
        match (settings.crawl_delay, self.get()) {
            (CrawlDelayPolicy::Window { min, max }, Some(delay)) => {
                Some(whole_millis(delay.min(max).max(min)).max(1))
            }
            _ => None,
        }
    }
}

impl Pace {
    pub(crate) const NEW: Pace = Pace {
        last_start: Timestamp::MAX,
        blocked_until: Timestamp::EPOCH,
        memory: Memory::NEW,
        done_after: 0,
        in_flight: 0,
        refusals: 0,
    };

    /// As if a request had come to its end `now`.
    pub(crate) fn after_gap(now: Timestamp) -> Pace {
        Pace {
            last_start: now,
            ..Pace::NEW
        }
    }

    pub(crate) fn permission(
        &self,
        settings: &PaceSettings,
        asked: AskedDelay,
        now: Timestamp,
    ) -> Permission {
        if settings.over_max_crawl_delay == LongDelayPolicy::SkipHost
            && asked.over_max(settings).is_some()
        {
            Permission::Skip
        } else if self.in_flight >= settings.max_in_flight.max(1) {
            Permission::Busy
        } else {
            Permission::From(self.not_before(settings, asked, now))
        }
    }

    /// When the next request may start, if none were on its way. What lies further ahead of `now` than it could when it
    /// was noted does not count: the clock has gone back since.
    pub(crate) fn not_before(
        &self,
        settings: &PaceSettings,
        asked: AskedDelay,
        now: Timestamp,
    ) -> Timestamp {
        let latest_event = latest_believed(now);
        let latest_block = latest_event.saturating_add(longest_block(settings));
        let block = Some(self.blocked_until).filter(|until| *until <= latest_block);
        let block = block.unwrap_or(Timestamp::EPOCH);
        let last_done = self
            .last_start
            .saturating_add(Duration::from_millis(u64::from(self.done_after)));
        if self.last_start == Timestamp::MAX || last_done > latest_event {
            return block;
        }
        let gap_from = match settings.gap_from {
            GapAnchor::Completion => last_done,
            GapAnchor::Start => self.last_start,
        };
        let next_window = asked.window(settings).map_or(Timestamp::EPOCH, |window| {
            let this = self.last_start.as_millis() / window;
            Timestamp::from_millis(this.saturating_add(1).saturating_mul(window))
        });
        gap_from
            .saturating_add(self.gap(settings, asked))
            .max(next_window)
            .max(block)
    }

    fn gap(&self, settings: &PaceSettings, asked: AskedDelay) -> Duration {
        settings
            .min_delay
            .max(asked.gap(settings))
            .max(self.memory.delay(settings))
    }

    /// The same pace for a machine whose time differs.
    pub(crate) fn moved(self, moved: impl Fn(Timestamp) -> Timestamp) -> Pace {
        Pace {
            last_start: match self.last_start {
                Timestamp::MAX => Timestamp::MAX,
                last_start => moved(last_start),
            },
            blocked_until: moved(self.blocked_until),
            memory: self.memory.moved(moved),
            ..self
        }
    }

    /// Whether something was noted later than `now`: where this pace comes from the time was read since.
    pub(crate) fn is_ahead_of(&self, now: Timestamp) -> bool {
        let has_started = self.last_start != Timestamp::MAX;
        has_started && self.last_start > now || self.blocked_until > now
    }

    pub(crate) fn is_in_flight(&self) -> bool {
        self.in_flight > 0
    }

    pub(crate) fn level(&self, settings: &PaceSettings) -> u8 {
        self.memory.level(settings)
    }

    pub(crate) fn start(&mut self, now: Timestamp) {
        self.in_flight = self.in_flight.saturating_add(1);
        self.last_start = now;
        self.done_after = 0;
    }

    /// `clock` stands at the time of the reply.
    pub(crate) fn reply(&mut self, reply: &Reply, settings: &PaceSettings, key: u64, clock: Clock) {
        let now = clock.now();
        let started = clock.inside(reply.started).min(now);
        if self.last_start == Timestamp::MAX {
            // A reply to a request that nobody announced.
            self.last_start = started;
        }
        // 49 days and more would not fit; so long ago, the start itself is no matter.
        let longest = Duration::from_millis(u64::from(u32::MAX));
        self.last_start = self.last_start.max(now.saturating_sub(longest));
        let done_after = whole_millis(now.saturating_since(self.last_start));
        self.done_after = u32::try_from(done_after).unwrap_or(u32::MAX);
        self.in_flight = self.in_flight.saturating_sub(1);

        let is_throttled = matches!(reply.result, Ok(429 | 503));
        let asked = reply.retry_after.filter(|_| is_throttled);
        let asked_until = asked.map(|asked| asked.until_inside(clock, settings.max_retry_after));
        if self.blocked_until > latest_believed(now).saturating_add(longest_block(settings)) {
            self.blocked_until = Timestamp::EPOCH;
        }
        let rest_until = (reply.signal == Some(PageSignal::Challenge))
            .then(|| now.saturating_add(settings.challenge_block));
        let answer = Answer {
            status: reply.result.ok(),
            started,
            asked_to_wait: match asked_until {
                Some(until) if until > now => AskedToWait::Yes,
                _ => AskedToWait::No,
            },
            blocked_until: self.blocked_until,
            block: if self.is_refused_too_often(reply, settings) {
                Some(Block::Refused)
            } else {
                (reply.signal == Some(PageSignal::SoftBlock)).then_some(Block::Soft)
            },
        };
        let backed_off_until = self.memory.take(answer, settings, key, now);
        for until in [asked_until, rest_until, backed_off_until]
            .into_iter()
            .flatten()
        {
            self.blocked_until = self.blocked_until.max(until);
        }
    }

    /// Counts refused connections in a row.
    fn is_refused_too_often(&mut self, reply: &Reply, settings: &PaceSettings) -> bool {
        counts_to(&mut self.refusals, is_refusal(reply), settings.refusals)
    }

    /// How many requests may start until `horizon` from now on.
    pub(crate) fn capacity(
        &self,
        settings: &PaceSettings,
        asked: AskedDelay,
        now: Timestamp,
        horizon: Duration,
    ) -> u64 {
        if self.permission(settings, asked, now) == Permission::Skip {
            return 0;
        }
        let wait = self.not_before(settings, asked, now).saturating_since(now);
        if wait > horizon {
            return 0;
        }
        let duration = match settings.gap_from {
            GapAnchor::Completion => self.memory.mean_latency(),
            GapAnchor::Start => Duration::ZERO,
        };
        let each = whole_millis(self.gap(settings, asked).saturating_add(duration))
            .max(asked.window(settings).unwrap_or(1))
            .max(1);
        (whole_millis(horizon.saturating_sub(wait)) / each).saturating_add(1)
    }
}

fn longest_block(settings: &PaceSettings) -> Duration {
    let doubling = match settings.backoff {
        // With a jitter of 255 percent at most.
        Backoff::Doubling { max, .. } => max.saturating_mul(4),
        Backoff::Off | Backoff::Levels(_) | Backoff::AutoThrottle { .. } => Duration::ZERO,
    };
    settings
        .max_retry_after
        .max(settings.challenge_block)
        .max(doubling)
}

/// A sign that the address does not take connections from here.
pub(crate) fn is_refusal(reply: &Reply) -> bool {
    matches!(reply.result, Err(NetError::Connect | NetError::Reset))
}

/// Whether that is the `limit`th in a row, each time anew; 0 is never reached.
pub(crate) fn counts_to(count: &mut u8, is_one: bool, limit: u8) -> bool {
    if !is_one {
        *count = 0;
        return false;
    }
    *count = count.saturating_add(1);
    let is_reached = limit > 0 && *count >= limit;
    if is_reached {
        *count = 0;
    }
    is_reached
}

/// No file may ask for more than a day, in milliseconds.
const LONGEST_CRAWL_DELAY: u32 = 86_400_000;

const _: () = assert!(size_of::<Pace>() == 80);
