//! The answers for programs: one JSON document. Names and order of the fields are part of the
//! command's contract.

use std::io::{self, Write};

use serde::Serialize;

use crate::terminal::is_safe;

/// Writes a document, indented, so that people can read it too.
pub(crate) fn write(out: &mut dyn Write, document: &impl Serialize) -> io::Result<()> {
    let json = serde_json::to_string_pretty(document)?;
    writeln!(out, "{}", escape_the_unsafe(&json))
}

/// Writes a document on one line, for a stream of them.
pub(crate) fn write_line(out: &mut dyn Write, document: &impl Serialize) -> io::Result<()> {
    let json = serde_json::to_string(document)?;
    writeln!(out, "{}", escape_the_unsafe(&json))
}

/// JSON may hold DEL, U+009B and directional marks as they are, but a terminal should not. They
/// stand in strings only, as the rest of a document is printable ASCII, and all are within the 16
/// bits of one `\u` escape.
fn escape_the_unsafe(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if character == '\n' || is_safe(character) {
            escaped.push(character);
        } else {
            escaped.push_str(&format!("\\u{:04x}", u32::from(character)));
        }
    }
    escaped
}
