//! The octets of a WARC: as they are, or out of gzip members, with the place of each member.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use flate2::{Decompress, FlushDecompress, Status};
use memchr::memmem;

/// Where octets come from.
#[derive(Debug)]
pub(super) enum Octets {
    Plain(Plain),
    Gzip(Members),
}

/// What was added by one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Some,
    /// The member is over, and its checksum is right. Some octets may have been added too.
    MemberEnd,
    /// The member does not decode, or the input ends within it.
    Broken,
    InputEnd,
}

impl Octets {
    /// By its first octets: what a name says is not always true of the file.
    pub(super) fn open(path: &Path, start: u64) -> io::Result<Octets> {
        let mut file = File::open(path)?;
        let mut magic = Vec::new();
        file.by_ref()
            .take(MAGIC.len() as u64)
            .read_to_end(&mut magic)?;
        file.seek(SeekFrom::Start(start))?;
        let file = BufReader::with_capacity(BUFFER, file);
        Ok(if magic.starts_with(GZIP) {
            Octets::Gzip(Members {
                file,
                next: start,
                member: start,
                inflate: None,
                decoded: vec![0; ROOM],
            })
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
    /// Where the next compressed octet is.
    next: u64,
    /// Where the member that is open, or was last open, starts.
    member: u64,
    /// Of the open member.
    inflate: Option<Decompress>,
    /// What comes out at once. (`decompress_vec` would clear all the free room of its vector each time.)
    decoded: Vec<u8>,
}

impl Members {
    /// Where the next octets come from.
    pub(super) fn member(&self) -> u64 {
        match self.inflate {
            Some(_) => self.member,
            None => self.next,
        }
    }

    fn more(&mut self, to: &mut Vec<u8>) -> io::Result<Step> {
        loop {
            let input = self.file.fill_buf()?;
            if input.is_empty() {
                return Ok(match self.inflate {
                    Some(_) => Step::Broken,
                    None => Step::InputEnd,
                });
            }
            let start = self.next;
            let inflate = self.inflate.get_or_insert_with(|| {
                self.member = start;
                Decompress::new_gzip(WINDOW_BITS)
            });
            let (read_before, decoded_before) = (inflate.total_in(), inflate.total_out());
            let status = inflate.decompress(input, &mut self.decoded, FlushDecompress::None);
            let read = inflate.total_in() - read_before;
            let decoded = inflate.total_out() - decoded_before;
            let decoded = usize::try_from(decoded).unwrap_or(usize::MAX);
            to.extend_from_slice(self.decoded.get(..decoded).unwrap_or_default());
            self.next += read;
            self.file
                .consume(usize::try_from(read).unwrap_or(usize::MAX));
            match status {
                Ok(Status::StreamEnd) => {
                    self.inflate = None;
                    return Ok(Step::MemberEnd);
                }
                Ok(_) if decoded > 0 => return Ok(Step::Some),
                Ok(_) if read > 0 => {}
                Ok(_) | Err(_) => return Ok(Step::Broken),
            }
        }
    }

    /// Goes to what looks like the start of a member after the start of this one; not after the octet that did not
    /// decode, as a cut member is often decoded far into the next one before that is seen.
    pub(super) fn next_candidate(&mut self) -> io::Result<()> {
        self.inflate = None;
        self.next = self.member + 1;
        self.file.seek(SeekFrom::Start(self.next))?;
        let mut window = Vec::with_capacity(BUFFER + HEAD);
        loop {
            let input = self.file.fill_buf()?;
            let length = input.len();
            window.extend_from_slice(input);
            self.file.consume(length);
            if let Some(at) = candidate(&window) {
                self.next += at as u64;
                self.file.seek(SeekFrom::Start(self.next))?;
                return Ok(());
            }
            let seen = match length {
                0 => window.len(),
                _ => window.len().saturating_sub(HEAD - 1),
            };
            window.drain(..seen);
            self.next += seen as u64;
            if length == 0 {
                return Ok(());
            }
        }
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

/// With the only method there is.
const MAGIC: &[u8] = b"\x1f\x8b\x08";

/// The magic number and the flags.
const HEAD: usize = 4;

const RESERVED_FLAGS: u8 = 0b1110_0000;

const WINDOW_BITS: u8 = 15;

/// Of the file; large reads are what disks and networks like.
const BUFFER: usize = 256 * 1024;

/// For what comes out at once: most records whole.
const ROOM: usize = 32 * 1024;
