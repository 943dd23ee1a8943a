//! The URLs to write in place of one with a fault.

use polite_robots::text::WebScheme;

use crate::lines::sitemap_fault::{Fault, before_file_end, fault, further_url};
use crate::text::host::is_host;
use crate::text::url::WholeUrl;
use crate::text::words::words;

/// The URLs that may be meant, the likeliest first; none where the file does not show them.
pub(super) fn meant(value: &[u8], found: &Fault<'_>) -> Vec<String> {
    let whole = WholeUrl::new(value);
    let candidates: Vec<Option<Vec<u8>>> = match found {
        Fault::Foreign(_) => vec![embedded(value).or_else(|| Some(with_slashes(value)))],
        // `/sitemaps.d/a.xml` begins with a folder.
        Fault::Relative => match value {
            [b'/', next, ..] if *next != b'/' => Vec::new(),
            value => vec![with_scheme(value)],
        },
        Fault::Scheme(scheme) => vec![embedded(value).or_else(|| {
            let rest = value.get(scheme.len()..)?;
            Some([b"https", rest].concat())
        })],
        Fault::SchemeTwice => vec![once(value)],
        Fault::NoHost => vec![whole.and_then(|url| with_scheme(url.path))],
        Fault::NoSlash => vec![whole.and_then(|url| with_slash(&url))],
        Fault::Host(host) => vec![whole.map(|url| url.with_host(&without_signs(host)))],
        Fault::Port(port) => vec![whole.and_then(|url| with_slash_after_port(&url, port))],
        Fault::Blank => without_blanks(value),
        Fault::Page(_) => vec![whole.map(|url| {
            let end = value.len().saturating_sub(url.path.len());
            let origin = value.get(..end).unwrap_or_default();
            [origin, b"/sitemap.xml"].concat()
        })],
        Fault::SeveralUrls | Fault::Program(_) | Fault::Placeholder(..) => Vec::new(),
    };
    let is_right = |url: &Vec<u8>| matches!(fault(url), None | Some(Fault::Placeholder(..)));
    let right = candidates.into_iter().flatten().filter(is_right);
    let mut meant: Vec<String> = right
        .filter_map(|url| String::from_utf8(url).ok())
        .collect();
    meant.dedup();
    meant
}

/// The URLs of a list, without the signs between them.
pub(super) fn urls_of_list(list: &[u8]) -> Option<Vec<&str>> {
    let colons = memchr::memchr_iter(b':', list);
    let starts: Vec<usize> = colons
        .filter_map(|colon| further_url(list, colon))
        .collect();
    let ends = starts.iter().copied().chain([list.len()]);
    let urls = [0].iter().chain(&starts).zip(ends);
    let is_between = |letter: char| letter.is_ascii_whitespace() || matches!(letter, ',' | ';');
    let urls = urls.map(|(start, end)| {
        let url = core::str::from_utf8(list.get(*start..end)?).ok()?;
        Some(url.trim_matches(is_between))
    });
    let urls: Option<Vec<&str>> = urls.collect();
    urls.filter(|urls| urls.iter().all(|url| !url.is_empty()))
}

/// The URL within a text: `<https://plum.example/a.xml>`.
fn embedded(value: &[u8]) -> Option<Vec<u8>> {
    let lower = value.to_ascii_lowercase();
    let find = |scheme: &[u8]| memchr::memmem::find(&lower, scheme);
    let start = find(b"http://")
        .into_iter()
        .chain(find(b"https://"))
        .min()?;
    let rest = value.get(start..)?;
    let is_after = |byte: &u8| {
        byte.is_ascii_whitespace()
            || matches!(byte, b'<' | b'>' | b'"' | b'\'' | b'`' | b')' | b']')
    };
    let url = rest.split(is_after).next()?;
    let is_dot = |byte: &u8| matches!(byte, b'.' | b',' | b';');
    let dots = url.iter().rev().take_while(|byte| is_dot(byte)).count();
    let url = url.get(..url.len().saturating_sub(dots))?;
    (url.len() < value.len()).then(|| url.to_vec())
}

/// The text with slashes in place of backslashes, and with escapes of what stands in no path.
fn with_slashes(value: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(value.len());
    for byte in value {
        match byte {
            b'\\' => text.push(b'/'),
            b'|' => text.extend_from_slice(b"%7C"),
            b'^' => text.extend_from_slice(b"%5E"),
            b'`' => text.extend_from_slice(b"%60"),
            byte => text.push(*byte),
        }
    }
    text
}

