//! Hosts: their groups, the rules of the operator for them, and their state on its way to another
//! client.

pub use self::groups::Groups;
pub use self::host_rules::{HostRules, InvalidPattern};
pub use self::host_state::HostState;

pub(crate) mod groups;
pub(crate) mod host_rules;
pub(crate) mod host_state;
#[cfg(feature = "client")]
pub(crate) mod owner;
#[cfg(feature = "client")]
pub(crate) mod progress;
