//! Preferences about the use of content: the records, and their meaning together.

pub(crate) mod content_signal;
pub(crate) mod content_usage;
pub(crate) mod content_use;
pub(crate) mod dictionary;
pub(crate) mod of_robot;
pub(crate) mod preference;
pub(crate) mod usage;
