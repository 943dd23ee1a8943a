//! The elements of a page that are for robots, as a browser finds them: `meta` and `link`.

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

/// The elements in the order of the page.
#[derive(Debug, Default)]
pub(super) struct Elements {
    /// Whether there is any element at all.
    pub(super) is_html: bool,
    /// Names and contents.
    pub(super) metas: Vec<(Vec<u8>, Vec<u8>)>,
    pub(super) links: Vec<Link>,
}

/// A `link` element.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) rel: Vec<u8>,
    pub(super) href: Vec<u8>,
    pub(super) media_type: Vec<u8>,
}

impl Elements {
    /// Reads any bytes. Text in comments, scripts, styles and text fields is no element.
    pub(super) fn read(page: &[u8]) -> Elements {
        let mut elements = Elements::default();
        elements.take(page, Scripts::Run);
        elements
    }

    fn take(&mut self, page: &[u8], scripts: Scripts) {
        let mut emitter = DefaultEmitter::default();
        emitter.naively_switch_states(true);
        let mut is_for_readers_without_scripts = false;
        for Ok(token) in Tokenizer::new_with_emitter(page, emitter) {
            match token {
                Token::StartTag(tag) => {
                    is_for_readers_without_scripts = **tag.name == *b"noscript";
                    self.take_tag(&tag);
                }
                // A crawler that runs no scripts finds elements there, and one that does should
                // obey both.
                Token::String(text)
                    if is_for_readers_without_scripts && scripts == Scripts::Run =>
                {
                    self.take(&text, Scripts::Ignored);
                }
                _ => {}
            }
        }
    }

    fn take_tag(&mut self, tag: &StartTag<()>) {
        self.is_html = true;
        let value = |name: &str| {
            let value = tag.attributes.get(name.as_bytes())?;
            Some(value.to_vec())
        };
        match (&**tag.name, value("name"), value("content")) {
            (b"meta", Some(name), Some(content)) => self.metas.push((name, content)),
            (b"link", ..) => {
                if let (Some(rel), Some(href)) = (value("rel"), value("href")) {
                    let media_type = value("type").unwrap_or_default();
                    self.links.push(Link {
                        rel,
                        href,
                        media_type,
                    });
                }
            }
            _ => {}
        }
    }
}

/// Whether the reader of the page runs scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scripts {
    Run,
    Ignored,
}

#[cfg(test)]
mod tests {
    use super::Elements;

    fn metas(page: &str) -> Vec<(String, String)> {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let metas = Elements::read(page.as_bytes()).metas.into_iter();
        metas
            .map(|(name, content)| (text(name), text(content)))
            .collect()
    }

    #[test]
    fn an_element_is_found_as_it_may_be_written() {
        for page in [
            "<meta name=robots content=noindex>",
            "<META\nCONTENT='noindex' NAME=\"robots\" />",
            "<p><meta name=robots content='noinde&#120;'>",
            "<meta name=robots name=other content=noindex content=all>",
            "<script>'<meta name=a content=b>'</script><meta name=robots content=noindex>",
            "<noscript><meta name=robots content=noindex></noscript>",
        ] {
            assert_eq!(metas(page), [("robots".into(), "noindex".into())], "{page}");
        }
    }

    #[test]
    fn text_that_looks_like_an_element_is_none() {
        for page in [
            "<!-- <meta name=robots content=noindex> -->",
            "<script>document.write('<meta name=robots content=noindex>')</script>",
            "<style><meta name=robots content=noindex></style>",
            "<title><meta name=robots content=noindex></title>",
            "<textarea><meta name=robots content=noindex></textarea>",
            "<a title='<meta name=robots content=noindex>'>",
            "&lt;meta name=robots content=noindex>",
            "<meta name=robots>",
            "<meta property=robots content=noindex>",
            "<meta name=robots content=noindex",
            "",
        ] {
            assert_eq!(metas(page), [], "{page}");
        }
    }
}
