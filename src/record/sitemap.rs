//! The values of `Sitemap` records: one for its reader, and all of a file in one text.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;

use crate::robots_url::{InvalidUrl, robots_url};
use crate::text::scheme::split_scheme;
use crate::text::web_url::without_dot_segments;

/// A `Sitemap` record: the URL of a sitemap (sitemaps.org).
///
/// The URL should be absolute, and may be on any host. Real files hold relative URLs too, which
/// [`Sitemap::resolve`] makes absolute.
///
/// ```
/// use polite_robots::Robot;
/// use polite_robots::record::Sitemap;
///
/// let site = "https://example.com/robots.txt";
/// let robot = Robot::new("ExampleBot", b"Sitemap: /news.xml\nSitemap: //cdn.example/maps.xml")?;
/// let urls = robot.sitemaps().map(|text| Sitemap::from(text).resolve(site));
/// let urls: Vec<String> = urls.collect::<Result<_, _>>().unwrap();
/// assert_eq!(urls, ["https://example.com/news.xml", "https://cdn.example/maps.xml"]);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sitemap<'r> {
    value: &'r [u8],
}

impl<'r> Sitemap<'r> {
    /// The value as written, with U+FFFD for bytes that are not UTF-8.
    pub fn text(&self) -> Cow<'r, str> {
        String::from_utf8_lossy(self.value)
    }

    /// Returns the absolute URL of the sitemap. `site` is any http or https URL of the site that
    /// the robots.txt belongs to, such as the URL of the robots.txt itself.
    ///
    /// An absolute URL is returned as written. A relative one is resolved against the robots.txt
    /// (RFC 3986 §5.2): `//host/path`, `/path`, `path` and `?query`, with dot segments removed and
    /// without percent-encoding. A value that begins with letters, digits, `+`, `-` or `.` and a
    /// colon has a scheme, and so is absolute: `example.com:8080/map.xml` has the scheme
    /// `example.com`, while `example.com/map.xml` is a path.
    ///
    /// # Errors
    ///
    /// [`InvalidUrl`] if `site` has no robots.txt, as in [`robots_url`].
    pub fn resolve(&self, site: &str) -> Result<String, InvalidUrl> {
        let robots_txt = robots_url(site)?;
        let reference = self.text();
        if split_scheme(&reference).is_some() {
            return Ok(reference.into_owned());
        }
        let (scheme, _) = robots_txt.split_once(':').unwrap_or_default();
        let origin = robots_txt.strip_suffix("/robots.txt").unwrap_or_default();
        if let Some(rest) = reference.strip_prefix("//") {
            let path = rest.find(['/', '?', '#']).unwrap_or(rest.len());
            let (authority, path) = rest.split_at_checked(path).unwrap_or_default();
            let path = resolved(path);
            return Ok(format!("{scheme}://{authority}{path}"));
        }
        let slash = match reference.chars().next() {
            Some('?' | '#') | None => return Ok(format!("{robots_txt}{reference}")),
            Some('/') => "",
            Some(_) => "/",
        };
        let path = format!("{slash}{reference}");
        Ok(format!("{origin}{}", resolved(&path)))
    }
}

/// Takes the value of a record as [`Robot::sitemaps`](crate::Robot::sitemaps) returns it. Those are
/// never empty; an empty text resolves to the robots.txt itself (RFC 3986 §5.2.2).
impl<'r> From<&'r str> for Sitemap<'r> {
    fn from(text: &'r str) -> Sitemap<'r> {
        Sitemap::from(text.as_bytes())
    }
}

/// Takes the value of a record as [`Extension::value`](crate::record::Extension::value) returns it.
impl<'r> From<&'r [u8]> for Sitemap<'r> {
    fn from(value: &'r [u8]) -> Sitemap<'r> {
        Sitemap { value }
    }
}

/// A reference that is empty or begins with `/`, with its dot segments removed (RFC 3986 §5.2.4).
fn resolved(reference: &str) -> Cow<'_, str> {
    match without_dot_segments(reference.as_bytes()) {
        Cow::Borrowed(_) => Cow::Borrowed(reference),
        Cow::Owned(resolved) => Cow::Owned(String::from_utf8_lossy(&resolved).into_owned()),
    }
}

/// The sitemaps of a file in one text, each after a line end. Without sitemaps it allocates
/// nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sitemaps {
    text: String,
}

impl Sitemaps {
    /// Adds a value, with U+FFFD for bytes that are not UTF-8. An empty value is no sitemap.
    pub(crate) fn push(&mut self, value: &[u8]) {
        if value.is_empty() {
            return;
        }
        self.text.reserve(value.len().saturating_add(1));
        self.text.push('\n');
        // The lossy conversion takes five times as long, and few values need it.
        match core::str::from_utf8(value) {
            Ok(text) => self.text.push_str(text),
            Err(_) => self.text.push_str(&String::from_utf8_lossy(value)),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        // A value is a part of one line, so it holds no line end.
        self.text.split('\n').skip(1)
    }
}
