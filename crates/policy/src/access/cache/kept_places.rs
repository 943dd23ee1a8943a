//! The answers that keep their places until their pages ask for them: half of the memory at most.

use alloc::collections::BTreeMap;

use crate::origin::Origin;

/// The shares of the answers that wait for a page. One whose host has its turns far apart may wait
/// for a day, so they must not take all of the memory.
#[derive(Debug)]
pub(super) struct KeptPlaces {
    most_bytes: usize,
    bytes: usize,
    group_of: Option<fn(&Origin) -> u64>,
    /// The bytes of each group, if there are groups.
    groups: BTreeMap<u64, usize>,
}

impl KeptPlaces {
    pub(super) fn new(capacity: usize) -> KeptPlaces {
        KeptPlaces {
            most_bytes: capacity / 2,
            bytes: 0,
            group_of: None,
            groups: BTreeMap::new(),
        }
    }

    pub(super) fn group_by(&mut self, group_of: fn(&Origin) -> u64) {
        self.group_of = Some(group_of);
    }

    /// Gives an origin a place, if there is one. The first of all and the first of each group that
    /// fits have one in any case, so that there is always one that comes to its end.
    pub(super) fn take(&mut self, origin: &Origin, bytes: usize) -> bool {
        let sum = self.bytes.saturating_add(bytes);
        if self.bytes > 0 && sum > self.most_bytes {
            return false;
        }
        if let Some(group_of) = self.group_of {
            let group = self.groups.entry(group_of(origin)).or_default();
            if *group > 0 && group.saturating_add(bytes) > self.most_bytes / GROUP_PART {
                return false;
            }
            *group = group.saturating_add(bytes);
        }
        self.bytes = sum;
        true
    }

    /// Takes the place of an origin back.
    pub(super) fn give_back(&mut self, origin: &Origin, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
        let Some(group_of) = self.group_of else {
            return;
        };
        let group = group_of(origin);
        if let Some(sum) = self.groups.get_mut(&group) {
            *sum = sum.saturating_sub(bytes);
            if *sum == 0 {
                self.groups.remove(&group);
            }
        }
    }
}

/// The origins of one group keep this part of the places at most.
const GROUP_PART: usize = 8;
