//! The places where the memory of a crawl outlives the process, and their records.

pub use self::batch::Batch;
pub use self::interface::{LastStop, Store};
pub use self::key::Key;
pub use self::memory::MemoryStore;
pub use self::record::CorruptRecord;
pub use self::records::{Loaded, Records};
#[cfg(feature = "redb")]
pub use self::redb::RedbStore;
#[cfg(feature = "redis")]
pub use self::redis::RedisStore;
pub use self::store_error::StoreError;

pub(crate) mod batch;
#[cfg(feature = "redb")]
pub(crate) mod guarded_database;
pub(crate) mod interface;
pub(crate) mod key;
#[cfg(test)]
mod laws;
pub(crate) mod memory;
pub(crate) mod record;
pub(crate) mod records;
#[cfg(feature = "redb")]
pub(crate) mod redb;
#[cfg(feature = "redis")]
pub(crate) mod redis;
#[cfg(all(test, feature = "redis"))]
mod redis_server;
pub(crate) mod store_error;
