//! `robots agents`: whom does a robots.txt speak to, and what may they do?

#[allow(dead_code)]
pub(crate) mod known;
