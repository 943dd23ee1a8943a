//! The lines of a stream in a buffer of fixed size.

use std::io::{self, Read};

use memchr::{memchr, memrchr};

/// A line of a log, or one that is too long to be one.
pub(crate) enum Line<'l> {
    Text(&'l [u8]),
    TooLong,
}

/// Hands out the lines of a stream without their ends.
pub(crate) fn each_line(mut source: impl Read, mut take: impl FnMut(Line<'_>)) -> io::Result<()> {
    let mut buffer = vec![0; BUFFER];
    let mut filled: usize = 0;
    let mut is_skipping = false;
    loop {
        let free = buffer.get_mut(filled..).unwrap_or_default();
        let read = match source.read(free) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        filled = filled.saturating_add(read);
        let all = buffer.get(..filled).unwrap_or_default();
        // At the end of the stream the rest is a line too.
        let end = match read {
            0 => filled,
            _ => memrchr(b'\n', all).map_or(0, |at| at.saturating_add(1)),
        };
        let mut lines = all.get(..end).unwrap_or_default();
        while !lines.is_empty() {
            let at = memchr(b'\n', lines).unwrap_or(lines.len());
            let line = lines.get(..at).unwrap_or_default();
            lines = lines.get(at.saturating_add(1)..).unwrap_or_default();
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            match line.len() {
                _ if is_skipping => is_skipping = false,
                0 => {}
                length if length > LONGEST_LINE => take(Line::TooLong),
                _ => take(Line::Text(line)),
            }
        }
        if read == 0 {
            return Ok(());
        }
        buffer.copy_within(end..filled, 0);
        filled = filled.saturating_sub(end);
        if filled > LONGEST_LINE {
            if !is_skipping {
                take(Line::TooLong);
            }
            is_skipping = true;
            filled = 0;
        }
    }
}

/// The longest line that is read, in bytes. Servers refuse far shorter requests.
const LONGEST_LINE: usize = 256 * 1024;

const BUFFER: usize = 1024 * 1024;
