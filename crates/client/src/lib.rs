// The examples of the README need the client.
#![cfg_attr(feature = "client", doc = include_str!("../README.md"))]
#![cfg_attr(
    not(feature = "client"),
    doc = "The parts of a polite HTTP client that need no sockets. The feature `client` adds `PoliteClient`."
)]
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
mod address_book;
mod address_kind;
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
#[cfg(feature = "client")]
mod group_starts;
#[cfg(feature = "client")]
mod group_turns;
mod groups;
#[cfg(feature = "client")]
mod hand_over;
#[cfg(feature = "hickory")]
mod hickory;
mod host_rules;
mod host_state;
mod identity;
#[cfg(feature = "client")]
mod in_flight;
#[cfg(feature = "client")]
mod interests;
#[cfg(feature = "client")]
mod lines;
#[cfg(feature = "client")]
mod metrics;
#[cfg(feature = "middleware")]
pub mod middleware;
#[cfg(feature = "client")]
mod net_error;
#[cfg(feature = "client")]
mod ownership;
#[cfg(feature = "client")]
mod page;
#[cfg(feature = "client")]
mod permit;
#[cfg(feature = "client")]
mod persistence;
#[cfg(feature = "client")]
mod request;
#[cfg(feature = "client")]
mod request_time;
#[cfg(feature = "client")]
mod resolver;
#[cfg(feature = "client")]
mod response;
#[cfg(feature = "client")]
mod room;
#[cfg(feature = "client")]
mod rota;
#[cfg(feature = "client")]
mod rounds;
#[cfg(feature = "client")]
mod shared;
#[cfg(feature = "sign")]
mod sign_error;
#[cfg(feature = "sign")]
mod signature;
#[cfg(feature = "sign")]
mod signer;
#[cfg(feature = "client")]
mod state;
#[cfg(feature = "client")]
mod still_clock;
mod store;
#[cfg(feature = "client")]
mod trace;
#[cfg(feature = "client")]
mod transport;
#[cfg(feature = "client")]
mod turn;
#[cfg(feature = "client")]
mod turns;

pub use polite_robots_policy::{Evidence, HostRule, IpGroup, Profile};

pub use crate::address_kind::AddressKind;
pub use crate::egress::{Egress, Refusal};
pub use crate::groups::Groups;
pub use crate::host_rules::{HostRules, InvalidPattern};
pub use crate::host_state::HostState;
pub use crate::identity::{Identity, InvalidIdentity};
pub use crate::store::batch::Batch;
pub use crate::store::key::Key;
pub use crate::store::memory::MemoryStore;
pub use crate::store::record::CorruptRecord;
pub use crate::store::records::{Loaded, Records};
#[cfg(feature = "redb")]
pub use crate::store::redb::RedbStore;
pub use crate::store::store_error::StoreError;
pub use crate::store::{LastStop, Store};
#[cfg(feature = "sign")]
pub use crate::{sign_error::SignError, signature::AgentForm, signer::Signer};

#[cfg(feature = "hickory")]
pub use crate::hickory::HickoryResolver;
#[cfg(feature = "client")]
pub use crate::{
    build_error::BuildError,
    builder::PoliteClientBuilder,
    client::PoliteClient,
    error::{BusyReason, Error, RedirectProblem},
    metrics::Metrics,
    net_error::net_error,
    permit::Permit,
    request::Request,
    resolver::{GuardedResolver, NoAddress, StaticResolver, SystemResolver},
    response::Response,
};

/// The examples of the page, tried as those of the README are.
#[cfg(all(doctest, feature = "client", feature = "redb"))]
#[doc = include_str!("../docs/many_machines.md")]
mod many_machines {}
