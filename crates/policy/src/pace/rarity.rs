//! The state that few hosts have, outside of the pace so that the others do not pay for it.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::host_rule::HostRule;
use crate::pace::crawl_delay::{AskedDelay, DelaySource};
use crate::time::Timestamp;

/// The state that few hosts have. Times are the machine's.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Rarity {
    /// The starts of the requests under way, but for the last start of the host; oldest first.
    pub(crate) starts: Vec<Timestamp>,
    /// The delays of the origins, if more than one asks for a delay.
    pub(crate) delays: Vec<(DelaySource, AskedDelay)>,
    /// The end of the operator's block.
    pub(crate) blocked_until: Timestamp,
    /// The time before which the crawler has nothing to ask.
    pub(crate) deferred_until: Timestamp,
    pub(crate) rule: HostRule,
}

/// A rarity, or none, which costs a pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub(crate) struct Rare(Option<Box<Rarity>>);

impl Rare {
    pub(crate) const NONE: Rare = Rare(None);

    pub(crate) fn get(&self) -> Option<&Rarity> {
        self.0.as_deref()
    }

    /// Changes the state; if nothing rare is left, its memory is given back.
    pub(crate) fn change<R>(&mut self, change: impl FnOnce(&mut Rarity) -> R) -> R {
        let mut rarity = self.0.take().unwrap_or_default();
        let changed = change(&mut rarity);
        self.0 = Some(rarity).filter(|rarity| **rarity != Rarity::default());
        changed
    }
}