/// The URL of a text that begins with a host, or with a scheme that lacks a sign of `://`.
pub(super) fn with_scheme(value: &[u8]) -> Option<Vec<u8>> {
    let letters = value.iter().take_while(|byte| byte.is_ascii_alphabetic());
    let (scheme, rest) = value.split_at_checked(letters.count())?;
    let (scheme, rest) =
        match WebScheme::new(scheme).filter(|_| rest.starts_with(b":") || rest.starts_with(b"/")) {
            Some(_) => (scheme, rest),
            None => (&b"https"[..], value),
        };
    let signs = rest.iter().take_while(|byte| matches!(byte, b':' | b'/'));
    let rest = rest.get(signs.count()..)?;
    let end = rest.iter().position(|byte| matches!(byte, b'/' | b':'))?;
    let host = rest.get(..end)?;
    let is_right = is_domain(host) && before_file_end(host).len() == host.len();
    is_right.then(|| [scheme, b"://", rest].concat())
}

/// The URL with the second of its two schemes alone.
fn once(value: &[u8]) -> Option<Vec<u8>> {
    let url = WholeUrl::new(value)?;
    let (_, after) = url.around_host();
    let rest = after.iter().position(|byte| !matches!(byte, b':' | b'/'))?;
    let scheme = url.host.to_ascii_lowercase();
    Some([&scheme, &b"://"[..], after.get(rest..)?].concat())
}

/// The URL with a slash between the host and the name of the file, if the host shows where.
fn with_slash(url: &WholeUrl<'_>) -> Option<Vec<u8>> {
    let lower = url.host.to_ascii_lowercase();
    let query = url.path.strip_prefix(b"/").unwrap_or(url.path);
    let mut places: Vec<usize> = FILE_WORDS
        .iter()
        .flat_map(|word| memchr::memmem::find_iter(&lower, word))
        .collect();
    places.sort_unstable();
    places
        .into_iter()
        .find_map(|place| {
            let before = lower.get(..place)?;
            let first_word = words(FIRST_WORDS).find(|word| before.ends_with(word));
            let place = place.saturating_sub(first_word.map_or(0, |word| word.len()));
            let (host, file) = url.host.split_at_checked(place)?;
            let host = host.strip_suffix(b".").unwrap_or(host);
            is_domain(host).then(|| url.with_host(&[host, b"/", file].concat()))
        })
        .map(|mut glued| {
            glued.truncate(glued.len().saturating_sub(url.path.len()));
            glued.extend_from_slice(query);
            glued
        })
}

/// The URL with a slash between the port and the path.
fn with_slash_after_port(url: &WholeUrl<'_>, port: &[u8]) -> Option<Vec<u8>> {
    let digits = port.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, file) = port.split_at_checked(digits)?;
    let colon: &[u8] = if digits.is_empty() { b"" } else { b":" };
    let (before, _) = url.around_host();
    let is_file = before_file_end(file).len() < file.len();
    is_file.then(|| [before, url.host, colon, digits, b"/", file, url.path].concat())
}

/// The host without blanks and doubled dots, and with dots in place of commas.
fn without_signs(host: &[u8]) -> Vec<u8> {
    let mut name = Vec::with_capacity(host.len());
    for byte in host {
        match byte {
            b',' | b';' | b'.' if matches!(name.last(), None | Some(b'.')) => {}
            b',' | b';' => name.push(b'.'),
            byte if byte.is_ascii_whitespace() || *byte == b'\'' => {}
            byte => name.push(*byte),
        }
    }
    match name.strip_suffix(b".") {
        Some(without) if is_domain(without) => without.to_vec(),
        // A host of one label is hardly meant.
        None if !is_domain(&name) => Vec::new(),
        _ => name,
    }
}

/// The URL up to its blank if that is a file, with the blanks escaped, and without them.
fn without_blanks(value: &[u8]) -> Vec<Option<Vec<u8>>> {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let first = value.split(is_blank).next().unwrap_or_default();
    let is_file = before_file_end(first).len() < first.len();
    let words: Vec<&[u8]> = value.split(is_blank).collect();
    vec![
        is_file.then(|| first.to_vec()),
        Some(words.join(&b"%20"[..])),
        Some(words.concat()),
    ]
}

