//! One multiplicative hash, for every table that this crate looks up in.
//!
//! It is fast and not keyed, so a hostile file can make its keys collide: each table bounds its own
//! probes.

/// A hash of some bytes. The hash of a longer text goes on from that of its head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hash(u64);

impl Hash {
    /// The hash of no bytes.
    pub(crate) const EMPTY: Hash = Hash(0);

    /// Hashes bytes one by one, so that [`Hash::with`] can go on from any head of them.
    #[inline]
    pub(crate) fn of(bytes: &[u8]) -> Hash {
        bytes
            .iter()
            .fold(Hash::EMPTY, |hash, byte| hash.with(*byte))
    }

    /// Hashes up to eight bytes that lie in one word, in two multiplications.
    #[inline]
    pub(crate) fn of_word(word: u64) -> Hash {
        let mixed = word.wrapping_mul(MULTIPLIER);
        Hash((mixed ^ (mixed >> 32)).wrapping_mul(MULTIPLIER))
    }

    /// Adds the next byte.
    #[inline]
    pub(crate) fn with(self, byte: u8) -> Hash {
        Hash((self.0 ^ u64::from(byte)).wrapping_mul(MULTIPLIER))
    }

    /// A slot in a table with `slots` of them, taken from the high bits, which depend on all bytes.
    #[inline]
    pub(crate) fn slot(self, slots: usize) -> usize {
        (((self.0 >> 32) * slots as u64) >> 32) as usize
    }

    /// A tag to compare before the key is, taken from bits that [`Hash::slot`] does not use.
    #[inline]
    pub(crate) fn tag(self) -> u32 {
        (self.0 >> 8) as u32
    }
}

/// 2^64 divided by the golden ratio: odd, with its ones well spread.
pub(crate) const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
