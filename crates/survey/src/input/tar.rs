//! The reader of a tar archive of robots.txt files.

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use ::tar::{Archive, Entry, EntryType};

use crate::batch::Batch;
use crate::content::{BodyEnd, Place, SkipReason};
use crate::input::compression::{self, Compression, ReadProgress};
use crate::input::files::read_limited;
use crate::input::reader::{Chunk, Limits, Position, Reader};
use crate::interrupt::Interrupt;

/// Reads a tar archive on a thread of its own, which waits until its batch is taken. The entries of
/// the crate `tar` borrow the archive, so no struct can keep both between two batches.
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
        let progress = Arc::new(ReadProgress::default());
        let limit = Arc::new(ReadLimit::default());
        let bytes = LimitedReader {
            inner: compression::open(&input, compression, &progress)?,
            limit: Arc::clone(&limit),
            interrupt: limits.interrupt.clone(),
        };
        let interrupt = limits.interrupt.clone();
        let (sender, chunks) = sync_channel(0);
        let mut members = MemberReader {
            input,
            limits,
            skip: position.at,
            done: 0,
            progress,
            limit,
            batch: Batch::default(),
            cut_at: None,
            sender,
        };
        thread::Builder::new()
            .name(String::from("tar"))
            .spawn(move || members.run(bytes))?;
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

/// The reader on the thread.
struct MemberReader {
    input: Arc<PathBuf>,
    limits: Limits,
    /// The members that an earlier run has read.
    skip: u64,
    done: u64,
    progress: Arc<ReadProgress>,
    limit: Arc<ReadLimit>,
    batch: Batch,
    /// The length of an archive that ends within a member.
    cut_at: Option<u64>,
    sender: SyncSender<Chunk>,
}

/// The reason why no more members are read.
enum Stop {
    /// Nobody takes the batches any more, or the interrupt is raised.
    Abandoned,
    /// The archive is damaged, which is counted.
    Broken,
    Unreadable(io::Error),
}

impl MemberReader {
    fn run(&mut self, bytes: LimitedReader) {
        let failure = match self.read(Archive::new(bytes)) {
            Ok(()) | Err(Stop::Broken) => None,
            Err(Stop::Unreadable(error)) => Some(error),
            Err(Stop::Abandoned) => return,
        };
        let mut last = self.chunk();
        last.is_last = true;
        last.failure = failure;
        last.cut_at = self.cut_at;
        // Sending fails only if the receiver is gone, and then nobody needs the chunk.
        let _ = self.sender.send(last);
    }

    fn read(&mut self, mut archive: Archive<LimitedReader>) -> Result<(), Stop> {
        self.read_members(&mut archive)?;
        // A compressed archive may be cut after its last member. Only reading to its end shows
        // that.
        self.limit.allow(LONGEST_MEMBER_DESCRIPTION);
        let mut rest = archive.into_inner().take(LONGEST_MEMBER_DESCRIPTION / 2);
        let is_whole = io::copy(&mut rest, &mut io::sink()).is_ok();
        if !is_whole && self.progress.is_at_end() {
            self.cut_at = Some(self.progress.bytes_read());
        }
        Ok(())
    }

