//! The reader of WARC archives (ISO 28500): plain, with gzip members as Common Crawl's robotstxt
//! archives, or with zstd frames.
//!
//! The length of a record is trusted only if the end of a block follows. Otherwise the record is
//! skipped, and reading continues at the next line that looks like the start of a record. A member
//! that does not decode loses its last record, and reading continues at the next bytes that look
//! like the start of a member; a zstd frame is called a member too. If each record is a member of
//! its own, as the format recommends, no other record is lost.
//!
//! A record never crosses the end of a member.

mod frames;
mod gzip;
mod head;
mod inflate;
mod member_file;
pub(super) mod source;
mod stream;

use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use memchr::{memchr, memchr_iter, memchr2, memmem};

use self::head::{Extent, Head, RecordKind};
use self::member_file::{MemberFile, Step};
use self::source::Source;
use self::stream::ByteStream;
use crate::batch::Batch;
use crate::content::{BodyEnd, Place, SkipReason};
use crate::input::reader::{Chunk, Limits, Position, Reader};

/// Reads a WARC archive.
pub(super) struct Warc {
    input: Arc<PathBuf>,
    stream: ByteStream,
    limits: Limits,
    /// The bytes of this member that were read; those from `at` on are not consumed yet.
    buffer: Vec<u8>,
    at: usize,
    /// The number of bytes before `at` in this member, or in a plain file.
    within: u64,
    /// The offset of this member in the file; 0 for a plain file.
    member: u64,
    /// The result of the last read: more bytes may follow the buffer, the member ends, or it is
    /// broken.
    end: Step,
    /// Whether a record was seen in this member.
    has_record: bool,
    /// Whether the reader searches for the next member after a broken one. Bytes that look like a
    /// start may lie within the broken member: if they do not decode, they count as new damage only
    /// if they held a record.
    is_searching: bool,
    /// Whether the input ends within the record that was read last.
    is_cut: bool,
}

/// The next part of the input.
enum NextPart {
    Record {
        head: Head,
        block: Range<usize>,
        end: BodyEnd,
        /// The position at which reading continues.
        after: usize,
        /// The bytes of the block that are no longer in the buffer.
        dropped: u64,
    },
    /// The bytes are not a record, or its length is wrong.
    Lost {
        /// The position from which the next start is searched.
        from: usize,
        /// The bytes that are no longer in the buffer.
        dropped: u64,
    },
    /// The record or its member does not decode to its end.
    Broken,
    End,
}

impl NextPart {
    fn lost(from: usize) -> NextPart {
        NextPart::Lost { from, dropped: 0 }
    }
}

/// The soundness of the length of a block, judged by the bytes after it.
enum Frame {
    Sound,
    Wrong,
    /// The record is the last one of a member that does not decode to its end.
    Broken,
}

impl Reader for Warc {
    fn next(&mut self) -> Chunk {
        let start = self.position();
        let mut batch = Batch::with_room(self.limits.batch);
        let mut result = Ok(true);
        while matches!(result, Ok(true))
            && !self.limits.interrupt.is_raised()
            && (self.is_searching || self.is_cut || !batch.holds(self.limits.batch))
        {
            result = self.read_record(&mut batch);
        }
        // After an interrupt the batch may end anywhere, because a member or a search may be very
        // long.
        if self.limits.interrupt.is_raised() {
            return Chunk::empty(start);
        }
        let is_last = !matches!(result, Ok(true));
        let bytes_read = match self.stream.members() {
            None => self.within,
            Some(file) if is_last => file.next,
            Some(file) => file.member(),
        };
        Chunk {
            batch,
            position: self.position(),
            bytes_read,
            is_last,
            cut_at: (self.is_cut && matches!(result, Ok(false))).then_some(bytes_read),
            failure: result.err(),
        }
    }
}

impl Warc {
    pub(super) fn open(
        input: Arc<PathBuf>,
        source: Box<dyn Source>,
        limits: Limits,
        position: Position,
    ) -> io::Result<Warc> {
        let stream = ByteStream::open(source, position)?;
        let mut warc = Warc {
            input,
            limits,
            buffer: Vec::new(),
            at: 0,
            within: stream.members().map_or(position.at, |_| 0),
            member: stream.members().map_or(0, MemberFile::member),
            stream,
            end: Step::Bytes,
            has_record: false,
            is_searching: false,
            is_cut: false,
        };
        warc.skip(position.within)?;
        Ok(warc)
    }

