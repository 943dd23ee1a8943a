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
    Plain(BufReader<Box<dyn Source>>),
    Members(Box<MemberFile>, Decoder),
}

pub(super) enum Decoder {
    Inflate(Inflate),
    Frames(Frames),
}

impl ByteStream {
    /// Opens a file as gzip, zstd or plain by its first bytes, because the name may be wrong.
    pub(super) fn open(mut source: Box<dyn Source>, mut start: Position) -> io::Result<ByteStream> {
        let mut first = Vec::new();
        source
            .by_ref()
            .take(refusal::SEARCHED_START)
            .read_to_end(&mut first)?;
        refusal::check_warc(&first)?;
        source.seek(SeekFrom::Start(0))?;
        let mut file = BufReader::with_capacity(BUFFER, source);
        let decoder = if first.starts_with(GZIP_MAGIC) {
            Some(Decoder::Inflate(Inflate::new()))
        } else if is_zstd(&first) {
            let (frames, length) = Frames::open(&mut file)?;
            // Reading begins after the dictionary: it is no record, and a pipe may not keep a long
            // one.
            start.at = start.at.max(length);
            Some(Decoder::Frames(frames))
        } else {
            None
        };
        file.seek(SeekFrom::Start(start.at))?;
        Ok(match decoder {
            Some(decoder) => ByteStream::Members(Box::new(MemberFile::open(file, start)), decoder),
            None => ByteStream::Plain(file),
        })
    }

    /// The file of the members, for the offsets in it; `None` for a plain file.
    pub(super) fn members(&self) -> Option<&MemberFile> {
        match self {
            ByteStream::Plain(_) => None,
            ByteStream::Members(file, _) => Some(file),
        }
    }

    pub(super) fn read_more(&mut self, to: &mut Vec<u8>) -> io::Result<Step> {
        match self {
            ByteStream::Plain(file) => {
                let bytes = file.fill_buf()?;
                let length = bytes.len();
                to.extend_from_slice(bytes);
                file.consume(length);
                Ok(match length {
                    0 => Step::InputEnd,
                    _ => Step::Bytes,
                })
            }
            ByteStream::Members(file, Decoder::Inflate(decoder)) => decoder.read_more(file, to),
            ByteStream::Members(file, Decoder::Frames(decoder)) => decoder.read_more(file, to),
        }
    }

    /// Goes to the next bytes that look like the start of a member.
    pub(super) fn next_candidate(&mut self) -> io::Result<()> {
        match self {
            ByteStream::Plain(_) => Ok(()),
            ByteStream::Members(file, Decoder::Inflate(decoder)) => decoder.next_candidate(file),
            ByteStream::Members(file, Decoder::Frames(decoder)) => decoder.next_candidate(file),
        }
    }
}

/// The first bytes of any gzip file.
const GZIP_MAGIC: &[u8] = b"\x1f\x8b";
