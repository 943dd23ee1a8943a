//! A sitemap of text: a URL per line.

use std::io::{self, BufRead as _};

use crate::host::host;
use crate::sitemap::error::SitemapError;
use crate::sitemap::kind::Kind;
use crate::sitemap::metered::Metered;

/// Hands out each line that is not blank, with its number.
pub(super) fn read(
    mut source: Metered<'_>,
    take: &mut dyn FnMut(&str, u64),
) -> Result<Kind, SitemapError> {
    let mut line = Vec::new();
    let mut has_url = false;
    loop {
        let number = source.line();
        line.clear();
        match source.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => {}
            Err(_) if source.is_at_limit() => return Err(SitemapError::TooLarge),
            Err(error) => return Err(SitemapError::Io(error)),
        }
        let text =
            std::str::from_utf8(&line).map_err(|_| SitemapError::NotUtf8 { line: number })?;
        let text = text.trim();
        if !text.is_empty() {
            has_url |= host(text).is_some();
            take(text, number);
        }
    }
    match has_url {
        true => Ok(Kind::Text),
        false => Err(SitemapError::NoUrl),
    }
}

/// The error of a stream that ended too early.
impl From<io::Error> for SitemapError {
    fn from(error: io::Error) -> SitemapError {
        SitemapError::Io(error)
    }
}
