//! The hosts of a scheduler, by number and by name.

use core::ops::Range;

use crate::keyed_table::KeyedTable;
use crate::origin::hash;
use crate::pace::scheduler::host::{Host, Queue};
use crate::pace::scheduler::host_id::HostId;
use crate::pace::scheduler::slab::Slab;

/// Hosts by number and by name.
#[derive(Debug, Clone)]
pub(crate) struct Hosts {
    slab: Slab<Host>,
    index: KeyedTable<u32>,
}

impl Hosts {
    pub(crate) const NEW: Hosts = Hosts {
        slab: Slab::NEW,
        index: KeyedTable::new(),
    };

    pub(crate) fn get(&self, number: u32) -> Option<&Host> {
        self.slab.get(number)
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Host> {
        self.slab.get_mut(number)
    }

    /// The number of the host, unless the handle is stale.
    pub(crate) fn number(&self, id: HostId) -> Option<u32> {
        let host = self.get(id.index)?;
        (host.generation == id.generation).then_some(id.index)
    }

    pub(crate) fn id(&self, number: u32) -> Option<HostId> {
        let host = self.get(number)?;
        Some(HostId {
            index: number,
            generation: host.generation,
        })
    }

    pub(crate) fn numbers(&self) -> Range<u32> {
        self.slab.numbers()
    }

    pub(crate) fn is_in(&self, number: u32, queue: Queue, stamp: u32) -> bool {
        let host = self.get(number);
        host.is_some_and(|host| host.is_in(queue, stamp))
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

/// The stored form: the slots, from which the index is built again.
#[cfg(feature = "serde")]
mod form {
    use alloc::vec::Vec;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Host, Hosts, Slab};

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
}
