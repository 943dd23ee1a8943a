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

#[cfg(feature = "client")]
mod build_error;
#[cfg(feature = "client")]
mod builder;
#[cfg(feature = "client")]
mod client;
#[cfg(feature = "client")]
mod clock;
mod egress;
#[cfg(feature = "client")]
mod error;
mod host_rules;
mod identity;
#[cfg(feature = "client")]
mod page;
#[cfg(feature = "client")]
mod permit;
#[cfg(feature = "client")]
mod request;
#[cfg(feature = "client")]
mod resolver;
#[cfg(feature = "client")]
mod response;
#[cfg(feature = "client")]
mod rounds;
#[cfg(feature = "client")]
mod shared;
#[cfg(feature = "client")]
mod state;
mod store;
#[cfg(feature = "client")]
mod transport;
#[cfg(feature = "client")]
mod turn;

#[cfg(feature = "client")]
pub use crate::build_error::BuildError;
#[cfg(feature = "client")]
pub use crate::builder::PoliteClientBuilder;
#[cfg(feature = "client")]
pub use crate::client::PoliteClient;
pub use crate::egress::{AddressKind, Egress, Refusal};
#[cfg(feature = "client")]
pub use crate::error::{BusyReason, Error, RedirectProblem};
pub use crate::host_rules::{HostRules, InvalidPattern};
pub use crate::identity::{Identity, InvalidIdentity};
#[cfg(feature = "client")]
pub use crate::permit::Permit;
#[cfg(feature = "client")]
pub use crate::request::Request;
#[cfg(feature = "client")]
pub use crate::resolver::{GuardedResolver, NoAddress, StaticResolver, SystemResolver};
#[cfg(feature = "client")]
pub use crate::response::Response;
pub use crate::store::batch::Batch;
pub use crate::store::key::Key;
pub use crate::store::memory::MemoryStore;
pub use crate::store::record::CorruptRecord;
pub use crate::store::records::{Loaded, Records};
#[cfg(feature = "redb")]
pub use crate::store::redb::RedbStore;
pub use crate::store::store_error::StoreError;
pub use crate::store::{LastStop, Store};
pub use polite_robots_policy::HostRule;
pub use polite_robots_policy::Evidence;
