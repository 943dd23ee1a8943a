//! A limit on the work for one file, which keeps the lint linear in its length.

use std::cell::Cell;

/// The work that is left. Each comparison spends some of it; once it [is
/// spent](WorkBudget::is_spent), a search that found nothing proves nothing.
#[derive(Debug)]
pub(crate) struct WorkBudget {
    /// About one instruction, or one byte compared, each.
    left: Cell<usize>,
}

impl WorkBudget {
    pub(crate) fn for_file(bytes: usize) -> WorkBudget {
        let of_bytes = bytes.saturating_mul(FOR_EACH_BYTE);
        WorkBudget {
            left: Cell::new(of_bytes.saturating_add(FOR_ANY_FILE)),
        }
    }

    /// Spends work on a text of some bytes: a pattern or a path.
    #[inline]
    pub(crate) fn spend_on_text(&self, bytes: usize) {
        self.spend(bytes.saturating_add(FOR_ANY_TEXT));
    }

    /// Spends work on some steps of a few instructions each.
    #[inline]
    pub(crate) fn spend(&self, steps: usize) {
        self.left.set(self.left.get().saturating_sub(steps));
    }

    #[inline]
    pub(crate) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }
}

/// Four times the most that any of the files of 7,390 sites takes.
const FOR_ANY_FILE: usize = 1 << 24;

const FOR_EACH_BYTE: usize = 32;

/// The fixed cost of one comparison.
const FOR_ANY_TEXT: usize = 16;
