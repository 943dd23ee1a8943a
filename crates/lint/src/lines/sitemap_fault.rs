//! The faults of the URL of a sitemap.

use polite_robots::text::WebScheme;

use crate::code::DiagnosticCode;
use crate::text::host::{Placeholder, is_host, placeholder};
use crate::text::url::WholeUrl;
use crate::text::words::is_one_of;

/// The first reason why crawlers find no sitemap at a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault<'v> {
    SeveralUrls,
    /// ASCII that stands in no URL.
    Foreign(u8),
    /// The text of a program or a template in place of the URL.
    Program(&'v [u8]),
    Relative,
    Scheme(&'v [u8]),
    SchemeTwice,
    NoHost,
    /// The name of the file follows the host without a slash.
    NoSlash,
    Placeholder(&'v [u8], Placeholder),
    Host(&'v [u8]),
    Port(&'v [u8]),
    Blank,
    /// A page that is not a sitemap, in words.
    Page(&'static str),
}

impl Fault<'_> {
    pub(super) fn code(&self) -> DiagnosticCode {
        match self {
            Fault::Relative => DiagnosticCode::RelativeSitemap,
            Fault::Placeholder(..) => DiagnosticCode::PlaceholderSitemap,
            _ => DiagnosticCode::InvalidSitemap,
        }
    }
}

/// The first fault of a value that is not empty.
pub(super) fn fault(value: &[u8]) -> Option<Fault<'_>> {
    if is_list(value) {
        return Some(Fault::SeveralUrls);
    }
    if let Some(byte) = value.iter().find(|byte| is_foreign(**byte)) {
        return Some(Fault::Foreign(*byte));
    }
    let Some(url) = WholeUrl::new(value) else {
        let first = value.split(|byte| *byte == b'/').next()?;
        let is_program = PROGRAM_TEXTS.contains(&first) || is_unfilled(first);
        return Some(match is_program {
            true => Fault::Program(first),
            false => Fault::Relative,
        });
    };
    if url.web_scheme().is_none() && !url.scheme.eq_ignore_ascii_case(b"ftp") {
        return Some(Fault::Scheme(url.scheme));
    }
    if WebScheme::new(url.host).is_some() {
        return Some(Fault::SchemeTwice);
    }
    let has_no_path = matches!(url.path, [] | [b'/'] | [b'?', ..]);
    let file = Some(before_file_end(url.host)).filter(|before| before.len() < url.host.len());
    match file {
        _ if url.host.is_empty() => return Some(Fault::NoHost),
        Some(before) if has_no_path && !before.contains(&b'.') => return Some(Fault::NoHost),
        Some(_) if has_no_path => return Some(Fault::NoSlash),
        _ => {}
    }
    if let Some(placeholder) = placeholder(url.host) {
        return Some(Fault::Placeholder(url.host, placeholder));
    }
    if !is_host(url.host) {
        return Some(Fault::Host(url.host));
    }
    if let Some(port) = url.port.filter(|port| !is_port(port)) {
        return Some(Fault::Port(port));
    }
    if value.iter().any(u8::is_ascii_whitespace) {
        return Some(Fault::Blank);
    }
    page_without_sitemap(url.path).map(Fault::Page)
}

/// Whether a URL stands after another one, or after a path.
fn is_list(value: &[u8]) -> bool {
    let colons = memchr::memchr_iter(b':', value);
    let starts = colons.filter_map(|colon| further_url(value, colon));
    let mut starts = starts.map(|start| value.get(..start).unwrap_or_default());
    starts.any(|before| memchr::memchr2(b'/', b'.', before).is_some())
}

/// The start of a URL that is not the first of a list, by its colon.
pub(super) fn further_url(value: &[u8], colon: usize) -> Option<usize> {
    let (before, from) = value.split_at_checked(colon)?;
    let letters = before.iter().rev().take(LONGEST_SCHEME);
    let letters = letters
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let (list, scheme) = before.split_at(before.len().saturating_sub(letters));
    let is_further = from.starts_with(b"://")
        && WebScheme::new(scheme).is_some()
        && matches!(list, [.., b' ' | b'\t' | b',' | b';']);
    is_further.then_some(list.len())
}

/// The text before `.xml` and other ends of files, none of which is the end of a domain.
pub(super) fn before_file_end(text: &[u8]) -> &[u8] {
    let mut before = text;
    // `.xml.gz` has two.
    for _ in 0..2 {
        let dot = before.iter().rposition(|byte| *byte == b'.');
        let parts = dot.and_then(|dot| before.split_at_checked(dot));
        match parts {
            Some((start, end)) if is_one_of(end, FILE_ENDS) => before = start,
            _ => break,
        }
    }
    before
}

fn is_port(port: &[u8]) -> bool {
    let digits = core::str::from_utf8(port).unwrap_or("-");
    let is_number = || digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.is_empty() || is_number() && digits.parse::<u16>().is_ok()
}

/// Whether the start of a value is a place in a template: `[site]`, `$base_url`, `%SITEMAP%`.
fn is_unfilled(text: &[u8]) -> bool {
    let is_sign = |byte: &u8| matches!(byte, b'[' | b'$' | b'%' | b'(');
    text.first().is_some_and(is_sign) && placeholder(text) == Some(Placeholder::Unfilled)
        || matches!(text, [b'_', b'_', .., b'_', b'_'])
}

/// The page that is not a sitemap, by its path.
fn page_without_sitemap(path: &[u8]) -> Option<&'static str> {
    match path {
        b"" | b"/" => Some("the home page"),
        path if path.eq_ignore_ascii_case(b"/robots.txt") => Some("a robots.txt"),
        _ => None,
    }
}

/// Whether the byte is ASCII that stands in no URL (RFC 3986 §2), but around one, or where a
/// template was not filled in.
fn is_foreign(byte: u8) -> bool {
    matches!(
        byte,
        b'<' | b'>' | b'"' | b'{' | b'}' | b'\\' | b'^' | b'`' | b'|'
    )
}

/// The letters of `https`, and one more.
const LONGEST_SCHEME: usize = 6;

/// The ends of files with which no name of a domain ends.
const FILE_ENDS: &[&str] = &[
    ".xml", ".gz", ".txt", ".php", ".html", ".htm", ".asp", ".aspx", ".rss",
];

/// The text of programs in place of a missing value.
const PROGRAM_TEXTS: &[&[u8]] = &[
    b"undefined",
    b"null",
    b"NaN",
    b"None",
    b"nil",
    b"true",
    b"false",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_urls_have_no_fault() {
        for (url, is_expected) in [
            ("https://plum.example/sitemap.xml", true),
            ("http://www.plum.example/a?b=c&d=%20", true),
            ("https://plum.example", false),
            ("https://plum.example/", false),
            ("https://plum.example/robots.txt", false),
            ("https://plum.example/robots.txt.xml", true),
            ("https://", false),
            ("https:///a", false),
            ("https://https/", false),
            ("https://plum.example:443/a", true),
            ("https://a@plum.example/a", true),
            ("https://plum..example/a", false),
            ("https://plum_1.example/a", true),
            ("https://plum.example/a b", false),
            ("HTTPS://plum.example/a", true),
            ("/sitemap.xml", false),
        ] {
            assert_eq!(fault(url.as_bytes()).is_none(), is_expected, "{url}");
        }
    }
}
