//! The links of a page and the locations in a sitemap.

use std::io::Read as _;

use flate2::read::GzDecoder;
use html5gum::{DefaultEmitter, Token, Tokenizer};
use http::HeaderMap;
use polite_robots::InvalidToken;
use polite_robots_page::{PageControls, Permission};
use url::Url;

/// The links of a document, unless its header or its `meta` asks not to follow them. A sitemap is
/// read like a page: many are not quite XML.
pub(crate) fn of(url: &Url, headers: &HeaderMap, body: &[u8]) -> Result<Vec<Url>, InvalidToken> {
    let mut text = body.to_vec();
    // The body is a gzip file. A body with a content coding of HTTP is decoded already.
    if body.starts_with(&[0x1F, 0x8B]) {
        text.clear();
        // A file that ends too early is read as far as it goes.
        let mut unpacked = GzDecoder::new(body).take(MOST_BYTES as u64);
        let _ = unpacked.read_to_end(&mut text);
    }
    let (mut base, mut links, mut last_tag) = (url.clone(), Vec::new(), Vec::new());
    let mut asks = PageControls::new(crate::AGENT)?;
    for (name, value) in headers {
        asks = asks.with_header(name, value);
    }
    let mut emitter = DefaultEmitter::default();
    // The text of a script may look like a tag, but it is none.
    emitter.naively_switch_states(true);
    for Ok(token) in Tokenizer::new_with_emitter(&text, emitter) {
        match token {
            Token::StartTag(tag) => {
                let value = |name: &str| tag.attributes.get(name.as_bytes());
                let value = |name| Some(String::from_utf8_lossy(value(name)?).into_owned());
                match (&**tag.name, value("href"), value("name"), value("content")) {
                    (b"a" | b"area", Some(href), ..) => links.push(href),
                    (b"base", Some(href), ..) => base = url.join(&href).unwrap_or(base),
                    (b"meta", _, Some(name), Some(text)) => asks = asks.with_meta(name, text),
                    _ => {}
                }
                last_tag = tag.name.to_vec();
            }
            Token::EndTag(_) => last_tag.clear(),
            // CDATA of XML is a comment in HTML.
            Token::String(text) | Token::Comment(text) if last_tag == b"loc" => {
                let text = String::from_utf8_lossy(&text).replace("[CDATA[", "");
                links.push(text.replace("]]", "").trim().to_string());
            }
            _ => {}
        }
    }
    links.retain(|_| asks.following() == Permission::Allowed);
    Ok(links.iter().flat_map(|link| base.join(link)).collect())
}

/// The largest size of a sitemap (sitemaps.org), which is a good limit for pages, too.
pub(crate) const MOST_BYTES: usize = 50 << 20;
