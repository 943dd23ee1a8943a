//! What is kept of a file for every agent: its bytes, and a small entry for each record that means something.

use alloc::boxed::Box;
use alloc::vec::Vec;

use memchr::memchr_iter;

use crate::parse::field::KnownRecord;
use crate::parse::line::Value;
use crate::parse::packed_record::PackedRecord;

/// A file and its records in their order. Lines without an entry are still in the bytes.
#[derive(Debug, Default)]
pub(crate) struct Document {
    bytes: Box<[u8]>,
    records: Vec<PackedRecord>,
}

impl Document {
    pub(crate) fn new(bytes: &[u8]) -> Document {
        Document {
            bytes: bytes.into(),
            // A list that grows lies beside the shorter one for a moment: that alone was six times a file of `Host:`.
            records: Vec::with_capacity(most_records(bytes)),
        }
    }

    /// `start` is where the value begins in the bytes.
    #[inline]
    pub(crate) fn push(&mut self, record: KnownRecord<'_>, start: usize) {
        let len = record.value.with_comment().len();
        self.records
            .push(PackedRecord::new(record.directive, start, len, record.line));
    }

    /// Call when all records are in.
    pub(crate) fn finish(&mut self) {
        let bytes_of = |records: usize| records.saturating_mul(size_of::<PackedRecord>());
        let kept = bytes_of(self.records.len());
        let reserved = bytes_of(self.records.capacity());
        // What is left may have to move, and then both count.
        let is_room = reserved.saturating_add(kept) <= self.bytes.len().saturating_mul(2);
        if is_room && reserved.saturating_sub(kept) > IDLE {
            self.records.shrink_to_fit();
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn records(&self) -> impl Iterator<Item = KnownRecord<'_>> {
        records(&self.bytes, &self.records)
    }

    pub(crate) fn packed_records(&self) -> &[PackedRecord] {
        &self.records
    }
}

/// Bytes that may lie idle behind the records: less is not worth a call to the allocator.
const IDLE: usize = 256;

/// How many records there can be: one on a line, and none is shorter than `Host:`.
fn most_records(bytes: &[u8]) -> usize {
    let line_ends = memchr_iter(b'\n', bytes).count() + memchr_iter(b'\r', bytes).count();
    (line_ends + 1).min(bytes.len() / b"Host:\n".len() + 1)
}

pub(crate) fn records<'r>(
    bytes: &'r [u8],
    records: &'r [PackedRecord],
) -> impl Iterator<Item = KnownRecord<'r>> {
    records.iter().map(|record| {
        let (directive, value) = record.directive_and_place();
        KnownRecord {
            directive,
            value: Value::new(bytes.get(value).unwrap_or_default()),
            line: record.line,
        }
    })
}
