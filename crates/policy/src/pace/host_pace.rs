//! The pace of one host in the time of its machine, shared by pacer and scheduler.

use core::time::Duration;

use crate::host_rule::HostRule;
use crate::net_error::NetError;
use crate::pace::backoff::{Answer, AskedToWait, Block, Memory};
use crate::pace::crawl_delay::{AskedDelay, DelaySource};
use crate::pace::host_delay::HostDelay;
use crate::pace::rare::Rare;
use crate::pace::reply::{PageSignal, Reply};
use crate::pace::reward;
use crate::settings::pace::{Backoff, PaceSettings};
use crate::time::{Clock, Timestamp, latest_believed, whole_millis};

/// The pace of one host, in the time of the machine that owns it. 96 bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Pace {
    /// [`Timestamp::MAX`] before the first.
    pub(super) last_start: Timestamp,
    pub(super) blocked_until: Timestamp,
    pub(super) memory: Memory,
    pub(crate) rare: Rare,
    /// The time from the last start to the last end after it, in milliseconds.
    pub(super) done_after: u32,
    pub(super) crawl_delay: HostDelay,
    pub(super) last_request: LastRequest,
    /// Requests whose lease ran out and whose end was not reported since.
    pub(super) overdue: u8,
    pub(super) refusals: u8,
    /// Clean, fast answers in a row.
    pub(super) clean: u8,
}

/// Whether the request of the last start has come to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum LastRequest {
    Ended,
    UnderWay,
}

impl Pace {
    pub(crate) const NEW: Pace = Pace {
        last_start: Timestamp::MAX,
        blocked_until: Timestamp::EPOCH,
        memory: Memory::NEW,
        rare: Rare::NONE,
        done_after: 0,
        crawl_delay: HostDelay::NONE,
        last_request: LastRequest::Ended,
        overdue: 0,
        refusals: 0,
        clean: 0,
    };

    /// The pace of a host whose last request came to its end `now`.
    pub(crate) fn after_gap(now: Timestamp) -> Pace {
        Pace {
            last_start: now,
            ..Pace::NEW
        }
    }

    pub(super) fn last_done(&self) -> Timestamp {
        self.last_start
            .saturating_add(Duration::from_millis(u64::from(self.done_after)))
    }

    /// The settings of a host with a rule of its own.
    pub(super) fn ruled(&self, settings: &PaceSettings) -> Option<PaceSettings> {
        let rule = self.rare.rule();
        (rule != HostRule::new()).then(|| rule.applied(settings))
    }

    /// The pace without the operator's rule and the crawler's plans, which are made for one
    /// machine.
    pub(crate) fn portable(mut self) -> Pace {
        self.rare.defer(Timestamp::EPOCH);
        self.rare.set_rule(HostRule::new());
        self
    }

    pub(crate) fn crawl_delay(&self) -> AskedDelay {
        self.crawl_delay.longest()
    }

    /// Whether no origin of the host has asked for a delay.
    pub(crate) fn has_no_crawl_delay(&self) -> bool {
        self.crawl_delay() == AskedDelay::NONE && self.rare.delays().is_empty()
    }

    /// The gap that the host's `Crawl-delay` asks for.
    pub(crate) fn asked_gap(&self, settings: &PaceSettings) -> Duration {
        let ruled = self.ruled(settings);
        self.crawl_delay().gap(ruled.as_ref().unwrap_or(settings))
    }

    /// Notes the `Crawl-delay` of one origin; the longest of the host's origins counts.
    pub(crate) fn set_crawl_delay(&mut self, source: DelaySource, delay: AskedDelay) {
        self.crawl_delay.set(source, delay, &mut self.rare);
    }

    /// The same pace for a machine whose time differs.
    pub(crate) fn moved(self, moved: impl Fn(Timestamp) -> Timestamp) -> Pace {
        Pace {
            last_start: match self.last_start {
                Timestamp::MAX => Timestamp::MAX,
                last_start => moved(last_start),
            },
            blocked_until: moved(self.blocked_until),
            rare: self.rare.moved(&moved),
            memory: self.memory.moved(moved),
            ..self
        }
    }

    /// Whether an event was noted later than `now`: the machine of this pace has read the time
    /// since.
    pub(crate) fn is_ahead_of(&self, now: Timestamp) -> bool {
        let has_started = self.last_start != Timestamp::MAX;
        has_started && self.last_start > now || self.blocked_until > now
    }

    pub(crate) fn level(&self, settings: &PaceSettings) -> u8 {
        self.memory.level(settings)
    }

    /// The starts of the requests under way, oldest first.
    pub(crate) fn starts(&self) -> impl Iterator<Item = Timestamp> {
        let last = (self.last_request == LastRequest::UnderWay).then_some(self.last_start);
        self.rare.starts().iter().copied().chain(last)
    }

    pub(crate) fn start(&mut self, now: Timestamp) {
        if self.last_request == LastRequest::UnderWay {
            self.rare.push_start(self.last_start);
        }
        self.last_request = LastRequest::UnderWay;
        self.last_start = now;
        self.done_after = 0;
    }

    /// Takes the requests out whose lease is over by the clock.
    pub(crate) fn expire(&mut self, settings: &PaceSettings, now: Timestamp) {
        self.expire_unless(|start| is_leased(start, settings, now));
    }

