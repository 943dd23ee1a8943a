//! The source of a file, found once for all counts of it.

use crate::content::RobotsResponse;
use crate::summary::hash::hash;
use crate::summary::host::host_of_response;

/// The host of a file, and the hash by which samples are drawn.
#[derive(Debug)]
pub(crate) struct Source {
    /// The host in lower case; `None` if it is not known.
    pub(crate) host: Option<String>,
    /// The hash of the URL, of the host where the URL is not known, or else of the place where the
    /// file was read.
    pub(crate) hash: u64,
}

impl Source {
    pub(crate) fn of(response: &RobotsResponse) -> Source {
        let host = host_of_response(response);
        let hash = match (&response.url, &host) {
            (Some(name), _) | (None, Some(name)) => hash(name.as_bytes()),
            (None, None) => hash(response.place.to_string().as_bytes()),
        };
        Source { host, hash }
    }
}
