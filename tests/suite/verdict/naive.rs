//! The reference matcher: simple enough to be checked by eye, and written from the semantics
//! without the crate's code.
//!
//! A pattern is a list of elements. After each element, a match keeps the set of all positions that
//! the elements so far can reach.

use std::ops::Range;

use polite_robots::{Access, Dialect};

/// Whether the value of a rule matches a URL in one of its readings.
pub(crate) fn matches(value: &[u8], url: &str, dialect: Dialect) -> bool {
    let matches = |path: &Vec<u8>| matches_path(value, path, dialect);
    paths(url, dialect).iter().any(matches)
}

fn matches_path(value: &[u8], path: &[u8], dialect: Dialect) -> bool {
    let elements = elements(value, dialect);
    let query = path
        .iter()
        .position(|byte| *byte == b'?')
        .unwrap_or(path.len());
    let mut reachable = vec![false; path.len() + 1];
    reachable[0] = true;
    for element in &elements {
        let mut next = vec![false; path.len() + 1];
        for at in (0..=path.len()).filter(|at| reachable[*at]) {
            let rest = &path[at..];
            match element {
                Element::Wildcard => next[at..].fill(true),
                Element::End => next[at] |= rest.is_empty(),
                Element::Byte(byte) if rest.first() == Some(byte) => next[at + 1] = true,
                Element::Byte(_) => {}
                Element::QueryDependent { in_path, in_query } => {
                    let text = if at <= query { in_path } else { in_query };
                    let end = at + text.len();
                    if rest.starts_with(text) && (at > query || end <= query) {
                        next[end] = true;
                    }
                }
            }
        }
        reachable = next;
    }
    reachable.contains(&true)
}

/// The length of a rule in bytes, which decides its precedence.
pub(crate) fn bytes(value: &[u8], dialect: Dialect) -> usize {
    let lengths = elements(value, dialect)
        .into_iter()
        .map(|element| match element {
            Element::QueryDependent { .. } => 3,
            Element::Byte(_) | Element::Wildcard | Element::End => 1,
        });
    lengths.sum()
}

/// The verdict and the line of its rule, 0 without one. The rules are `(access, value, line)` in
/// file order. The first reading of the URL that is disallowed decides; if none is, the first
/// reading decides.
pub(crate) fn verdict(
    rules: &[(Access, Vec<u8>, u32)],
    url: &str,
    dialect: Dialect,
) -> (bool, u32) {
    let paths = paths(url, dialect);
    let mut answers = paths
        .iter()
        .map(|path| verdict_of_path(rules, path, dialect));
    let first = answers.next().unwrap();
    if first.0 {
        answers.find(|(allowed, _)| !allowed).unwrap_or(first)
    } else {
        first
    }
}

fn verdict_of_path(rules: &[(Access, Vec<u8>, u32)], path: &[u8], dialect: Dialect) -> (bool, u32) {
    if dialect == Dialect::Rfc9309 && path == b"/robots.txt" {
        return (true, 0);
    }
    let mut allow: Option<(usize, u32)> = None;
    let mut disallow: Option<(usize, u32)> = None;
    for (access, value, line) in rules {
        let priority = if dialect == Dialect::Rfc9309
            && !value.starts_with(b"/")
            && !value.starts_with(b"*")
        {
            None
        } else if matches_path(value, path, dialect) {
            Some(bytes(value, dialect))
        } else if dialect == Dialect::Google && *access == Access::Allow {
            directory_priority(value, path)
        } else {
            None
        };
        let Some(priority) = priority else { continue };
        let best = match access {
            Access::Allow => &mut allow,
            Access::Disallow => &mut disallow,
        };
        if best.is_none_or(|(so_far, _)| priority > so_far) {
            *best = Some((priority, *line));
        }
    }
    let (a, d) = (
        allow.map(|(priority, _)| priority),
        disallow.map(|(priority, _)| priority),
    );
    if d > a {
        (d == Some(0), disallow.map_or(0, |(_, line)| line))
    } else {
        (true, allow.map_or(0, |(_, line)| line))
    }
}

