//! Panics of the library: each is caught and kept with its place, and the survey goes on. There
//! should be none.

use std::any::Any;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::content::Place;

/// The number of panics, and the first places in the order of their names: the order of reading
/// does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Panics {
    pub(crate) count: u64,
    pub(crate) places: BTreeSet<Place>,
}

impl Panics {
    pub(crate) fn add(&mut self, place: Place) {
        let places = BTreeSet::from([place]);
        self.merge(Panics { count: 1, places });
    }

    pub(crate) fn merge(&mut self, other: Panics) {
        self.count += other.count;
        self.places.extend(other.places);
        while self.places.len() > PLACES_KEPT {
            self.places.pop_last();
        }
    }
}

/// Runs a closure and returns the message of its panic. While a [`PanicSilencer`] lives, the panic
/// is not printed.
pub(crate) fn catch<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    EXPECTED.set(true);
    // Unwind safety: a summary changes its counts only after the last step that can panic.
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    EXPECTED.set(false);
    result.map_err(|payload| message(payload.as_ref()))
}

/// Keeps panics within [`catch`] off standard error while it lives. All others go to the previous
/// panic hook.
pub(crate) struct PanicSilencer {
    previous: Arc<Hook>,
}

type Hook = dyn Fn(&PanicHookInfo<'_>) + Send + Sync;

impl PanicSilencer {
    pub(crate) fn new() -> PanicSilencer {
        let previous: Arc<Hook> = Arc::from(panic::take_hook());
        let hook = Arc::clone(&previous);
        panic::set_hook(Box::new(move |info| {
            if !EXPECTED.get() {
                hook(info);
            }
        }));
        PanicSilencer { previous }
    }
}

impl Drop for PanicSilencer {
    fn drop(&mut self) {
        let previous = Arc::clone(&self.previous);
        panic::set_hook(Box::new(move |info| previous(info)));
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref().map(String::as_str));
    String::from(text.unwrap_or("a panic without a message"))
}

thread_local! {
    /// Whether the thread is within [`catch`].
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// The most places that are kept. More panics than that usually have one cause.
const PLACES_KEPT: usize = 100;

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use super::{PLACES_KEPT, PanicSilencer, Panics, catch};
    use crate::content::Place;

    #[test]
    fn a_caught_panic_gives_its_message() {
        let silencer = PanicSilencer::new();
        assert_eq!(catch(|| 7), Ok(7));
        assert_eq!(catch(|| -> u8 { panic!("no {}", 1) }), Err("no 1".into()));
        drop(silencer);
    }

    #[test]
    fn the_first_places_are_kept_in_any_order_of_adding() {
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
