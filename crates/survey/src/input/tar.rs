//! A tar archive of robots.txt files.

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use ::tar::{Archive, Entry, EntryType};

use crate::batch::Batch;
use crate::content::{BodyEnd, Place, SkipReason};
use crate::input::compression::{self, Compression, Gauge};
use crate::input::files::read_limited;
use crate::input::reader::{Chunk, Limits, Position, Reader};
use crate::interrupt::Interrupt;

/// The entries of the crate `tar` borrow the archive, so that it cannot be kept with them between two batches: it is
/// read by a thread of its own, which waits until its batch is taken.
pub(super) struct Tar {
    interrupt: Interrupt,
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
        let reach = Arc::new(Reach::default());
        let octets = Within {
            octets: compression::open(&input, compression, &gauge)?,
            reach: Arc::clone(&reach),
            interrupt: limits.interrupt.clone(),
        };
        let interrupt = limits.interrupt.clone();
        let (sender, chunks) = sync_channel(0);
        let mut members = Members {
            input,
            limits,
            skip: position.at,
            done: 0,
            gauge,
            reach,
            batch: Batch::default(),
            body: Vec::new(),
            sender,
        };
        thread::Builder::new()
            .name(String::from("tar"))
            .spawn(move || members.run(octets))?;
        Ok(Tar {
            interrupt,
            chunks,
            position,
        })
    }
}

impl Reader for Tar {
    fn next(&mut self) -> Chunk {
        let chunk = match self.chunks.recv() {
            Ok(chunk) => chunk,
            Err(_) if self.interrupt.is_raised() => Chunk::empty(self.position),
            Err(_) => Chunk {
                is_last: true,
                failure: Some(io::Error::other("the reader of the archive stopped")),
                ..Chunk::empty(self.position)
            },
        };
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
    reach: Arc<Reach>,
    batch: Batch,
    body: Vec<u8>,
    sender: SyncSender<Chunk>,
}

/// Why there are no more members.
enum Stop {
    /// Nobody takes the batches any more, or it is time to stop.
    Left,
    /// The archive is damaged, which was counted.
    Broken,
    Unreadable(io::Error),
}

impl Members {
    fn run(&mut self, octets: Within) {
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

    fn read(&mut self, mut archive: Archive<Within>) -> Result<(), Stop> {
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => return Err(self.stop(error, String::new())),
        };
        self.reach.allow(LONGEST_DESCRIPTION);
        for entry in entries {
            let entry = entry.map_err(|error| self.stop(error, String::new()))?;
            self.reach
                .allow(stored_size(&entry).saturating_add(LONGEST_DESCRIPTION));
            if self.done >= self.skip {
                self.add(entry)?;
            }
            self.done += 1;
            if self.batch.holds(self.limits.batch) {
                let chunk = self.chunk();
                self.sender.send(chunk).map_err(|_| Stop::Left)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, mut entry: Entry<'_, Within>) -> Result<(), Stop> {
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {}
            EntryType::Directory => return Ok(()),
            _ => {
                let place = self.place(name);
                self.batch.push_skipped(SkipReason::NotAResponse, place);
                return Ok(());
            }
        }
        let size = entry.size();
        self.body.clear();
        let end = match read_limited(&mut entry, self.limits.max_bytes, &mut self.body) {
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
        if self.limits.interrupt.is_raised() {
            return Stop::Left;
        }
        // An archive of which not even the first member begins is another kind of file, not one with damage.
        let is_at_start = self.done == 0 && self.skip == 0 && member.is_empty();
        if self.gauge.cannot_be_read() {
            return Stop::Unreadable(error);
        }
        if is_at_start {
            let message = format!("no member of an archive can be read from its start: {error}");
            return Stop::Unreadable(io::Error::other(message));
        }
        let passed = if self.gauge.does_not_decode() {
            SkipReason::BrokenCompression
        } else {
            SkipReason::BrokenRecord
        };
        let place = self.place(member);
        self.batch.push_skipped(passed, place);
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
            position: Position::after(self.done),
            octets_read: self.gauge.octets_read(),
            is_last: false,
            failure: None,
        }
    }
}

/// How far an archive may be read before its next member must be there. What comes before a member and describes it, as
/// a long name does, is read into memory by the crate `tar`, whatever its size.
#[derive(Debug, Default)]
struct Reach {
    /// Decoded bytes.
    read: AtomicU64,
    most: AtomicU64,
}

impl Reach {
    /// Allows this many bytes from here.
    fn allow(&self, octets: u64) {
        let most = self.read.load(Ordering::Relaxed).saturating_add(octets);
        self.most.store(most, Ordering::Relaxed);
    }
}

/// An archive as far as it may be read.
struct Within {
    interrupt: Interrupt,
    octets: Box<dyn Read + Send>,
    reach: Arc<Reach>,
}

impl Read for Within {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A member may be of any length, and who waits for the batch does not see it.
        if self.interrupt.is_raised() {
            return Err(io::Error::other("interrupted"));
        }
        let read = self.reach.read.load(Ordering::Relaxed);
        if read >= self.reach.most.load(Ordering::Relaxed) {
            return Err(io::Error::other("what describes a member is too long"));
        }
        let octets = self.octets.read(buffer)?;
        self.reach
            .read
            .store(read.saturating_add(octets as u64), Ordering::Relaxed);
        Ok(octets)
    }
}

/// In the archive. A sparse file is longer than that when it is read.
fn stored_size(entry: &Entry<'_, Within>) -> u64 {
    match entry.header().entry_type() {
        EntryType::GNUSparse => entry.header().entry_size().unwrap_or_default(),
        _ => entry.size(),
    }
}

/// Bytes of all that describes one member: names, which are at most 4 KiB long, attributes, the holes of a sparse file.
const LONGEST_DESCRIPTION: u64 = 1024 * 1024;

#[cfg(test)]
mod tests;
