//! A set of the origins whose file was forgotten: it never loses one, and takes few bits.

use alloc::vec::Vec;

/// A Bloom filter: it always finds an origin that is in it, and may find one that is not.
///
/// With eight bits for each origin it finds three of a hundred others too. A site that it finds
/// stays closed in an outage, as a site with a copy does.
///
/// A set from a crate would be stored in that crate's form, by that crate's hash. Here the key of
/// an origin fixes the form, and a longer set can be folded into a shorter one.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub(super) struct LostFiles {
    /// A power of two, so that a longer set can be folded into a shorter one; none before the first
    /// origin.
    words: Vec<u64>,
    #[cfg_attr(feature = "serde", serde(skip))]
    most_words: usize,
}

impl LostFiles {
    pub(super) fn set_most_bytes(&mut self, bytes: usize) {
        let words = (bytes / size_of::<u64>()).max(1);
        self.most_words = 1 << words.ilog2();
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }

    pub(super) fn insert(&mut self, key: u64) {
        if self.words.is_empty() {
            self.words = alloc::vec![0; self.most_words.max(1)];
        }
        for (word, bit) in places(key, self.words.len()) {
            if let Some(word) = self.words.get_mut(word) {
                *word |= bit;
            }
        }
    }

    pub(super) fn contains(&self, key: u64) -> bool {
        !self.words.is_empty()
            && places(key, self.words.len())
                .into_iter()
                .all(|(word, bit)| self.words.get(word).is_some_and(|word| word & bit != 0))
    }

    /// Adds the origins of another set. The shorter length counts.
    pub(super) fn join(&mut self, other: &LostFiles) {
        let lengths = [self.words.len(), other.words.len()];
        let Some(len) = lengths.into_iter().filter(|len| *len > 0).min() else {
            return;
        };
        let len = 1 << len.min(self.most_words.max(1)).ilog2();
        // A set of any other length was damaged in its store. Then every origin is found.
        let is_whole = |len: usize| len == 0 || len.is_power_of_two();
        let bits = match lengths.into_iter().all(is_whole) {
            true => 0,
            false => u64::MAX,
        };
        let mut words = alloc::vec![bits; len];
        for (number, word) in self
            .words
            .iter()
            .enumerate()
            .chain(other.words.iter().enumerate())
        {
            if let Some(place) = words.get_mut(number % len) {
                *place |= word;
            }
        }
        self.words = words;
    }
}

/// The places of a key, by parts of its hash that do not overlap in sets of up to 2^15 words.
fn places(key: u64, words: usize) -> [(usize, u64); 3] {
    let hashes = [key, key.rotate_right(21), key.rotate_right(42)];
    hashes.map(|hash| {
        let word = usize::try_from(hash >> 6 & 0xFFFF_FFFF).unwrap_or(0) & (words.max(1) - 1);
        (word, 1 << (hash & 63))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u64) -> u64 {
        crate::origin::hash(&number.to_le_bytes())
    }

    #[test]
    fn an_origin_is_never_lost_and_few_others_are_found() {
        let mut files = LostFiles::default();
        assert!(!files.contains(key(0)));
        files.set_most_bytes(1_000);
        (0..500).for_each(|number| files.insert(key(number)));
        assert_eq!(files.bytes(), 512);
        assert!((0..500).all(|number| files.contains(key(number))));
        let found = (500..10_500).filter(|number| files.contains(key(*number)));
        assert!(found.count() < 600);
        // A smaller cache reads these files.
        let mut smaller = LostFiles::default();
        smaller.set_most_bytes(256);
        smaller.insert(key(999));
        smaller.join(&files);
        assert_eq!(smaller.bytes(), 256);
        assert!(
            (0..500)
                .chain([999])
                .all(|number| smaller.contains(key(number)))
        );
        let mut damaged = files.clone();
        damaged.words.pop();
        smaller.join(&damaged);
        assert!((0..10_000).all(|number| smaller.contains(key(number))));
        let mut larger = LostFiles::default();
        larger.set_most_bytes(4_096);
        larger.join(&files);
        assert!((0..500).all(|number| larger.contains(key(number))));
    }
}
