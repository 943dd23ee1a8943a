//! One multiplicative hash, for every table that this crate looks up in.
//!
//! It is fast and not keyed, so a hostile file can make its keys collide: each table bounds its own
//! probes.

use crate::text::bytes::first_word;

/// A hash of some bytes. The hash of a longer text goes on from that of its whole words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hash(u64);

impl Hash {
    /// The hash of no bytes.
    pub(crate) const EMPTY: Hash = Hash(0);

    /// Hashes bytes word by word, so that [`Hash::with_word`] can go on from any head of whole
    /// words.
    #[inline]
    pub(crate) fn of(bytes: &[u8]) -> Hash {
        HalfHash::of(bytes).hash()
    }

    /// Adds up to eight bytes that lie in one word, in two multiplications. NUL for the missing
    /// ones: a text with NUL in their place has the same hash.
    #[inline]
    pub(crate) fn with_word(self, word: u64) -> Hash {
        self.half_with_word(word).hash()
    }

    /// The first half of [`Hash::with_word`], for a look at a table that rules most keys out.
    #[inline]
    pub(crate) fn half_with_word(self, word: u64) -> HalfHash {
        HalfHash((self.0 ^ word).wrapping_mul(MULTIPLIER))
    }

    /// A slot in a table with `slots` of them, taken from the high bits, which depend on all bytes.
    #[inline]
    pub(crate) fn slot(self, slots: usize) -> usize {
        (((self.0 >> 32) * slots as u64) >> 32) as usize
    }

    /// A tag to compare before the key is, taken from bits that [`Hash::slot`] hardly uses.
    #[inline]
    pub(crate) fn tag(self) -> u32 {
        (self.0 >> 8) as u32
    }
}

/// A hash after the first of the two multiplications of its last word: only its high bits depend on
/// all bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HalfHash(u64);

impl HalfHash {
    #[inline]
    pub(crate) fn of(bytes: &[u8]) -> HalfHash {
        let whole_words = bytes.len().saturating_sub(1) / 8 * 8;
        let (before, last) = bytes.split_at_checked(whole_words).unwrap_or_default();
        let words = before.chunks(8).map(first_word);
        words
            .fold(Hash::EMPTY, Hash::with_word)
            .half_with_word(first_word(last))
    }

    #[inline]
    pub(crate) fn hash(self) -> Hash {
        Hash((self.0 ^ (self.0 >> 32)).wrapping_mul(MULTIPLIER))
    }

    /// The highest bits, from 1 to 64 of them, as a number.
    #[inline]
    pub(crate) fn high_bits(self, bits: u32) -> u64 {
        self.0.wrapping_shr(64 - bits)
    }
}

/// 2^64 divided by the golden ratio: odd, with its ones well spread.
pub(crate) const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
