//! Records outside of RFC 9309, which never change a verdict.

use alloc::string::String;
use core::fmt;
use core::time::Duration;

use crate::diagnostic::write_escaped;
use crate::parse::directive::ExtensionField;
use crate::parse::value::crawl_delay;

/// A record that RFC 9309 leaves to others (§2.2.4), as the file has it. No extension changes a verdict.
///
/// ```
/// use core::time::Duration;
/// use polite_robots::{ExtensionField, RobotsTxt};
///
/// let robots_txt = RobotsTxt::parse(b"User-agent: *\nCrawl-delay: 2.5\nSitemap: https://example.com/map.xml");
/// let extensions: Vec<_> = robots_txt.extensions().collect();
/// assert_eq!(extensions[0].crawl_delay(), Some(Duration::from_millis(2500)));
/// assert_eq!(extensions[1].field(), ExtensionField::Sitemap);
/// assert_eq!(extensions[1].value(), b"https://example.com/map.xml");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Extension<'r> {
    field: ExtensionField,
    value: &'r [u8],
    line: u32,
}

impl<'r> Extension<'r> {
    pub(crate) fn new(field: ExtensionField, value: &'r [u8], line: u32) -> Extension<'r> {
        Extension { field, value, line }
    }

    /// Which record it is.
    #[must_use]
    pub fn field(&self) -> ExtensionField {
        self.field
    }

    /// The value as written, without blanks around it and without a comment; any octets.
    #[must_use]
    pub fn value(&self) -> &'r [u8] {
        self.value
    }

    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The delay of a `Crawl-delay` record; `None` for another field and for a value that is not a number of seconds.
    #[must_use]
    pub fn crawl_delay(&self) -> Option<Duration> {
        match self.field {
            ExtensionField::CrawlDelay => crawl_delay(self.value),
            _ => None,
        }
    }
}

impl fmt::Display for Extension<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.field)?;
        write_escaped(f, self.value)
    }
}

/// The sitemaps of a file, each behind a line end; most files have none and then this holds nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sitemaps {
    text: String,
}

impl Sitemaps {
    /// What is not UTF-8 becomes U+FFFD; an empty value is no sitemap.
    pub(crate) fn push(&mut self, value: &[u8]) {
        if value.is_empty() {
            return;
        }
        self.text.reserve(value.len().saturating_add(1));
        self.text.push('\n');
        // The lossy conversion takes five times as long, and hardly any value needs it.
        match core::str::from_utf8(value) {
            Ok(text) => self.text.push_str(text),
            Err(_) => self.text.push_str(&String::from_utf8_lossy(value)),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        // The values were lines, so none holds a line end.
        self.text.split('\n').skip(1)
    }
}
