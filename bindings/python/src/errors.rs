//! The functions without a class, and the exceptions, which are written in Python.

use polite_robots::{InvalidToken, InvalidUrl, ProductToken};
use polite_robots_policy::Origin;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};

use crate::text::{shortened, shortened_to, unicode};

/// The URL of the robots.txt that governs a page, with a host outside of ASCII in punycode.
///
/// Raises `InvalidUrl` if the URL has none: it is not http or https, or its host is not one.
#[pyfunction]
#[pyo3(signature = (url, /))]
pub(crate) fn robots_url(url: &Bound<'_, PyString>) -> PyResult<String> {
    let origin = Origin::of(&unicode(url)?);
    origin
        .map(|origin| origin.robots_url())
        .map_err(|error| invalid_url(url.py(), &error))
}

/// The product token in a `User-Agent` header, if there is one: `ExampleBot` in `ExampleBot/1.0
/// (+https://example.com)`.
#[pyfunction]
#[pyo3(signature = (user_agent, /))]
pub(crate) fn product_token(user_agent: &Bound<'_, PyString>) -> PyResult<Option<String>> {
    let token = ProductToken::from_user_agent(&unicode(user_agent)?);
    Ok(token.map(|token| token.as_str().to_string()))
}

/// The agent of a `User-Agent` header: its product token, else the characters of a token at its
/// start, else `*`. A name without a letter, such as `42`, is none that a file can have.
pub(crate) fn agent_of(user_agent: &str) -> String {
    if let Some(token) = ProductToken::from_user_agent(user_agent) {
        return token.as_str().to_string();
    }
    let is_of_token = |c: &char| c.is_ascii_alphanumeric() || "_.-".contains(*c);
    let name: String = user_agent
        .trim_start()
        .chars()
        .take_while(is_of_token)
        .collect();
    match name.contains(|c: char| c.is_ascii_alphabetic()) {
        true => name,
        false => "*".to_string(),
    }
}

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
