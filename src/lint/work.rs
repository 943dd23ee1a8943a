//! How much more is looked at.

/// Every look takes from it, so that all of them together are linear in the file. What is not found once it
/// [is done](Work::is_done) may be there.
#[derive(Debug)]
pub(super) struct Work {
    left: usize,
}

impl Work {
    pub(super) fn on_file(bytes: usize) -> Work {
        let for_this_file = bytes.saturating_mul(FOR_EACH_BYTE);
        Work {
            left: for_this_file.saturating_add(FOR_ANY_FILE),
        }
    }

    /// At a pattern, or at a path, of so many bytes.
    #[inline]
    pub(super) fn look(&mut self, bytes: usize) {
        self.glance(bytes.saturating_add(LOOK));
    }

    /// At so many things, an instruction or a few for each.
    #[inline]
    pub(super) fn glance(&mut self, things: usize) {
        self.left = self.left.saturating_sub(things);
    }

    #[inline]
    pub(super) fn is_done(&self) -> bool {
        self.left == 0
    }
}

/// Four times what the lint of any of 7,390 sites' files takes.
const FOR_ANY_FILE: usize = 1 << 24;

const FOR_EACH_BYTE: usize = 32;

/// What a look costs whatever it is at.
const LOOK: usize = 16;
