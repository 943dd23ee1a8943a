//! A guess at the product token in a full `User-Agent` header.

use crate::text::scheme::WebScheme;
use crate::token::{TokenProblem, is_token_character};

/// Returns the probable product token of the crawler that sends this header.
///
/// URLs are left out. Of the tokens that stand before a `/`, browsers (`Mozilla`, `Chrome`, …) and
/// HTTP libraries (`curl`, `reqwest`, …) count only if nothing else is left. The last one wins.
///
/// A header without a `/` may be a token with blanks around it, or with a version after a blank.
pub(crate) fn probable_token(header: &str) -> Option<&str> {
    // `max_by_key` returns the last of several greatest items.
    versioned_tokens(header)
        .max_by_key(|token| !(is_browser(token) || is_among(&LIBRARIES, token)))
        .or_else(|| lone_token(header))
}

/// Whether the token is one of the names in the headers of browsers, which no crawler is called.
pub(crate) fn is_browser(token: &str) -> bool {
    is_among(&BROWSERS, token)
}

fn is_among(names: &[&str], token: &str) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(token))
}

/// The maximal runs of token characters that stand directly before a `/`, outside of URLs.
fn versioned_tokens(header: &str) -> impl Iterator<Item = &str> {
    let words = header.split([' ', '\t', ';', ')', ',']);
    let before_slashes = words.filter_map(|word| before_url(word).rsplit_once('/'));
    before_slashes
        .flat_map(|(versioned, _)| versioned.split('/'))
        .filter_map(|text| text.rsplit(|last| !is_token_character(last)).next())
        .filter(|token| TokenProblem::of(token).is_none())
}

/// The first word of a text such as `ExampleBot 1.0`, in which nothing but a version follows.
fn lone_token(header: &str) -> Option<&str> {
    let mut words = header.split_whitespace();
    let token = words.next()?;
    let version = words.next().unwrap_or_default();
    let is_version = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let is_lone = words.next().is_none()
        && version.trim_start_matches('v').bytes().all(is_version)
        && TokenProblem::of(token).is_none();
    is_lone.then_some(token)
}

/// The part of a word before a URL, which starts with `http://` or `https://` and ends with the
/// word.
fn before_url(word: &str) -> &str {
    let mut starts = word.match_indices(':').filter_map(|(at, _)| {
        let (before, from_colon) = word.split_at_checked(at)?;
        from_colon.strip_prefix("://")?;
        let before_scheme = before.trim_end_matches(|last: char| last.is_ascii_alphabetic());
        let scheme = before.get(before_scheme.len()..)?;
        WebScheme::new(scheme.as_bytes()).map(|_| before_scheme)
    });
    starts.next().unwrap_or(word)
}

/// Browsers, whose names with a version stand in the headers of many crawlers too.
const BROWSERS: [&str; 17] = [
    "Mozilla",
    "AppleWebKit",
    "KHTML",
    "Gecko",
    "Chrome",
    "HeadlessChrome",
    "Safari",
    "Version",
    "Mobile",
    "Firefox",
    "Edg",
    "OPR",
    "Opera",
    "Trident",
    "MSIE",
    "Presto",
    "Chromium",
];

/// HTTP libraries. Many headers name one with a version, but it does not name the crawler.
const LIBRARIES: [&str; 8] = [
    "python-requests",
    "curl",
    "Wget",
    "reqwest",
    "Go-http-client",
    "okhttp",
    "Java",
    "libwww-perl",
];
