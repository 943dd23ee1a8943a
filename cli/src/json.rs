//! The answers for programs: one JSON document. Names and order of the fields are part of the
//! command's contract.

use std::io::{self, Write};
use std::str;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

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

/// An object of these fields, in their order: `"name": value`. A field `"name"?: option` is left
/// out where there is no value, and `..object` are the fields of another object.
macro_rules! object {
    (@ $before:expr;) => { $crate::json::Object($before) };
    (@ $before:expr; ..$object:expr $(, $($rest:tt)*)?) => {
        $crate::json::object!(@ ($before, $object); $($($rest)*)?)
    };
    (@ $before:expr; $name:literal?: $option:expr $(, $($rest:tt)*)?) => {
        $crate::json::object!(
            @ ($before, $option.map(|value| $crate::json::Field($name, value))); $($($rest)*)?
        )
    };
    (@ $before:expr; $name:literal: $value:expr $(, $($rest:tt)*)?) => {
        $crate::json::object!(@ ($before, $crate::json::Field($name, $value)); $($($rest)*)?)
    };
    ($($fields:tt)*) => { $crate::json::object!(@ (); $($fields)*) };
}
pub(crate) use object;

pub(crate) struct Object<F>(pub(crate) F);

pub(crate) struct Field<T>(pub(crate) &'static str, pub(crate) T);

/// A part of an object: one field, several, or none.
pub(crate) trait Fields {
    fn write<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error>;
}

impl<F: Fields> Serialize for Object<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        self.write(&mut object)?;
        object.end()
    }
}

impl<F: Fields> Fields for Object<F> {
    fn write<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        self.0.write(object)
    }
}

impl<T: Serialize> Fields for Field<T> {
    fn write<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry(self.0, &self.1)
    }
}

impl<F: Fields> Fields for Option<F> {
    fn write<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        self.iter().try_for_each(|fields| fields.write(object))
    }
}

impl<A: Fields, B: Fields> Fields for (A, B) {
    fn write<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        self.0.write(object)?;
        self.1.write(object)
    }
}

impl Fields for () {
    fn write<M: SerializeMap>(&self, _: &mut M) -> Result<(), M::Error> {
        Ok(())
    }
}

/// A writer of JSON that is safe to show on a terminal. JSON may hold DEL, U+009B and directional
/// marks unescaped. They stand in strings only, because the rest of a document is printable ASCII,
/// and each of them is within the 16 bits of one `\u` escape.
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
