//! The network: names to permitted addresses, and one HTTP request with its failures.

pub(crate) mod address_cache;
pub(crate) mod brotli;
pub(crate) mod coded_response;
pub(crate) mod decoder;
pub(crate) mod flate;
#[cfg(feature = "hickory")]
pub(crate) mod hickory;
pub(crate) mod idle_connections;
pub(crate) mod net_error;
pub(crate) mod request;
pub(crate) mod resolver;
pub(crate) mod still_clock;
pub(crate) mod transport;
#[cfg(feature = "zstd")]
pub(crate) mod zstd;
