//! The decoder of gzip members (RFC 1952 §2.2).

use std::io;

use flate2::{Crc, Decompress, FlushDecompress, Status};
use memchr::memmem;

use crate::input::warc::gzip::{self, Header, MAGIC, RESERVED_FLAGS, TRAILER};
use crate::input::warc::member_file::{MemberFile, Step};

/// Decodes one member after another.
pub(super) struct Inflate {
    stage: Stage,
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

impl Inflate {
    pub(super) fn new() -> Inflate {
        Inflate {
            stage: Stage::Header,
            inflate: Decompress::new(false),
            checksum: Crc::new(),
            decoded: vec![0; DECODED_ROOM],
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
                    file.enter_member();
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
                    let is_whole = bytes.len() >= TRAILER;
                    let written = bytes.first_chunk().copied();
                    if !is_whole {
                        return Ok(file.cut());
                    }
                    if written != Some(gzip::trailer(&self.checksum)) {
                        return Ok(Step::Broken);
                    }
                    file.consume(TRAILER);
                    file.end_member();
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
        loop {
            let input = file.fill()?;
            if input.is_empty() {
                return Ok(Some(file.cut()));
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
            file.consume(usize::try_from(read).unwrap_or(usize::MAX));
            match status {
                Ok(Status::StreamEnd) => return Ok(None),
                Ok(_) if is_some => return Ok(Some(Step::Bytes)),
                Ok(_) if read > 0 => {}
                Ok(_) | Err(_) => return Ok(Some(Step::Broken)),
            }
        }
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

/// The room for the bytes of one read, which holds most records whole.
pub(super) const DECODED_ROOM: usize = 32 * 1024;
