//! Diagnostics about a path that begins with neither `/` nor `*`, with the path that was meant
//! where the value shows it.

use polite_robots::text::WebScheme;
use polite_robots::text::quote;

use crate::code::DiagnosticCode;
use crate::lines::field::is_known;
use crate::lines::findings::Findings;
use crate::lines::path_syntax::is_whole_site;
use crate::lines::plain_path::{escaped, is_plain_path};
use crate::text::part::Part;
use crate::text::part::before_authority;

impl Findings<'_, '_> {
    pub(super) fn path_without_slash(&mut self, value: Part<'_>) {
        let quoted = quote(value.bytes);
        let scheme = before_authority(value.bytes).unwrap_or_default();
        if WebScheme::new(scheme).is_some() {
            // For a URL of another host the path would be a new rule.
            let message = || {
                let is_end = |byte: &u8| matches!(byte, b'/' | b'?' | b'*' | b'$');
                let host_start = scheme.len().saturating_add("://".len());
                let host = value.bytes.get(host_start..).unwrap_or_default();
                let host_len = host.iter().position(is_end).unwrap_or(host.len());
                let (origin, after_host) = value
                    .bytes
                    .split_at_checked(host_start.saturating_add(host_len))
                    .unwrap_or_default();
                let after_host = after_host.strip_prefix(b"/").unwrap_or(after_host);
                let path = [b"/", after_host].concat();
                let file = [origin, b"/robots.txt"].concat();
                let file = quote(&file);
                let path = match path.as_slice() {
                    path if is_whole_site(path) => {
                        format!(
                            "its path is that of {}, so give the one that is meant",
                            pages(path)
                        )
                    }
                    path if path.len() <= LONGEST_ADVICE && is_plain_path(path) => {
                        format!("write {}", quote(path))
                    }
                    path => format!("write it from {} on", quote(path)),
                };
                format!(
                    "{quoted} is a whole URL, so it matches nothing; if it is on another host, write the rule into {file}, and if it is on this one, {path}"
                )
            };
            self.report(DiagnosticCode::AbsoluteUrlAsPath, value, message);
        } else {
            let message = || {
                format!(
                    "the path {quoted} begins with neither `/` nor `*`, so this line has no effect; {}",
                    advice(value.bytes)
                )
            };
            self.report(DiagnosticCode::PathWithoutSlash, value, message);
        }
    }
}

/// The way to a path that can match.
fn advice(value: &[u8]) -> String {
    let name = memchr::memchr(b':', value).and_then(|end| value.get(..end));
    let text = core::str::from_utf8(value).unwrap_or_default();
    let path = meant(text);
    let written = |reason: &str| match &path {
        Some(path) => format!("{reason}: write `{path}`"),
        None if !text.is_empty() && is_whole_site(format!("/{}", plain(text)).as_bytes()) => {
            format!("{reason}; `/` is the whole site, so write it alone only if that is meant")
        }
        None => format!("{reason}: write it from the first `/` on"),
    };
    if name.is_some_and(is_known) {
        return format!(
            "a line holds one record, so write {} on a line of its own",
            quote(value)
        );
    }
    if let Some(host) = host(value) {
        let after_host = value.get(host.len()..).unwrap_or_default();
        let path = [b"/", after_host.strip_prefix(b"/").unwrap_or(after_host)].concat();
        let here = match core::str::from_utf8(after_host).ok().and_then(meant) {
            Some(path) => {
                return format!("write the path alone, without the name of the host: `{path}`");
            }
            None if is_whole_site(&path) => {
                format!(
                    "without the name of the host it is the path of {}, so give the one that is meant",
                    pages(&path)
                )
            }
            None => "give the path without the name of the host".into(),
        };
        return format!(
            "{here}, or write the rule into the robots.txt of {}",
            quote(host)
        );
    }
    match value {
        [b'"' | b'\'' | b'`', ..] | [0xE2, 0x80, 0x98..=0x9D, ..] => {
            written("a path has no quotation marks around it")
        }
        [b':', ..] => written("the colon is there twice"),
        [b'.', b'/', ..] | [b'.', b'.', b'/', ..] => written("a path begins with its first `/`"),
        [b'\\', ..] => written("the path of a URL has `/` in place of `\\`"),
        [b'$', ..] => written("`$` stands for the end of a path, and only there"),
        [b'^' | b'(' | b'[', ..] => match &path {
            Some(path) => format!("robots.txt has no regular expressions: write `{path}`"),
            None => "robots.txt has no regular expressions: `*` stands for any text".into(),
        },
        [first, ..] if !first.is_ascii() => written("a path begins with its first `/`"),
        [b'?' | b'.' | b'&' | b'=', ..] => match format!("/*{text}") {
            path if !is_plain_path(path.as_bytes()) => BEGINNING.into(),
            path if is_short(text) => format!("write `{path}` for any path with this text"),
            _ => "write `/*` before it for any path with this text".into(),
        },
        _ if after_method(text).is_some() => written("a rule is for every method"),
        _ if is_one_of(value, &["all", "any", "everything"]) => {
            "there is no word for all paths: `/` is the whole site, and an empty value is nothing"
                .into()
        }
        _ if is_one_of(value, &["none", "nothing", "false"]) => {
            "there is no word for no path: an empty value is nothing, and `/` is the whole site"
                .into()
        }
        _ => match &path {
            Some(path) => format!(
                "write `{path}`, or `/*{}` for any path with this text",
                path.trim_start_matches('/')
            ),
            None => match escaped(format!("/{text}").as_bytes()).filter(|path| is_good(path)) {
                Some(path) => format!("write `{path}` if it is one path"),
                None => BEGINNING.into(),
            },
        },
    }
}