    /// Goes to the place within a member where an earlier run stopped.
    fn skip(&mut self, mut bytes: u64) -> io::Result<()> {
        // An earlier run stops only after a record.
        self.has_record = bytes > 0;
        while bytes > 0 {
            if self.unread().is_empty() && !self.read_more()? {
                return Err(io::Error::other(
                    "it ends before the place where the survey stopped",
                ));
            }
            let here = usize::try_from(bytes)
                .unwrap_or(usize::MAX)
                .min(self.buffer.len());
            self.go_to(here, 0);
            bytes -= here as u64;
        }
        Ok(())
    }

    fn position(&self) -> Position {
        let Some(file) = self.stream.members() else {
            return Position::after(self.within);
        };
        let (at, within) = match self.end == Step::MemberEnd && self.unread().is_empty() {
            true => (file.member(), 0),
            false => (self.member, self.within),
        };
        Position {
            at,
            within,
            gone_back: file.gone_back,
        }
    }

    /// Reads one record, or skips bytes that are not one. Returns `false` at the end of the input.
    fn read_record(&mut self, batch: &mut Batch) -> io::Result<bool> {
        let next = self.find_next()?;
        let place = self.place();
        match next {
            NextPart::Record {
                head,
                block,
                end,
                after,
                dropped,
            } => {
                self.is_searching = false;
                let block = self.buffer.get(block).unwrap_or_default();
                push(batch, place, head, block, end);
                self.go_to(after, dropped);
            }
            NextPart::Lost { from, dropped } => {
                self.within += dropped;
                self.go_to_next_start(from)?;
                // A broken member may decode to nonsense before its error shows: this is one
                // damage, not two.
                if self.end == Step::Broken && self.unread().is_empty() {
                    return self.leave_broken(batch, place);
                }
                batch.push_skipped(SkipReason::BrokenRecord, place);
            }
            NextPart::Broken => return self.leave_broken(batch, place),
            NextPart::End if self.end == Step::InputEnd => return Ok(false),
            NextPart::End => {
                self.is_searching = false;
                self.start_member();
            }
        }
        Ok(true)
    }

    fn place(&self) -> Place {
        Place {
            input: Arc::clone(&self.input),
            member: String::new(),
            offset: self.stream.members().map_or(self.within, |_| self.member),
        }
    }

    fn find_next(&mut self) -> io::Result<NextPart> {
        self.skip_line_ends()?;
        if !self.require(RECORD_START.len())? && self.unread().is_empty() {
            return Ok(match self.end {
                Step::Broken => NextPart::Broken,
                _ => NextPart::End,
            });
        }
        if !self.unread().starts_with(RECORD_START) {
            self.is_cut |= self.end == Step::InputEnd && RECORD_START.starts_with(self.unread());
            return Ok(NextPart::lost(self.at));
        }
        self.has_record = true;
        self.is_cut = false;
        let Some(head_length) = self.head_length()? else {
            return Ok(match self.end {
                Step::Broken => NextPart::Broken,
                _ => NextPart::lost(self.at),
            });
        };
        let head = self.unread().get(..head_length).and_then(head::parse);
        let Some(head) = head else {
            return Ok(NextPart::lost(self.at));
        };
        let block = self.at + head_length;
        match usize::try_from(head.length) {
            Ok(length) if length <= self.kept_block_limit() => {
                self.read_block(head, block..block + length)
            }
            _ => self.read_long_block(head, block),
        }
    }

    fn skip_line_ends(&mut self) -> io::Result<()> {
        loop {
            let line_ends = count_line_ends(self.unread());
            self.go_to(self.at + line_ends, 0);
            if !self.unread().is_empty() || !self.grow()? {
                return Ok(());
            }
        }
    }

    fn head_length(&mut self) -> io::Result<Option<usize>> {
        loop {
            match Extent::find(self.unread()) {
                Extent::Whole(length) => return Ok(Some(length)),
                Extent::Wrong => return Ok(None),
                Extent::Cut => {}
            }
            if self.unread().len() > LONGEST_HEAD {
                return Ok(None);
            }
            if !self.grow()? {
                self.is_cut = self.end == Step::InputEnd;
                return Ok(None);
            }
        }
    }

