//! The stage from bytes to records, for whoever keeps them: all agents' or one's.

pub(crate) mod document;
pub(crate) mod field;
pub(crate) mod group;
pub(crate) mod line;
pub(crate) mod packed_record;
mod report;
mod shortcut;

use crate::lint::diagnostic::Sink;
use crate::options::{Dialect, Options};
use crate::parse::field::{Directive, KnownRecord, directive};
use crate::parse::line::{PhysicalLines, Value, record, within_limit};
use crate::parse::report::Reporter;
use crate::parse::shortcut::{Start, start};

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

    /// Hands every known record to `keep`, in the order of the file, and what is odd to `sink`.
    #[inline]
    pub(crate) fn for_each_record(
        &self,
        sink: &mut (impl Sink + ?Sized),
        mut keep: impl FnMut(KnownRecord<'a>),
    ) {
        if sink.is_listening() {
            return self.for_each_reported_record(sink, keep);
        }
        for line in PhysicalLines::new(self.bytes) {
            let read = line.read(self.dialect);
            let (directive, value) = match start(read) {
                Start::Nothing => continue,
                Start::Known(directive, value) => (directive, value),
                Start::Unclear => match self.known(read) {
                    Some(known) => known,
                    None => continue,
                },
            };
            keep(KnownRecord {
                directive,
                value,
                line: line.number,
            });
        }
    }

    // Within the loop over the lines it makes a parse 3 % slower; one line in ten comes here.
    #[inline(never)]
    fn known(&self, line: &'a [u8]) -> Option<(Directive, Value<'a>)> {
        let record = record(line)?;
        let (directive, _) = directive(record.field, self.dialect)?;
        Some((directive, record.value))
    }

    fn for_each_reported_record(
        &self,
        sink: &mut (impl Sink + ?Sized),
        mut keep: impl FnMut(KnownRecord<'a>),
    ) {
        let mut reporter = Reporter::new(self.bytes, sink);
        let mut last_line = 0;
        for line in PhysicalLines::new(self.bytes) {
            last_line = line.number;
            let read = line.read(self.dialect);
            reporter.line(&line, read);
            let (directive, value) = match start(read) {
                Start::Nothing => continue,
                Start::Known(directive, value) => {
                    let field = read.get(..directive.as_str().len()).unwrap_or_default();
                    reporter.known(&line, field, directive, value);
                    (directive, value)
                }
                Start::Unclear => {
                    let Some(record) = record(read) else {
                        reporter.not_a_record(&line, read);
                        continue;
                    };
                    let Some((directive, spelling)) = directive(record.field, self.dialect) else {
                        reporter.unknown(&line, &record);
                        continue;
                    };
                    reporter.spelling(&line, &record, directive, spelling);
                    reporter.known(&line, record.field, directive, record.value);
                    (directive, record.value)
                }
            };
            keep(KnownRecord {
                directive,
                value,
                line: line.number,
            });
        }
        reporter.after_lines(last_line, self.truncated_at);
    }
}
