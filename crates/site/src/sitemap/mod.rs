//! The URLs of a sitemap (sitemaps.org, protocol 0.9): XML, an index, or text with a URL per line,
//! plain or as gzip.
//!
//! ```
//! use polite_robots_site::sitemap::{self, Kind};
//!
//! let sitemap = r#"<?xml version="1.0" encoding="UTF-8"?>
//! <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url><loc>https://example.com/?a=1&amp;b=2</loc><priority>0.8</priority></url>
//! </urlset>"#;
//! let mut urls = Vec::new();
//! let summary = sitemap::read(sitemap.as_bytes(), |url| { urls.push(url.to_owned()); })?;
//! assert_eq!((summary.kind(), summary.urls()), (Kind::Urls, 1));
//! assert_eq!(urls, ["https://example.com/?a=1&b=2"]);
//! # Ok::<(), polite_robots_site::sitemap::SitemapError>(())
//! ```

mod error;
mod kind;
mod metered;
mod text;
mod xml;

use std::io::{BufRead as _, Read};

use crate::gzip::decoded;
use crate::host::host;
pub use crate::sitemap::error::SitemapError;
pub use crate::sitemap::kind::Kind;
use crate::sitemap::metered::Metered;

/// Reads a sitemap, and hands its URLs out one by one.
///
/// Entries that are not an absolute `http` or `https` URL are counted and not handed out.
///
/// # Errors
///
/// If the source cannot be read, or is no sitemap: another XML document, not well-formed, not
/// UTF-8, or longer than the 50 MiB that the protocol permits. URLs before the error were handed
/// out.
pub fn read<F>(
    source: impl Read,
    mut each: impl FnMut(&str) -> F,
) -> Result<Summary, SitemapError> {
    let source = decoded(source).map_err(SitemapError::Io)?;
    let mut source = Metered::new(source, MOST_BYTES);
    let start = source.fill_buf().map_err(SitemapError::Io)?;
    if start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF") {
        return Err(SitemapError::Utf16);
    }
    let text = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start);
    let is_xml = text.trim_ascii_start().starts_with(b"<");
    let mark = start.len().saturating_sub(text.len());
    source.consume(mark);
    let mut summary = Summary {
        kind: Kind::Text,
        urls: 0,
        unusable: 0,
        first_unusable: None,
    };
    let mut take = |entry: &str, line: u64| {
        let url = entry.trim();
        match host(url) {
            Some(_) => {
                summary.urls = summary.urls.saturating_add(1);
                each(url);
            }
            None => {
                summary.unusable = summary.unusable.saturating_add(1);
                let first = || (line, url.chars().take(LONGEST_SHOWN).collect());
                summary.first_unusable.get_or_insert_with(first);
            }
        }
    };
    let kind = match is_xml {
        true => xml::read(source, &mut take)?,
        false => text::read(source, &mut take)?,
    };
    summary.kind = kind;
    Ok(summary)
}

/// The facts about a sitemap beside its URLs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    kind: Kind,
    urls: u64,
    unusable: u64,
    first_unusable: Option<(u64, String)>,
}

impl Summary {
    /// The form of the sitemap.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The number of URLs that were handed out.
    #[must_use]
    pub fn urls(&self) -> u64 {
        self.urls
    }

    /// The number of entries that are not an absolute `http` or `https` URL.
    #[must_use]
    pub fn unusable(&self) -> u64 {
        self.unusable
    }

    /// The first of those entries: its line from 1, and its beginning.
    #[must_use]
    pub fn first_unusable(&self) -> Option<(u64, &str)> {
        let (line, text) = self.first_unusable.as_ref()?;
        Some((*line, text))
    }
}

/// The most bytes of a sitemap, without compression: 50 MiB, as the protocol says.
const MOST_BYTES: u64 = 52_428_800;

/// In characters.
const LONGEST_SHOWN: usize = 160;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

#[cfg(test)]
mod tests;
