//! The events of each millisecond. A heap would cost more than the scheduler that is measured.

pub(crate) struct Wheel {
    /// The newest event of each time, or [`NOBODY`].
    last: Vec<u32>,
    /// For each event, the next older event of the same time: a linked list without allocations.
    before: Vec<u32>,
    /// The latest time at which an event was taken.
    taken: Option<u32>,
}

impl Wheel {
    /// Makes a wheel for times up to `end` and for items with numbers below `things`. Each item may
    /// be in the wheel only once at a time.
    pub(crate) fn new(things: usize, end: usize) -> Wheel {
        Wheel {
            last: vec![NOBODY; end],
            before: vec![NOBODY; things],
            taken: None,
        }
    }

    /// Adds an event. An event after the end never comes.
    pub(crate) fn put(&mut self, thing: u32, at: u32) {
        if let Some(last) = self.last.get_mut(at as usize) {
            self.before[thing as usize] = std::mem::replace(last, thing);
        }
    }

    pub(crate) fn take(&mut self, at: u32) -> Option<u32> {
        let last = self.last.get_mut(at as usize)?;
        let thing = *last;
        if thing == NOBODY {
            return None;
        }
        *last = self.before[thing as usize];
        self.taken = Some(at);
        Some(thing)
    }

    pub(crate) fn had_event(&self, at: u32) -> bool {
        self.taken == Some(at)
    }

    /// The next time with an event, at most `until`.
    pub(crate) fn next(&self, from: u32, until: u32) -> u32 {
        let span = self.last.get(from as usize..until as usize);
        let found = span.and_then(|span| span.iter().position(|thing| *thing != NOBODY));
        found.map_or(until, |offset| from + offset as u32)
    }
}

const NOBODY: u32 = u32::MAX;
