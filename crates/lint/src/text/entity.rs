//! Entities of HTML in a path that was copied from a page.

use memchr::memchr_iter;

/// The first entity of a value, and its character.
pub(crate) fn first_entity(value: &[u8]) -> Option<(&'static [u8], &'static str)> {
    memchr_iter(b'&', value).find_map(|at| {
        let from = value.get(at..)?;
        let is_start = |(entity, _): &&(&'static str, _)| from.starts_with(entity.as_bytes());
        let (entity, character) = ENTITIES.iter().find(is_start)?;
        Some((entity.as_bytes(), *character))
    })
}

/// The value with the characters of its entities, those of `&amp;amp;` too. A URL has `%22` for a
/// quotation mark.
pub(crate) fn decoded(value: &str) -> String {
    let mut parts = value.split("&amp;");
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        decoded.push('&');
        decoded.push_str(part.trim_start_matches("amp;"));
    }
    decoded.replace("&quot;", "%22")
}

/// The entities that programs write where a URL is put into a page. `&#38;` begins a comment.
const ENTITIES: [(&str, &str); 2] = [("&amp;", "&"), ("&quot;", "\"")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_decoded_until_none_is_left() {
        for (value, expected) in [
            ("/a?b&amp;c&amp;d", "/a?b&c&d"),
            ("/&amp;amp;amp;c", "/&c"),
            ("/&amp;b&amp;quot;&quot;", "/&b%22%22"),
            ("/a&b;c&", "/a&b;c&"),
        ] {
            assert_eq!(decoded(value), expected);
            assert_eq!(first_entity(decoded(value).as_bytes()), None);
        }
    }
}