fn directory_priority(value: &[u8], path: &[u8]) -> Option<usize> {
    let slash = value.iter().rposition(|byte| *byte == b'/')?;
    if !value[slash..].starts_with(b"/index.htm") {
        return None;
    }
    let directory = [&value[..=slash], b"$"].concat();
    matches_path(&directory, path, Dialect::Google).then(|| bytes(&directory, Dialect::Google))
}

enum Element {
    Byte(u8),
    Wildcard,
    End,
    QueryDependent {
        in_path: &'static [u8],
        in_query: &'static [u8],
    },
}

fn elements(value: &[u8], dialect: Dialect) -> Vec<Element> {
    let mut elements = Vec::new();
    let (mut in_query, mut after_wildcard) = (false, false);
    let mut at = 0;
    while at < value.len() {
        let byte = value[at];
        let is_last = at + 1 == value.len();
        let escaped = escape_at(value, at);
        at += if escaped.is_some() { 3 } else { 1 };
        if byte == b'*' {
            after_wildcard = true;
            elements.push(Element::Wildcard);
        } else if byte == b'$' && is_last {
            elements.push(Element::End);
        } else if dialect == Dialect::Google {
            let text = match escaped {
                Some(byte) => format!("%{byte:02X}"),
                None if byte >= 0x80 => format!("%{byte:02X}"),
                None => char::from(byte).to_string(),
            };
            elements.extend(text.bytes().map(Element::Byte));
        } else {
            let query_dependent = after_wildcard && !in_query;
            elements.extend(match escaped {
                Some(b'/') if query_dependent => vec![Element::QueryDependent {
                    in_path: b"%2F",
                    in_query: b"/",
                }],
                Some(b'?') if query_dependent => vec![Element::QueryDependent {
                    in_path: b"%3F",
                    in_query: b"?",
                }],
                Some(b'&') if query_dependent => vec![Element::QueryDependent {
                    in_path: b"&",
                    in_query: b"%26",
                }],
                Some(b'=') if query_dependent => vec![Element::QueryDependent {
                    in_path: b"=",
                    in_query: b"%3D",
                }],
                _ => canonical(byte, escaped, in_query)
                    .into_iter()
                    .map(Element::Byte)
                    .collect(),
            });
            in_query |= byte == b'?';
        }
    }
    elements
}

/// The byte that a `%` and two hex digits at `at` stand for.
fn escape_at(text: &[u8], at: usize) -> Option<u8> {
    let escape = text.get(at..at + 3)?;
    let digits = std::str::from_utf8(&escape[1..]).ok()?;
    let is_escape =
        escape[0] == b'%' && escape[1].is_ascii_hexdigit() && escape[2].is_ascii_hexdigit();
    is_escape.then(|| u8::from_str_radix(digits, 16).unwrap())
}

/// The table of the canonical form, without wildcards and without the query-dependent escapes.
fn canonical(byte: u8, escaped: Option<u8>, in_query: bool) -> Vec<u8> {
    const ALWAYS: &[u8] = b"-._~:@!'()+,;[]";
    let escape = |byte: u8| format!("%{byte:02X}").into_bytes();
    match escaped {
        Some(data) if data.is_ascii_alphanumeric() || ALWAYS.contains(&data) => vec![data],
        Some(data @ (b'&' | b'=')) if !in_query => vec![data],
        Some(data @ (b'/' | b'?')) if in_query => vec![data],
        Some(data) => escape(data),
        None if byte.is_ascii_alphanumeric()
            || ALWAYS.contains(&byte)
            || b"/?&=".contains(&byte) =>
        {
            vec![byte]
        }
        None => escape(byte),
    }
}

/// The path of a URL in its first reading.
pub(crate) fn path(url: &str, dialect: Dialect) -> Vec<u8> {
    paths(url, dialect).swap_remove(0)
}

/// The paths of a URL, one for each reading, in the same steps as the semantics.
pub(crate) fn paths(url: &str, dialect: Dialect) -> Vec<Vec<u8>> {
    match dialect {
        Dialect::Google => {
            let given = given_path(url, &['/', '?', ';']);
            vec![given.split('\0').next().unwrap().into()]
        }
        Dialect::Rfc9309 => {
            let paths = sent_paths(url);
            paths
                .iter()
                .map(|path| canonical_path(path.as_bytes()))
                .collect()
        }
    }
}

