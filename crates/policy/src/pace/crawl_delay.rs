//! A `Crawl-delay` as a profile reads it, and the origin that it comes from.

use core::fmt::{self, Write as _};
use core::hash::Hasher as _;
use core::time::Duration;

use siphasher::sip::SipHasher24;

use crate::origin::Origin;
use crate::settings::pace::{CrawlDelayPolicy, LongDelayPolicy, PaceSettings};
use crate::time::whole_millis;

/// A `Crawl-delay` in milliseconds, rounded up, at most a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct AskedDelay(u32);

impl AskedDelay {
    pub(crate) const NONE: AskedDelay = AskedDelay(u32::MAX);

    pub(crate) fn new(delay: Option<Duration>) -> AskedDelay {
        delay.map_or(AskedDelay::NONE, |delay| {
            let millis = whole_millis(delay).min(u64::from(LONGEST_CRAWL_DELAY));
            AskedDelay(u32::try_from(millis).unwrap_or(LONGEST_CRAWL_DELAY))
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

    /// The gap between two requests that the delay asks for.
    pub(crate) fn gap(self, settings: &PaceSettings) -> Duration {
        match (settings.crawl_delay, self.get()) {
            (CrawlDelayPolicy::Gap, Some(delay)) => match settings.over_max_crawl_delay {
                LongDelayPolicy::Clamp => delay.min(settings.max_crawl_delay),
                LongDelayPolicy::Keep | LongDelayPolicy::SkipHost => delay,
            },
            (CrawlDelayPolicy::Ignore | CrawlDelayPolicy::Window { .. }, _)
            | (CrawlDelayPolicy::Gap, None) => Duration::ZERO,
        }
    }

    /// The length of the windows that the delay asks for, in milliseconds; at least 1.
    pub(crate) fn window(self, settings: &PaceSettings) -> Option<u64> {
        match (settings.crawl_delay, self.get()) {
            (CrawlDelayPolicy::Window { min, max }, Some(delay)) => {
                Some(whole_millis(delay.min(max).max(min)).max(1))
            }
            _ => None,
        }
    }
}

/// The origin that a delay comes from, as a hash of 32 bits: two origins of one host that collide
/// share one delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct DelaySource(u32);

impl DelaySource {
    /// The source of a delay that was set for the host itself.
    pub(crate) const HOST: DelaySource = DelaySource(0);

    pub(crate) fn of(origin: &Origin) -> DelaySource {
        let mut hasher = TextHasher(SipHasher24::new());
        // A hasher takes every text.
        let _ = write!(hasher, "{origin}");
        let [a, b, c, d, ..] = hasher.0.finish().to_le_bytes();
        DelaySource(u32::from_le_bytes([a, b, c, d]).max(1))
    }
}

/// Hashes an origin as it is written, without a copy: it happens at each page.
struct TextHasher(SipHasher24);

impl fmt::Write for TextHasher {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

/// No file may ask for more than a day, in milliseconds.
const LONGEST_CRAWL_DELAY: u32 = 86_400_000;
