//! Tier 1: patterns without `*`, which are a prefix, or with a last `$` the whole path.

/// One comparison. `pattern` must hold no `*`.
#[inline]
pub(crate) fn matches(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [whole @ .., b'$'] => path == whole,
        _ => path.starts_with(pattern),
    }
}
