//! A sitemap of XML: the `<loc>` elements of its `<url>` or `<sitemap>` elements, in any namespace.

use quick_xml::Reader;
use quick_xml::errors::{Error, IllFormedError};
use quick_xml::events::{BytesRef, Event};

use crate::sitemap::error::SitemapError;
use crate::sitemap::kind::Kind;
use crate::sitemap::metered::Metered;

/// Hands out the text of each `<loc>`, with the line on which it ends.
pub(super) fn read(
    source: Metered<'_>,
    take: &mut dyn FnMut(&str, u64),
) -> Result<Kind, SitemapError> {
    let mut reader = Reader::from_reader(source);
    let mut buffer = Vec::new();
    let mut elements: Vec<Element> = Vec::new();
    let mut kind = None;
    let mut loc = String::new();
    loop {
        buffer.clear();
        let event = match reader.read_event_into(&mut buffer) {
            Ok(event) => event,
            Err(error) => return Err(explained(error, reader.get_ref())),
        };
        let line = reader.get_ref().line();
        let not_utf8 = |_| SitemapError::NotUtf8 { line };
        let is_in_loc = elements.last() == Some(&Element::Loc);
        match event {
            Event::Start(start) => {
                let element = Element::new(start.local_name().as_ref(), &elements);
                if elements.is_empty() {
                    kind = Some(kind_of(start.local_name().as_ref())?);
                }
                if elements.len() == MOST_DEPTH {
                    return Err(SitemapError::TooDeep {
                        line,
                        most: MOST_DEPTH,
                    });
                }
                loc.clear();
                elements.push(element);
            }
            Event::Empty(start) if elements.is_empty() && kind.is_none() => {
                kind = Some(kind_of(start.local_name().as_ref())?);
            }
            Event::End(_) => {
                let closed = elements.pop();
                if closed == Some(Element::Loc) {
                    take(&loc, line);
                }
            }
            Event::Text(text) if is_in_loc => add(&mut loc, text.decode().map_err(not_utf8)?),
            Event::CData(text) if is_in_loc => add(&mut loc, text.decode().map_err(not_utf8)?),
            Event::GeneralRef(reference) if is_in_loc => match character(&reference) {
                Some(character) => add(&mut loc, character.encode_utf8(&mut [0; 4])),
                // Entities that the document declares itself are never expanded: ten of them make a
                // billion.
                None => add(&mut loc, "\u{FFFD}"),
            },
            Event::Eof => break,
            _ => {}
        }
    }
    if !elements.is_empty() {
        return Err(SitemapError::Xml {
            line: reader.get_ref().line(),
            reason: "it ends within an element, so that a part is missing".to_owned(),
        });
    }
    kind.ok_or(SitemapError::Xml {
        line: 1,
        reason: "it has no element".to_owned(),
    })
}

/// The elements of a sitemap that matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Element {
    /// The outermost element.
    Root,
    /// `<url>` or `<sitemap>`.
    Entry,
    /// `<loc>` of an entry; images and videos of a page have such elements too, deeper down.
    Loc,
    Other,
}

impl Element {
    fn new(name: &[u8], around: &[Element]) -> Element {
        match (around, name) {
            ([], _) => Element::Root,
            ([Element::Root], b"url" | b"sitemap") => Element::Entry,
            ([.., Element::Entry], b"loc") => Element::Loc,
            _ => Element::Other,
        }
    }
}

fn kind_of(root: &[u8]) -> Result<Kind, SitemapError> {
    match root {
        b"urlset" => Ok(Kind::Urls),
        b"sitemapindex" => Ok(Kind::Index),
        other => Err(SitemapError::NoSitemap {
            root: String::from_utf8_lossy(other).chars().take(40).collect(),
        }),
    }
}

/// The character of `&amp;` and its like, or of a number.
fn character(reference: &BytesRef<'_>) -> Option<char> {
    match &**reference {
        b"amp" => Some('&'),
        b"lt" => Some('<'),
        b"gt" => Some('>'),
        b"quot" => Some('"'),
        b"apos" => Some('\''),
        _ => reference.resolve_char_ref().ok().flatten(),
    }
}

/// Adds to a URL, up to a length that no URL has.
fn add(loc: &mut String, text: impl AsRef<str>) {
    if loc.len().saturating_add(text.as_ref().len()) <= LONGEST_LOC {
        loc.push_str(text.as_ref());
    }
}

fn explained(error: Error, source: &Metered<'_>) -> SitemapError {
    let line = source.line();
    match error {
        _ if source.is_at_limit() => SitemapError::TooLarge,
        Error::Io(error) => SitemapError::Io(error.kind().into()),
        Error::Encoding(_) => SitemapError::NotUtf8 { line },
        Error::IllFormed(IllFormedError::UnclosedReference) => SitemapError::Ampersand { line },
        error => SitemapError::Xml {
            line,
            reason: error.to_string(),
        },
    }
}

/// A sitemap with its extensions has five levels.
const MOST_DEPTH: usize = 64;

/// In bytes. The protocol permits 2,048 characters.
const LONGEST_LOC: usize = 64 * 1024;