    /// Takes the requests out that began at `start`, as their lease is over.
    pub(crate) fn expire_start(&mut self, start: Timestamp) {
        self.expire_unless(|other| other != start);
    }

    fn expire_unless(&mut self, is_leased: impl Fn(Timestamp) -> bool) {
        let before = self.starts().count();
        self.rare.retain_starts(&is_leased);
        if !is_leased(self.last_start) {
            self.last_request = LastRequest::Ended;
        }
        let expired = before.saturating_sub(self.starts().count());
        let expired = u8::try_from(expired).unwrap_or(u8::MAX);
        self.overdue = self.overdue.saturating_add(expired);
    }

    /// Ends the request that began at `started`, or the oldest. One whose lease is over has ended
    /// before, and its late end must not be taken for that of a younger request.
    fn end(&mut self, started: Option<Timestamp>) -> End {
        let is_unknown = |started| self.starts().all(|start| start != started);
        let is_overdue = self.overdue > 0 && started.is_none_or(is_unknown);
        let ended = (0..).zip(self.starts()).min_by_key(|(index, start)| {
            // The caller may have read its clock a moment before the start was reported.
            let distance = started.map(|started| started.as_millis().abs_diff(start.as_millis()));
            (distance, *index)
        });
        match ended {
            Some((index, _)) if !is_overdue => {
                let older = self.starts().count().saturating_sub(1);
                if index == older && self.last_request == LastRequest::UnderWay {
                    self.last_request = LastRequest::Ended;
                } else {
                    self.rare.remove_start(index);
                }
            }
            _ if self.overdue > 0 => self.overdue -= 1,
            _ => return End::Unknown,
        }
        End::Known
    }

    /// Notes the end of a request, from which the gap is counted.
    fn note_end(&mut self, now: Timestamp) {
        // 49 days and more would not fit; the exact start of so long a request does not matter.
        let longest = Duration::from_millis(u64::from(u32::MAX));
        self.last_start = self.last_start.max(now.saturating_sub(longest));
        let done_after = whole_millis(now.saturating_since(self.last_start));
        self.done_after = u32::try_from(done_after).unwrap_or(u32::MAX);
    }

    /// Ends a request that the crawler gave up or could not send. The gap is kept, and the host is
    /// not to blame.
    pub(crate) fn cancel(&mut self, started: Option<Timestamp>, now: Timestamp) {
        if self.end(started) == End::Known {
            self.note_end(now);
        }
    }

    /// Ends all requests: their process is gone. `now` is the newest moment that the machine knows,
    /// if it knows more than the pace.
    #[cfg(feature = "serde")]
    pub(crate) fn end_all(&mut self, now: Option<Timestamp>) {
        let had_requests = self.starts().next().is_some() || self.overdue > 0;
        self.last_request = LastRequest::Ended;
        self.overdue = 0;
        self.rare.retain_starts(|_| false);
        if let Some(now) = now.filter(|_| had_requests) {
            self.note_end(now);
        }
    }

    /// `clock` stands at the time of the reply.
    pub(crate) fn reply(&mut self, reply: &Reply, settings: &PaceSettings, key: u64, clock: Clock) {
        let now = clock.now();
        let started = clock.inside(reply.started).min(now);
        if reply.result == Err(NetError::Local) {
            return self.cancel(Some(started), now);
        }
        self.end(Some(started));
        if self.last_start == Timestamp::MAX {
            // The start of this request was not reported.
            self.last_start = started;
        }
        self.note_end(now);

        let asked = match reply.result {
            Ok(200..=299) | Err(_) => None,
            Ok(_) => reply.retry_after,
        };
        let asked = [asked, reply.rate_limit].into_iter().flatten();
        let asked_until = asked
            .map(|asked| asked.until_inside(clock, settings.max_retry_after))
            .max();
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
        let latency = now.saturating_since(started);
        self.clean = reward::counted(self.clean, reply, latency, self.level(settings), settings);
    }

    /// Counts refused connections in a row.
    fn is_refused_too_often(&mut self, reply: &Reply, settings: &PaceSettings) -> bool {
        counts_to(&mut self.refusals, is_refusal(reply), settings.refusals)
    }
}

/// Whether an end belongs to a request that was announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Known,
    Unknown,
}

/// Whether a request that began at `start` still counts as under way. A start that lies far ahead
/// does not: the clock has gone back since.
fn is_leased(start: Timestamp, settings: &PaceSettings, now: Timestamp) -> bool {
    start <= latest_believed(now) && now < start.saturating_add(lease(settings))
}

/// The lease of a request, a day at most.
pub(crate) fn lease(settings: &PaceSettings) -> Duration {
    settings.request_lease.min(LONGEST_LEASE)
}

/// The longest block that an answer can call for.
pub(super) fn longest_block(settings: &PaceSettings) -> Duration {
    let doubling = match settings.backoff {
        // A jitter is 255 percent at most.
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

/// Whether the count reaches `limit`, each time anew; a limit of 0 is never reached.
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

/// Far below the 49 days after which the time of an end would not fit.
const LONGEST_LEASE: Duration = Duration::from_secs(86_400);

const _: () = assert!(size_of::<Pace>() == 96 || cfg!(not(target_pointer_width = "64")));
