//! A cache of the answers about recent texts, by a cheap and weak hash: a text that is not found
//! has to be looked up elsewhere.

/// A table in which a newer text takes the place of an older one with the same hash.
#[derive(Debug)]
pub(super) struct Recent<T> {
    slots: Vec<Option<(Vec<u8>, T)>>,
}

impl<T: Copy> Recent<T> {
    pub(super) fn new() -> Recent<T> {
        let mut slots = Vec::new();
        slots.resize_with(SLOTS, || None);
        Recent { slots }
    }

    pub(super) fn find(&self, text: &[u8]) -> Option<T> {
        let (known, value) = self.slots.get(slot(text))?.as_ref()?;
        (known == text).then_some(*value)
    }

    pub(super) fn keep(&mut self, text: &[u8], value: T) {
        if let Some(slot) = self
            .slots
            .get_mut(slot(text))
            .filter(|_| text.len() <= LONGEST)
        {
            *slot = Some((text.to_owned(), value));
        }
    }
}

/// Multiplies and folds eight bytes at a time.
fn slot(text: &[u8]) -> usize {
    let mut hash = text.len() as u64;
    let mut chunks = text.chunks_exact(8);
    for chunk in chunks.by_ref() {
        let word = <[u8; 8]>::try_from(chunk).map_or(0, u64::from_le_bytes);
        hash = (hash ^ word).wrapping_mul(FACTOR).rotate_left(29);
    }
    for byte in chunks.remainder() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(FACTOR);
    }
    let folded = hash ^ (hash >> 32);
    usize::try_from(folded % SLOTS as u64).unwrap_or(0)
}

/// An odd number with its bits well mixed: 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

const SLOTS: usize = 4096;

/// In bytes.
const LONGEST: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_until_another_takes_its_place() {
        let mut recent = Recent::new();
        let texts: Vec<String> = (0..10_000)
            .map(|number| format!("agent {number}"))
            .collect();
        for (number, text) in texts.iter().enumerate() {
            assert_eq!(recent.find(text.as_bytes()), None);
            recent.keep(text.as_bytes(), number);
            assert_eq!(recent.find(text.as_bytes()), Some(number));
        }
        let found = texts.iter().enumerate();
        let found = found.filter(|(number, text)| recent.find(text.as_bytes()) == Some(*number));
        // The hash spreads them: of 4,096 places hardly any stays empty.
        let found = found.count();
        assert!((3000..=SLOTS).contains(&found), "{found}");
        recent.keep(&[b'x'; LONGEST + 1], 1);
        assert_eq!(recent.find(&[b'x'; LONGEST + 1]), None);
    }
}
