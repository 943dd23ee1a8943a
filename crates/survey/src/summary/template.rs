//! The template of a file: its text without the names of the hosts in its URLs.

use std::borrow::Cow;

use memchr::memmem;

use crate::summary::hash::hash;

/// The hash of the template of a body, whose own hash is known. Files of one template are equal but
/// for what stands between `://` and the next `/`, `?`, `#`, blank or line end, as in the addresses
/// of their sitemaps.
pub(crate) fn template(body: &[u8], own_hash: u64) -> u64 {
    match without_hosts(body) {
        Cow::Borrowed(_) => own_hash,
        Cow::Owned(text) => hash(&text),
    }
}

fn without_hosts(body: &[u8]) -> Cow<'_, [u8]> {
    let mut text: Option<Vec<u8>> = None;
    let mut rest = body;
    while let Some(at) = memmem::find(rest, BEFORE_HOST) {
        let (start, after) = rest.split_at(at + BEFORE_HOST.len());
        let text = text.get_or_insert_with(|| Vec::with_capacity(body.len()));
        text.extend_from_slice(start);
        let end = after.iter().position(|byte| ENDS.contains(byte));
        rest = after.get(end.unwrap_or(after.len())..).unwrap_or_default();
    }
    match text {
        None => Cow::Borrowed(body),
        Some(mut text) => {
            text.extend_from_slice(rest);
            Cow::Owned(text)
        }
    }
}

const BEFORE_HOST: &[u8] = b"://";

/// The bytes at which the name of a host ends.
const ENDS: &[u8] = b"/?# \t\r\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_equal_but_for_the_hosts_of_urls() {
        let of = |body: &str| template(body.as_bytes(), hash(body.as_bytes()));
        let shop = "User-agent: *\nDisallow: /cart\nSitemap: https://a.example/map.xml\n# see http://a.example\r\nHost: ://";
        assert_eq!(
            of(shop),
            of(&shop.replace("a.example", "shop.b.example:8080"))
        );
        assert_ne!(of(shop), of(&shop.replace("map.xml", "other.xml")));
        assert_ne!(of(shop), of(&shop.replace("https", "http")));
        assert_ne!(of(shop), of(&shop.replace("/cart", "/basket")));
        let plain = "User-agent: *\nDisallow: /cart";
        assert_eq!(of(plain), hash(plain.as_bytes()));
        assert_eq!(&*without_hosts(b"a://b/c ://d?e://f"), b"a:///c ://?e://");
    }
}
