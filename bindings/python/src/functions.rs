//! The functions without a class.

use polite_robots::ProductToken;
use polite_robots_policy::Origin;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::invalid_url;
use crate::text::unicode;

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
