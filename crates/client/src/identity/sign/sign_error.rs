//! The reasons why requests cannot be signed.

/// The reason why a key cannot be used, or why a request cannot be signed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SignError {
    /// The key is not an Ed25519 key in the form that was asked for. The text never contains the
    /// key.
    #[error("no Ed25519 key: {why}")]
    Key {
        /// The fault.
        why: String,
    },
    /// The key is the test key of RFC 9421, whose private half everybody knows.
    #[error("the key is the public test key of RFC 9421; make one of your own")]
    TestKey,
    /// The address of the directory is no https URL.
    #[error("{url:?} is no https URL that Signature-Agent can name")]
    Agent {
        /// The URL as it was given.
        url: String,
    },
    /// The request was not signed, and so not sent: the system gave no random bytes, or the URL
    /// cannot be signed.
    #[error("the request cannot be signed: {why}")]
    Request {
        /// The fault.
        why: String,
    },
}

impl SignError {
    pub(crate) fn key(why: impl ToString) -> SignError {
        SignError::Key {
            why: why.to_string(),
        }
    }

    pub(crate) fn request(why: impl ToString) -> SignError {
        SignError::Request {
            why: why.to_string(),
        }
    }
}
