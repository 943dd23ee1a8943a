//! [`PackedFile`]: the bytes of a file and a packed record for each line that means something.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::memchr_iter;

use crate::parse::field::{Directive, Record};
use crate::parse::packed_record::PackedRecord;

/// A file and its records in their order, for every agent. Lines without a record are only in the
/// bytes.
#[derive(Debug, Default)]
pub(crate) struct PackedFile {
    bytes: Box<[u8]>,
    records: Vec<PackedRecord>,
}

impl PackedFile {
    pub(crate) fn new(bytes: &[u8]) -> PackedFile {
        PackedFile {
            bytes: bytes.into(),
            // A list that grows by copying has its old block beside the new one: that alone took
            // six times the bytes of a file that repeats `Host:`.
            records: Vec::with_capacity(max_records(bytes)),
        }
    }

    /// Takes a record of the file.
    #[inline]
    pub(crate) fn push(&mut self, record: Record<'_>) {
        self.records.push(PackedRecord::new(record));
    }

    /// Returns unused memory after the last record.
    pub(crate) fn finish(&mut self) {
        let bytes_of = |records: usize| records.saturating_mul(size_of::<PackedRecord>());
        let used = bytes_of(self.records.len());
        let reserved = bytes_of(self.records.capacity());
        // Shrinking may reallocate; the old and the new block then exist together.
        let is_room = reserved.saturating_add(used) <= self.bytes.len().saturating_mul(2);
        if is_room && reserved.saturating_sub(used) > MAX_IDLE {
            self.records.shrink_to_fit();
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn records(&self) -> Records<'_> {
        Records {
            file: &self.bytes,
            records: &self.records,
        }
    }
}

/// Records of a file that follow each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Records<'r> {
    file: &'r [u8],
    records: &'r [PackedRecord],
}

impl<'r> Records<'r> {
    pub(crate) fn len(self) -> usize {
        self.records.len()
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Record<'r>> + use<'r> {
        self.records
            .iter()
            .map(move |record| record.record(self.file))
    }

    /// The directives alone, without a look at the values.
    pub(crate) fn directives(self) -> impl Iterator<Item = Directive> + use<'r> {
        self.records.iter().map(PackedRecord::directive)
    }

    /// The directives with their places, without the rules directly below a rule: those change no
    /// grouping, and most records are such rules.
    pub(crate) fn turns(self) -> impl Iterator<Item = (usize, Directive)> + use<'r> {
        let mut is_below_rule = false;
        let records = self.records.iter().enumerate();
        records.filter_map(move |(at, record)| {
            let is_rule = record.is_rule();
            let is_left_out = is_rule && is_below_rule;
            is_below_rule = is_rule;
            (!is_left_out).then(|| (at, record.directive()))
        })
    }

    /// The line of the first record, counted from 1; 0 if there is none.
    pub(crate) fn first_line(self) -> u32 {
        self.records.first().map_or(0, |record| record.line)
    }

    /// Some of the records, by their places; empty if there are fewer.
    pub(crate) fn slice(self, places: Range<usize>) -> Records<'r> {
        Records {
            file: self.file,
            records: self.records.get(places).unwrap_or_default(),
        }
    }
}

/// The most unused bytes after the records that are not worth a call to the allocator.
const MAX_IDLE: usize = 256;

/// An upper bound on the number of records: one on each line, and none is shorter than `Host:`.
fn max_records(bytes: &[u8]) -> usize {
    let line_ends = memchr_iter(b'\n', bytes).count() + memchr_iter(b'\r', bytes).count();
    (line_ends + 1).min(bytes.len() / b"Host:\n".len() + 1)
}
