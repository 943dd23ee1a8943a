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

mod egress;
mod host_rule;
mod host_rules;
mod identity;
#[cfg(feature = "client")]
mod resolver;

pub use crate::egress::{AddressKind, Egress, Refusal};
pub use crate::host_rule::HostRule;
pub use crate::host_rules::{HostRules, InvalidPattern};
pub use crate::identity::{Identity, InvalidIdentity};
#[cfg(feature = "client")]
pub use crate::resolver::{GuardedResolver, NoAddress, StaticResolver, SystemResolver};