    /// Reads a block that is kept whole.
    fn read_block(&mut self, head: Head, block: Range<usize>) -> io::Result<NextPart> {
        let is_whole = self.require(block.end - self.at)?;
        let end = if is_whole && !head.is_truncated {
            BodyEnd::Complete
        } else {
            BodyEnd::CutShort
        };
        let in_buffer = block.start..block.end.min(self.buffer.len());
        let frame = if is_whole {
            self.check_frame(block.end)?
        } else if self.find_signature(block.start - 1..block.end).is_some() {
            Frame::Wrong
        } else if self.end == Step::Broken {
            Frame::Broken
        } else {
            self.is_cut = self.end == Step::InputEnd;
            Frame::Sound
        };
        Ok(match frame {
            Frame::Wrong => NextPart::lost(block.start - 1),
            Frame::Broken => NextPart::Broken,
            Frame::Sound => NextPart::Record {
                head,
                after: in_buffer.end,
                block: in_buffer,
                end,
                dropped: 0,
            },
        })
    }

    /// Checks that a block ends at `end`: two line ends, the next record or the end of the input
    /// must follow. For the last record of a member it reads up to the end of the member, where a
    /// wrong checksum shows.
    fn check_frame(&mut self, end: usize) -> io::Result<Frame> {
        let mut from = end;
        loop {
            let most = self.buffer.len().min(end.saturating_add(MOST_LINE_ENDS));
            from += count_line_ends(self.buffer.get(from..most).unwrap_or_default());
            let length = self.buffer.len() - from;
            if length < RECORD_START.len() {
                if self.grow()? {
                    continue;
                }
                if self.end == Step::Broken {
                    return Ok(Frame::Broken);
                }
            }
            let after = self.buffer.get(end..).unwrap_or_default();
            let rest = self.buffer.get(from..).unwrap_or_default();
            let is_sound =
                after.starts_with(BLOCK_END) || rest.is_empty() || rest.starts_with(RECORD_START);
            return Ok(if is_sound { Frame::Sound } else { Frame::Wrong });
        }
    }

    /// Reads a block that is longer than its kept part, and drops the rest while reading. A length
    /// this large is often wrong, and the dropped bytes cannot be read again. Therefore the start
    /// of a record within the block ends the block.
    fn read_long_block(&mut self, head: Head, block: usize) -> io::Result<NextPart> {
        let kept = block.saturating_add(self.kept_block_limit());
        let is_long = self.require(kept - self.at)?;
        // The search includes the line end of the head, which may precede the next record.
        if let Some(start) = self.find_signature(block - 1..kept) {
            return Ok(NextPart::lost(start));
        }
        if !is_long && self.end == Step::Broken {
            return Ok(NextPart::Broken);
        }
        if !is_long {
            self.is_cut = self.end == Step::InputEnd;
            let block = block..self.buffer.len();
            return Ok(NextPart::Record {
                head,
                after: block.end,
                block,
                end: BodyEnd::CutShort,
                dropped: 0,
            });
        }
        let mut dropped = 0;
        let mut rest = head.length - self.kept_block_limit() as u64;
        loop {
            let beyond = self.buffer.len() - kept;
            let end = usize::try_from(rest).map_or(usize::MAX, |rest| kept.saturating_add(rest));
            if let Some(from) = self.find_signature(kept..end) {
                return Ok(NextPart::Lost { from, dropped });
            }
            if beyond as u64 >= rest {
                break;
            }
            let done = beyond.saturating_sub(RECORD_SIGNATURE.len());
            self.buffer.drain(kept..kept + done);
            dropped += done as u64;
            rest -= done as u64;
            if !self.grow()? {
                self.is_cut = self.end == Step::InputEnd;
                rest = (self.buffer.len() - kept) as u64;
                break;
            }
        }
        let after = kept + usize::try_from(rest).unwrap_or_default();
        Ok(match self.check_frame(after)? {
            Frame::Wrong => NextPart::Lost {
                from: after,
                dropped,
            },
            Frame::Broken => NextPart::Broken,
            Frame::Sound => NextPart::Record {
                head,
                block: block..kept,
                end: BodyEnd::LimitReached,
                after,
                dropped,
            },
        })
    }

    /// Goes to the next line that looks like the start of a record, or to the end of the member.
    fn go_to_next_start(&mut self, mut from: usize) -> io::Result<()> {
        loop {
            if let Some(line_end) = self.find_signature(from..usize::MAX) {
                self.go_to(line_end + 1, 0);
                return Ok(());
            }
            let seen = self.buffer.len().saturating_sub(RECORD_SIGNATURE.len() - 1);
            self.go_to(seen.max(from), 0);
            from = self.at;
            if !self.grow()? {
                self.go_to(self.buffer.len(), 0);
                return Ok(());
            }
        }
    }

    /// Finds the line end before a line that looks like the start of a record.
    fn find_signature(&self, within: Range<usize>) -> Option<usize> {
        let from = within.start;
        let within = from..within.end.min(self.buffer.len());
        memmem::find(self.buffer.get(within)?, RECORD_SIGNATURE).map(|at| from + at)
    }

