//! A count and what is counted, in the singular or the plural.

/// `1 file`, `3 files`.
pub(crate) fn counted(count: usize, name: &str) -> String {
    match count {
        1 => format!("1 {name}"),
        _ => format!("{count} {name}s"),
    }
}
