//! Pages to read, in plain words. The modules hold nothing else.

#[cfg(feature = "policy")]
#[doc = include_str!("polite_at_scale.md")]
pub mod polite_at_scale {}

#[doc = include_str!("site_owners.md")]
pub mod site_owners {}
