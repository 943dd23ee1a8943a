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
pub mod error;
pub mod hosts;
pub mod identity;
#[cfg(any(feature = "middleware", feature = "tower"))]
mod layers;
#[cfg(feature = "client")]
mod metrics;
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
pub mod store;
#[cfg(feature = "client")]
mod trace;
#[cfg(feature = "client")]
mod turns;

pub use polite_robots::{Cause, Verdict};
pub use polite_robots_policy::cache::Evidence;
pub use polite_robots_policy::settings::Obedience;
pub use polite_robots_policy::{HostRule, Origin, Profile};
#[cfg(feature = "client")]
pub use reqwest;

pub use crate::egress::Egress;
#[cfg(feature = "client")]
pub use crate::{
    builder::PoliteClientBuilder, client::PoliteClient, error::Error, net::request::Request,
    pages::permit::Permit, pages::response::Response,
};

/// The turns of a client for clients that are built of layers: of `reqwest-middleware` or of tower.
#[cfg(any(feature = "middleware", feature = "tower"))]
pub mod middleware {
    #[cfg(feature = "tower")]
    pub use crate::layers::tower::PoliteService;
    pub use crate::layers::{permitted_body::PermittedBody, polite::Polite};
}

/// The addresses that a client may connect to, and how it finds them by name.
pub mod network {
    pub use crate::egress::Refusal;
    pub use crate::egress::address_kind::AddressKind;
    #[cfg(feature = "hickory")]
    pub use crate::net::hickory::HickoryResolver;
    #[cfg(feature = "client")]
    pub use crate::net::{
        net_error::net_error,
        resolver::{GuardedResolver, NoAddress, StaticResolver, SystemResolver},
    };
}

/// The state of a crawl: the hosts that wait, each with the cause, and the counts of a client.
#[cfg(feature = "client")]
pub mod progress {
    pub use crate::hosts::progress::{Progress, WaitCause, WaitingHost};
    pub use crate::metrics::Metrics;
}

/// The crates whose types are in signatures, in the versions that they are of, beside
/// [`reqwest`].
pub mod crates {
    #[cfg(feature = "hickory")]
    pub use hickory_resolver;
    #[cfg(feature = "middleware")]
    pub use reqwest_middleware;
    #[cfg(feature = "client")]
    pub use {bytes, futures_util, http};
    pub use {ipnet, polite_robots, polite_robots_policy, url};
}

/// The examples of the page, which run as tests like those of the README.
#[cfg(all(doctest, feature = "client", feature = "redis"))]
#[doc = include_str!("../docs/many_machines.md")]
mod many_machines {}