/// The path in a value, without the signs around it. `None` if more than these would have to go,
/// or if the rest is the whole site, as a hint is never to close or open that.
fn meant(text: &str) -> Option<String> {
    let text = plain(text);
    let from_slash = match text.find('/') {
        Some(at) if !text.is_ascii() => text.get(at..)?,
        _ => &text,
    };
    Some(format!("/{}", from_slash.trim_start_matches('/'))).filter(|path| is_good(path))
}

/// Whether a path can be written as it is.
fn is_good(path: &str) -> bool {
    let is_odd = |byte: u8| b"\"'`<>{}[]()|^+\\".contains(&byte);
    is_short(path)
        && is_plain_path(path.as_bytes())
        && !is_whole_site(path.as_bytes())
        && !path.bytes().any(is_odd)
}

/// The pages of a path that is not written out, as a hint is never to close or open a whole site.
fn pages(path: &[u8]) -> &'static str {
    match path {
        b"/$" => "the home page",
        _ => "the whole site",
    }
}

/// The value without the signs around its path, and with `/` where `\` or `\/` stands for it.
fn plain(text: &str) -> String {
    let is_around = |sign: char| sign.is_whitespace() || "\"'`‘’“”".contains(sign);
    let text = text.trim_start_matches([':', ' ', '\t']);
    let text = text.trim_matches(is_around);
    let text = after_method(text).unwrap_or(text);
    let mut text = text.trim_start_matches(['^', '$']);
    while let Some(rest) = text.strip_prefix("./").or_else(|| text.strip_prefix("../")) {
        text = rest;
    }
    text.replace(r"\/", "/").replace('\\', "/")
}

fn is_short(text: &str) -> bool {
    text.len() <= LONGEST_ADVICE
}

/// The path after the method of a request: `GET /admin`.
fn after_method(text: &str) -> Option<&str> {
    let (method, path) = text.split_once(' ')?;
    let path = path.trim_start();
    let is_method = ["GET", "HEAD", "POST", "PUT", "DELETE"].contains(&method);
    (is_method && path.starts_with('/')).then_some(path)
}

fn is_one_of(value: &[u8], words: &[&str]) -> bool {
    words
        .iter()
        .any(|word| value.eq_ignore_ascii_case(word.as_bytes()))
}

/// The host with which a value begins, as in `www.example.com/a` or `www.example.com*`.
fn host(value: &[u8]) -> Option<&[u8]> {
    let end = value.iter().position(|byte| matches!(byte, b'/' | b'*'));
    let host = value.get(..end.unwrap_or(value.len())).unwrap_or_default();
    let is_of_host = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.".contains(byte);
    let mut labels = host.split(|byte| *byte == b'.');
    let is_last = labels.next_back().is_some_and(|last| {
        let is_file = FILE_ENDS.iter().any(|end| last.eq_ignore_ascii_case(end));
        last.len() > 1 && last.iter().all(u8::is_ascii_alphabetic) && !is_file
    });
    // Without a `/` after it, a name with one dot is rather that of a file.
    let is_before_path = value.get(host.len()) == Some(&b'/');
    let dots = if is_before_path { 1 } else { 2 };
    (host.iter().all(is_of_host) && is_last && labels.count() >= dots).then_some(host)
}

/// Ends of the names of files, which may have several dots: `jquery.min.js`.
const FILE_ENDS: [&[u8]; 12] = [
    b"asp", b"aspx", b"cfm", b"css", b"gif", b"htm", b"html", b"jpg", b"js", b"pdf", b"php", b"xml",
];

/// The advice where more than the first character is wrong, so that no text is named.
const BEGINNING: &str = "a path begins with `/`, or with `/*` for any path with this text";

/// The longest pattern that a message spells out, in bytes.
pub(super) const LONGEST_ADVICE: usize = 60;
