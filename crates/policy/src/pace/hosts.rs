//! The hosts and addresses that a scheduler knows, by number and by name.

use alloc::boxed::Box;
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use hashbrown::HashTable;

use crate::origin::hash;
use crate::pace::group::{Group, IpGroup};
use crate::pace::host_pace::{AskedDelay, Pace};

/// A host of a scheduler. 112 octets and the name.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Host {
    pub(crate) name: Box<str>,
    pub(crate) pace: Pace,
    pub(crate) crawl_delay: AskedDelay,
    /// The number of its group, or [`NO_GROUP`].
    pub(crate) group: u32,
    /// Of its one valid place in a queue; older ones are passed over.
    pub(crate) stamp: u32,
    pub(crate) place: Queue,
    pub(crate) wish: Goal,
}

/// Where a host waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Queue {
    Nowhere,
    /// In the queue by time.
    Timed,
    /// In the queue of its group.
    InGroup,
}

/// What a host waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Goal {
    /// Its turn: there is a URL.
    Turn,
    Nothing,
    /// To be forgotten. Not before its gap is over, or removing and inserting it again would cut the gap short.
    Removal,
}

impl Host {
    pub(crate) fn key(&self) -> u64 {
        hash(self.name.as_bytes())
    }

    /// Whether a place with this stamp is its valid one.
    pub(crate) fn is_at(&self, place: Queue, stamp: u32) -> bool {
        self.stamp == stamp && self.place == place
    }
}

/// Numbered things; the numbers of removed ones are given again.
#[derive(Debug, Clone)]
struct Slab<T> {
    slots: Vec<Option<T>>,
    /// The empty slots. The lowest is given first: which is next does not depend on what was before.
    free: BinaryHeap<Reverse<u32>>,
}

impl<T> Slab<T> {
    const NEW: Slab<T> = Slab {
        slots: Vec::new(),
        free: BinaryHeap::new(),
    };

    fn get(&self, number: u32) -> Option<&T> {
        self.slots.get(number as usize)?.as_ref()
    }

    fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.slots.get_mut(number as usize)?.as_mut()
    }

    fn insert(&mut self, value: T) -> u32 {
        while let Some(Reverse(number)) = self.free.pop() {
            if let Some(slot) = self.slots.get_mut(number as usize) {
                *slot = Some(value);
                return number;
            }
        }
        let len = self.slots.len();
        if len == self.slots.capacity() {
            // Doubling would leave half of a gigabyte empty.
            self.slots.reserve_exact(len / 8 + 8);
        }
        self.slots.push(Some(value));
        u32::try_from(len).unwrap_or(u32::MAX)
    }

    fn remove(&mut self, number: u32) -> Option<T> {
        let removed = self.slots.get_mut(number as usize)?.take()?;
        self.free.push(Reverse(number));
        Some(removed)
    }

    fn len(&self) -> usize {
        self.slots.len().saturating_sub(self.free.len())
    }
}

/// Hosts by number and by name. The index is hashed without a secret; who makes names that collide in it has to try
/// two million for each, and then costs a comparison of one octet.
#[derive(Debug, Clone)]
pub(crate) struct Hosts {
    slab: Slab<Host>,
    index: HashTable<u32>,
}

impl Hosts {
    pub(crate) const NEW: Hosts = Hosts {
        slab: Slab::NEW,
        index: HashTable::new(),
    };

    pub(crate) fn get(&self, number: u32) -> Option<&Host> {
        self.slab.get(number)
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Host> {
        self.slab.get_mut(number)
    }

    pub(crate) fn is_at(&self, number: u32, place: Queue, stamp: u32) -> bool {
        let host = self.get(number);
        host.is_some_and(|host| host.is_at(place, stamp))
    }

    pub(crate) fn len(&self) -> usize {
        self.slab.len()
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        let is_it = |number: &u32| {
            self.slab
                .get(*number)
                .is_some_and(|host| *host.name == *name)
        };
        self.index.find(hash(name.as_bytes()), is_it).copied()
    }

    /// The name must not be there yet.
    pub(crate) fn insert(&mut self, host: Host) -> u32 {
        let key = host.key();
        let number = self.slab.insert(host);
        self.list(key, number);
        number
    }

    fn list(&mut self, key: u64, number: u32) {
        let slab = &self.slab;
        let key_of = |number: &u32| slab.get(*number).map_or(0, Host::key);
        self.index.insert_unique(key, number, key_of);
    }

    pub(crate) fn remove(&mut self, number: u32) -> Option<Host> {
        let host = self.slab.remove(number)?;
        if let Ok(found) = self.index.find_entry(host.key(), |other| *other == number) {
            found.remove();
        }
        Some(host)
    }
}

/// Groups by number and by the caller's number.
#[derive(Debug, Clone)]
pub(crate) struct Groups {
    slab: Slab<Group>,
    index: HashTable<u32>,
}

impl Groups {
    pub(crate) const NEW: Groups = Groups {
        slab: Slab::NEW,
        index: HashTable::new(),
    };

