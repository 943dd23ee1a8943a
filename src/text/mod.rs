//! Bytes and text, without any knowledge of robots.txt.

pub(crate) mod byte_class;
pub(crate) mod bytes;
pub(crate) mod hash;
pub(crate) mod number;
pub(crate) mod percent;
pub(crate) mod quote;
pub(crate) mod scheme;
pub(crate) mod web_url;
