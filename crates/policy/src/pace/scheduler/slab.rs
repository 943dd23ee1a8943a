//! Values by number; the numbers of removed values are used again.

use alloc::collections::BinaryHeap;
#[cfg(feature = "serde")]
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

use crate::parts::Parts;

/// Numbered values; the numbers of removed ones are used again.
#[derive(Debug, Clone)]
pub(super) struct Slab<T> {
    pub(super) slots: Parts<Option<T>>,
    /// The empty slots. The lowest is used first, so that the next does not depend on the order of
    /// removals.
    free: BinaryHeap<Reverse<u32>>,
}

impl<T> Slab<T> {
    pub(super) const NEW: Slab<T> = Slab {
        slots: Parts::NEW,
        free: BinaryHeap::new(),
    };

    pub(super) fn get(&self, number: u32) -> Option<&T> {
        self.slots.get(number as usize)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.slots.get_mut(number as usize)?.as_mut()
    }

    pub(super) fn insert(&mut self, value: T) -> u32 {
        while let Some(Reverse(number)) = self.free.pop() {
            if let Some(slot) = self.slots.get_mut(number as usize) {
                *slot = Some(value);
                return number;
            }
        }
        let len = self.slots.len();
        self.slots.push(Some(value));
        u32::try_from(len).unwrap_or(u32::MAX)
    }

    pub(super) fn remove(&mut self, number: u32) -> Option<T> {
        let removed = self.slots.get_mut(number as usize)?.take()?;
        self.free.push(Reverse(number));
        Some(removed)
    }

    /// The numbers of all slots, empty ones too.
    pub(super) fn numbers(&self) -> Range<u32> {
        0..u32::try_from(self.slots.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len().saturating_sub(self.free.len())
    }
}

#[cfg(feature = "serde")]
impl<T> From<Vec<Option<T>>> for Slab<T> {
    fn from(slots: Vec<Option<T>>) -> Slab<T> {
        let numbered = (0..).zip(&slots);
        let empty = numbered.filter(|(_, slot)| slot.is_none());
        let free = empty.map(|(number, _)| Reverse(number)).collect();
        Slab {
            slots: slots.into_iter().collect(),
            free,
        }
    }
}
