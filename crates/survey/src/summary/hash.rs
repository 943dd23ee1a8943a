//! The hash by which names, bodies and URLs are told apart and sampled.

use twox_hash::XxHash3_64;

/// XXH3 with its default secret: the same on every machine and in every release, so that surveys can be merged.
pub(crate) fn hash(octets: &[u8]) -> u64 {
    XxHash3_64::oneshot(octets)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_hash_is_that_of_its_specification() {
        assert_eq!(super::hash(b""), 0x2D06_8005_38D3_94C2);
    }
}
