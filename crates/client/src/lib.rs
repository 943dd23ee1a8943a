#![doc = include_str!("../README.md")]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod address_kind;
#[cfg(feature = "client")]
mod build_error;
mod egress;
#[cfg(feature = "client")]
mod error;
mod host_rules;
mod identity;
#[cfg(feature = "client")]
mod net_error;
#[cfg(feature = "client")]
mod resolver;
mod store;

pub use crate::address_kind::AddressKind;
#[cfg(feature = "client")]
pub use crate::build_error::BuildError;
pub use crate::egress::{Egress, Refusal};
#[cfg(feature = "client")]
pub use crate::error::{BusyReason, Disallowed, Error, RedirectProblem};
pub use crate::host_rules::{HostRules, InvalidPattern};
pub use crate::identity::{Identity, InvalidIdentity};
#[cfg(feature = "client")]
pub use crate::net_error::net_error;
#[cfg(feature = "client")]
pub use crate::resolver::{GuardedResolver, NoAddress, StaticResolver, SystemResolver};
pub use crate::store::batch::Batch;
pub use crate::store::key::Key;
pub use crate::store::memory::MemoryStore;
pub use crate::store::record::CorruptRecord;
pub use crate::store::records::{Loaded, Records};
#[cfg(feature = "redb")]
pub use crate::store::redb::RedbStore;
pub use crate::store::store_error::StoreError;
pub use crate::store::{LastStop, Store};
pub use polite_robots_policy::{Evidence, HostRule};
