//! The meaning of one line.

use crate::options::Dialect;
use crate::parse::field::{Directive, directive};
use crate::parse::grammar::{RawRecord, emptyline, raw_record};
use crate::parse::part::Part;

/// The meaning of a line in one dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content<'a> {
    /// White space, a comment, or nothing.
    Blank,
    /// Text that cannot be read as a record.
    NotARecord,
    /// A record with a field name that this crate does not know.
    UnknownField(RawRecord<'a>),
    Known(RawRecord<'a>, Directive),
}

impl<'a> Content<'a> {
    /// The content of any line, up to where the dialect reads it.
    #[inline]
    pub(crate) fn by_grammar(line: Part<'a>, dialect: Dialect) -> Content<'a> {
        match raw_record(line) {
            Some(record) => match directive(record.field.bytes, dialect) {
                Some(directive) => Content::Known(record, directive),
                None => Content::UnknownField(record),
            },
            None if emptyline(line.bytes).is_ok() => Content::Blank,
            None => Content::NotARecord,
        }
    }

    /// The field name, the value and what separates them, if the line is a record.
    pub(crate) fn record(&self) -> Option<&RawRecord<'a>> {
        match self {
            Content::Blank | Content::NotARecord => None,
            Content::UnknownField(record) | Content::Known(record, ..) => Some(record),
        }
    }
}
