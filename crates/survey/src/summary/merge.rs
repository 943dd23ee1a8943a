//! The merge of the counts of two surveys, which add up exactly.

use std::collections::BTreeMap;

/// Counts of one part of a survey, to which the counts of another part can be added. Neither the
/// order nor the split may matter: `a + b` equals `b + a` and one survey of both parts.
pub(crate) trait Merge {
    /// Adds the counts of another part.
    fn merge(&mut self, other: Self);
}

impl Merge for u64 {
    fn merge(&mut self, other: u64) {
        *self = self.saturating_add(other);
    }
}

impl<K: Ord, V: Merge + Default> Merge for BTreeMap<K, V> {
    fn merge(&mut self, other: BTreeMap<K, V>) {
        for (key, value) in other {
            self.entry(key).or_default().merge(value);
        }
    }
}

/// Lists of the same length are merged element by element.
impl<T: Merge> Merge for Vec<T> {
    fn merge(&mut self, other: Vec<T>) {
        for (own, other) in self.iter_mut().zip(other) {
            own.merge(other);
        }
    }
}

/// Defines counts that are merged field by field.
macro_rules! counts {
    ($(
        $(#[$about:meta])*
        $seen:vis struct $name:ident {
            $($(#[$about_field:meta])* $field_seen:vis $field:ident: $type:ty,)+
        }
    )+) => {$(
        $(#[$about])*
        $seen struct $name {
            $($(#[$about_field])* $field_seen $field: $type,)+
        }

        impl $crate::summary::merge::Merge for $name {
            fn merge(&mut self, other: $name) {
                $($crate::summary::merge::Merge::merge(&mut self.$field, other.$field);)+
            }
        }
    )+};
}

pub(crate) use counts;
