//! The decoder of zstd frames (RFC 8878), with the dictionary that a `.warc.zst` may begin with.
//!
//! The dictionary is in a skippable frame of its own at the start of the file. It may be compressed
//! itself. Every other skippable frame is skipped.

use std::io::{self, Read};

use memchr::memmem;
use zstd::stream::raw::{Decoder, Operation as _};

use crate::input::warc::member_file::{DECODED_ROOM, Decoded, MemberFile, Step};

/// Decodes one frame after another.
pub(super) struct Frames {
    stage: Stage,
    /// The decoder, reset for each frame.
    decoder: Decoder<'static>,
    /// The output of one read.
    decoded: Vec<u8>,
}

/// The next part of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Magic,
    Compressed,
    /// The bytes of a skippable frame that are left.
    Skipped(u64),
}

impl Frames {
    /// Reads the dictionary at the start of the file, if there is one. Returns the length of its
    /// frame too.
    pub(super) fn open(file: &mut impl Read) -> io::Result<(Frames, u64)> {
        let (dictionary, length) = read_dictionary(file)?;
        let frames = Frames {
            stage: Stage::Magic,
            decoder: Decoder::with_dictionary(&dictionary)?,
            decoded: vec![0; DECODED_ROOM],
        };
        Ok((frames, length))
    }

    pub(super) fn read_more(
        &mut self,
        file: &mut MemberFile,
        to: &mut Vec<u8>,
    ) -> io::Result<Step> {
        loop {
            match self.stage {
                Stage::Magic => {
                    if file.fill()?.is_empty() {
                        return Ok(Step::InputEnd);
                    }
                    file.begin_member();
                    let bytes = file.peek(|bytes| bytes.len() >= SKIPPABLE_HEADER)?;
                    if bytes.starts_with(FRAME) {
                        self.decoder.reinit()?;
                        self.stage = Stage::Compressed;
                    } else if let Some(length) = skippable_length(bytes) {
                        self.stage = Stage::Skipped(SKIPPABLE_HEADER as u64 + length);
                    } else if bytes.len() < SKIPPABLE_HEADER && may_begin_frame(bytes) {
                        return Ok(file.cut());
                    } else {
                        return Ok(Step::Broken);
                    }
                    file.is_within_member = true;
                }
                Stage::Compressed => match self.decompress(file, to)? {
                    Some(step) => return Ok(step),
                    None => return Ok(self.end_frame(file)),
                },
                Stage::Skipped(0) => return Ok(self.end_frame(file)),
                Stage::Skipped(rest) => {
                    let bytes = file.fill()?.len() as u64;
                    if bytes == 0 {
                        return Ok(file.cut());
                    }
                    let bytes = bytes.min(rest);
                    file.consume(usize::try_from(bytes).unwrap_or(usize::MAX));
                    self.stage = Stage::Skipped(rest - bytes);
                }
            }
        }
    }

    /// Goes to the next bytes that look like the start of a frame.
    pub(super) fn next_candidate(&mut self, file: &mut MemberFile) -> io::Result<()> {
        self.stage = Stage::Magic;
        file.next_candidate(FRAME.len(), |window| memmem::find(window, FRAME))
    }

    fn end_frame(&mut self, file: &mut MemberFile) -> Step {
        file.is_within_member = false;
        self.stage = Stage::Magic;
        Step::MemberEnd
    }

    fn decompress(&mut self, file: &mut MemberFile, to: &mut Vec<u8>) -> io::Result<Option<Step>> {
        let (decoder, room) = (&mut self.decoder, &mut self.decoded);
        // Free room within `to` would have to be cleared before each call.
        file.decode(|input| match decoder.run_on_buffers(input, room) {
            Ok(status) => {
                to.extend_from_slice(room.get(..status.bytes_written).unwrap_or_default());
                Decoded {
                    read: status.bytes_read,
                    written: status.bytes_written,
                    step: match status.remaining {
                        0 => Step::MemberEnd,
                        _ => Step::Bytes,
                    },
                }
            }
            Err(_) => Decoded {
                read: 0,
                written: 0,
                step: Step::Broken,
            },
        })
    }
}

/// Whether the first bytes of a file are those of a `.warc.zst`.
pub(in crate::input) fn is_zstd(start: &[u8]) -> bool {
    start.starts_with(FRAME) || start.starts_with(DICTIONARY_FRAME)
}

/// Reads the dictionary frame at the start of a file. Returns the dictionary and the length of its
/// frame, or no bytes and 0 if the file has none.
fn read_dictionary(file: &mut impl Read) -> io::Result<(Vec<u8>, u64)> {
    let mut header = Vec::new();
    file.by_ref()
        .take(SKIPPABLE_HEADER as u64)
        .read_to_end(&mut header)?;
    if !header.starts_with(DICTIONARY_FRAME) {
        return Ok((Vec::new(), 0));
    }
    let length = skippable_length(&header).unwrap_or_default();
    if length > LONGEST_DICTIONARY {
        return Err(too_long());
    }
    let mut dictionary = Vec::new();
    file.by_ref().take(length).read_to_end(&mut dictionary)?;
    if header.len() < SKIPPABLE_HEADER || (dictionary.len() as u64) < length {
        return Err(io::Error::other("it ends within its dictionary"));
    }
    let frame_length = SKIPPABLE_HEADER as u64 + length;
    if !dictionary.starts_with(FRAME) {
        return Ok((dictionary, frame_length));
    }
    let mut decoded = Vec::new();
    zstd::Decoder::with_buffer(&dictionary[..])?
        .take(LONGEST_DICTIONARY + 1)
        .read_to_end(&mut decoded)
        .map_err(|error| io::Error::other(format!("its dictionary does not decode: {error}")))?;
    if decoded.len() as u64 > LONGEST_DICTIONARY {
        return Err(too_long());
    }
    Ok((decoded, frame_length))
}

fn too_long() -> io::Error {
    io::Error::other(format!(
        "its dictionary is longer than {} MiB",
        LONGEST_DICTIONARY >> 20
    ))
}

/// The length of the content of a skippable frame; `None` for other bytes.
fn skippable_length(bytes: &[u8]) -> Option<u64> {
    let [first, middle @ .., a, b, c, d] = bytes.first_chunk::<SKIPPABLE_HEADER>()?;
    let is_skippable = first & 0xF0 == 0x50 && middle == SKIPPABLE_END;
    is_skippable.then(|| u64::from(u32::from_le_bytes([*a, *b, *c, *d])))
}

/// Whether these few bytes may be the start of a frame that more bytes complete.
fn may_begin_frame(bytes: &[u8]) -> bool {
    let is_skippable = match bytes {
        [] => true,
        [first, rest @ ..] => {
            let rest = rest.get(..SKIPPABLE_END.len()).unwrap_or(rest);
            first & 0xF0 == 0x50 && SKIPPABLE_END.starts_with(rest)
        }
    };
    is_skippable || FRAME.starts_with(bytes)
}

/// The magic number of a frame.
const FRAME: &[u8] = b"\x28\xb5\x2f\xfd";

/// The magic number of the skippable frame with the dictionary.
const DICTIONARY_FRAME: &[u8] = b"\x5d\x2a\x4d\x18";

/// The bytes of every magic number of a skippable frame after the first byte.
const SKIPPABLE_END: &[u8] = b"\x2a\x4d\x18";

/// The magic number and the length of a skippable frame.
const SKIPPABLE_HEADER: usize = 8;

/// The most bytes of a dictionary: more than ten times what writers train.
const LONGEST_DICTIONARY: u64 = 16 * 1024 * 1024;
