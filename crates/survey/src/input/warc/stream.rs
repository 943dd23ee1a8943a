//! The bytes of a WARC: plain, or decoded from gzip members, with the offset of each member.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use flate2::{Crc, Decompress, FlushDecompress, Status};
use memchr::memmem;

use crate::input::reader::Position;
use crate::input::warc::gzip::{self, Header, MAGIC, RESERVED_FLAGS, TRAILER};

/// The source of the bytes of a WARC.
#[derive(Debug)]
pub(super) enum ByteStream {
    Plain(Plain),
    Gzip(Box<Members>),
}

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

impl ByteStream {
    /// Opens a file as gzip or plain by its first bytes, because the name may be wrong.
    pub(super) fn open(path: &Path, start: Position) -> io::Result<ByteStream> {
        let mut file = File::open(path)?;
        let mut magic = Vec::new();
        file.by_ref()
            .take(MAGIC.len() as u64)
            .read_to_end(&mut magic)?;
        file.seek(SeekFrom::Start(start.at))?;
        let file = BufReader::with_capacity(BUFFER, file);
        Ok(if magic.starts_with(GZIP_MAGIC) {
            ByteStream::Gzip(Box::new(Members::open(file, start)))
        } else {
            ByteStream::Plain(Plain { file })
        })
    }

    pub(super) fn read_more(&mut self, to: &mut Vec<u8>) -> io::Result<Step> {
        match self {
            ByteStream::Plain(plain) => plain.read_more(to),
            ByteStream::Gzip(members) => members.read_more(to),
        }
    }
}

/// The bytes of a file without compression.
#[derive(Debug)]
pub(super) struct Plain {
    file: BufReader<File>,
}

impl Plain {
    fn read_more(&mut self, to: &mut Vec<u8>) -> io::Result<Step> {
        let bytes = self.file.fill_buf()?;
        let length = bytes.len();
        to.extend_from_slice(bytes);
        self.file.consume(length);
        Ok(if length == 0 {
            Step::InputEnd
        } else {
            Step::Bytes
        })
    }
}

/// The decoded bytes of a file of gzip members (RFC 1952 §2.2).
#[derive(Debug)]
pub(super) struct Members {
    file: BufReader<File>,
    /// The offset of the next compressed byte.
    next: u64,
    /// The offset of the member that is open, or was open last.
    member: u64,
    stage: Stage,
    /// The bytes of broken members that were searched a second time.
    gone_back: u64,
    /// The decoder, reset for each member.
    inflate: Decompress,
    /// The checksum of the open member.
    checksum: Crc,
    /// The output of one read. `decompress_vec` is slower, as it clears all the spare room of its
    /// vector each time.
    decoded: Vec<u8>,
}

/// The next part of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Header,
    Deflated,
    Trailer,
}

impl Members {
    fn open(file: BufReader<File>, start: Position) -> Members {
        Members {
            file,
            next: start.at,
            member: start.at,
            stage: Stage::Header,
            gone_back: start.gone_back,
            inflate: Decompress::new(false),
            checksum: Crc::new(),
            decoded: vec![0; DECODED_ROOM],
        }
    }

    /// The offset of the member that the next bytes come from.
    pub(super) fn member(&self) -> u64 {
        match self.stage {
            Stage::Header => self.next,
            Stage::Deflated | Stage::Trailer => self.member,
        }
    }

    pub(super) fn gone_back(&self) -> u64 {
        self.gone_back
    }

    fn read_more(&mut self, to: &mut Vec<u8>) -> io::Result<Step> {
        loop {
            match self.stage {
                Stage::Header => {
                    if self.file.fill_buf()?.is_empty() {
                        return Ok(Step::InputEnd);
                    }
                    self.member = self.next;
                    let is_whole = |bytes: &[u8]| Header::read(bytes) != Header::Cut;
                    match Header::read(self.peek(is_whole)?) {
                        Header::Whole(length) => self.consume(length),
                        Header::Damaged(length) => {
                            self.consume(length);
                            return Ok(Step::Broken);
                        }
                        Header::Cut | Header::Wrong => return Ok(Step::Broken),
                    }
                    self.inflate.reset(false);
                    self.checksum.reset();
                    self.stage = Stage::Deflated;
                }
                Stage::Deflated => match self.inflate(to)? {
                    Some(step) => return Ok(step),
                    None => self.stage = Stage::Trailer,
                },
                Stage::Trailer => {
                    let bytes = self.peek(|bytes| bytes.len() >= TRAILER)?;
                    let written = bytes.first_chunk().copied();
                    if written != Some(gzip::trailer(&self.checksum)) {
                        return Ok(Step::Broken);
                    }
                    self.consume(TRAILER);
                    self.stage = Stage::Header;
                    return Ok(Step::MemberEnd);
                }
            }
        }
    }

