//! Parts of a line, and what they are made of.

pub(crate) mod address;
pub(crate) mod html_tag;
pub(crate) mod invisible;
pub(crate) mod line;
pub(crate) mod line_break_text;
pub(crate) mod mojibake;
pub(crate) mod part;
pub(crate) mod token;
