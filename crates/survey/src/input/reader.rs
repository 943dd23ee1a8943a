//! The interface of all readers: an input in batches, from a position on.

use std::io;

use serde::{Deserialize, Serialize};

use crate::batch::Batch;
use crate::interrupt::Interrupt;

/// Where the reading of an input goes on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Position {
    /// In a WARC, bytes to the next record or gzip member; in a tar, members; in a folder, entries.
    pub(crate) at: u64,
    /// Decoded bytes into the gzip member.
    pub(crate) within: u64,
    /// Bytes of broken gzip members that were gone over again.
    #[serde(default)]
    pub(crate) gone_back: u64,
}

impl Position {
    /// The position in a tar or a folder.
    pub(super) fn after(done: u64) -> Position {
        Position {
            at: done,
            ..Position::default()
        }
    }
}

/// How much is read at once.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    /// Bytes of a batch, about.
    pub(crate) batch: usize,
    /// Bytes of one robots.txt.
    pub(crate) max_bytes: usize,
    /// Asked between records: an archive may go on for long.
    pub(crate) interrupt: Interrupt,
}

/// Reads an input, batch by batch.
pub(crate) trait Reader: Send {
    /// Not to be called after the last.
    fn next(&mut self) -> Chunk;
}

/// A batch, and how far it goes.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) batch: Batch,
    /// After it.
    pub(crate) position: Position,
    /// From the start of the input.
    pub(crate) octets_read: u64,
    pub(crate) is_last: bool,
    /// Why it is the last.
    pub(crate) failure: Option<io::Error>,
}

impl Chunk {
    /// As when it is time to stop: what was read since the last batch is left for another run.
    pub(super) fn empty(position: Position) -> Chunk {
        Chunk {
            batch: Batch::default(),
            position,
            octets_read: 0,
            is_last: false,
            failure: None,
        }
    }
}
