//! The forms of sitemaps.

/// The form of a sitemap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An XML document with the URLs of pages.
    Urls,
    /// An XML document with the URLs of other sitemaps.
    Index,
    /// A URL of a page per line.
    Text,
}

impl Kind {
    /// The stable name for machines.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Urls => "urls",
            Kind::Index => "index",
            Kind::Text => "text",
        }
    }
}
