//! [`Parts`]: a vector in parts, of which only the last is copied when it grows.

use alloc::vec::Vec;

/// Values by place. A whole vector that grows is copied to a larger block and leaves a hole: 25 MB
/// with 100,000 hosts, in a memory that never shrinks, as that of WebAssembly.
#[derive(Debug, Clone)]
pub(crate) struct Parts<T> {
    /// All but the last have [`PART`] values.
    parts: Vec<Vec<T>>,
}

// Inlining the first three would make the tester's module 2 KB larger, compressed.
impl<T> Parts<T> {
    pub(crate) const NEW: Parts<T> = Parts { parts: Vec::new() };

    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn get(&self, place: usize) -> Option<&T> {
        self.parts.get(place / PART)?.get(place % PART)
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn get_mut(&mut self, place: usize) -> Option<&mut T> {
        self.parts.get_mut(place / PART)?.get_mut(place % PART)
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn push(&mut self, value: T) {
        if self.parts.last().is_none_or(|last| last.len() == PART) {
            self.parts.push(Vec::new());
        }
        if let Some(last) = self.parts.last_mut() {
            if last.len() == last.capacity() {
                // Short parts leave little memory unused.
                last.reserve_exact((last.len() / 8 + 8).min(PART - last.len()));
            }
            last.push(value);
        }
    }

    pub(crate) fn len(&self) -> usize {
        let last = self.parts.last().map_or(0, Vec::len);
        self.parts.len().saturating_sub(1) * PART + last
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.len()).filter_map(|place| self.get(place))
    }
}

impl<T> Default for Parts<T> {
    fn default() -> Parts<T> {
        Parts::NEW
    }
}

impl<T> FromIterator<T> for Parts<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Parts<T> {
        let mut parts = Parts::NEW;
        values.into_iter().for_each(|value| parts.push(value));
        parts
    }
}

#[cfg(feature = "serde")]
impl<T: serde::Serialize> serde::Serialize for Parts<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq as _;

        let mut values = serializer.serialize_seq(Some(self.len()))?;
        for value in self.iter() {
            values.serialize_element(value)?;
        }
        values.end()
    }
}

/// The number of values in one part.
const PART: usize = 256;

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{PART, Parts};

    #[test]
    fn parts_are_as_a_vector() {
        let mut vector = Vec::new();
        let mut parts = Parts::NEW;
        for value in 0..3 * PART + 1 {
            assert_eq!((parts.len(), parts.get(value)), (vector.len(), None));
            vector.push(value);
            parts.push(value);
            assert!(parts.iter().eq(&vector));
            assert_eq!(parts.get(value), Some(&value));
        }
        *parts.get_mut(PART).unwrap() = 7;
        assert_eq!(parts.get(PART), Some(&7));
        let parts: Parts<usize> = vector.into_iter().collect();
        assert_eq!(parts.len(), 3 * PART + 1);
        assert!(parts.parts.iter().all(|part| part.capacity() <= PART));
    }
}
