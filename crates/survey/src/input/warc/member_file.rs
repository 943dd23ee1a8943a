//! The compressed file that gzip members and zstd frames are read from, with the offset of each.

use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom};

use crate::input::reader::Position;
use crate::input::warc::source::Source;

/// The result of one read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Some bytes were added.
    Bytes,
    /// The member ends here with the right checksum. Some bytes may have been added too.
    MemberEnd,
    /// The member does not decode, or the input ends within it.
    Broken,
    InputEnd,
}

/// The result of one call of a decoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decoded {
    /// The compressed bytes that were read.
    pub(super) read: usize,
    /// The bytes that were decoded.
    pub(super) written: usize,
    /// Whether the data goes on, ends or is wrong.
    pub(super) step: Step,
}

/// A file of members: gzip members (RFC 1952 §2.2) or zstd frames (RFC 8878 §3.1).
pub(super) struct MemberFile {
    file: BufReader<Box<dyn Source>>,
    /// The offset of the next compressed byte.
    pub(super) next: u64,
    /// The offset of the member that is open, or was open last.
    member: u64,
    /// Whether the header of the member is read, and its end is not.
    pub(super) is_within_member: bool,
    /// Whether the file ends within the member that was open last.
    pub(super) is_cut: bool,
    /// The bytes of broken members that were searched a second time.
    pub(super) gone_back: u64,
}

impl MemberFile {
    pub(super) fn open(file: BufReader<Box<dyn Source>>, start: Position) -> MemberFile {
        MemberFile {
            file,
            next: start.at,
            member: start.at,
            is_within_member: false,
            is_cut: false,
            gone_back: start.gone_back,
        }
    }

    /// The offset of the member that the next bytes come from.
    pub(super) fn member(&self) -> u64 {
        if self.is_within_member {
            self.member
        } else {
            self.next
        }
    }

    /// Notes that a member begins at the next byte.
    pub(super) fn begin_member(&mut self) {
        self.member = self.next;
        self.is_cut = false;
    }

    /// Notes that the file ends within the member.
    pub(super) fn cut(&mut self) -> Step {
        self.is_cut = true;
        Step::Broken
    }

    /// Returns the buffered bytes; none at the end of the file.
    pub(super) fn fill(&mut self) -> io::Result<&[u8]> {
        self.file.fill_buf()
    }

    /// Returns the next bytes without consuming them. If the buffer ends too early for `is_whole`,
    /// it is filled again from the first of them.
    pub(super) fn peek(&mut self, is_whole: impl Fn(&[u8]) -> bool) -> io::Result<&[u8]> {
        if !is_whole(self.file.buffer()) {
            self.file.seek(SeekFrom::Start(self.next))?;
        }
        self.file.fill_buf()
    }

    pub(super) fn consume(&mut self, bytes: usize) {
        self.next += bytes as u64;
        self.file.consume(bytes);
    }

    /// Decodes some bytes of the member with `decode`, which keeps them. Returns `None` at the end
    /// of the compressed data.
    pub(super) fn decode(
        &mut self,
        mut decode: impl FnMut(&[u8]) -> Decoded,
    ) -> io::Result<Option<Step>> {
        loop {
            let input = self.fill()?;
            if input.is_empty() {
                return Ok(Some(self.cut()));
            }
            let decoded = decode(input);
            self.consume(decoded.read);
            match decoded.step {
                Step::MemberEnd => return Ok(None),
                Step::Bytes if decoded.written > 0 => return Ok(Some(Step::Bytes)),
                Step::Bytes if decoded.read > 0 => {}
                _ => return Ok(Some(Step::Broken)),
            }
        }
    }

    /// Goes to the next bytes that look like the start of a member. `find` finds them in a window,
    /// and a start has `length` bytes. The search begins after the start of the broken member, not
    /// at the error: a cut member often decodes far into the next one before the error shows.
    pub(super) fn next_candidate(
        &mut self,
        length: usize,
        find: impl Fn(&[u8]) -> Option<usize>,
    ) -> io::Result<()> {
        self.is_within_member = false;
        match self.next.checked_sub(self.member + 1) {
            Some(bytes) => self.go_back(bytes)?,
            None => self.consume(1),
        }
        loop {
            let bytes = self.peek(|bytes| bytes.len() >= length)?;
            let (there, found) = (bytes.len(), find(bytes));
            match found {
                Some(at) => self.consume(at),
                None if there < length => self.consume(there),
                None => {
                    // A start may be cut by the end of the buffer.
                    self.consume(there - length + 1);
                    continue;
                }
            }
            return Ok(());
        }
    }

    /// Goes back, unless too many bytes were searched twice already. Without this limit, a file in
    /// which every few bytes begin a member that reaches to the end would take quadratic time. A
    /// pipe goes back only as far as it keeps its bytes.
    fn go_back(&mut self, bytes: u64) -> io::Result<()> {
        let bytes = bytes.min(self.next.saturating_sub(self.file.get_ref().earliest()));
        let again = self.gone_back + bytes;
        if again > FREE_REPEATED_BYTES.saturating_add(self.next.saturating_mul(REPEATS)) {
            return Ok(());
        }
        self.gone_back = again;
        self.next -= bytes;
        // `seek` would discard the buffer and read the bytes again.
        self.file
            .seek_relative(-i64::try_from(bytes).map_err(io::Error::other)?)
    }
}

/// The room for the bytes of one read, which holds most records whole.
pub(super) const DECODED_ROOM: usize = 32 * 1024;

/// The buffer of the file. Disks and networks are faster with large reads.
pub(super) const BUFFER: usize = 256 * 1024;

/// The most times that a file is searched again, on average. A file with damage in each member
/// needs far fewer.
const REPEATS: u64 = 4;

/// The bytes that may always be searched twice, so that short files are not affected.
const FREE_REPEATED_BYTES: u64 = 1024 * 1024;
