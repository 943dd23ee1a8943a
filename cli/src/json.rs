//! The answers for programs: one JSON document. Names and order of the fields are part of the
//! command's contract.

use std::io::{self, Write};
use std::str;

use serde::Serialize;

use crate::terminal::is_safe;

/// Writes a document, indented, so that people can read it too.
pub(crate) fn write(out: &mut dyn Write, document: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(Safe(&mut *out), document)?;
    writeln!(out)
}

/// Writes a document on one line, for a stream of them.
pub(crate) fn write_line(out: &mut dyn Write, document: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(Safe(&mut *out), document)?;
    writeln!(out)
}

/// Whether a count says nothing, so that its field is left out.
pub(crate) fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A writer of JSON that a terminal can be shown. JSON may hold DEL, U+009B and directional marks
/// as they are. They stand in strings only, as the rest of a document is printable ASCII, and all
/// are within the 16 bits of one `\u` escape.
struct Safe<'a>(&'a mut dyn Write);

impl Write for Safe<'_> {
    /// Writes a piece of text; `serde_json` writes nothing else.
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(piece).map_err(io::Error::other)?;
        let is_shown = |character: char| character == '\n' || is_safe(character);
        let mut rest = text;
        while let Some((at, character)) = rest.char_indices().find(|(_, found)| !is_shown(*found)) {
            let (shown, behind) = rest.split_at(at);
            write!(self.0, "{shown}\\u{:04x}", u32::from(character))?;
            rest = behind.strip_prefix(character).unwrap_or_default();
        }
        self.0.write_all(rest.as_bytes())?;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
