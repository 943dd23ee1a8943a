//! Panics of the library: there should be none, so each is kept with its place, and the survey goes on.

use std::any::Any;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::content::Place;

/// The number of panics, and the first places (by name, so that the order of reading does not matter).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Panics {
    pub(crate) count: u64,
    pub(crate) places: BTreeSet<Place>,
}

impl Panics {
    pub(crate) fn add(&mut self, place: Place) {
        self.count += 1;
        self.places.insert(place);
        self.keep_the_first();
    }

    pub(crate) fn merge(&mut self, other: Panics) {
        self.count += other.count;
        self.places.extend(other.places);
        self.keep_the_first();
    }

    fn keep_the_first(&mut self) {
        while self.places.len() > PLACES_KEPT {
            self.places.pop_last();
        }
    }
}

/// Runs what may panic, without the report on standard error that a panic usually makes: see [`Quiet`].
pub(crate) fn catch<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    EXPECTED.set(true);
    // The caller judges the changes that the closure made: a summary counts after its last step that can panic.
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    EXPECTED.set(false);
    result.map_err(|payload| message(payload.as_ref()))
}

/// While it lives, panics within [`catch`] are not printed; all others are, by the hook that was there before.
pub(crate) struct Quiet {
    before: Arc<Hook>,
}

type Hook = dyn Fn(&PanicHookInfo<'_>) + Send + Sync;

impl Quiet {
    pub(crate) fn new() -> Quiet {
        let before: Arc<Hook> = Arc::from(panic::take_hook());
        let hook = Arc::clone(&before);
        panic::set_hook(Box::new(move |info| {
            if !EXPECTED.get() {
                hook(info);
            }
        }));
        Quiet { before }
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        let before = Arc::clone(&self.before);
        panic::set_hook(Box::new(move |info| before(info)));
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    if let Some(message) = payload.downcast_ref::<&str>() {
        (*message).to_owned()
    } else if let Some(message) = payload.downcast_ref::<String>() {
        message.clone()
    } else {
        String::from("a panic without a message")
    }
}

thread_local! {
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Enough to look at; who has more has one cause.
const PLACES_KEPT: usize = 100;

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use super::{PLACES_KEPT, Panics, Quiet, catch};
    use crate::content::Place;

    #[test]
    fn a_panic_is_a_message_and_the_thread_goes_on() {
        let quiet = Quiet::new();
        assert_eq!(catch(|| 7), Ok(7));
        assert_eq!(catch(|| -> u8 { panic!("no {}", 1) }), Err("no 1".into()));
        drop(quiet);
    }

    #[test]
    fn the_first_places_are_kept_whatever_the_order() {
        let mut up = Panics::default();
        let mut down = Panics::default();
        for offset in 0..300 {
            up.add(place(offset));
            down.add(place(299 - offset));
        }
        assert_eq!(up, down);
        assert_eq!((up.count, up.places.len()), (300, PLACES_KEPT));
        let mut both = up.clone();
        both.merge(down);
        assert_eq!((both.count, both.places), (600, up.places));
    }

    fn place(offset: u64) -> Place {
        Place {
            input: Arc::new(PathBuf::from("a.warc")),
            member: String::new(),
            offset,
        }
    }
}