/// Whether a host has two labels or more, the last of which is letters.
fn is_domain(host: &[u8]) -> bool {
    let dot = host.iter().rposition(|byte| *byte == b'.');
    let last = dot.and_then(|dot| host.get(dot.saturating_add(1)..));
    let is_end = |last: &[u8]| {
        let is_letters = last
            .iter()
            .all(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
        last.len() > 1 && (is_letters || last.starts_with(b"xn--"))
    };
    is_host(host) && last.is_some_and(is_end)
}

/// Words with which the name of a sitemap or a feed begins.
const FILE_WORDS: &[&[u8]] = &[
    b"sitemap",
    b"site-map",
    b"site_map",
    b"feed.",
    b"rss.",
    b"atom.",
];

/// Words before `sitemap` in the name of a file.
const FIRST_WORDS: &str = include_str!("../words/before_sitemap.txt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_that_is_meant_is_found() {
        for (value, expected) in [
            ("<https://plum.example/s.xml>", "https://plum.example/s.xml"),
            (
                "[map](https://plum.example/s.xml)",
                "https://plum.example/s.xml",
            ),
            (r"https:\\plum.example\s.xml", "https://plum.example/s.xml"),
            (
                "https://plum.example/a|b.xml",
                "https://plum.example/a%7Cb.xml",
            ),
            ("htps://plum.example/s.xml", "https://plum.example/s.xml"),
            (
                "see https://plum.example/s.xml",
                "https://plum.example/s.xml",
            ),
            ("://plum.example/s.xml", "https://plum.example/s.xml"),
            ("https:/plum.example/s.xml", "https://plum.example/s.xml"),
            ("http//plum.example/s.xml", "http://plum.example/s.xml"),
            ("//plum.example/s.xml", "https://plum.example/s.xml"),
            ("plum.example/s.xml", "https://plum.example/s.xml"),
            ("plum.example:8080/s.xml", "https://plum.example:8080/s.xml"),
            (
                "https://HTTP//plum.example/s.xml",
                "http://plum.example/s.xml",
            ),
            ("https:///plum.example/s.xml", "https://plum.example/s.xml"),
            ("https:////plum.example/s.xml", "https://plum.example/s.xml"),
            (
                "https://plum.examplesitemap.xml",
                "https://plum.example/sitemap.xml",
            ),
            (
                "https://www.plum.comwp-sitemap.xml",
                "https://www.plum.com/wp-sitemap.xml",
            ),
            (
                "https://www.plum.comsitemap_index.xml?a=b",
                "https://www.plum.com/sitemap_index.xml?a=b",
            ),
            (
                "https://plum.com.sitemap.xml.gz/",
                "https://plum.com/sitemap.xml.gz",
            ),
            (
                "https://sitemap.plum.comsitemap.xml",
                "https://sitemap.plum.com/sitemap.xml",
            ),
            (
                "https://plum.com:443sitemap.xml",
                "https://plum.com:443/sitemap.xml",
            ),
            (
                "https://plum.com:sitemap.xml",
                "https://plum.com/sitemap.xml",
            ),
            ("https://plum,com/s.xml", "https://plum.com/s.xml"),
            ("https://www..plum.com/s.xml", "https://www.plum.com/s.xml"),
            ("https:// plum.com/s.xml", "https://plum.com/s.xml"),
            ("https://plum.com", "https://plum.com/sitemap.xml"),
            // Nothing shows which URL is meant.
            ("/sitemap.xml", ""),
            ("/sitemaps.d/a.xml", ""),
            ("sitemap.xml", ""),
            ("sitemap.php?a=b", ""),
            ("https://sitemap.xml", ""),
            ("https://www.plum.com.xml", ""),
            ("https://.../s.xml", ""),
            ("https://{host}/s.xml", ""),
            ("file:///s.xml", ""),
            ("[object Object]", ""),
        ] {
            let value = value.as_bytes();
            let found = fault(value).map(|fault| meant(value, &fault));
            let first = found.unwrap().into_iter().next().unwrap_or_default();
            assert_eq!(first, expected, "{}", String::from_utf8_lossy(value));
        }
    }

    #[test]
    fn a_list_is_parted_at_its_urls() {
        let list = b"https://a.example/,b.xml, /c.xml; http://d.example/ ,https://e.example/";
        let urls = urls_of_list(list).unwrap();
        let expected = [
            "https://a.example/,b.xml, /c.xml",
            "http://d.example/",
            "https://e.example/",
        ];
        assert_eq!(urls, expected);
    }
}