/// The canonical form of a path that is compared as it stands.
pub(crate) fn canonical_path(raw: &[u8]) -> Vec<u8> {
    let (mut path, mut at, mut in_query) = (Vec::new(), 0, false);
    while at < raw.len() {
        let escaped = escape_at(raw, at);
        path.extend(canonical(raw[at], escaped, in_query));
        in_query |= raw[at] == b'?';
        at += if escaped.is_some() { 3 } else { 1 };
    }
    path
}

fn given_path(url: &str, delimiters: &[char]) -> String {
    given_place(url, delimiters).map_or("/".to_string(), |place| rooted(&url[place]))
}

/// The place of path and query in a URL.
fn given_place(url: &str, delimiters: &[char]) -> Option<Range<usize>> {
    let s = if url.starts_with("//") { 2 } else { 0 };
    let early = url[s..].find(delimiters).map(|at| at + s);
    let scheme = url[s..].find("://").map(|at| at + s);
    let p = match (scheme, early) {
        (Some(scheme), Some(early)) if early < scheme => s,
        (Some(scheme), _) => scheme + 3,
        (None, _) => s,
    };
    let a = url[p..].find(delimiters).map(|at| at + p)?;
    let h = url[s..].find('#').map_or(url.len(), |at| at + s);
    (a < h).then_some(a..h)
}

/// The paths that clients send: to some a `\` in a path is a `/`, and to others an ordinary byte.
fn sent_paths(url: &str) -> Vec<String> {
    let kept: String = url
        .trim_matches(|c| c <= ' ')
        .replace(['\t', '\n', '\r'], "");
    let lower = kept.to_ascii_lowercase();
    let scheme = ["https:", "http:"]
        .into_iter()
        .find(|scheme| lower.starts_with(scheme));
    let text = match scheme {
        Some(scheme) => kept[scheme.len()..].trim_start_matches(['/', '\\']),
        None => url,
    };
    let end = text.find(['?', '#']).unwrap_or(text.len());
    let slashed = format!("{}{}", text[..end].replace('\\', "/"), &text[end..]);
    let path = match scheme {
        Some(_) => {
            let start = slashed.find(['/', '?', '#']).unwrap_or(slashed.len());
            Some(start..slashed.find('#').unwrap_or(slashed.len()))
        }
        None => given_place(&slashed, &['/', '?']),
    };
    let Some(path) = path else {
        return vec!["/".to_string()];
    };
    let (browser, curl) = (&slashed[path.clone()], &text[path]);
    let mut paths = vec![resolved(&rooted(browser))];
    if browser != curl {
        paths.push(resolved(&rooted(curl)));
    }
    paths
}

/// The path of a browser's request: bytes outside of ASCII are encoded, and Google's matcher ends
/// the path at a NUL.
pub(crate) fn requested(url: &str) -> Vec<u8> {
    let path = sent_paths(url).swap_remove(0);
    let path = path.split('\0').next().unwrap();
    let encoded = path.bytes().map(|byte| match byte {
        0x80.. => format!("%{byte:02X}"),
        ascii => (ascii as char).to_string(),
    });
    encoded.collect::<String>().into_bytes()
}

fn rooted(path: &str) -> String {
    let root = if path.starts_with('/') { "" } else { "/" };
    format!("{root}{path}")
}

/// A path without its dot segments.
fn resolved(path: &str) -> String {
    let (before_query, query) = match path.split_once('?') {
        Some((path, query)) => (path.to_string(), format!("?{query}")),
        None => (path.to_string(), String::new()),
    };
    let mut resolved: Vec<&str> = Vec::new();
    let segments: Vec<&str> = before_query.split('/').skip(1).collect();
    for (at, segment) in segments.iter().enumerate() {
        let is_last = at + 1 == segments.len();
        match &*segment.to_ascii_lowercase().replace("%2e", ".") {
            dots @ ("." | "..") => {
                if dots == ".." {
                    resolved.pop();
                }
                if is_last {
                    resolved.push("");
                }
            }
            _ => resolved.push(segment),
        }
    }
    format!("/{}{query}", resolved.join("/"))
}
