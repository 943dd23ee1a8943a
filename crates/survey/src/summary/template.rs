//! The template of a file: its text without the names of the hosts in its URLs.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::summary::hash::hash;

/// The hash of the template of a body; `own_hash` is the hash of the body itself. Files of one
/// template differ only between `://` and the next `/`, `?`, `#`, blank or line end, for example in
/// the addresses of their sitemaps.
///
/// The hash covers the pieces of text between the names of hosts. Each long piece is replaced by
/// its own hash, because a copy of the whole text takes more instructions than its hash.
pub(crate) fn template(body: &[u8], own_hash: u64) -> u64 {
    let mut pieces: Vec<u8> = Vec::new();
    let mut start = 0;
    for at in BEFORE_HOST.find_iter(body) {
        // In `://a://b` the second colon belongs to the host `a:`, so that no mark begins there.
        if at < start {
            continue;
        }
        let end = at + BEFORE_HOST.needle().len();
        push(&mut pieces, body.get(start..end).unwrap_or_default());
        start = end + host_length(body.get(end..).unwrap_or_default());
    }
    if pieces.is_empty() {
        return own_hash;
    }
    push(&mut pieces, body.get(start..).unwrap_or_default());
    hash(&pieces)
}

fn push(pieces: &mut Vec<u8>, piece: &[u8]) {
    match piece.len() {
        0..LONG => pieces.extend_from_slice(piece),
        _ => pieces.extend(hash(piece).to_be_bytes()),
    }
}

/// The bytes from which a piece is hashed by itself.
const LONG: usize = 256;

/// The number of bytes before the end of the name of a host.
fn host_length(text: &[u8]) -> usize {
    let is_end = |byte: &u8| matches!(byte, b'/' | b'?' | b'#' | b' ' | b'\t' | b'\r' | b'\n');
    text.iter().position(is_end).unwrap_or(text.len())
}

/// The mark before the name of a host.
static BEFORE_HOST: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("://"));

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    /// The text without the names of hosts, piece by piece.
    fn without_hosts(text: &str) -> String {
        match text.split_once("://") {
            None => text.into(),
            Some((before, after)) => {
                let end = after.find(['/', '?', '#', ' ', '\t', '\r', '\n']);
                let rest = after.get(end.unwrap_or(after.len())..).unwrap();
                format!("{before}://{}", without_hosts(rest))
            }
        }
    }

    fn of(text: &str) -> u64 {
        template(text.as_bytes(), hash(text.as_bytes()))
    }

    fn texts() -> impl Strategy<Value = String> {
        let long = "x".repeat(LONG - 3);
        let pieces = ["://", ":", "/", "a", "b", "\n", long.as_str()].map(String::from);
        vec(select(pieces.to_vec()), 0..8).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn two_templates_are_equal_if_the_texts_without_hosts_are(one in texts(), other in texts()) {
            let is_equal = without_hosts(&one) == without_hosts(&other);
            prop_assert_eq!(of(&one) == of(&other), is_equal, "{:?} {:?}", one, other);
            prop_assert_eq!(of(&one), of(&without_hosts(&one)), "{:?}", one);
        }
    }

    #[test]
    fn templates_are_equal_but_for_the_hosts_of_urls() {
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
        let marks = "a://b/c ://d?e://f x://y://z";
        assert_eq!(of(marks), of("a:///c ://?e:// x:////z"));
        assert_eq!(of(marks), of("a://1/c ://2?e://3 x://4://z"));
        assert_ne!(of(marks), of("a://b/c ://d?e://f x://y://a"));
    }
}
