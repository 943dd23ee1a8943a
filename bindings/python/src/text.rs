//! Text of Python as the library takes it: `str` and `bytes` borrowed, everything else that has
//! bytes copied once.

use std::borrow::Cow;

use polite_robots::Target;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyMemoryView, PyString, PyTuple};

use crate::errors::invalid_url;

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

    /// The text of a URL: that of `of`, or an object that stands for a URL.
    #[inline]
    pub(crate) fn of_url(value: &'a Bound<'_, PyAny>) -> PyResult<Text<'a>> {
        Text::of(value).or_else(|error| match url_object(value)? {
            Some(text) => Ok(Text::Copy(Text::of(&text)?.bytes().to_vec())),
            None => Err(error),
        })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Text::Str(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
            Text::Copy(bytes) => bytes,
        }
    }

    /// A URL, or a request target as it was `sent`. With `absolute` a relative link is refused.
    #[inline]
    pub(crate) fn target_as(
        &self,
        py: Python<'_>,
        sent: bool,
        absolute: bool,
    ) -> PyResult<Target<'_>> {
        if absolute {
            self.refuse_relative(py)?;
        }
        Ok(if sent {
            Target::sent(self.bytes())
        } else {
            self.target()
        })
    }

    /// Raises `InvalidUrl` for a relative link, and for a path that clients read in several ways.
    pub(crate) fn refuse_relative(&self, py: Python<'_>) -> PyResult<()> {
        let text = String::from_utf8_lossy(self.bytes());
        let refusal = Target::absolute(&text).map(|_| ());
        refusal.map_err(|error| invalid_url(py, &error))
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

/// A copy without the bytes that `urllib.parse` drops; `None` if there are none of them.
pub(crate) fn without_blanks(text: &[u8]) -> Option<Vec<u8>> {
    let is_dropped = |byte: &u8| matches!(byte, b'\t' | b'\r' | b'\n');
    let begins_well = text.first().is_none_or(|first| *first > b' ');
    if begins_well && !text.iter().any(is_dropped) {
        return None;
    }
    let rest = text.iter().skip_while(|byte| **byte <= b' ');
    Some(rest.filter(|byte| !is_dropped(byte)).copied().collect())
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

/// The text of a URL object: the results of `urllib.parse` have `geturl`; those of other libraries
/// (yarl, httpx, pydantic) have a scheme and a host, and are text as `str`. Any other object has a
/// text too, but its class and address are no URL.
fn url_object<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if let Some(geturl) = value.getattr_opt("geturl")? {
        return geturl.call0().map(Some);
    }
    if value.hasattr("scheme")? && value.hasattr("host")? {
        return Ok(Some(value.str()?.into_any()));
    }
    Ok(None)
}

/// Refuses one URL in the place of several: its letters would be taken for URLs. A map of a file
/// gives out letters too.
pub(crate) fn refuse_one(urls: &Bound<'_, PyAny>, method: &str) -> PyResult<()> {
    // The usual ones, as to look for a buffer takes 2 µs.
    if urls.is_exact_instance_of::<PyList>() || urls.is_exact_instance_of::<PyTuple>() {
        return Ok(());
    }
    let is_one = urls.is_instance_of::<PyString>()
        // A response of urllib has a `geturl` too, and gives out lines.
        || ((urls.is_instance_of::<PyTuple>() || !urls.hasattr("__iter__")?)
            && url_object(urls)?.is_some())
        || urls.is_instance_of::<PyMemoryView>()
        || match PyMemoryView::from(urls) {
            Ok(view) => is_of_bytes(&view)? || is_of_letters(&view)?,
            Err(_) => false,
        };
    if is_one {
        let kind = urls.get_type();
        return Err(PyTypeError::new_err(format!(
            "expected an iterable of URLs, not one {kind}; write {method}([url])"
        )));
    }
    Ok(())
}

/// The bytes of a text with lone surrogates: those that it was decoded from with `surrogateescape`,
/// if it was, else U+FFFD for each surrogate.
fn surrogates(text: &Bound<'_, PyString>) -> PyResult<Vec<u8>> {
    match text.call_method1("encode", ("utf-8", "surrogateescape")) {
        Ok(bytes) => Ok(bytes.cast::<PyBytes>()?.as_bytes().to_vec()),
        Err(_) => Ok(unicode(text)?.into_owned().into_bytes()),
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
        Ok(unicode(string)?.into_owned())
    };
    list.try_iter()?.map(string).collect()
}

/// The characters of a string, with U+FFFD for each lone surrogate.
pub(crate) fn unicode<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, str>> {
    if let Ok(text) = text.to_str() {
        return Ok(Cow::Borrowed(text));
    }
    let units = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
    let units = units.cast::<PyBytes>()?.as_bytes().chunks_exact(2);
    let units: Vec<u16> = units
        .flat_map(|unit| unit.try_into().map(u16::from_le_bytes))
        .collect();
    Ok(Cow::Owned(String::from_utf16_lossy(&units)))
}

/// Text of a file, with U+FFFD for bytes that are not UTF-8.
pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