    pub(crate) fn get(&self, number: u32) -> Option<&Group> {
        self.slab.get(number)
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Group> {
        self.slab.get_mut(number)
    }

    pub(crate) fn len(&self) -> usize {
        self.slab.len()
    }

    fn find(&self, key: IpGroup) -> Option<u32> {
        let is_it = |number: &u32| self.slab.get(*number).is_some_and(|group| group.key == key);
        self.index.find(hash_of(key), is_it).copied()
    }

    pub(crate) fn find_or_insert(&mut self, key: IpGroup) -> u32 {
        self.find(key).unwrap_or_else(|| {
            let number = self.slab.insert(Group::new(key));
            self.list(key, number);
            number
        })
    }

    fn list(&mut self, key: IpGroup, number: u32) {
        let slab = &self.slab;
        let key_of = |number: &u32| slab.get(*number).map_or(0, |group| hash_of(group.key));
        self.index.insert_unique(hash_of(key), number, key_of);
    }

    pub(crate) fn remove(&mut self, number: u32) {
        let Some(group) = self.slab.remove(number) else {
            return;
        };
        let is_it = |other: &u32| *other == number;
        if let Ok(found) = self.index.find_entry(hash_of(group.key), is_it) {
            found.remove();
        }
    }
}

fn hash_of(key: IpGroup) -> u64 {
    hash(&key.0.to_le_bytes())
}

pub(crate) const NO_GROUP: u32 = u32::MAX;

const _: () = assert!(size_of::<Option<Host>>() == 112 || cfg!(not(target_pointer_width = "64")));

/// The slots; all else is worked out from them.
#[cfg(feature = "serde")]
mod form {
    use alloc::vec::Vec;
    use core::cmp::Reverse;
    use core::ops::Range;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Group, Groups, Host, Hosts, Slab};

    impl<T> From<Vec<Option<T>>> for Slab<T> {
        fn from(slots: Vec<Option<T>>) -> Slab<T> {
            let numbered = (0..).zip(&slots);
            let empty = numbered.filter(|(_, slot)| slot.is_none());
            let free = empty.map(|(number, _)| Reverse(number)).collect();
            Slab { slots, free }
        }
    }

    impl<T> Slab<T> {
        fn numbers(&self) -> Range<u32> {
            0..u32::try_from(self.slots.len()).unwrap_or(u32::MAX)
        }
    }

    impl Hosts {
        pub(crate) fn numbers(&self) -> Range<u32> {
            self.slab.numbers()
        }
    }

    impl Groups {
        pub(crate) fn numbers(&self) -> Range<u32> {
            self.slab.numbers()
        }
    }

    impl Serialize for Hosts {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.slab.slots.serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for Hosts {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hosts, D::Error> {
            let slab = Slab::from(Vec::<Option<Host>>::deserialize(deserializer)?);
            let mut hosts = Hosts { slab, ..Hosts::NEW };
            for number in hosts.numbers() {
                let Some(host) = hosts.get(number) else {
                    continue;
                };
                if hosts.find(&host.name).is_some() {
                    return Err(D::Error::custom("two hosts of one name"));
                }
                let key = host.key();
                hosts.list(key, number);
            }
            Ok(hosts)
        }
    }

    impl Serialize for Groups {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.slab.slots.serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for Groups {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Groups, D::Error> {
            let slab = Slab::from(Vec::<Option<Group>>::deserialize(deserializer)?);
            let mut groups = Groups {
                slab,
                ..Groups::NEW
            };
            for number in groups.numbers() {
                let Some(key) = groups.get(number).map(|group| group.key) else {
                    continue;
                };
                if groups.find(key).is_some() {
                    return Err(D::Error::custom("two groups of one number"));
                }
                groups.list(key, number);
            }
            Ok(groups)
        }
    }
}