    /// Leaves a member that does not decode, and goes to bytes that look like the next one.
    fn leave_broken(&mut self, batch: &mut Batch, place: Place) -> io::Result<bool> {
        if !self.is_searching || self.has_record {
            batch.push_skipped(SkipReason::BrokenCompression, place);
            self.is_cut = self.stream.members().is_some_and(|file| file.is_cut);
        }
        self.stream.next_candidate()?;
        self.is_searching = true;
        self.start_member();
        Ok(true)
    }

    fn start_member(&mut self) {
        self.buffer.clear();
        self.at = 0;
        self.end = Step::Bytes;
        self.has_record = false;
        if let Some(file) = self.stream.members() {
            self.within = 0;
            self.member = file.member();
        }
    }

    fn unread(&self) -> &[u8] {
        self.buffer.get(self.at..).unwrap_or_default()
    }

    /// Reads until this many bytes are available. Returns whether they are.
    fn require(&mut self, bytes: usize) -> io::Result<bool> {
        while self.unread().len() < bytes {
            if !self.grow()? {
                return Ok(self.unread().len() >= bytes);
            }
        }
        Ok(true)
    }

    /// Adds bytes of this member to the buffer, unless there are none or the interrupt is raised.
    fn grow(&mut self) -> io::Result<bool> {
        Ok(!self.limits.interrupt.is_raised() && self.read_more()?)
    }

    fn read_more(&mut self) -> io::Result<bool> {
        if self.end != Step::Bytes {
            return Ok(false);
        }
        let length = self.buffer.len();
        self.end = self.stream.read_more(&mut self.buffer)?;
        Ok(self.buffer.len() > length)
    }

    fn go_to(&mut self, at: usize, dropped: u64) {
        let at = at.min(self.buffer.len());
        self.within += (at - self.at) as u64 + dropped;
        self.at = at;
        // The buffer is drained rarely, because that moves all remaining bytes.
        if self.at == self.buffer.len() || self.at > MOST_CONSUMED {
            self.buffer.drain(..self.at);
            self.at = 0;
        }
    }

    /// The most bytes of a block that are kept.
    fn kept_block_limit(&self) -> usize {
        self.limits.max_bytes.saturating_add(LONGEST_HEAD)
    }
}

fn push(batch: &mut Batch, place: Place, head: Head, block: &[u8], end: BodyEnd) {
    match head.kind {
        RecordKind::Http => {
            let is_robots_txt = is_robots_txt(&head.url);
            if let Some(date) = head.date.filter(|_| is_robots_txt) {
                batch
                    .dates
                    .add(std::str::from_utf8(&date).unwrap_or_default());
            }
            batch.push_http(place, head.url, block, end, is_robots_txt);
        }
        RecordKind::OtherProtocol => batch.push_skipped(SkipReason::NotHttp, place),
        RecordKind::NoResponse => batch.push_skipped(SkipReason::NotAResponse, place),
    }
}

fn is_robots_txt(url: &str) -> bool {
    let bytes = url.as_bytes();
    let after_scheme = memchr_iter(b':', bytes)
        .filter_map(|at| bytes.get(at..)?.strip_prefix(b"://"))
        .next();
    let parts = after_scheme.and_then(|rest| rest.split_at_checked(memchr(b'/', rest)?));
    parts.is_some_and(|(authority, path)| {
        let after_path = path.strip_prefix(b"/robots.txt");
        memchr2(b'?', b'#', authority).is_none()
            && matches!(after_path, Some([] | [b'?' | b'#', ..]))
    })
}

fn count_line_ends(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take_while(|byte| matches!(byte, b'\r' | b'\n'))
        .count()
}

/// The start of a record.
const RECORD_START: &[u8] = b"WARC/";

/// The end of a block.
const BLOCK_END: &[u8] = b"\r\n\r\n";

/// The most bytes of line ends between two records. Without a limit, many records could lead to the
/// same long run of line ends, and take quadratic time.
const MOST_LINE_ENDS: usize = 1024;

/// The line end and the first bytes of a line that looks like the start of a record.
const RECORD_SIGNATURE: &[u8] = b"\nWARC/1.";

/// The most bytes of the head of a record, and of the head of an HTTP response: several times what
/// servers send.
const LONGEST_HEAD: usize = 64 * 1024;

/// The most consumed bytes that stay in the buffer.
const MOST_CONSUMED: usize = 1024 * 1024;

#[cfg(test)]
#[path = "../../../tests/generator.rs"]
mod generator;
#[cfg(test)]
mod tests;
