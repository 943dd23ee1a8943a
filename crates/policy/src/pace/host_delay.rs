//! The `Crawl-delay` of a host: the longest that one of its origins asks for.

use alloc::vec::Vec;

use crate::pace::crawl_delay::{AskedDelay, DelaySource};
use crate::pace::rare::Rare;

/// The longest `Crawl-delay` of a host's origins. Most hosts have one origin; the delays of several
/// are listed apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct HostDelay {
    longest: AskedDelay,
    source: DelaySource,
}

impl HostDelay {
    pub(crate) const NONE: HostDelay = HostDelay {
        longest: AskedDelay::NONE,
        source: DelaySource::HOST,
    };

    pub(crate) fn longest(self) -> AskedDelay {
        self.longest
    }

    /// The delay of each origin that asks for one.
    pub(crate) fn by_source(
        self,
        listed: &[(DelaySource, AskedDelay)],
    ) -> Vec<(DelaySource, AskedDelay)> {
        if self.longest != AskedDelay::NONE && listed.is_empty() {
            return [(self.source, self.longest)].into();
        }
        listed.to_vec()
    }

    /// Notes the delay of one origin, or of the host, unless a longer one is known of it.
    pub(crate) fn raise(&mut self, source: DelaySource, delay: AskedDelay, rare: &mut Rare) {
        let known = self.by_source(rare.delays());
        let is_longer = if [source, self.source].contains(&DelaySource::HOST) {
            // One of the two replaces the other.
            delay.get() > self.longest.get()
        } else {
            let mut known = known.iter();
            known.all(|(other, known)| *other != source || *known < delay)
        };
        if is_longer {
            self.set(source, delay, rare);
        }
    }

    /// Notes the delay of one origin, or of the host, which replaces those of all origins.
    pub(crate) fn set(&mut self, source: DelaySource, delay: AskedDelay, rare: &mut Rare) {
        let listed = rare.delays();
        let is_alone = self.longest == AskedDelay::NONE
            || self.source == source
            || self.source == DelaySource::HOST;
        if source == DelaySource::HOST || listed.is_empty() && is_alone {
            rare.set_delays(Vec::new());
            *self = HostDelay {
                longest: delay,
                source,
            };
            return;
        }
        let mut delays = listed.to_vec();
        if delays.is_empty() {
            delays.push((self.source, self.longest));
        }
        delays.retain(|(other, _)| *other != source);
        if delay != AskedDelay::NONE {
            delays.push((source, delay));
        }
        if delays.len() > MOST_SOURCES {
            // The shortest is the least likely to count.
            delays.sort_unstable_by_key(|(_, delay)| *delay);
            delays.remove(0);
        }
        let longest = delays.iter().max_by_key(|(_, delay)| *delay);
        *self = longest.map_or(HostDelay::NONE, |(source, delay)| HostDelay {
            longest: *delay,
            source: *source,
        });
        rare.set_delays(if delays.len() < 2 { Vec::new() } else { delays });
    }
}

/// The origins of one host whose delays are kept apart. A host has two; a name that many hosts
/// share may have more.
const MOST_SOURCES: usize = 64;
