//! The reasons why a client cannot be built.

use polite_robots::InvalidToken;

use crate::hosts::host_rules::InvalidPattern;
use crate::identity::InvalidIdentity;
use crate::store::store_error::StoreError;

/// The reason why a client cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The name, the version or the contact of the crawler is not valid.
    #[error(transparent)]
    Identity(#[from] InvalidIdentity),
    /// The name of a further group of robots.txt to obey is no product token.
    #[error(transparent)]
    Token(#[from] InvalidToken),
    /// The pattern of a rule for hosts is not valid.
    #[error(transparent)]
    Pattern(#[from] InvalidPattern),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The HTTP client has a proxy, and addresses are restricted: a proxy resolves names and
    /// connects by itself, unchecked.
    #[error(
        "a proxy connects to addresses that nobody checks: set `egress(Egress::any())` beside it, or remove it"
    )]
    Proxy,
    /// The default headers of the HTTP client hold `Host`: each request would go to another host
    /// than the one whose robots.txt was asked.
    #[error("`Host` among the default headers would send each request to another host: remove it")]
    HostHeader,
    /// There is no tokio runtime, which runs the tasks of the client.
    #[error(
        "a client is built inside of a tokio runtime: in an async function, or after `runtime.enter()`"
    )]
    NoRuntime,
    /// The HTTP client, of which TLS is a part, cannot be built.
    #[error("the HTTP client cannot be built")]
    Http(#[source] reqwest::Error),
}
