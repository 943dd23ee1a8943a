//! The source of the bytes of a WARC: a file, or standard input, of which the last bytes are kept.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// A source that can be read again: a file from any offset, a pipe from its last megabyte on.
pub(in crate::input) trait Source: Read + Seek + Send {
    /// The offset of the first byte that can be read again.
    fn earliest(&self) -> u64;
}

impl Source for File {
    fn earliest(&self) -> u64 {
        0
    }
}

/// Bytes that come only once, such as those of a pipe. The last bytes are kept.
pub(in crate::input) struct Pipe {
    input: Box<dyn Read + Send>,
    /// The last bytes that were read.
    kept: Vec<u8>,
    /// The offset after the last byte of `kept`.
    end: u64,
    /// The offset of the next byte that is given.
    at: u64,
}

impl Pipe {
    pub(in crate::input) fn new(input: Box<dyn Read + Send>) -> Pipe {
        Pipe {
            input,
            kept: Vec::new(),
            end: 0,
            at: 0,
        }
    }
}

impl Source for Pipe {
    fn earliest(&self) -> u64 {
        self.end.saturating_sub(self.kept.len() as u64)
    }
}

impl Read for Pipe {
    /// Fills the buffer, as a file does, so that a start of a member is never cut by a short read.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let from = usize::try_from(self.at - self.earliest()).unwrap_or(usize::MAX);
        let mut again = self.kept.get(from..).unwrap_or_default();
        let mut bytes = again.read(buffer)?;
        while let Some(room) = buffer.get_mut(bytes..).filter(|room| !room.is_empty()) {
            match self.input.read(room) {
                Ok(0) => break,
                Ok(more) => {
                    let read = room.get(..more).unwrap_or_default();
                    self.kept.extend_from_slice(read);
                    self.end += more as u64;
                    bytes += more;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The bytes before the failure are given first.
                Err(_) if bytes > 0 => break,
                Err(error) => return Err(error),
            }
        }
        if self.kept.len() > 2 * KEPT {
            self.kept.drain(..self.kept.len() - KEPT);
        }
        self.at += bytes as u64;
        Ok(bytes)
    }
}

impl Seek for Pipe {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(target) => Some(target),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(_) => None,
        };
        match target {
            Some(target) if (self.earliest()..=self.end).contains(&target) => {
                self.at = target;
                Ok(target)
            }
            _ => Err(io::Error::other("standard input gives its bytes only once")),
        }
    }
}

/// The bytes of a pipe that are kept: longer than any buffer of its reader.
const KEPT: usize = 1024 * 1024;

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _, SeekFrom};

    use super::{KEPT, Pipe, Source as _};

    #[test]
    fn the_last_megabyte_of_a_pipe_can_be_read_again() {
        let length = 5 * KEPT as u64 / 2;
        let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
        let mut source = Pipe::new(Box::new(std::io::Cursor::new(bytes)));
        let mut start = [0; 100];
        source.read_exact(&mut start).unwrap();
        assert_eq!(source.seek(SeekFrom::Current(-60)).unwrap(), 40);
        let mut whole = Vec::new();
        source.read_to_end(&mut whole).unwrap();
        assert_eq!(whole.len() as u64, length - 40);
        assert!((40..length).all(|at| whole[at as usize - 40] == (at % 251) as u8));
        assert!(source.earliest() > 0 && source.earliest() <= length - KEPT as u64);
        let earliest = source.earliest();
        source.seek(SeekFrom::Start(earliest)).unwrap();
        source.read_exact(&mut start).unwrap();
        assert_eq!(u64::from(start[0]), earliest % 251);
        for nowhere in [SeekFrom::Start(earliest - 1), SeekFrom::Start(length + 1)] {
            assert!(source.seek(nowhere).is_err());
        }
    }
}