    fn read_members(&mut self, archive: &mut Archive<LimitedReader>) -> Result<(), Stop> {
        let entries = archive.entries();
        let entries = entries.map_err(|error| self.stop(error, String::new()))?;
        self.limit.allow(LONGEST_MEMBER_DESCRIPTION);
        for entry in entries {
            let entry = entry.map_err(|error| self.stop(error, String::new()))?;
            self.limit
                .allow(stored_size(&entry).saturating_add(LONGEST_MEMBER_DESCRIPTION));
            if self.done >= self.skip {
                self.add(entry)?;
            }
            self.done += 1;
            if self.batch.holds(self.limits.batch) {
                let chunk = self.chunk();
                self.sender.send(chunk).map_err(|_| Stop::Abandoned)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, mut entry: Entry<'_, LimitedReader>) -> Result<(), Stop> {
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {}
            EntryType::Directory => return Ok(()),
            _ => {
                let reason = SkipReason::NotAResponse;
                self.batch.push_skipped(reason, self.place(name));
                return Ok(());
            }
        }
        let size = entry.size();
        let (body, end) = read_limited(&mut entry, self.limits.max_bytes)
            .map_err(|error| self.stop(error, name.clone()))?;
        let is_cut = end == BodyEnd::Complete && (body.len() as u64) < size;
        let end = if is_cut { BodyEnd::CutShort } else { end };
        self.batch.push_file(self.place(name), body, end);
        if is_cut {
            self.cut_at = Some(self.progress.bytes_read());
            return Err(Stop::Broken);
        }
        Ok(())
    }

    /// Counts the damage of the archive. Reading ends there, because the start of the next member
    /// is unknown.
    fn stop(&mut self, error: io::Error, member: String) -> Stop {
        if self.limits.interrupt.is_raised() {
            return Stop::Abandoned;
        }
        // A file without even a first member is not a damaged archive but some other file.
        let is_at_start = self.done == 0 && self.skip == 0 && member.is_empty();
        if self.progress.has_read_error.load(Ordering::Relaxed) {
            return Stop::Unreadable(error);
        }
        if is_at_start {
            let message = format!("no member of an archive can be read from its start: {error}");
            return Stop::Unreadable(io::Error::other(message));
        }
        // If the reader wanted no byte after the last one, the archive is damaged but not cut.
        self.cut_at = (self.progress.is_at_end()).then(|| self.progress.bytes_read());
        let reason = match self.progress.has_decode_error.load(Ordering::Relaxed) {
            true => SkipReason::BrokenCompression,
            false => SkipReason::BrokenRecord,
        };
        self.batch.push_skipped(reason, self.place(member));
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
            bytes_read: self.progress.bytes_read(),
            ..Chunk::empty(Position::after(self.done))
        }
    }
}

/// The limit on reading before the next member must begin. The crate `tar` reads the description of
/// a member, such as a long name, into memory without a limit of its own.
#[derive(Debug, Default)]
struct ReadLimit {
    /// The decoded bytes that were read.
    read: AtomicU64,
    /// The decoded bytes that may be read.
    end: AtomicU64,
}

impl ReadLimit {
    /// Allows this many more bytes.
    fn allow(&self, bytes: u64) {
        let end = self.read.load(Ordering::Relaxed).saturating_add(bytes);
        self.end.store(end, Ordering::Relaxed);
    }
}

/// The bytes of an archive, up to a limit and until the interrupt is raised.
struct LimitedReader {
    interrupt: Interrupt,
    inner: Box<dyn Read + Send>,
    limit: Arc<ReadLimit>,
}

impl Read for LimitedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A member may have any length, and the receiver, which waits for the batch, cannot stop
        // the reader.
        if self.interrupt.is_raised() {
            return Err(io::Error::other("interrupted"));
        }
        let read = self.limit.read.load(Ordering::Relaxed);
        if read >= self.limit.end.load(Ordering::Relaxed) {
            return Err(io::Error::other("the description of a member is too long"));
        }
        let bytes = self.inner.read(buffer)?;
        self.limit
            .read
            .store(read.saturating_add(bytes as u64), Ordering::Relaxed);
        Ok(bytes)
    }
}

/// The bytes of the member in the archive. A sparse file is longer once it is read.
fn stored_size(entry: &Entry<'_, LimitedReader>) -> u64 {
    match entry.header().entry_type() {
        EntryType::GNUSparse => entry.header().entry_size().unwrap_or_default(),
        _ => entry.size(),
    }
}

/// The most bytes that may describe one member: names of up to 4 KiB, attributes, and the holes of
/// a sparse file.
const LONGEST_MEMBER_DESCRIPTION: u64 = 1024 * 1024;

#[cfg(test)]
mod tests;
