//! Tags of HTML in a line that was copied from a page.

/// The text before the first tag, such as `<br>` or `</p>`; `None` if there is no tag.
pub(crate) fn before_tag(text: &[u8]) -> Option<&[u8]> {
    let mut starts = memchr::memchr_iter(b'<', text).map(|at| text.split_at(at));
    let (before, _) = starts.find(|(_, from)| is_tag(from))?;
    Some(before.trim_ascii_end())
}

/// Whether the text begins with a tag that has no attributes.
fn is_tag(text: &[u8]) -> bool {
    let text = text.get(1..).unwrap_or_default();
    let text = text.strip_prefix(b"/").unwrap_or(text);
    let len = text.iter().take_while(|byte| byte.is_ascii_alphanumeric());
    let Some((name, rest)) = text.split_at_checked(len.count()) else {
        return false;
    };
    let is_end = [&b">"[..], b"/>", b" />"]
        .iter()
        .any(|end| rest.starts_with(end));
    is_end && NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// The elements of text on a page. Other words in angle brackets may be a part of a URL.
const NAMES: [&[u8]; 19] = [
    b"a", b"b", b"body", b"br", b"code", b"div", b"em", b"font", b"h1", b"h2", b"hr", b"html",
    b"i", b"li", b"p", b"pre", b"span", b"strong", b"ul",
];
