//! The memory that is reserved for answers until their pages ask for them: at most half of all.

use alloc::collections::BTreeMap;

use crate::origin::Origin;

/// The memory of the answers that wait for a page. On a host with a long gap an answer may wait for
/// a day, so these answers must not take all of the memory.
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

    /// Reserves a place for an origin, if there is room. The first origin of all and the first one
    /// of each group that fits always get a place, so that some answer always reaches its page.
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

    /// Frees the place of an origin.
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

/// The part of the places that one group may keep: an eighth.
const GROUP_PART: usize = 8;
