//! Diagnostics about a path that begins with neither `/` nor `*`, with the path that was meant if
//! the value shows it.

use polite_robots::Access;
use polite_robots::text::{WebScheme, quote};

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::field::is_known;
use crate::lines::findings::{Findings, Reported};
use crate::lines::path_list::List;
use crate::lines::plain_path::{escaped, is_plain_path};
use crate::lines::second_record::about_record;
use crate::text::part::{Part, before_authority};
use crate::text::whole_site::is_whole_site;
use crate::text::words::is_one_of;

impl Findings<'_, '_> {
    pub(super) fn path_without_slash(&mut self, rule: Access, value: Part<'_>) -> Option<Reported> {
        let scheme = before_authority(value.bytes).unwrap_or_default();
        if WebScheme::new(scheme).is_some() {
            return self.absolute_url(value, scheme.len().saturating_add("://".len()));
        }
        let (file, line) = (self.file.bytes, self.line.part);
        self.report(DiagnosticCode::PathWithoutSlash, value, || {
            let advice = match List::in_value(value.bytes) {
                Some(list) => {
                    let Advice { message, proposals } = list.advice(rule, file, line, value);
                    let fix = format!("a rule holds one path and no list: {message}");
                    Advice::new(fix).propose_all(proposals)
                }
                None => advice(line, value),
            };
            advice.after(format_args!(
                "the path {} begins with neither `/` nor `*`, so it matches nothing",
                quote(value.bytes)
            ))
        })
    }

    /// Reports a whole URL, whose host starts at a place of the value. For a URL of another host
    /// the path would be a new rule.
    fn absolute_url(&mut self, value: Part<'_>, host_start: usize) -> Option<Reported> {
        self.report(DiagnosticCode::AbsoluteUrlAsPath, value, || {
            let is_end = |byte: &u8| matches!(byte, b'/' | b'?' | b'*' | b'$');
            let host = value.bytes.get(host_start..).unwrap_or_default();
            let host_len = host.iter().position(is_end).unwrap_or(host.len());
            let (origin, after_host) = value
                .bytes
                .split_at_checked(host_start.saturating_add(host_len))
                .unwrap_or_default();
            let path = [b"/", after_host.strip_prefix(b"/").unwrap_or(after_host)].concat();
            let file = [origin, b"/robots.txt"].concat();
            let written = String::from_utf8(path.clone()).ok();
            let written = written.filter(|path| {
                is_short(path) && is_plain_path(path.as_bytes()) && !is_whole_site(path.as_bytes())
            });
            let fix = match &written {
                Some(path) => format!("write `{path}` if it is this host"),
                None if is_whole_site(&path) => format!("its path is that of {}", pages(&path)),
                None => format!("its path is {}", quote(&path)),
            };
            let message = format!(
                "{} is a whole URL and no path, so it matches nothing; a rule about another host belongs in {}, and {fix}",
                quote(value.bytes),
                quote(&file)
            );
            Advice::new(message).write_if(value.span(), written)
        })
    }
}

/// The advice that leads to a path which can match.
fn advice(line: Part<'_>, value: Part<'_>) -> Advice {
    let bytes = value.bytes;
    let name = memchr::memchr(b':', bytes).and_then(|end| bytes.get(..end));
    if name.is_some_and(is_known) {
        return second_record(line, value);
    }
    if let Some(host) = host(bytes) {
        return path_of_host(value, host);
    }
    let text = core::str::from_utf8(bytes).unwrap_or_default();
    match bytes {
        [b'?' | b'.' | b'&' | b'=', ..]
            if !matches!(bytes, [b'.', b'/', ..] | [b'.', b'.', b'/', ..]) =>
        {
            match format!("/*{text}") {
                path if !is_plain_path(path.as_bytes()) => BEGINNING.into(),
                path if is_short(text) => {
                    Advice::new(format!("write `{path}` for any path with this text"))
                        .write(value.span(), path)
                }
                _ => Advice::new("write `/*` before it for any path with this text")
                    .write(value.start..value.start, "/*"),
            }
        }
        _ if is_one_of(bytes, &["all", "any", "everything"]) => NO_WORD_FOR_ALL.into(),
        _ if is_one_of(bytes, &["none", "nothing", "false"]) => NO_WORD_FOR_NONE.into(),
        _ => match reason(bytes, text) {
            Some(reason) => without_signs(value, text, reason),
            None => with_slash(value, text),
        },
    }
}

