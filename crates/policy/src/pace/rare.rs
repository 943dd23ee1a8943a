//! The state that few hosts have, outside of the pace so that the others do not pay for it.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::host_rule::HostRule;
use crate::pace::crawl_delay::{AskedDelay, DelaySource};
use crate::time::Timestamp;

/// The state that few hosts have; none costs a pointer. Times are the machine's.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub(crate) struct Rare(Option<Box<State>>);

#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct State {
    /// The starts of the requests under way, but for the last start of the host; oldest first.
    starts: Vec<Timestamp>,
    /// The delays of the origins, if more than one asks for a delay.
    delays: Vec<(DelaySource, AskedDelay)>,
    /// The end of the operator's block.
    blocked_until: Timestamp,
    /// The time before which the crawler has nothing to ask.
    deferred_until: Timestamp,
    rule: HostRule,
}

impl Rare {
    pub(crate) const NONE: Rare = Rare(None);

    /// Changes the state; if nothing rare is left, its memory is freed.
    fn change(&mut self, change: impl FnOnce(&mut State)) {
        let mut state = self.0.take().unwrap_or_default();
        change(&mut state);
        self.0 = Some(state).filter(|state| **state != State::default());
    }

    /// The starts of the requests under way, but for the last start of the host; oldest first.
    pub(crate) fn starts(&self) -> &[Timestamp] {
        self.0.as_ref().map_or(&[], |state| &state.starts)
    }

    pub(crate) fn push_start(&mut self, start: Timestamp) {
        self.change(|state| {
            if state.starts.len() >= MOST_STARTS {
                state.starts.remove(0);
            }
            state.starts.push(start);
        });
    }

    pub(crate) fn remove_start(&mut self, index: usize) {
        self.change(|state| {
            if index < state.starts.len() {
                state.starts.remove(index);
            }
        });
    }

    pub(crate) fn retain_starts(&mut self, is_kept: impl Fn(Timestamp) -> bool) {
        if !self.starts().is_empty() {
            self.change(|state| state.starts.retain(|start| is_kept(*start)));
        }
    }

    /// The delays of the origins, if more than one asks for a delay.
    pub(crate) fn delays(&self) -> &[(DelaySource, AskedDelay)] {
        self.0.as_ref().map_or(&[], |state| &state.delays)
    }

    pub(crate) fn set_delays(&mut self, delays: Vec<(DelaySource, AskedDelay)>) {
        if *self.delays() != *delays {
            self.change(|state| state.delays = delays);
        }
    }

    /// The end of the operator's block.
    pub(crate) fn blocked_until(&self) -> Timestamp {
        let state = self.0.as_ref();
        state.map_or(Timestamp::EPOCH, |state| state.blocked_until)
    }

    pub(crate) fn block(&mut self, until: Timestamp) {
        if until > self.blocked_until() {
            self.change(|state| state.blocked_until = until);
        }
    }

    pub(crate) fn unblock(&mut self) {
        if self.0.is_some() {
            self.change(|state| state.blocked_until = Timestamp::EPOCH);
        }
    }

    /// The time before which the crawler has nothing to ask.
    pub(crate) fn deferred_until(&self) -> Timestamp {
        let state = self.0.as_ref();
        state.map_or(Timestamp::EPOCH, |state| state.deferred_until)
    }

    pub(crate) fn defer(&mut self, until: Timestamp) {
        if until != self.deferred_until() {
            self.change(|state| state.deferred_until = until);
        }
    }

    pub(crate) fn rule(&self) -> HostRule {
        let state = self.0.as_ref();
        state.map_or(HostRule::new(), |state| state.rule)
    }

    pub(crate) fn set_rule(&mut self, rule: HostRule) {
        if rule != self.rule() {
            self.change(|state| state.rule = rule);
        }
    }

    /// The same state for a machine whose time differs.
    pub(crate) fn moved(mut self, moved: impl Fn(Timestamp) -> Timestamp) -> Rare {
        if self.0.is_some() {
            self.change(|state| {
                let times = [&mut state.blocked_until, &mut state.deferred_until];
                let times = times.into_iter().chain(&mut state.starts);
                for time in times.filter(|time| **time != Timestamp::EPOCH) {
                    *time = moved(*time);
                }
            });
        }
        self
    }
}

/// More requests than any profile permits at once.
const MOST_STARTS: usize = 255;
