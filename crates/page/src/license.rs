//! The license terms that a page names: `Link` headers and `link` elements with the relation
//! `license`.

use alloc::boxed::Box;
use core::fmt;

use memchr::{memchr, memchr2};

/// A link from a page to the license terms for its content (RFC 8288; Really Simple Licensing 1.0).
///
/// ```
/// use polite_robots_page::PageControls;
///
/// let terms = r#"</terms.xml>; rel="license"; type="application/rsl+xml""#;
/// let page = PageControls::new("ExampleBot")?
///     .with_header("Link", terms)
///     .with_link("license", "https://example.com/licenses/by", "");
/// let licenses: Vec<_> = page.licenses().collect();
/// assert_eq!(licenses[0].target(), "/terms.xml");
/// assert_eq!(licenses[0].media_type(), Some("application/rsl+xml"));
/// assert_eq!(licenses[1].target(), "https://example.com/licenses/by");
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PageLicense<'p> {
    target: &'p str,
    media_type: Option<&'p str>,
}

impl<'p> PageLicense<'p> {
    /// The URI as written. It may be relative: then it is resolved against the URL of the page, or
    /// the `base` of its document.
    pub fn target(&self) -> &'p str {
        self.target
    }

    /// The media type that the link states, as written; `application/rsl+xml` for terms of Really
    /// Simple Licensing.
    pub fn media_type(&self) -> Option<&'p str> {
        self.media_type
    }
}

/// The URI as written.
impl fmt::Display for PageLicense<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.target)
    }
}

/// A [`PageLicense`] with text of its own.
#[derive(Debug, Clone)]
pub(crate) struct OwnedLicense {
    target: Box<str>,
    media_type: Option<Box<str>>,
}

impl OwnedLicense {
    /// `None` unless `license` is one of the relations, which are divided by blanks and compared in
    /// any case (RFC 8288 §3.3), and the target is text without blanks.
    pub(crate) fn new(relations: &[u8], target: &[u8], media_type: &[u8]) -> Option<OwnedLicense> {
        let mut relations = relations.split(u8::is_ascii_whitespace);
        let is_license = relations.any(|relation| relation.eq_ignore_ascii_case(b"license"));
        let target = core::str::from_utf8(target.trim_ascii()).ok()?;
        let is_blank = |character: char| character.is_whitespace() || character.is_control();
        let is_link = is_license && !target.is_empty() && !target.contains(is_blank);
        let media_type = core::str::from_utf8(media_type.trim_ascii()).ok();
        is_link.then(|| OwnedLicense {
            target: target.into(),
            media_type: media_type.filter(|text| !text.is_empty()).map(Box::from),
        })
    }

    pub(crate) fn view(&self) -> PageLicense<'_> {
        PageLicense {
            target: &self.target,
            media_type: self.media_type.as_deref(),
        }
    }
}

/// The licenses of one line of a `Link` header, read as RFC 8288 §B.2 reads it. What follows a
/// mistake in a link is ignored.
///
/// ```text
/// Link       = #link-value
/// link-value = "<" URI-Reference ">" *( OWS ";" OWS [ link-param ] )
/// ```
pub(crate) fn licenses(value: &[u8]) -> impl Iterator<Item = OwnedLicense> {
    let mut rest = value;
    core::iter::from_fn(move || {
        let is_between = |byte: &u8| matches!(byte, b',' | b' ' | b'\t');
        let start = rest.iter().take_while(|byte| is_between(byte)).count();
        let link = rest.get(start..)?.strip_prefix(b"<")?;
        let (target, after) = link.split_at_checked(memchr(b'>', link)?)?;
        let mut parameters = Parameters::default();
        rest = parameters.read(after.get(1..)?);
        Some((target, parameters))
    })
    // A link with an anchor is about another page (§3.2).
    .filter(|(_, parameters)| parameters.anchor.is_none_or(<[u8]>::is_empty))
    .filter_map(
        |(
            target,
            Parameters {
                rel, media_type, ..
            },
        )| {
            let media_type = media_type.unwrap_or_default();
            OwnedLicense::new(rel?, target, media_type)
        },
    )
}

/// The parameters of a link that matter here, each with its first value (§3.3, §3.4.1).
#[derive(Default)]
struct Parameters<'a> {
    rel: Option<&'a [u8]>,
    media_type: Option<&'a [u8]>,
    anchor: Option<&'a [u8]>,
}

impl<'a> Parameters<'a> {
    /// Reads parameters up to the comma that ends the link, and returns the rest.
    ///
    /// ```text
    /// link-param = token BWS [ "=" BWS ( token / quoted-string ) ]
    /// ```
    fn read(&mut self, text: &'a [u8]) -> &'a [u8] {
        let mut rest = text;
        loop {
            rest = rest.trim_ascii_start();
            rest = match rest {
                [b';', after @ ..] => after.trim_ascii_start(),
                _ => return rest,
            };
            let (name, after) = until(rest, |byte| matches!(byte, b'=' | b';' | b','));
            let (value, after) = match after {
                [b'=', value @ ..] => parameter_value(value.trim_ascii_start()),
                _ => (&b""[..], after),
            };
            rest = after;
            let place = match name.trim_ascii().to_ascii_lowercase().as_slice() {
                b"rel" => &mut self.rel,
                b"type" => &mut self.media_type,
                b"anchor" => &mut self.anchor,
                _ => continue,
            };
            place.get_or_insert(value);
        }
    }
}

/// The value of a parameter and the text after it. A `\` stays in a quoted string, as no value that
/// is compared holds one.
fn parameter_value(text: &[u8]) -> (&[u8], &[u8]) {
    let Some(quoted) = text.strip_prefix(b"\"") else {
        let (value, rest) = until(text, |byte| matches!(byte, b';' | b','));
        return (value.trim_ascii(), rest);
    };
    let mut end = 0;
    while let Some(at) = quoted
        .get(end..)
        .and_then(|rest| memchr2(b'"', b'\\', rest))
    {
        end += at;
        if quoted.get(end) == Some(&b'"') {
            let (value, rest) = quoted.split_at_checked(end).unwrap_or_default();
            return (value, rest.get(1..).unwrap_or_default());
        }
        end += 2;
    }
    (quoted, &[])
}

fn until(text: &[u8], is_end: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| is_end(*byte));
    text.split_at_checked(end.unwrap_or(text.len()))
        .unwrap_or_default()
}
