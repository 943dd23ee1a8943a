//! The bytes of a WARC: as they are, or out of gzip members, with the place of each member.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use flate2::{Crc, Decompress, FlushDecompress, Status};
use memchr::memmem;

use crate::input::reader::Position;
use crate::input::warc::gzip::{self, Header, MAGIC, RESERVED_FLAGS, TRAILER};

/// Where bytes come from.
#[derive(Debug)]
pub(super) enum Octets {
    Plain(Plain),
    Gzip(Box<Members>),
}

/// The result of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Some,
    /// The member is over, and its checksum is right. Some bytes may have been added too.
    MemberEnd,
    /// The member does not decode, or the input ends within it.
    Broken,
    InputEnd,
}

impl Octets {
    /// By its first bytes: what a name says is not always true of the file.
    pub(super) fn open(path: &Path, start: Position) -> io::Result<Octets> {
        let mut file = File::open(path)?;
        let mut magic = Vec::new();
        file.by_ref()
            .take(MAGIC.len() as u64)
            .read_to_end(&mut magic)?;
        file.seek(SeekFrom::Start(start.at))?;
        let file = BufReader::with_capacity(BUFFER, file);
        Ok(if magic.starts_with(GZIP) {
            Octets::Gzip(Box::new(Members::open(file, start)))
        } else {
            Octets::Plain(Plain { file })
        })
    }

    pub(super) fn more(&mut self, to: &mut Vec<u8>) -> io::Result<Step> {
        match self {
            Octets::Plain(plain) => plain.more(to),
            Octets::Gzip(members) => members.more(to),
        }
    }
}

#[derive(Debug)]
pub(super) struct Plain {
    file: BufReader<File>,
}

impl Plain {
    fn more(&mut self, to: &mut Vec<u8>) -> io::Result<Step> {
        let octets = self.file.fill_buf()?;
        let length = octets.len();
        to.extend_from_slice(octets);
        self.file.consume(length);
        Ok(if length == 0 {
            Step::InputEnd
        } else {
            Step::Some
        })
    }
}

/// One gzip member after the other (RFC 1952 §2.2).
#[derive(Debug)]
pub(super) struct Members {
    file: BufReader<File>,
    /// Where the next compressed byte is.
    next: u64,
    /// Where the member that is open, or was last open, starts.
    member: u64,
    stage: Stage,
    /// Bytes that were gone over again, as they were in a member that does not decode.
    gone_back: u64,
    /// The decoder of all members, one after the other.
    inflate: Decompress,
    /// The checksum of the open member.
    checksum: Crc,
    /// The output of one step. (`decompress_vec` would clear all the free room of its vector each time.)
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
            decoded: vec![0; ROOM],
        }
    }

    /// Where the next bytes come from.
    pub(super) fn member(&self) -> u64 {
        match self.stage {
            Stage::Header => self.next,
            Stage::Deflated | Stage::Trailer => self.member,
        }
    }

    pub(super) fn gone_back(&self) -> u64 {
        self.gone_back
    }

    fn more(&mut self, to: &mut Vec<u8>) -> io::Result<Step> {
        loop {
            match self.stage {
                Stage::Header => {
                    if self.file.fill_buf()?.is_empty() {
                        return Ok(Step::InputEnd);
                    }
                    self.member = self.next;
                    let is_whole = |octets: &[u8]| Header::of(octets) != Header::Cut;
                    match Header::of(self.at_once(is_whole)?) {
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
                    let octets = self.at_once(|octets| octets.len() >= TRAILER)?;
                    let written = octets.first_chunk().copied();
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

    /// The next bytes of the file, read again from the first of them if they are not all of what is wanted: the end of
    /// the buffer may be in its midst.
    fn at_once(&mut self, is_whole: impl Fn(&[u8]) -> bool) -> io::Result<&[u8]> {
        if !is_whole(self.file.buffer()) {
            self.file.seek(SeekFrom::Start(self.next))?;
        }
        self.file.fill_buf()
    }

    fn consume(&mut self, octets: usize) {
        self.next += octets as u64;
        self.file.consume(octets);
    }

    /// `None` at the end of what is deflated.
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
                Ok(_) if is_some => return Ok(Some(Step::Some)),
                Ok(_) if read > 0 => {}
                Ok(_) | Err(_) => return Ok(Some(Step::Broken)),
            }
        }
    }

    /// Goes to what looks like the start of a member after the start of this one; not after the byte that did not
    /// decode, as a cut member is often decoded far into the next one before that is seen.
    pub(super) fn next_candidate(&mut self) -> io::Result<()> {
        self.stage = Stage::Header;
        match self.next.checked_sub(self.member + 1) {
            Some(octets) => self.go_back(octets)?,
            None => self.consume(1),
        }
        loop {
            let octets = self.at_once(|octets| octets.len() >= HEAD)?;
            let (length, found) = (octets.len(), candidate(octets));
            match found {
                Some(at) => self.consume(at),
                None if length < HEAD => self.consume(length),
                None => {
                    // It may begin in the last of them.
                    self.consume(length - HEAD + 1);
                    continue;
                }
            }
            return Ok(());
        }
    }

    /// Unless too much was gone over again. In a file where each few bytes begin a member that goes on to the end of
    /// the file, all but a survey of hours would be that.
    fn go_back(&mut self, octets: u64) -> io::Result<()> {
        let again = self.gone_back + octets;
        if again > ALWAYS_AGAIN.saturating_add(self.next.saturating_mul(AGAIN)) {
            return Ok(());
        }
        self.gone_back = again;
        self.next -= octets;
        // Not `seek`, which reads anew what is in the buffer.
        self.file
            .seek_relative(-i64::try_from(octets).map_err(io::Error::other)?)
    }
}

/// The magic number, and bits that a writer leaves at zero.
fn candidate(window: &[u8]) -> Option<usize> {
    memmem::find_iter(window, MAGIC).find(|at| {
        window
            .get(at + MAGIC.len())
            .is_some_and(|flags| flags & RESERVED_FLAGS == 0)
    })
}

const GZIP: &[u8] = b"\x1f\x8b";

/// The magic number and the flags.
const HEAD: usize = 4;

/// The buffer of the file; disks and networks are faster with large reads.
const BUFFER: usize = 256 * 1024;

/// For what comes out at once: most records whole.
const ROOM: usize = 32 * 1024;

/// How often a file is gone over again, on average: much more often than where each member is damaged.
const AGAIN: u64 = 4;

/// Bytes that may be gone over again wherever they are.
const ALWAYS_AGAIN: u64 = 1024 * 1024;
