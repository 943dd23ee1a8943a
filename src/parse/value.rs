//! [`Value`]: the part of a record after its separator.

use crate::parse::part::Part;
use crate::parse::trim::{trim, without_comment};

/// The part of a record after its separator, with the comment.
///
/// Most values are never read, because they are for other agents. So the comment is cut and the
/// white space is trimmed only on demand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Value<'a> {
    /// The bytes before the comment is cut and white space is trimmed.
    pub(crate) with_comment: Part<'a>,
}

impl<'a> Value<'a> {
    /// A value that stands in no file, such as the pattern of a stored rule.
    pub(crate) fn new(with_comment: &'a [u8]) -> Value<'a> {
        Value::in_file(Part::new(0, with_comment))
    }

    #[inline]
    pub(crate) fn in_file(with_comment: Part<'a>) -> Value<'a> {
        Value { with_comment }
    }

    /// The bytes before the comment is cut and white space is trimmed.
    #[inline]
    pub(crate) fn with_comment(self) -> &'a [u8] {
        self.with_comment.bytes
    }

    /// The value itself, without the comment and the white space around it.
    pub(crate) fn bytes(self) -> &'a [u8] {
        trim(without_comment(self.with_comment.bytes))
    }

    /// The value itself with its offset in the file.
    pub(crate) fn part(self) -> Part<'a> {
        self.with_comment.without_comment().trim()
    }
}
