//! `robots survey`: what many robots.txt files are like.

pub(crate) mod found;
pub(crate) mod summary;
