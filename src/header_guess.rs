//! A guess at the product token in a full `User-Agent` header.

use alloc::vec::Vec;

use crate::text::scheme::WebScheme;
use crate::token::{TokenProblem, is_token_byte};

/// Returns the probable product token of the crawler that sends this header.
///
/// URLs are left out. Of the tokens that stand before a `/`, browsers (`Mozilla`, `Chrome`, …) and
/// HTTP libraries (`curl`, `reqwest`, …) count only if nothing else is left. The last one wins.
pub(crate) fn probable_token(header: &str) -> Option<&str> {
    let mut last_foreign = None;
    let mut last_own = None;
    for token in versioned_tokens(header) {
        if FOREIGN_TOKENS
            .iter()
            .any(|foreign| foreign.eq_ignore_ascii_case(token))
        {
            last_foreign = Some(token);
        } else {
            last_own = Some(token);
        }
    }
    last_own.or(last_foreign)
}

/// The maximal runs of token characters that stand directly before a `/`, outside of URLs.
fn versioned_tokens(header: &str) -> impl Iterator<Item = &str> {
    without_urls(header).into_iter().flat_map(|part| {
        part.match_indices('/').filter_map(move |(slash, _)| {
            let before = part.get(..slash)?;
            let start = before
                .bytes()
                .rposition(|byte| !is_token_byte(byte))
                .map_or(0, |at| at + 1);
            before
                .get(start..)
                .filter(|token| TokenProblem::of(token).is_none())
        })
    })
}

/// The parts of a header around its URLs, which start with `http://` or `https://` and end at a
/// blank, `;`, `)` or `,`.
fn without_urls(header: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = header;
    // The search goes on where it stopped, so that many `://` cost no more than one.
    let mut searched = 0;
    while let Some(at) = rest.get(searched..).and_then(|text| text.find("://")) {
        let (before, from) = rest.split_at_checked(searched + at).unwrap_or_default();
        let scheme = before.len()
            - before
                .bytes()
                .rev()
                .take_while(u8::is_ascii_alphabetic)
                .count();
        let name = before.get(scheme..).unwrap_or_default();
        if WebScheme::new(name.as_bytes()).is_some() {
            parts.push(before.get(..scheme).unwrap_or_default());
            let end = from.find([' ', '\t', ';', ')', ',']).unwrap_or(from.len());
            rest = from.get(end..).unwrap_or_default();
            searched = 0;
        } else {
            searched += at + "://".len();
        }
    }
    parts.push(rest);
    parts
}

/// Browsers and HTTP libraries: most headers have them with a version, but they do not name the
/// crawler.
const FOREIGN_TOKENS: [&str; 25] = [
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
    "python-requests",
    "curl",
    "Wget",
    "reqwest",
    "Go-http-client",
    "okhttp",
    "Java",
    "libwww-perl",
];
