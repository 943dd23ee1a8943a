//! The exceptions, which are written in Python.

use std::borrow::Cow;

use polite_robots::{InvalidToken, InvalidUrl};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

pub(crate) fn invalid_token(py: Python<'_>, error: &InvalidToken) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let mut message = error.to_string();
    // Each name is shortened by itself, so that the reason between them stays.
    for name in [error.token()].into_iter().chain(error.probably_meant()) {
        message = message.replace(name, &shortened_to(name, 100));
    }
    let arguments = (shortened(&message), error.token(), error.probably_meant());
    match CLASS.import(py, "polite_robots._errors", "InvalidToken") {
        Ok(class) => match class.call1(arguments) {
            Ok(exception) => PyErr::from_value(exception),
            Err(error) => error,
        },
        Err(error) => error,
    }
}

pub(crate) fn invalid_url(py: Python<'_>, error: &InvalidUrl) -> PyErr {
    url_error(py, &error.to_string(), error.url())
}

/// The exception `InvalidUrl` with a message of its own.
pub(crate) fn url_error(py: Python<'_>, message: &str, url: &str) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    match CLASS.import(py, "polite_robots._errors", "InvalidUrl") {
        Ok(class) => match class.call1((shortened(message), url)) {
            Ok(exception) => PyErr::from_value(exception),
            Err(error) => error,
        },
        Err(error) => error,
    }
}

/// A text for an error: the middle of a long one is left out.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    shortened_to(text, 200)
}

/// A text for an error. Of a long text, only `each_end` characters of each end are kept.
pub(crate) fn shortened_to(text: &str, each_end: usize) -> Cow<'_, str> {
    let characters = text.chars().count();
    if characters <= 3 * each_end {
        return Cow::Borrowed(text);
    }
    let start: String = text.chars().take(each_end).collect();
    let end: String = text.chars().skip(characters - each_end).collect();
    Cow::Owned(format!("{start}…{end}"))
}
