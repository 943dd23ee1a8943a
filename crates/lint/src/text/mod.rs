//! Parts of a line, and what they are made of.

pub(crate) mod address;
pub(crate) mod entity;
pub(crate) mod host;
pub(crate) mod html_tag;
pub(crate) mod invisible;
pub(crate) mod line;
pub(crate) mod line_break_text;
pub(crate) mod mojibake;
pub(crate) mod part;
pub(crate) mod private_names;
pub(crate) mod token;
pub(crate) mod url;
pub(crate) mod whole_site;
pub(crate) mod words;
