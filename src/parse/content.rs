//! The meaning of one line: [`known`] for the parser, which needs no more than the directive and
//! the value, and [`Content`] for the document's lines and the canonical form.

use crate::options::Dialect;
use crate::parse::field::{Directive, directive};
use crate::parse::grammar::{RawRecord, Separator, emptyline, raw_record};
use crate::parse::line::PhysicalLine;
use crate::parse::part::Part;
use crate::parse::shortcut::{Start, start};

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
    pub(crate) fn new(line: &PhysicalLine<'a>, dialect: Dialect) -> Content<'a> {
        let text = line.text(dialect);
        let record = match start(text) {
            Start::Nothing => return Content::Blank,
            Start::Known(directive, value) => {
                let record = RawRecord {
                    field: text.head(directive.as_str().len()),
                    value,
                    separator: Separator::Colon,
                };
                return Content::Known(record, directive);
            }
            Start::Unknown | Start::Unclear => raw_record(text),
        };
        match record {
            Some(record) => match directive(record.field.bytes, dialect) {
                Some(directive) => Content::Known(record, directive),
                None => Content::UnknownField(record),
            },
            None if emptyline(text.bytes).is_ok() => Content::Blank,
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

/// The directive of a line that the shortcut does not know, and the value with its offset in the
/// line; `None` if the line has no known record. A whole [`Part`] as argument would be stored for
/// each line of the file, whether or not the line comes here.
// Inlined into the loop over the lines it makes a parse 3 % slower; three lines in ten come here.
#[inline(never)]
pub(crate) fn known(line: &[u8], dialect: Dialect) -> Option<(Directive, Part<'_>)> {
    let record = raw_record(Part::new(0, line))?;
    let directive = directive(record.field.bytes, dialect)?;
    Some((directive, record.value.with_comment))
}
