//! Text of Python as the library takes it: `str` and `bytes` borrowed, everything else that has
//! bytes copied once.

use polite_robots::Target;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyString};

/// A file or a URL.
pub(crate) enum Text<'a> {
    Str(&'a str),
    Bytes(&'a [u8]),
    Copy(Vec<u8>),
}

impl<'a> Text<'a> {
    /// The text of a `str`, or the bytes of a buffer of bytes.
    #[inline]
    pub(crate) fn of(value: &'a Bound<'_, PyAny>) -> PyResult<Text<'a>> {
        if let Ok(text) = value.cast::<PyString>() {
            return match text.to_str() {
                Ok(text) => Ok(Text::Str(text)),
                Err(_) => surrogates(text).map(Text::Copy),
            };
        }
        if let Ok(bytes) = value.cast::<PyBytes>() {
            return Ok(Text::Bytes(bytes.as_bytes()));
        }
        // Their bytes may change under us, so they are copied. A view copies every layout and
        // format.
        let view = PyMemoryView::from(value).map_err(|error| {
            // A view that was released, and a map that was closed, say so themselves.
            if !error.is_instance_of::<PyTypeError>(value.py()) {
                return error;
            }
            let kind = value.get_type();
            PyTypeError::new_err(format!(
                "expected str, bytes or a buffer of bytes, not {kind}"
            ))
        })?;
        if !is_of_bytes(&view)? {
            let kind = value.get_type();
            return Err(PyTypeError::new_err(format!(
                "expected str, bytes or a buffer of bytes, not {kind} with other items; encode its text"
            )));
        }
        let bytes = view.call_method0("tobytes")?;
        Ok(Text::Copy(bytes.cast::<PyBytes>()?.as_bytes().to_vec()))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Text::Str(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
            Text::Copy(bytes) => bytes,
        }
    }

    /// A URL, or a request target as it was sent.
    #[inline]
    pub(crate) fn target_as(&self, sent: bool) -> Target<'_> {
        if sent {
            Target::sent(self.bytes())
        } else {
            self.target()
        }
    }

    #[inline]
    pub(crate) fn target(&self) -> Target<'_> {
        match self {
            Text::Str(text) => Target::from(*text),
            Text::Bytes(bytes) => Target::from(*bytes),
            Text::Copy(bytes) => Target::from(bytes.as_slice()),
        }
    }
}

/// Whether the items of a view are bytes in a row. Those of an array of numbers or of strings would
/// be read as they lie in memory, and `/private` is not `/\0\0\0p\0\0\0…`.
fn is_of_bytes(view: &Bound<'_, PyMemoryView>) -> PyResult<bool> {
    let format = view.getattr("format")?;
    let dimensions: usize = view.getattr("ndim")?.extract()?;
    Ok(dimensions == 1 && matches!(format.cast::<PyString>()?.to_str()?, "B" | "b" | "c"))
}

/// Whether a view is that of `array.array('u')`, whose items are letters. An array of strings has
/// their length in its format.
fn is_of_letters(view: &Bound<'_, PyMemoryView>) -> PyResult<bool> {
    let format = view.getattr("format")?;
    Ok(matches!(format.cast::<PyString>()?.to_str()?, "u" | "w"))
}

/// Refuses one URL in the place of several: its letters would be taken for URLs. A map of a file
/// gives out letters too.
pub(crate) fn refuse_one(urls: &Bound<'_, PyAny>) -> PyResult<()> {
    let is_one = urls.is_instance_of::<PyString>()
        || urls.is_instance_of::<PyMemoryView>()
        || match PyMemoryView::from(urls) {
            Ok(view) => is_of_bytes(&view)? || is_of_letters(&view)?,
            Err(_) => false,
        };
    if is_one {
        let kind = urls.get_type();
        return Err(PyTypeError::new_err(format!(
            "expected an iterable of URLs, not one {kind}; write allowed_many([url])"
        )));
    }
    Ok(())
}

/// The bytes of a text with lone surrogates: those that it was decoded from with `surrogateescape`,
/// if it was, else U+FFFD for each surrogate.
fn surrogates(text: &Bound<'_, PyString>) -> PyResult<Vec<u8>> {
    match text.call_method1("encode", ("utf-8", "surrogateescape")) {
        Ok(bytes) => Ok(bytes.cast::<PyBytes>()?.as_bytes().to_vec()),
        Err(_) => Ok(text.to_string_lossy().into_owned().into_bytes()),
    }
}

/// The strings of a list, with U+FFFD for lone surrogates. They are counted as they come: a length
/// that a class of its own states may be any number. One string is refused, as its letters would be
/// taken for names.
pub(crate) fn strings(list: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if list.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(
            "expected a sequence of str, not one str",
        ));
    }
    let string = |item: PyResult<Bound<'_, PyAny>>| {
        let item = item?;
        let string = item.cast::<PyString>()?;
        Ok(string.to_string_lossy().into_owned())
    };
    list.try_iter()?.map(string).collect()
}

/// Text of a file, with U+FFFD for bytes that are not UTF-8.
pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
