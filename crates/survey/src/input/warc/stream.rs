//! The bytes of a WARC: plain, or decoded from gzip members or zstd frames, with the offset of
//! each.

use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};

use crate::input::reader::Position;
use crate::input::refusal;
use crate::input::warc::frames::{Frames, is_zstd};
use crate::input::warc::inflate::Inflate;
use crate::input::warc::member_file::{BUFFER, MemberFile, Step};
use crate::input::warc::source::Source;

/// The stream of the bytes of a WARC.
pub(super) enum ByteStream {
    Plain(Plain),
    Members(Box<Members>),
}

impl ByteStream {
    /// Opens a file as gzip, zstd or plain by its first bytes, because the name may be wrong.
    pub(super) fn open(mut source: Source, mut start: Position) -> io::Result<ByteStream> {
        let mut first = Vec::new();
        source
            .by_ref()
            .take(refusal::SEARCHED_START)
            .read_to_end(&mut first)?;
        refusal::check_warc(&first)?;
        source.seek(SeekFrom::Start(0))?;
        let mut file = BufReader::with_capacity(BUFFER, source);
        let decoder = if first.starts_with(GZIP_MAGIC) {
            Decoder::Inflate(Inflate::new())
        } else if is_zstd(&first) {
            let (frames, length) = Frames::open(&mut file)?;
            // A pipe may not keep a long dictionary, which is no record anyway.
            start.at = start.at.max(length);
            Decoder::Frames(frames)
        } else {
            file.seek(SeekFrom::Start(start.at))?;
            return Ok(ByteStream::Plain(Plain { file }));
        };
        file.seek(SeekFrom::Start(start.at))?;
        Ok(ByteStream::Members(Box::new(Members {
            file: MemberFile::open(file, start),
            decoder,
        })))
    }

    pub(super) fn read_more(&mut self, to: &mut Vec<u8>) -> io::Result<Step> {
        match self {
            ByteStream::Plain(plain) => plain.read_more(to),
            ByteStream::Members(members) => members.read_more(to),
        }
    }
}

/// The bytes of a file without compression.
pub(super) struct Plain {
    file: BufReader<Source>,
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

/// The decoded bytes of a compressed file, one member after another.
pub(super) struct Members {
    file: MemberFile,
    decoder: Decoder,
}

enum Decoder {
    Inflate(Inflate),
    Frames(Frames),
}

impl Members {
    /// The file, for the offsets in it.
    pub(super) fn file(&self) -> &MemberFile {
        &self.file
    }

    fn read_more(&mut self, to: &mut Vec<u8>) -> io::Result<Step> {
        match &mut self.decoder {
            Decoder::Inflate(decoder) => decoder.read_more(&mut self.file, to),
            Decoder::Frames(decoder) => decoder.read_more(&mut self.file, to),
        }
    }

    /// Goes to the next bytes that look like the start of a member.
    pub(super) fn next_candidate(&mut self) -> io::Result<()> {
        match &mut self.decoder {
            Decoder::Inflate(decoder) => decoder.next_candidate(&mut self.file),
            Decoder::Frames(decoder) => decoder.next_candidate(&mut self.file),
        }
    }
}

/// The first bytes of any gzip file.
const GZIP_MAGIC: &[u8] = b"\x1f\x8b";
