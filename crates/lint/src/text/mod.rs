//! Parts of a line, and what they are made of.

pub(crate) mod invisible;
pub(crate) mod part;
pub(crate) mod scheme;
pub(crate) mod token;
