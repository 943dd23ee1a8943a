//! A tar archive of robots.txt files.

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use ::tar::{Archive, Entry, EntryType};

use crate::survey::batch::Batch;
use crate::survey::found::{BodyEnd, Passed, Place};
use crate::survey::input::compression::{self, Compression, Gauge};
use crate::survey::input::files::read_limited;
use crate::survey::input::{Chunk, Limits, Position, Reader};

/// The entries of the crate `tar` borrow the archive, so that it cannot be kept with them between two batches: it is
/// read by a thread of its own, which waits until its batch is taken.
pub(super) struct Tar {
    chunks: Receiver<Chunk>,
    position: Position,
}

impl Tar {
    pub(super) fn open(
        input: Arc<PathBuf>,
        compression: Compression,
        limits: Limits,
        position: Position,
    ) -> io::Result<Tar> {
        let gauge = Arc::new(Gauge::default());
        let octets = compression::open(&input, compression, &gauge)?;
        let (sender, chunks) = sync_channel(0);
        let mut members = Members {
            input,
            limits,
            skip: position.at,
            done: 0,
            gauge,
            batch: Batch::default(),
            body: Vec::new(),
            sender,
        };
        thread::Builder::new()
            .name(String::from("tar"))
            .spawn(move || members.run(octets))?;
        Ok(Tar { chunks, position })
    }
}

impl Reader for Tar {
    fn next(&mut self) -> Chunk {
        let chunk = self.chunks.recv().unwrap_or_else(|_| Chunk {
            batch: Batch::default(),
            position: self.position,
            octets_read: 0,
            is_last: true,
            failure: Some(io::Error::other("the reader of the archive stopped")),
        });
        self.position = chunk.position;
        chunk
    }
}

struct Members {
    input: Arc<PathBuf>,
    limits: Limits,
    /// Members of an earlier run.
    skip: u64,
    done: u64,
    gauge: Arc<Gauge>,
    batch: Batch,
    body: Vec<u8>,
    sender: SyncSender<Chunk>,
}

/// Why there are no more members.
enum Stop {
    /// Nobody takes the batches any more.
    Left,
    /// What is wrong was counted.
    Broken,
    Unreadable(io::Error),
}

impl Members {
    fn run(&mut self, octets: Box<dyn Read + Send>) {
        let failure = match self.read(Archive::new(octets)) {
            Ok(()) | Err(Stop::Broken) => None,
            Err(Stop::Unreadable(error)) => Some(error),
            Err(Stop::Left) => return,
        };
        let mut last = self.chunk();
        last.is_last = true;
        last.failure = failure;
        // Nobody is there to hear that nobody is there.
        let _ = self.sender.send(last);
    }

    fn read(&mut self, mut archive: Archive<Box<dyn Read + Send>>) -> Result<(), Stop> {
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => return Err(self.stop(error, String::new())),
        };
        for entry in entries {
            match entry {
                Ok(entry) if self.done >= self.skip => self.add(entry)?,
                Ok(_) => {}
                Err(error) => return Err(self.stop(error, String::new())),
            }
            self.done += 1;
            if self.batch.holds(self.limits.batch) {
                let chunk = self.chunk();
                self.sender.send(chunk).map_err(|_| Stop::Left)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, mut entry: Entry<'_, Box<dyn Read + Send>>) -> Result<(), Stop> {
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {}
            EntryType::Directory => return Ok(()),
            _ => {
                let place = self.place(name);
                self.batch.push_passed(Passed::NotAResponse, place);
                return Ok(());
            }
        }
        let size = entry.size();
        self.body.clear();
        let end = match read_limited(&mut entry, self.limits, &mut self.body) {
            Ok(end) => end,
            Err(error) => return Err(self.stop(error, name)),
        };
        let place = self.place(name);
        if end == BodyEnd::Complete && (self.body.len() as u64) < size {
            self.batch.push_file(place, &self.body, BodyEnd::CutShort);
            return Err(Stop::Broken);
        }
        self.batch.push_file(place, &self.body, end);
        Ok(())
    }

    /// Counts what is wrong with the archive. Where its next member starts cannot be known then.
    fn stop(&mut self, error: io::Error, member: String) -> Stop {
        if self.gauge.cannot_be_read() {
            return Stop::Unreadable(error);
        }
        let passed = if self.gauge.does_not_decode() {
            Passed::BrokenCompression
        } else {
            Passed::BrokenRecord
        };
        let place = self.place(member);
        self.batch.push_passed(passed, place);
        Stop::Broken
    }

    fn place(&self, member: String) -> Place {
        Place {
            input: Arc::clone(&self.input),
            member,
            offset: 0,
        }
    }

    fn chunk(&mut self) -> Chunk {
        Chunk {
            batch: std::mem::take(&mut self.batch),
            position: Position {
                at: self.done,
                within: 0,
            },
            octets_read: self.gauge.octets_read(),
            is_last: false,
            failure: None,
        }
    }
}
