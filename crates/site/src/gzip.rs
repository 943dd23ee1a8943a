//! Streams that may be gzip. The first bytes decide, because file names may be wrong.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

/// A stream of plain bytes.
pub(crate) type Plain<'s> = Box<dyn BufRead + 's>;

/// The bytes of a stream, decoded if it is gzip.
pub(crate) fn decoded<'s>(source: impl Read + 's) -> io::Result<Plain<'s>> {
    let mut source = source;
    let mut start = Vec::with_capacity(START);
    source.by_ref().take(START as u64).read_to_end(&mut start)?;
    let is_gzip = start.starts_with(MAGIC);
    let whole: Chain<Cursor<Vec<u8>>, _> = Cursor::new(start).chain(source);
    let whole = BufReader::with_capacity(BUFFER, whole);
    Ok(match is_gzip {
        true => Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(whole))),
        false => Box::new(whole),
    })
}

const MAGIC: &[u8] = b"\x1F\x8B";

/// In bytes. The first read of a stream returns this much of it, so that a byte order mark is
/// whole.
const START: usize = 4096;

const BUFFER: usize = 256 * 1024;
