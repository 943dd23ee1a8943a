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
pub(crate) mod value;

use crate::options::{Dialect, Options};
use crate::parse::content::known;
use crate::parse::field::Record;
use crate::parse::line::{PhysicalLines, within_limit};
use crate::parse::part::Part;
use crate::parse::shortcut::{Start, start};
use crate::parse::value::Value;

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
    /// Without a whole [`Content`](content::Content) for each line: even a function that returns
    /// directive and value for both arms takes 3 % more instructions.
    #[inline]
    pub(crate) fn for_each_record(&self, mut keep: impl FnMut(Record<'a>)) {
        for line in PhysicalLines::new(self.bytes) {
            let text = line.text(self.dialect);
            let (directive, value) = match start(text) {
                Start::Nothing | Start::Unknown => continue,
                Start::Known(directive, value) => (directive, value),
                Start::Unclear => match known(text.bytes, self.dialect) {
                    Some((directive, value)) => {
                        let value = Part::new(text.start + value.start, value.bytes);
                        (directive, Value::in_file(value))
                    }
                    None => continue,
                },
            };
            keep(Record {
                directive,
                value,
                line: line.number,
            });
        }
    }
}
