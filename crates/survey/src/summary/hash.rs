//! The hash that identifies and samples names, bodies and URLs.

use twox_hash::XxHash3_64;

/// Hashes with XXH3 and its default secret: the same on every machine and in every release, so that
/// surveys can be merged.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_empty_input_has_the_hash_of_the_specification() {
        assert_eq!(super::hash(b""), 0x2D06_8005_38D3_94C2);
    }
}
