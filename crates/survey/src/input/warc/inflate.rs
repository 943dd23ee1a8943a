//! The decoder of gzip members (RFC 1952 §2.2).

use std::io;

use flate2::{Crc, Decompress, FlushDecompress};
use memchr::memmem;

use crate::input::warc::gzip::{self, Header, MAGIC, RESERVED_FLAGS, TRAILER};
use crate::input::warc::member_file::{DECODED_ROOM, Decoded, MemberFile, Step};

/// Decodes one member after another.
pub(super) struct Inflate {
    stage: Stage,
    /// The decoder, reset for each member.
    inflate: Decompress,
    /// The checksum of the open member.
    checksum: Crc,
}

/// The next part of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Header,
    Deflated,
    Trailer,
}

impl Inflate {
    pub(super) fn new() -> Inflate {
        Inflate {
            stage: Stage::Header,
            inflate: Decompress::new(false),
            checksum: Crc::new(),
        }
    }

    pub(super) fn read_more(
        &mut self,
        file: &mut MemberFile,
        to: &mut Vec<u8>,
    ) -> io::Result<Step> {
        loop {
            match self.stage {
                Stage::Header => {
                    if file.fill()?.is_empty() {
                        return Ok(Step::InputEnd);
                    }
                    file.begin_member();
                    let is_whole = |bytes: &[u8]| Header::read(bytes) != Header::Cut;
                    match Header::read(file.peek(is_whole)?) {
                        Header::Whole(length) => file.consume(length),
                        Header::Damaged(length) => {
                            file.consume(length);
                            return Ok(Step::Broken);
                        }
                        Header::Cut => return Ok(file.cut()),
                        Header::Wrong => return Ok(Step::Broken),
                    }
                    file.is_within_member = true;
                    self.inflate.reset(false);
                    self.checksum.reset();
                    self.stage = Stage::Deflated;
                }
                Stage::Deflated => match self.inflate(file, to)? {
                    Some(step) => return Ok(step),
                    None => self.stage = Stage::Trailer,
                },
                Stage::Trailer => {
                    let bytes = file.peek(|bytes| bytes.len() >= TRAILER)?;
                    let Some(written) = bytes.first_chunk().copied() else {
                        return Ok(file.cut());
                    };
                    if written != gzip::trailer(&self.checksum) {
                        return Ok(Step::Broken);
                    }
                    file.consume(TRAILER);
                    file.is_within_member = false;
                    self.stage = Stage::Header;
                    return Ok(Step::MemberEnd);
                }
            }
        }
    }

    /// Goes to the next bytes that look like the start of a member.
    pub(super) fn next_candidate(&mut self, file: &mut MemberFile) -> io::Result<()> {
        self.stage = Stage::Header;
        file.next_candidate(CANDIDATE, find_candidate)
    }

    /// Decodes some bytes; `None` at the end of the deflated data.
    fn inflate(&mut self, file: &mut MemberFile, to: &mut Vec<u8>) -> io::Result<Option<Step>> {
        let (inflate, checksum) = (&mut self.inflate, &mut self.checksum);
        file.decode(|input| {
            // `decompress_vec` decodes into the free room and does not grow it.
            if to.capacity() - to.len() < LEAST_ROOM {
                to.reserve(DECODED_ROOM);
            }
            let (read_before, length) = (inflate.total_in(), to.len());
            let status = inflate.decompress_vec(input, to, FlushDecompress::None);
            let decoded = to.get(length..).unwrap_or_default();
            checksum.update(decoded);
            let read = inflate.total_in() - read_before;
            Decoded {
                read: usize::try_from(read).unwrap_or(usize::MAX),
                written: decoded.len(),
                step: match status {
                    Ok(flate2::Status::StreamEnd) => Step::MemberEnd,
                    Ok(_) => Step::Bytes,
                    Err(_) => Step::Broken,
                },
            }
        })
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

/// The bytes that show the start of a member: the magic number and the flags.
const CANDIDATE: usize = 4;

/// The free room below which the buffer grows: the size of a short record.
const LEAST_ROOM: usize = 4 * 1024;