/// The mistake that the first signs of a value show, if no path begins with them.
fn reason(value: &[u8], text: &str) -> Option<&'static str> {
    Some(match value {
        [b'"' | b'\'' | b'`', ..] | [0xE2, 0x80, 0x98..=0x9D, ..] => {
            "a path has no quotation marks around it"
        }
        [b':', ..] => "the colon is there twice",
        [b'.', b'/', ..] | [b'.', b'.', b'/', ..] => "a path begins with its first `/`",
        [b'\\', ..] => "the path of a URL has `/` in place of `\\`",
        [b'$', ..] => "`$` stands for the end of a path, and only there",
        [b'^' | b'(' | b'[', ..] => "robots.txt has no regular expressions",
        [first, ..] if !first.is_ascii() => "a path begins with its first `/`",
        _ if after_method(text).is_some() => "a rule is for every method",
        _ => return None,
    })
}

/// The advice to write the path that is within signs.
fn without_signs(value: Part<'_>, text: &str, reason: &'static str) -> Advice {
    match meant(text) {
        Some(path) => Advice::new(format!("{reason}: write `{path}`")).write(value.span(), path),
        None if !text.is_empty() && is_whole_site(format!("/{}", plain(text)).as_bytes()) => {
            Advice::new(format!("{reason}: write `/` if the whole site is meant"))
                .write(value.span(), "/")
        }
        None => Advice::new(reason),
    }
}

/// The advice about a value that is a path but for its first slash.
fn with_slash(value: Part<'_>, text: &str) -> Advice {
    if let Some(path) = meant(text) {
        let anywhere = format!("/*{}", path.trim_start_matches('/'));
        let fix = format!("write `{path}`, or `{anywhere}` for any path with this text");
        let advice = Advice::new(fix).write(value.span(), path);
        return advice.write(value.span(), anywhere);
    }
    match escaped(format!("/{text}").as_bytes()).filter(|path| is_good(path)) {
        Some(path) => {
            Advice::new(format!("write `{path}` if it is one path")).write(value.span(), path)
        }
        None => BEGINNING.into(),
    }
}

/// The advice to write a value that is itself a record in place of the line.
fn second_record(line: Part<'_>, value: Part<'_>) -> Advice {
    let record = core::str::from_utf8(value.bytes).ok();
    let about = about_record(b"", value.bytes);
    let fix = match record {
        Some(_) => format!(
            "a line holds one record, so write {} in its place{about}",
            quote(value.bytes)
        ),
        None => "a line holds one record".into(),
    };
    Advice::new(fix).write_if(line.trim().start..value.end(), record)
}

/// The advice about a path with the name of its host before it.
fn path_of_host(value: Part<'_>, host: &[u8]) -> Advice {
    let after_host = value.bytes.get(host.len()..).unwrap_or_default();
    if let Some(path) = core::str::from_utf8(after_host).ok().and_then(meant) {
        let fix = format!("a path has no name of a host before it: write `{path}`");
        return Advice::new(fix).write(value.span(), path);
    }
    let path = [b"/", after_host.strip_prefix(b"/").unwrap_or(after_host)].concat();
    let here = match is_whole_site(&path) {
        true => format!(
            "without the name of the host it is the path of {}, and",
            pages(&path)
        ),
        false => "a path has no name of a host before it, and".into(),
    };
    format!(
        "{here} a rule about the pages of {host} belongs in the robots.txt of that host",
        host = quote(host)
    )
    .into()
}

/// The path in a value, without the signs around it. `None` if more than these signs would have to
/// be removed, or if the rest is the whole site, because a hint must not close or open that.
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

/// The pages of a path that is not spelled out, because a hint must not close or open a whole site.
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

const NO_WORD_FOR_ALL: &str =
    "there is no word for all paths: `/` is the whole site, and an empty value is nothing";
const NO_WORD_FOR_NONE: &str =
    "there is no word for no path: an empty value is nothing, and `/` is the whole site";

/// The advice where more than the first character is wrong, so that no text is named.
const BEGINNING: &str = "a path begins with `/`, or with `/*` for any path with this text";

/// The longest pattern that a message spells out, in bytes.
pub(super) const LONGEST_ADVICE: usize = 60;
