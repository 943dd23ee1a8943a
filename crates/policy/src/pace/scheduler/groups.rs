//! The groups of a scheduler, by number and by the caller's number.

use crate::keyed_table::KeyedTable;
use crate::origin::hash;
use crate::pace::scheduler::group::Group;
use crate::pace::scheduler::ip_group::IpGroup;
use crate::pace::scheduler::slab::Slab;

/// Groups by number and by the caller's number.
#[derive(Debug, Clone)]
pub(crate) struct Groups {
    slab: Slab<Group>,
    index: KeyedTable<u32>,
}

impl Groups {
    pub(crate) const NEW: Groups = Groups {
        slab: Slab::NEW,
        index: KeyedTable::new(),
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

/// The stored form: the slots, from which the index is built again.
#[cfg(feature = "serde")]
mod form {
    use alloc::vec::Vec;
    use core::ops::Range;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Group, Groups, Slab};

    impl Groups {
        pub(crate) fn numbers(&self) -> Range<u32> {
            self.slab.numbers()
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
