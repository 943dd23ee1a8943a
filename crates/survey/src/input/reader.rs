//! The interface of all readers: an input is read in batches, from any position.

use std::io;

use serde::{Deserialize, Serialize};

use crate::batch::Batch;
use crate::interrupt::Interrupt;

/// The position at which the reading of an input continues.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Position {
    /// The offset of the next record or gzip member in a WARC, the number of members read in a tar,
    /// or the number of entries read in a folder.
    pub(crate) at: u64,
    /// The decoded bytes of the gzip member that were read.
    pub(crate) within: u64,
    /// The bytes of broken gzip members that were searched a second time.
    #[serde(default)]
    pub(crate) gone_back: u64,
}

impl Position {
    /// The position in a tar or a folder after this many members or entries.
    pub(super) fn after(done: u64) -> Position {
        Position {
            at: done,
            ..Position::default()
        }
    }
}

/// The limits on reading.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    /// The approximate bytes of a batch.
    pub(crate) batch: usize,
    /// The most bytes that are read of one robots.txt.
    pub(crate) max_bytes: usize,
    /// The request to stop, checked between records because an archive may be very long.
    pub(crate) interrupt: Interrupt,
}

/// A reader of an input, batch by batch.
pub(crate) trait Reader: Send {
    /// Reads the next chunk. Must not be called after the last one.
    fn next(&mut self) -> Chunk;
}

/// A batch, with the position after it.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) batch: Batch,
    /// The position after the batch.
    pub(crate) position: Position,
    /// The bytes that were read since the start of the input.
    pub(crate) bytes_read: u64,
    pub(crate) is_last: bool,
    /// The length of an input that ends within a record, such as a download that was cut.
    pub(crate) cut_at: Option<u64>,
    /// The error that ended the input.
    pub(crate) failure: Option<io::Error>,
}

impl Chunk {
    /// A chunk without a batch, for example after an interrupt. The next run continues at
    /// `position`.
    pub(super) fn empty(position: Position) -> Chunk {
        Chunk {
            batch: Batch::default(),
            position,
            bytes_read: 0,
            is_last: false,
            cut_at: None,
            failure: None,
        }
    }
}
