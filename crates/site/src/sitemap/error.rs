//! The reasons why a file cannot be read as a sitemap.

use std::io;

/// A file that cannot be read as a sitemap.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SitemapError {
    /// Reading or decompressing failed.
    #[error("{0}")]
    Io(#[source] io::Error),
    /// It is longer than the protocol permits.
    #[error(
        "it is longer than 50 MiB without compression, the most that a sitemap may have; split it and list the parts in an index"
    )]
    TooLarge,
    /// It is in UTF-16.
    #[error("it is in UTF-16; a sitemap must be UTF-8")]
    Utf16,
    /// Some of it is not UTF-8.
    #[error("line {line} is not UTF-8; a sitemap must be UTF-8")]
    NotUtf8 {
        /// The line, counted from 1.
        line: u64,
    },
    /// The XML is not well-formed.
    #[error("line {line} is not well-formed XML: {reason}")]
    Xml {
        /// The line, counted from 1.
        line: u64,
        /// The error of the XML reader.
        reason: String,
    },
    /// A `&` that begins no reference.
    #[error("line {line} has a `&` that begins no reference; in a sitemap it is written `&amp;`")]
    Ampersand {
        /// The line, counted from 1.
        line: u64,
    },
    /// Its elements are nested deeper than any sitemap needs.
    #[error("line {line} has elements nested more than {most} deep, which no sitemap has")]
    TooDeep {
        /// The line, counted from 1.
        line: u64,
        /// The limit.
        most: usize,
    },
    /// An XML document of another kind.
    #[error(
        "it is an XML or HTML document that begins with `<{root}>`; a sitemap begins with `<urlset>` or `<sitemapindex>`"
    )]
    NoSitemap {
        /// The name of its outermost element.
        root: String,
    },
    /// A text without a single URL.
    #[error(
        "no line of it is a URL such as `https://example.com/`; a sitemap is XML, or text with a URL per line"
    )]
    NoUrl,
}