    /// Returns the next bytes without consuming them. If the buffer ends too early for `is_whole`,
    /// it is filled again from the first of them.
    fn peek(&mut self, is_whole: impl Fn(&[u8]) -> bool) -> io::Result<&[u8]> {
        if !is_whole(self.file.buffer()) {
            self.file.seek(SeekFrom::Start(self.next))?;
        }
        self.file.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.next += bytes as u64;
        self.file.consume(bytes);
    }

    /// Decodes some bytes; `None` at the end of the deflated data.
    fn inflate(&mut self, to: &mut Vec<u8>) -> io::Result<Option<Step>> {
        loop {
            let input = self.file.fill_buf()?;
            if input.is_empty() {
                return Ok(Some(Step::Broken));
            }
            let inflate = &mut self.inflate;
            let (read_before, decoded_before) = (inflate.total_in(), inflate.total_out());
            let status = inflate.decompress(input, &mut self.decoded, FlushDecompress::None);
            let read = inflate.total_in() - read_before;
            let decoded = inflate.total_out() - decoded_before;
            let decoded = usize::try_from(decoded).unwrap_or(usize::MAX);
            let decoded = self.decoded.get(..decoded).unwrap_or_default();
            self.checksum.update(decoded);
            to.extend_from_slice(decoded);
            let is_some = !decoded.is_empty();
            self.consume(usize::try_from(read).unwrap_or(usize::MAX));
            match status {
                Ok(Status::StreamEnd) => return Ok(None),
                Ok(_) if is_some => return Ok(Some(Step::Bytes)),
                Ok(_) if read > 0 => {}
                Ok(_) | Err(_) => return Ok(Some(Step::Broken)),
            }
        }
    }

    /// Goes to the next bytes that look like the start of a member. The search begins after the
    /// start of the broken member, not at the error: a cut member often decodes far into the next
    /// one before the error shows.
    pub(super) fn next_candidate(&mut self) -> io::Result<()> {
        self.stage = Stage::Header;
        match self.next.checked_sub(self.member + 1) {
            Some(bytes) => self.go_back(bytes)?,
            None => self.consume(1),
        }
        loop {
            let bytes = self.peek(|bytes| bytes.len() >= CANDIDATE)?;
            let (length, found) = (bytes.len(), find_candidate(bytes));
            match found {
                Some(at) => self.consume(at),
                None if length < CANDIDATE => self.consume(length),
                None => {
                    // A start may be cut by the end of the buffer.
                    self.consume(length - CANDIDATE + 1);
                    continue;
                }
            }
            return Ok(());
        }
    }

    /// Goes back, unless too many bytes were searched twice already. A file in which every few
    /// bytes begin a member that reaches to the end would take quadratic time otherwise.
    fn go_back(&mut self, bytes: u64) -> io::Result<()> {
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

/// Finds the magic number of a member, followed by flags whose reserved bits are zero.
fn find_candidate(window: &[u8]) -> Option<usize> {
    memmem::find_iter(window, MAGIC).find(|at| {
        window
            .get(at + MAGIC.len())
            .is_some_and(|flags| flags & RESERVED_FLAGS == 0)
    })
}

/// The first bytes of any gzip file.
const GZIP_MAGIC: &[u8] = b"\x1f\x8b";

/// The bytes that show the start of a member: the magic number and the flags.
const CANDIDATE: usize = 4;

/// The buffer of the file. Disks and networks are faster with large reads.
const BUFFER: usize = 256 * 1024;

/// The room for the bytes of one read, which holds most records whole.
const DECODED_ROOM: usize = 32 * 1024;

/// The most times that a file is searched again, on average. A file with damage in each member
/// needs far fewer.
const REPEATS: u64 = 4;

/// The bytes that may always be searched twice, so that short files are not affected.
const FREE_REPEATED_BYTES: u64 = 1024 * 1024;
