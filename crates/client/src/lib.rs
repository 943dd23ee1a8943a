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
mod builder;
#[cfg(feature = "client")]
mod client;
mod egress;
#[cfg(feature = "client")]
mod error;
mod hosts;
mod identity;
#[cfg(feature = "client")]
mod metrics;
#[cfg(feature = "middleware")]
pub mod middleware;
#[cfg(feature = "client")]
mod net;
#[cfg(feature = "client")]
mod pages;
#[cfg(feature = "client")]
mod rounds;
#[cfg(feature = "client")]
mod shared;
#[cfg(feature = "client")]
mod sizes;
#[cfg(feature = "client")]
mod state;
mod store;
#[cfg(feature = "client")]
mod trace;
#[cfg(feature = "client")]
mod turns;

// The crates whose types are in signatures, in the versions that they are of.
#[cfg(feature = "hickory")]
pub use hickory_resolver;
#[cfg(feature = "middleware")]
pub use reqwest_middleware;
#[cfg(feature = "client")]
pub use {bytes, futures_util, http, reqwest};
pub use {ipnet, polite_robots, polite_robots_policy, url};

pub use polite_robots::{Cause, InvalidToken, InvalidUrl, Verdict};
pub use polite_robots_policy::{
    CrawlDelayPolicy, Entry, Evidence, HostRule, IpGroup, NetError, Obedience, Origin, Pacer,
    Profile, RetryAfter, Timestamp,
};

pub use crate::egress::address_kind::AddressKind;
pub use crate::egress::{Egress, Refusal};
pub use crate::hosts::groups::Groups;
pub use crate::hosts::host_rules::{HostRules, InvalidPattern};
pub use crate::hosts::host_state::HostState;
#[cfg(feature = "sign")]
pub use crate::identity::sign::{Signer, sign_error::SignError, signature::AgentForm};
pub use crate::identity::{Identity, InvalidIdentity};
pub use crate::store::batch::Batch;
pub use crate::store::key::Key;
pub use crate::store::memory::MemoryStore;
pub use crate::store::record::CorruptRecord;
pub use crate::store::records::{Loaded, Records};
#[cfg(feature = "redb")]
pub use crate::store::redb::RedbStore;
#[cfg(feature = "redis")]
pub use crate::store::redis::RedisStore;
pub use crate::store::store_error::StoreError;
pub use crate::store::{LastStop, Store};

#[cfg(feature = "hickory")]
pub use crate::net::hickory::HickoryResolver;
#[cfg(feature = "client")]
pub use crate::{
    builder::PoliteClientBuilder,
    client::PoliteClient,
    error::build_error::BuildError,
    error::{BusyReason, Error, RedirectProblem},
    hosts::progress::{Progress, WaitCause, WaitingHost},
    metrics::Metrics,
    net::net_error::net_error,
    net::request::Request,
    net::resolver::{GuardedResolver, NoAddress, StaticResolver, SystemResolver},
    pages::permit::Permit,
    pages::response::Response,
};

/// The examples of the page, which run as tests like those of the README.
#[cfg(all(doctest, feature = "client", feature = "redis"))]
#[doc = include_str!("../docs/many_machines.md")]
mod many_machines {}

/// The examples of a page about the policy, which builds no HTTP client.
#[cfg(all(doctest, feature = "examples"))]
#[doc = include_str!("../../../docs/robots-in-my-crawler.md")]
mod robots_in_my_crawler {}
