//! Stage 1: bytes to records, handed to one agent's collector or to the document.
//!
//! A file becomes a [`PhysicalLine`](line::PhysicalLine) for each line, a line a
//! [`RawRecord`](grammar::RawRecord) by its syntax, and that a [`Record`] if its field is known.
//! The document keeps the records as [`PackedRecord`](packed_record::PackedRecord)s.

pub(crate) mod content;
pub(crate) mod field;
pub(crate) mod grammar;
pub(crate) mod group;
pub(crate) mod line;
pub(crate) mod packed_file;
pub(crate) mod packed_record;
pub(crate) mod part;
mod shortcut;
pub(crate) mod trim;

use crate::options::{Dialect, Options};
use crate::parse::content::Content;
use crate::parse::field::{Directive, Record};
use crate::parse::line::{PhysicalLines, within_limit};
use crate::parse::part::Part;
use crate::parse::shortcut::{may_be_known, usual};

/// The content of a line, up to where the dialect reads it.
#[inline]
pub(crate) fn content_of(line: Part<'_>, dialect: Dialect) -> Content<'_> {
    usual(line).unwrap_or_else(|| Content::by_grammar(line, dialect))
}

/// The part of a file that is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) truncated_at: Option<usize>,
    dialect: Dialect,
}

impl<'a> Source<'a> {
    pub(crate) fn new(file: &'a [u8], options: &Options) -> Source<'a> {
        let (bytes, truncated_at) = within_limit(file, options.max_bytes);
        Source {
            bytes,
            truncated_at,
            dialect: options.dialect,
        }
    }

    /// Hands every known record to `keep`, in the order of the file.
    ///
    /// It does not call [`content_of`], which would store a whole [`Content`] for each line in
    /// place of a directive and a value: a parse would take 14 % more instructions.
    #[inline]
    pub(crate) fn for_each_record(&self, mut keep: impl FnMut(Record<'a>)) {
        for line in PhysicalLines::new(self.bytes) {
            let text = line.text(self.dialect);
            let (directive, written) = match usual(text) {
                Some(Content::Known(record, directive)) => (directive, record.written),
                Some(_) => continue,
                None if !may_be_known(text.bytes) => continue,
                None => match known_by_grammar(text.bytes, self.dialect) {
                    Some((directive, written)) => (
                        directive,
                        Part::new(text.start + written.start, written.bytes),
                    ),
                    None => continue,
                },
            };
            keep(Record {
                directive,
                written,
                line: line.number,
            });
        }
    }
}

/// The directive and the value of a known record. The value's offset is counted in the line: a
/// whole [`Part`] as the argument would be stored for each line of the file.
// Not inlined: within the loop over the lines it makes a parse 3 % slower.
#[inline(never)]
fn known_by_grammar(line: &[u8], dialect: Dialect) -> Option<(Directive, Part<'_>)> {
    match Content::by_grammar(Part::new(0, line), dialect) {
        Content::Known(record, directive) => Some((directive, record.written)),
        _ => None,
    }
}
