//! The rates and the times at which a site wants to be visited.

pub(crate) mod day_window;
pub(crate) mod request_rate;
