//! A queue for memory, first come, first served.

use std::collections::BTreeMap;

use polite_robots_policy::Origin;

/// The origins that wait until the cache has memory for their rules. Only the first asks again when
/// memory may be free, so that a latecomer overtakes nobody, and an event wakes the callers of one
/// origin.
#[derive(Debug, Default)]
pub(crate) struct MemoryQueue {
    origins: BTreeMap<u64, Origin>,
    /// The last number that was given.
    last: u64,
}

impl MemoryQueue {
    /// Adds an origin at the end. Returns its number in the queue.
    pub(crate) fn join(&mut self, origin: &Origin) -> u64 {
        self.last = self.last.wrapping_add(1);
        self.origins.insert(self.last, origin.clone());
        self.last
    }

    pub(crate) fn leave(&mut self, number: u64) {
        self.origins.remove(&number);
    }

    /// The first origin.
    pub(crate) fn first(&self) -> Option<&Origin> {
        self.origins.first_key_value().map(|(_, origin)| origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queue_keeps_its_order() {
        let origin = |name: &str| Origin::of(&format!("https://{name}.example")).unwrap();
        let mut queue = MemoryQueue::default();
        assert_eq!(queue.first(), None);
        let numbers = ["c", "a", "b"].map(|name| queue.join(&origin(name)));
        assert_eq!(queue.first(), Some(&origin("c")));
        queue.leave(numbers[1]);
        queue.leave(numbers[0]);
        assert_eq!(queue.first(), Some(&origin("b")));
        queue.join(&origin("c"));
        assert_eq!(queue.first(), Some(&origin("b")));
    }
}
