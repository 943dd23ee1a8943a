//! Pages to read, in plain words. The modules hold nothing else.

#[doc = include_str!("site_owners.md")]
pub mod site_owners {}
