//! The failures of a store.

use std::error::Error;
use std::path::PathBuf;

/// A failure of a [`Store`](crate::store::Store).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file is open elsewhere. A pace that two crawlers keep is kept by neither, so a second
    /// one is refused.
    #[error("the store {} is in use by another crawler", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be opened, because it is no store or damaged or not permitted, say.
    #[error("the store {} cannot be opened", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The address of a server cannot be read.
    #[error("the address of the store cannot be read")]
    Address(#[source] Box<dyn Error + Send + Sync>),
    /// Reading failed.
    #[error("a record cannot be read from the store")]
    Load(#[source] Box<dyn Error + Send + Sync>),
    /// Writing failed; nothing of the batch is saved.
    #[error("records cannot be saved in the store")]
    Save(#[source] Box<dyn Error + Send + Sync>),
}
